//! Move generation for each kind of piece. There is no check, so pseudo-legal moves are legal.

use arrayvec::ArrayVec;
use wurfel_core::Side;

use super::attacks;
use super::kind::Kind;
use super::moves::{CASTLE, DOUBLE, EN_PASSANT, Move, Moves, PROMOTE};
use super::position::{CASTLINGS, Position};
use super::square::{FILE_A, FILE_H, LAST_RANKS, Square, each, rank_of};
use super::variants::DiceCount;

/// The kinds to which pawns promote, the best first.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

#[inline(always)]
fn promotion_kinds() -> u8 {
    PROMOTIONS.iter().fold(0, |set, kind| set | kind.bit())
}

/// By how many bits a pawn's three kinds of steps rotate a board to the left: one step ahead, and
/// the captures to either side.
#[inline(always)]
const fn steps(side: Side) -> [u32; 3] {
    match side {
        Side::First => [8, 7, 9],
        Side::Second => [56, 55, 57],
    }
}

/// The squares that pawns enter: by one step, by two steps, and by captures to the west and to the
/// east.
struct PawnTargets {
    one: u64,
    two: u64,
    west: u64,
    east: u64,
}

impl<D: DiceCount> Position<D> {
    #[inline(always)]
    fn pawn_targets(&self, pawns: u64) -> PawnTargets {
        let [ahead, west, east] = steps(self.mover());
        let empty = !self.occupied();
        let one = pawns.rotate_left(ahead) & empty;
        let targets = self.enemies() | self.passed_squares();
        PawnTargets {
            one,
            two: (one & rank_of(self.mover(), 3)).rotate_left(ahead) & empty,
            west: (pawns & !FILE_A).rotate_left(west) & targets,
            east: (pawns & !FILE_H).rotate_left(east) & targets,
        }
    }

    /// The squares that pawns of the side to move enter.
    #[inline(always)]
    pub(super) fn pawn_entries(&self, pawns: u64) -> u64 {
        let PawnTargets { one, two, west, east } = self.pawn_targets(pawns);
        one | two | west | east
    }

    /// The squares that pawns of the side to move attack.
    #[inline(always)]
    pub(super) fn pawn_attacks(&self, pawns: u64) -> u64 {
        let [_, west, east] = steps(self.mover());
        (pawns & !FILE_A).rotate_left(west) | (pawns & !FILE_H).rotate_left(east)
    }

    /// The squares from which pawns of the side to move would attack one of `squares`.
    #[inline(always)]
    pub(super) fn pawn_attackers(&self, squares: u64) -> u64 {
        let [_, west, east] = steps(self.mover());
        (squares & !FILE_H).rotate_right(west) | (squares & !FILE_A).rotate_right(east)
    }

    /// The squares that pawns of the side to move enter by one step ahead.
    #[inline(always)]
    pub(super) fn pawn_steps(&self, pawns: u64) -> u64 {
        let [ahead, ..] = steps(self.mover());
        pawns.rotate_left(ahead) & !self.occupied()
    }

    /// The pawns of the side to move that stand one step before their last rank.
    #[inline(always)]
    fn pawns_before_the_end(&self) -> u64 {
        self.own(Kind::Pawn) & rank_of(self.mover(), 7)
    }

    /// Calls `visit` with each piece of a kind other than pawns and with the squares that it can
    /// enter, without castling.
    #[inline(always)]
    pub(super) fn each_non_pawn(&self, kind: Kind, mut visit: impl FnMut(Square, u64)) {
        let (occupied, free) = (self.occupied(), !self.own_pieces());
        each(self.own(kind), |from| visit(from, attacks::non_pawn(kind, from, occupied) & free));
    }

    /// Calls `visit` with each castling move that is possible: the right to it is kept, and the
    /// squares between king and rook are empty. Attacks do not matter.
    #[inline(always)]
    pub(super) fn each_castling(&self, mut visit: impl FnMut(Move)) {
        if self.rights() == 0 {
            return;
        }
        for way in &CASTLINGS {
            let may = self.rights() & way.right != 0 && way.side == self.mover();
            if may && self.occupied() & way.between == 0 {
                visit(Move::new(way.king[0], way.king[1], CASTLE));
            }
        }
    }

