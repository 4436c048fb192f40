//! The probability that the side to move captures the king with its next roll.

use wurfel_core::Game;

use super::attacks;
use super::dice::{PAIRS, Pool, THREE, chance_of, pairs_with};
use super::kind::Kind;
use super::position::Position;
use super::sight::Sight;
use super::square::{Square, each, rank_of};
use super::variants::DiceCount;

impl<D: DiceCount> Position<D> {
    /// The exact share of rolls, 0 to 1, with which the **side to move** can capture the king in
    /// this turn. 0 once the game is over.
    ///
    /// With three dice, every way to prepare the capture by one or two moves is considered, which
    /// takes some microseconds.
    #[inline(always)]
    pub fn king_capture_chance(&self) -> f32 {
        if self.end().is_some() {
            return 0.0;
        }
        if D::THREE_DICE {
            return self.three_dice_chance();
        }
        let attackers = self.attackers();
        if attackers == 0 {
            return 0.0;
        }
        attackers.count_ones() as f32 / self.movable().count_ones() as f32
    }

    /// The share for three dice. Every first move is played, whichever dice are rolled, to find the
    /// pairs of dice that capture the king after it.
    fn three_dice_chance(&self) -> f32 {
        let wins = self.wins();
        let won = THREE.iter().filter(|roll| wins.with(roll.item));
        won.map(|roll| roll.weight).sum::<u32>() as f32 / 216.0
    }

    /// The rolls of three dice with which the side to move can capture the king in this turn.
    pub(super) fn capturing_rolls(&self) -> Vec<Pool> {
        let wins = self.wins();
        self.rolls().iter().map(|roll| roll.item).filter(|&roll| wins.with(roll)).collect()
    }

    /// The share of rolls of three dice in which two of the dice capture the king. It takes
    /// some tenths of a microsecond and is a lower bound of
    /// [`king_capture_chance`](Self::king_capture_chance).
    pub(super) fn two_dice_chance(&self) -> f32 {
        chance_of(self.winning_parts())
    }

    /// The parts of rolls, single dice and pairs, that capture the king. Pairs with a die that
    /// captures it by itself are left out.
    pub(super) fn winning_parts(&self) -> u32 {
        self.parts_with(self.attackers(), |kind| self.comes_to_attack(kind))
    }

    /// [`winning_parts`](Self::winning_parts), where it is known what the side to move sees.
    #[inline(always)]
    pub(super) fn winning_parts_seen(&self, sight: &Sight) -> u32 {
        self.parts_with(sight.attackers, |kind| match kind {
            Kind::Pawn => self.comes_to_attack(kind),
            _ => sight.comes_to_attack(kind),
        })
    }

    #[inline(always)]
    fn parts_with(&self, one: u8, comes_to_attack: impl Fn(Kind) -> bool) -> u32 {
        let mut parts = u32::from(one);
        let may_open = self.may_open_lines();
        for first in Kind::ALL.into_iter().filter(|kind| one & kind.bit() == 0) {
            let last = if may_open & first.bit() == 0 {
                if comes_to_attack(first) { first.bit() } else { 0 }
            } else {
                self.attackers_after(first)
            };
            if last != 0 {
                parts |= pairs_with(first, last);
            }
        }
        parts
    }

    /// The kinds that can capture the king once a piece of kind `first` has moved, as a set.
    fn attackers_after(&self, first: Kind) -> u8 {
        let mut kinds = 0;
        self.each_move(first, |mv| {
            let mut next = *self;
            next.advance(mv);
            kinds |= next.attackers();
        });
        kinds
    }

    /// The kinds whose moves may let another kind attack the king, as a set: those that stand
    /// between the king and a slider of their own side, and pawns that can promote or capture en
    /// passant.
    fn may_open_lines(&self) -> u8 {
        let king = self.pieces(Kind::King) & self.enemies();
        let (square, occupied) = (Square::known(king.trailing_zeros()), self.occupied());
        let mut between = 0;
        for (sliders, attacks) in
            [(Kind::Bishop, attacks::bishop as fn(Square, u64) -> u64), (Kind::Rook, attacks::rook)]
        {
            let seen = attacks(square, occupied);
            let nearest = seen & self.own_pieces();
            let behind = attacks(square, occupied & !nearest) & !seen;
            if behind & (self.own(sliders) | self.own(Kind::Queen)) != 0 {
                between |= nearest;
            }
        }
        let stands = |kind: &Kind| self.own(*kind) & between != 0;
        let kinds = Kind::ALL.into_iter().filter(stands).fold(0, |set, kind| set | kind.bit());
        let pawns = self.own(Kind::Pawn);
        let special = pawns & rank_of(self.mover(), 7) != 0
            || self.pawn_attacks(pawns) & self.passed_squares() != 0;
        if special { kinds | Kind::Pawn.bit() } else { kinds }
    }

