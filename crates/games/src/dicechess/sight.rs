//! What the pieces of a side see: for each kind the best piece that it can capture, and whether it
//! can move to a square from which it attacks the king.

use super::attacks;
use super::kind::Kind;
use super::position::Position;
use super::square::{Square, each};
use super::variants::DiceCount;

/// What the side to move sees, or what the other side would see if it were to move. Captures en
/// passant are left out.
pub(super) struct Sight {
    /// What each kind sees, pawns first: [`BLIND`], or twice the number of the best kind that it
    /// can capture (0 for none), plus one when it can move to a square from which it attacks the
    /// king.
    pub kinds: [u8; 6],
    /// How many kinds can move.
    pub movable: usize,
    /// The kinds that can capture the king, as a set.
    pub attackers: u8,
    /// How many squares the enemy's king sees along ranks and files, and along diagonals.
    pub king: [usize; 2],
    /// The enemy's pieces that each kind can capture, pawns first.
    pub captures: [u64; 6],
    /// The squares on which this side could recapture.
    pub guarded: u64,
}

/// The entry of a kind that cannot move or has no piece.
pub(super) const BLIND: u8 = 14;

impl Sight {
    /// Whether a piece of this kind can move to a square from which it attacks the king. Double
    /// steps of pawns are left out as well.
    #[inline(always)]
    pub fn comes_to_attack(&self, kind: Kind) -> bool {
        self.kinds[usize::from(kind.number()) - 1] & 1 != 0
    }

    /// What the side to move sees.
    #[inline(always)]
    pub fn of<D: DiceCount>(position: &Position<D>) -> Self {
        let (occupied, own, enemies) =
            (position.occupied(), position.own_pieces(), position.enemies());
        let king = position.pieces(Kind::King) & enemies;
        let square = Square::known(king.trailing_zeros());
        let straight = attacks::rook(square, occupied);
        let diagonal = attacks::bishop(square, occupied);
        let squares = |kind: Kind, from: fn(Square, u64) -> u64| {
            let mut reached = 0;
            each(position.own(kind), |piece| reached |= from(piece, occupied));
            reached
        };
        let pawns = position.own(Kind::Pawn);
        let pawn_attacks = position.pawn_attacks(pawns);
        let mut sight = Self {
            kinds: [BLIND; 6],
            movable: 0,
            attackers: 0,
            king: [straight, diagonal].map(|squares| squares.count_ones() as usize),
            captures: [0; 6],
            guarded: pawn_attacks,
        };
        let takes = pawn_attacks & enemies;
        let mut see = |kind: Kind, attacked: u64, attack: u64| {
            if kind != Kind::Pawn {
                sight.guarded |= attacked;
            }
            let entered = attacked & !own;
            sight.captures[usize::from(kind.number()) - 1] = entered & enemies;
            if entered != 0 {
                let best = position.highest(entered & enemies);
                sight.kinds[usize::from(kind.number()) - 1] =
                    2 * best | u8::from(entered & attack != 0);
                sight.movable += 1;
                if best == Kind::King.number() {
                    sight.attackers |= kind.bit();
                }
            }
        };
        see(Kind::Pawn, takes | position.pawn_steps(pawns), position.pawn_attackers(king));
        let knights = attacks::knight_steps(position.own(Kind::Knight));
        see(Kind::Knight, knights, attacks::knight(square));
        see(Kind::Bishop, squares(Kind::Bishop, attacks::bishop), diagonal);
        see(Kind::Rook, squares(Kind::Rook, attacks::rook), straight);
        see(Kind::Queen, squares(Kind::Queen, attacks::queen), straight | diagonal);
        let kings = squares(Kind::King, |piece, _| attacks::king(piece));
        see(Kind::King, kings, attacks::king(square));
        sight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dicechess::DiceChess;
    use wurfel_core::{Game, Random, draw};

    #[test]
    fn it_sees_what_a_player_sees() {
        // 8  . . . r k . . .     the knight can take the rook or a pawn; the rook can come
        // 7  . . . . . . . .     to e3 or h8, where it attacks the king; the queen can take
        // 6  . . N . . b . .     the pawn, and looks at the king through the knight
        // 5  . . . . . . . .
        // 4  Q . . p . . . .
        // 3  . . P . . . . R
        // 2  . . . . . . . .
        // 1  . . . K . . . .
        let position: DiceChess = "3rk3/8/2N2b2/8/Q2p4/2P4R/8/3K4 w - - 0 1".parse().unwrap();
        let sight = Sight::of(&position);
        assert_eq!(sight.kinds, [2, 8, BLIND, 1, 2, 0]);
        assert_eq!((sight.movable, sight.attackers), (5, 0));
        // Along rank and file the squares d8, f8–h8 and e7–e1; along diagonals d7–c6 and f7–h5.
        assert_eq!(sight.king, [1 + 3 + 7, 2 + 3]);
        let set = |squares: &[u32]| squares.iter().fold(0, |set, &n| set | 1u64 << n);
        let (d1, c3, d4, c6, d8) = (3, 18, 27, 42, 59);
        assert_eq!(sight.captures, [set(&[d4]), set(&[d4, d8]), 0, 0, set(&[d4]), 0]);
        // The rook guards the pawn, the queen the king and the knight.
        assert_eq!(sight.guarded & position.own_pieces(), set(&[d1, c3, c6]));
    }

    fn check(position: &DiceChess) {
        let sight = Sight::of(position);
        assert_eq!(sight.movable, position.movable().count_ones() as usize, "{position}");
        assert_eq!(sight.attackers, position.attackers(), "{position}");
        for roll in position.rolls() {
            let kind = roll.item.first();
            let mut moves = position.moves(roll.item);
            moves.retain(|mv| position.at(mv.to()).is_some());
            let taken = moves.iter().filter_map(|mv| position.at(mv.to()));
            let taken = taken.map(|(_, kind)| kind.number()).max().unwrap_or(0);
            let kind = usize::from(kind.number()) - 1;
            assert_eq!(sight.kinds[kind] >> 1, taken, "{position} {kind}");
            let squares = moves.iter().fold(0, |set, mv| set | mv.to().bit());
            assert_eq!(sight.captures[kind], squares, "{position} {kind}");
        }
    }

    /// A piece that takes a guarded piece can be recaptured, unless that piece was the king.
    fn check_guards(position: &DiceChess) {
        let mut other = *position;
        other.turn_around();
        let guarded = Sight::of(&other).guarded;
        for roll in position.rolls() {
            for mv in position.moves(roll.item) {
                let mut next = *position;
                next.play(roll.item, mv);
                if position.at(mv.to()).is_some() && next.outcome().is_none() {
                    let back = next.rolls().iter().flat_map(|roll| next.moves(roll.item));
                    let taken_back = back.into_iter().any(|back| back.to() == mv.to());
                    assert!(taken_back || guarded & mv.to().bit() == 0, "{position} {mv}");
                }
            }
        }
    }

    #[test]
    fn captures_and_kinds_that_move_are_those_of_the_rules() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let mut position = DiceChess::default();
            while position.outcome().is_none() {
                // Captures en passant are left out, so such positions are not compared.
                if position.passed_squares() == 0 {
                    check(&position);
                }
                check_guards(&position);
                let roll = draw(position.rolls(), &mut random);
                let mv = *random.pick(&position.moves(roll));
                position.play(roll, mv);
            }
        }
    }
}
