//! The linear evaluation of paper `dice-chess-agents` (section III-A), variant 1: the values of
//! pieces and of the squares on which they stand.

use wurfel_core::{Evaluator, Side};

use crate::dicechess::kind::Kind;
use crate::dicechess::position::Position;
use crate::dicechess::variants::DiceCount;
use crate::dicechess::worth::{LATE, PIECES, king_square};
use crate::learned::LogOdds;
use crate::logistic::logistic;

/// Values of pieces and squares. From turn 50 on, kings have other square values, or from turn 25 on
/// if the paper counts the turns of both sides.
///
/// The lead of a side over 400, the value of four pawns, becomes a win probability by the logistic
/// function. Every move updates the sum of pieces and squares, except for those of the kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Linear {
    /// The value of a rook, in hundredths of a pawn.
    rook: i16,
    /// The full move from which kings have their other values, at least 1.
    late: u32,
}

/// The lead, in hundredths of a pawn, that multiplies the odds of winning by e.
pub(super) const SCALE: f32 = 400.0;

impl Linear {
    /// The piece values of the paper's table I: 100, 350, 350, 535, 1000.
    pub const PAPER: Self = Self { rook: PIECES[Kind::Rook as usize], late: LATE };

    /// The same, where the paper's turn numbers are taken to count the turns of both sides.
    pub const EARLY_KINGS: Self = Self { late: LATE / 2, ..Self::PAPER };

    /// The piece values of the paper's program, which are L. Kaufman's of 2012: 100, 350, 350, 525,
    /// 1000. Its value of 20,000 for a king never matters, because both sides have one as long as
    /// the game lasts.
    pub const PROGRAM: Self = Self { rook: 525, ..Self::PAPER };

    /// The lead of the side to move in hundredths of a pawn.
    #[inline(always)]
    pub fn lead<D: DiceCount>(self, position: &Position<D>) -> i32 {
        let mut lead = i32::from(position.score());
        let ply = position.number_of_turn();
        for side in Side::BOTH {
            let king = position.pieces_of(side, Kind::King).trailing_zeros() as usize;
            let square = i32::from(king_square(side, king, ply, self.late));
            lead += if side == Side::First { square } else { -square };
        }
        if self.rook != PIECES[Kind::Rook as usize] {
            let rooks = |side| position.pieces_of(side, Kind::Rook).count_ones() as i32;
            let more = i32::from(self.rook - PIECES[Kind::Rook as usize]);
            lead += more * (rooks(Side::First) - rooks(Side::Second));
        }
        if position.mover() == Side::First { lead } else { -lead }
    }
}

impl Default for Linear {
    fn default() -> Self {
        Self::PAPER
    }
}

impl<D: DiceCount> LogOdds<Position<D>> for Linear {
    #[inline(always)]
    fn log_odds(&self, position: &Position<D>) -> f32 {
        self.lead(position) as f32 * (1.0 / SCALE)
    }
}

impl<D: DiceCount> Evaluator<Position<D>> for Linear {
    #[inline(always)]
    fn evaluate(&self, position: &Position<D>) -> f32 {
        logistic(self.log_odds(position))
    }
}