    /// Whether a piece of this kind, which does not attack the king yet, can move to a square from
    /// which it does. A slider that leaves a square opens no line for itself, because whatever
    /// stood between that square and the king still stands there. Promotions and captures en
    /// passant are left out.
    fn comes_to_attack(&self, kind: Kind) -> bool {
        let king = self.pieces(Kind::King) & self.enemies();
        let (square, occupied) = (Square::known(king.trailing_zeros()), self.occupied());
        if kind == Kind::Pawn {
            return self.pawn_entries(self.own(Kind::Pawn)) & self.pawn_attackers(king) != 0;
        }
        let mut entered = 0;
        each(self.own(kind), |piece| entered |= attacks::non_pawn(kind, piece, occupied));
        entered & !self.own_pieces() & attacks::non_pawn(kind, square, occupied) != 0
    }

    fn wins(&self) -> Wins {
        let mut wins = Wins { parts: self.winning_parts(), after: [0; 7] };
        // A die that captures the king by itself need not be spent on preparing that.
        let one = self.attackers();
        for first in Kind::ALL.into_iter().filter(|kind| one & kind.bit() == 0) {
            self.each_move(first, |mv| {
                let mut next = *self;
                next.advance(mv);
                wins.after[first as usize] |= next.winning_parts() & PAIRS;
            });
        }
        self.each_castling(|mv| {
            let mut next = *self;
            next.advance(mv);
            wins.after[Kind::King as usize] |= pairs_with(Kind::Rook, next.attackers());
        });
        wins
    }
}

/// The dice that capture the king.
struct Wins {
    /// Single dice and pairs.
    parts: u32,
    /// By the number of a kind: the pairs that capture the king once a die of that kind has been
    /// spent.
    after: [u32; 7],
}

impl Wins {
    /// Whether these dice capture the king in some order.
    fn with(&self, pool: Pool) -> bool {
        let after = |first: Kind| {
            pool.without(first).is_some_and(|rest| rest.parts() & self.after[first as usize] != 0)
        };
        pool.parts() & self.parts != 0 || pool.kinds().any(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dicechess::DiceChess3;
    use crate::learnable::{Learnable, rolls_without_a_winning_end};
    use wurfel_core::{Random, draw};

    /// The same share by playing every first move and looking at every roll.
    fn plain(position: &DiceChess3) -> f32 {
        let one = position.attackers();
        let two = Kind::ALL.map(|first| position.attackers_after(first));
        let captures = |dice: Pool| {
            let after = |first: Kind| {
                let rest = dice.without(first).map_or(0, Pool::set);
                rest & two[first as usize - 1] != 0
            };
            one & dice.set() != 0 || dice.kinds().any(after)
        };
        let won = THREE.iter().filter(|roll| captures(roll.item));
        won.map(|roll| roll.weight).sum::<u32>() as f32 / 216.0
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "both divide whole numbers")]
    fn captures_by_two_dice_are_those_of_all_first_moves() {
        let mut random = Random::new(5);
        let (mut chances, mut slow) = (0, 0);
        for _ in 0..2000 {
            let mut position = DiceChess3::default();
            while position.outcome().is_none() {
                let share = position.two_dice_chance();
                assert_eq!(share, plain(&position), "{position}");
                chances += u32::from(share > 0.0);
                let seen = position.winning_parts_seen(&Sight::of(&position));
                assert_eq!(seen, position.winning_parts(), "{position}");
                slow += u32::from(position.may_open_lines() != 0);
                let mut rest = Some(draw(position.rolls(), &mut random));
                while let Some(dice) = rest {
                    rest = position.play(dice, *random.pick(&position.moves(dice)));
                }
            }
        }
        assert!(chances > 1000 && slow > 1000, "{chances} {slow}");
    }

    #[test]
    fn quiet_rolls_are_those_of_which_no_end_has_lost_a_king() {
        let mut random = Random::new(6);
        let mut left_out = 0;
        for _ in 0..10 {
            let mut position = DiceChess3::default();
            while position.outcome().is_none() {
                let quiet = position.quiet_rolls();
                assert_eq!(quiet, rolls_without_a_winning_end(&position), "{position}");
                let chances: u32 = quiet.iter().map(|roll| roll.weight).sum();
                let share = 1.0 - position.king_capture_chance();
                assert!((share - chances as f32 / 216.0).abs() < 1e-6, "{position}");
                left_out += position.rolls().len() - quiet.len();
                let mut rest = Some(draw(position.rolls(), &mut random));
                while let Some(dice) = rest {
                    rest = position.play(dice, *random.pick(&position.moves(dice)));
                }
            }
        }
        assert!(left_out > 100, "{left_out}");
    }

    /// The rook on e1 attacks when the knight leaves, but not when the pawn before it moves on.
    ///
    /// ```text
    /// 8  . . . . k . . .
    /// 5  . . . . N . . .      and       . . . . P . . .
    /// 1  . . . . R . . K
    /// ```
    #[test]
    #[allow(clippy::float_cmp, reason = "both are whole numbers")]
    fn a_piece_between_king_and_rook_shows_the_rook_when_it_leaves() {
        let share = |board: &str| {
            let position: DiceChess3 = format!("{board} w - - 0 1").parse().unwrap();
            (216.0 * position.two_dice_chance()).round()
        };
        // A knight and a rook among the dice: 216 − 125 − 125 + 64 outcomes.
        assert_eq!(share("4k3/8/8/4N3/8/8/8/4R2K"), 30.0);
        assert_eq!(share("4k3/8/8/4P3/8/8/8/4R2K"), 0.0);
    }
}
