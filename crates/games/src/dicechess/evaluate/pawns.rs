//! The linear evaluation of paper `dice-chess-agents`, variant 2, which looks for weak pawns.

use wurfel_core::{Evaluator, Side};

use super::linear::{Linear, SCALE};
use crate::dicechess::kind::Kind;
use crate::dicechess::position::Position;
use crate::dicechess::square::{FILE_A, FILE_H};
use crate::dicechess::variants::DiceCount;
use crate::learned::LogOdds;
use crate::logistic::logistic;

/// Half a pawn in hundredths of a pawn: what each blocked or isolated pawn costs its side.
const WEAK: i32 = 50;

/// [`Linear`], less half a pawn for each pawn that is blocked or isolated.
///
/// Where the paper leaves the definitions open, they are these: a pawn is blocked when any piece
/// stands on the square before it, and isolated when no pawn of its side stands on a neighbouring
/// file. A pawn that is both counts once. In one place the paper writes "doubled" where it means
/// these pawns; doubled pawns do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pawns(pub Linear);

/// How many pawns of a side are blocked or isolated.
fn weak<D: DiceCount>(position: &Position<D>, side: Side) -> i32 {
    let pawns = position.pieces_of(side, Kind::Pawn);
    let occupied = position.occupied();
    let blocked = match side {
        Side::First => occupied >> 8,
        Side::Second => occupied << 8,
    };
    // The files on which pawns stand, with all their squares.
    let mut files = pawns;
    for shift in [8, 16, 32] {
        files |= files.rotate_left(shift);
    }
    let beside = (files & !FILE_A) >> 1 | (files & !FILE_H) << 1;
    (pawns & (blocked | !beside)).count_ones() as i32
}

impl Pawns {
    /// The lead of the side to move in hundredths of a pawn.
    #[inline(always)]
    pub fn lead<D: DiceCount>(self, position: &Position<D>) -> i32 {
        let side = position.mover();
        self.0.lead(position) + WEAK * (weak(position, !side) - weak(position, side))
    }
}

impl<D: DiceCount> LogOdds<Position<D>> for Pawns {
    #[inline(always)]
    fn log_odds(&self, position: &Position<D>) -> f32 {
        self.lead(position) as f32 * (1.0 / SCALE)
    }
}

impl<D: DiceCount> Evaluator<Position<D>> for Pawns {
    #[inline(always)]
    fn evaluate(&self, position: &Position<D>) -> f32 {
        logistic(self.log_odds(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dicechess::DiceChess;

    #[test]
    fn blocked_and_isolated_pawns_are_weak() {
        // 8  . . . . k . . .
        // 7  . . . p p . . .
        // 6  . . . . . . . .
        // 5  . . . p . . . .   the second black d-pawn stands before d4, which blocks both
        // 4  P . . P . . . .   a4 has a neighbour, d4 none
        // 3  N . . . . . . .
        // 2  P P . . . . . .   a2 is blocked by the knight
        // 1  . . . . K . . .
        let position: DiceChess = "4k3/3pp3/8/3p4/P2P4/N7/PP6/4K3 w - - 0 1".parse().unwrap();
        assert_eq!(weak(&position, Side::First), 2);
        assert_eq!(weak(&position, Side::Second), 1);
        let without = Linear::PAPER.lead(&position);
        assert_eq!(Pawns::default().lead(&position), without - 50);
    }
}
