//! Evaluations that check whether the next roll captures the king: quiescence for that capture.

use wurfel_core::Evaluator;

use crate::dicechess::dice::chance_of;
use crate::dicechess::position::Position;
use crate::dicechess::variants::DiceCount;
use crate::learned::LogOdds;
use crate::logistic::logistic;

use super::linear::Linear;

/// The probability that is used for a certain win, so that the log-odds stay finite.
const CERTAIN: f32 = 0.999;

/// The share of rolls with which the side to move captures the king immediately and, for the other
/// rolls, the value that `L` gives the position.
///
/// A leaf of a search is a position before a roll that may end the game. The evaluation accounts
/// exactly for the capture of the king with this roll, and for nothing else that the roll may
/// bring.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats<L>(pub L);

impl<D: DiceCount, L: LogOdds<Position<D>>> Evaluator<Position<D>> for Threats<L> {
    #[inline(always)]
    fn evaluate(&self, position: &Position<D>) -> f32 {
        let won = position.king_capture_chance();
        won + (1.0 - won) * logistic(self.0.log_odds(position))
    }
}

/// [`Threats`] over [`Linear`] as log-odds, which is the base that the learned evaluation corrects.
/// With three dice it counts only captures with two of them, because looking at all three would
/// take too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThreatOdds;

impl ThreatOdds {
    /// The log-odds of winning later, raised by the chance to win at once.
    #[inline(always)]
    fn raised<D: DiceCount>(position: &Position<D>, won: f32) -> f32 {
        let later = Linear::PAPER.log_odds(position);
        if won <= 0.0 {
            return later;
        }
        let won = won.min(CERTAIN);
        let value = won + (1.0 - won) * logistic(later);
        libm::logf(value / (1.0 - value))
    }
}

impl<D: DiceCount> LogOdds<Position<D>> for ThreatOdds {
    #[inline(always)]
    fn log_odds(&self, position: &Position<D>) -> f32 {
        let won =
            if D::THREE_DICE { position.two_dice_chance() } else { position.king_capture_chance() };
        Self::raised(position, won)
    }

    /// With three dice, the features look for the same captures.
    #[inline(always)]
    fn log_odds_and_features(&self, position: &Position<D>, add: impl FnMut(usize)) -> f32 {
        let parts = position.recomputed_with_parts(position.mover(), add);
        let won = if D::THREE_DICE { chance_of(parts) } else { position.king_capture_chance() };
        Self::raised(position, won)
    }
}
