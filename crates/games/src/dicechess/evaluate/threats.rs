//! Quiescence on the capture of the king: what the next throw may decide.

use wurfel_game::Evaluator;

use crate::dicechess::position::Position;
use crate::dicechess::variants::RuleSet;
use crate::learned::LogOdds;
use crate::logistic::logistic;

/// The share of throws with which the side to move captures the king at once, and
/// for the other throws what `L` says of the position.
///
/// A leaf of a search stands before a throw that may end the game. This looks at
/// nothing of that throw but the capture of the king, and at that exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats<L>(pub L);

impl<R: RuleSet, L: LogOdds<Position<R>>> Evaluator<Position<R>> for Threats<L> {
    #[inline(always)]
    fn evaluate(&self, position: &Position<R>) -> f32 {
        let won = position.king_capture_chance();
        won + (1.0 - won) * logistic(self.0.log_odds(position))
    }
}