    /// Calls `visit` with each move of a kind, without castling.
    #[inline(always)]
    pub(super) fn each_move(&self, kind: Kind, mut visit: impl FnMut(Move)) {
        if kind == Kind::Pawn {
            self.each_pawn_move(self.own(Kind::Pawn), &PROMOTIONS, visit);
        } else {
            self.each_non_pawn(kind, |from, squares| {
                each(squares, |to| visit(Move::new(from, to, u16::from(kind.number()))));
            });
        }
    }

    #[inline(always)]
    fn each_pawn_move(&self, pawns: u64, become_: &[Kind], mut visit: impl FnMut(Move)) {
        let [ahead, west, east] = steps(self.mover());
        let targets = self.pawn_targets(pawns);
        let passed = self.passed_squares();
        for (squares, step) in [(targets.one, ahead), (targets.west, west), (targets.east, east)] {
            each(squares, |to| {
                let from = Square::known(to.index() as u32 + 64 - step);
                if to.bit() & LAST_RANKS != 0 {
                    for kind in become_ {
                        visit(Move::new(from, to, PROMOTE + u16::from(kind.number())));
                    }
                } else if to.bit() & passed != 0 {
                    visit(Move::new(from, to, EN_PASSANT));
                } else {
                    visit(Move::new(from, to, u16::from(Kind::Pawn.number())));
                }
            });
        }
        each(targets.two, |to| {
            let from = Square::known(to.index() as u32 + 128 - 2 * ahead);
            visit(Move::new(from, to, DOUBLE));
        });
    }

    #[inline(always)]
    pub(super) fn moves_of_die(&self, kind: Kind) -> Moves {
        let mut list = Moves::new();
        self.each_of_die(kind, |mv| list.push(mv));
        list
    }

    /// Calls `visit` with each move that one die allows.
    #[inline(always)]
    pub(super) fn each_of_die(&self, kind: Kind, mut visit: impl FnMut(Move)) {
        self.each_move(kind, &mut visit);
        if kind == Kind::Pawn {
            return;
        }
        if kind == Kind::King {
            self.each_castling(visit);
        } else if self.promotes_by_die() {
            self.promotions_by_die(kind).into_iter().for_each(visit);
        }
    }

    /// The promotions that a die of this kind, knight to queen, allows where a pawn may promote by the
    /// die. They are listed separately, so that they cost the default rules only one test.
    #[cold]
    #[inline(never)]
    fn promotions_by_die(&self, kind: Kind) -> ArrayVec<Move, 24> {
        let mut list = ArrayVec::new();
        self.each_pawn_move(self.pawns_before_the_end(), &[kind], |mv| list.push(mv));
        list
    }

    /// The kinds by whose dice a pawn may promote, if one can.
    #[cold]
    #[inline(never)]
    fn kinds_that_promote(&self) -> u8 {
        if self.some_pawn_moves(self.pawns_before_the_end()) { promotion_kinds() } else { 0 }
    }

    /// How many moves one die allows.
    #[inline(always)]
    pub(super) fn count_of_die(&self, kind: Kind) -> usize {
        let mut count = 0;
        if kind == Kind::Pawn {
            let PawnTargets { one, two, west, east } = self.pawn_targets(self.own(Kind::Pawn));
            let last = LAST_RANKS;
            count += one.count_ones() + two.count_ones() + west.count_ones() + east.count_ones();
            let promote =
                (one & last).count_ones() + (west & last).count_ones() + (east & last).count_ones();
            count += 3 * promote;
        } else {
            self.each_non_pawn(kind, |_, squares| count += squares.count_ones());
        }
        if kind == Kind::King {
            self.each_castling(|_| count += 1);
        } else if kind != Kind::Pawn && self.promotes_by_die() {
            count += self.promotions_by_die(kind).len() as u32;
        }
        count as usize
    }

    /// The kinds that can move now, as a set: bit *n* − 1 for kind *n*. A slider can move when a
    /// neighbouring square on its lines is not held by its own side. Castling needs no test of its
    /// own, because a king that can castle can also step sideways.
    #[inline(always)]
    pub(super) fn movable(&self) -> u8 {
        let free = !self.own_pieces();
        let near = |kind, reach: u64| if reach & free == 0 { 0 } else { Kind::bit(kind) };
        let queens = self.own(Kind::Queen);
        let kings = self.own(Kind::King);
        let [bishops, rooks] = [self.own(Kind::Bishop), self.own(Kind::Rook)];
        let around = |pieces| attacks::straight_steps(pieces) | attacks::diagonal_steps(pieces);
        let mut set = near(Kind::Knight, attacks::knight_steps(self.own(Kind::Knight)))
            | near(Kind::Bishop, attacks::diagonal_steps(bishops))
            | near(Kind::Rook, attacks::straight_steps(rooks))
            | near(Kind::Queen, around(queens))
            | near(Kind::King, around(kings));
        if self.some_pawn_moves(self.own(Kind::Pawn)) {
            set |= Kind::Pawn.bit();
        }
        if self.promotes_by_die() {
            set |= self.kinds_that_promote();
        }
        set
    }

    /// Whether a kind can move now: one bit of [`movable`](Self::movable), except that pawns cannot
    /// promote by a die of another kind.
    #[inline(always)]
    pub(super) fn can_move_kind(&self, kind: Kind) -> bool {
        if kind == Kind::Pawn {
            return self.some_pawn_moves(self.own(Kind::Pawn));
        }
        self.steps_of_kind(kind) != 0
    }

    /// The squares that pieces of a kind can enter by their shortest steps, without captures by
    /// pawns. A piece other than a pawn has such a step if it can move.
    #[inline(always)]
    pub(super) fn steps_of_kind(&self, kind: Kind) -> u64 {
        self.squares_beside(kind) & !self.own_pieces()
    }

    /// The squares that pieces of a kind would reach by their shortest steps if their own side were
    /// not in the way.
    #[inline(always)]
    pub(super) fn squares_beside(&self, kind: Kind) -> u64 {
        let own = self.own(kind);
        match kind {
            Kind::Pawn => self.pawn_steps(own),
            Kind::Knight => attacks::knight_steps(own),
            Kind::Bishop => attacks::diagonal_steps(own),
            Kind::Rook => attacks::straight_steps(own),
            Kind::Queen | Kind::King => attacks::straight_steps(own) | attacks::diagonal_steps(own),
        }
    }

    #[inline(always)]
    fn some_pawn_moves(&self, pawns: u64) -> bool {
        let [ahead, ..] = steps(self.mover());
        pawns.rotate_left(ahead) & !self.occupied() != 0
            || self.pawn_attacks(pawns) & (self.enemies() | self.passed_squares()) != 0
    }

    /// Whether any kind can move. Pawns are tested first, because a pawn usually can.
    #[inline(always)]
    pub(super) fn can_move(&self) -> bool {
        let [ahead, ..] = steps(self.mover());
        self.own(Kind::Pawn).rotate_left(ahead) & !self.occupied() != 0 || self.movable() != 0
    }

    /// The kinds that can capture the enemy's king now, as a set like that of
    /// [`movable`](Self::movable).
    #[inline(always)]
    pub(super) fn attackers(&self) -> u8 {
        let king = self.pieces(Kind::King) & self.enemies();
        if king == 0 {
            return 0;
        }
        let (square, occupied) = (Square::known(king.trailing_zeros()), self.occupied());
        let diagonals = attacks::bishop(square, occupied) & self.own_pieces();
        let straights = attacks::rook(square, occupied) & self.own_pieces();
        let from = |kind: Kind, squares: u64| {
            if self.own(kind) & squares == 0 { 0 } else { kind.bit() }
        };
        let mut set = from(Kind::Knight, attacks::knight(square))
            | from(Kind::Bishop, diagonals)
            | from(Kind::Rook, straights)
            | from(Kind::Queen, diagonals | straights)
            | from(Kind::King, attacks::king(square));
        if self.pawn_attacks(self.own(Kind::Pawn)) & king != 0 {
            set |= Kind::Pawn.bit();
            if self.promotes_by_die() && king & LAST_RANKS != 0 {
                set |= promotion_kinds();
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dicechess::DiceChess3;
    use wurfel_core::{Game, Random, draw};

    #[test]
    fn a_kind_can_move_when_it_has_a_move() {
        let mut random = Random::new(8);
        for _ in 0..20 {
            let mut position = DiceChess3::default();
            while position.outcome().is_none() {
                for kind in Kind::ALL {
                    let mut moves = 0;
                    position.each_move(kind, |_| moves += 1);
                    assert_eq!(position.can_move_kind(kind), moves > 0, "{position} {kind:?}");
                    let movable = position.movable() & kind.bit() != 0;
                    assert_eq!(movable, moves > 0, "{position} {kind:?}");
                }
                let mut rest = Some(draw(position.rolls(), &mut random));
                while let Some(dice) = rest {
                    rest = position.play(dice, *random.pick(&position.moves(dice)));
                }
            }
        }
    }
}
