//! An evaluation: who has fewer squares to go.

use wurfel_core::{Evaluator, Side};

use crate::Sprint;
use crate::game::HOME;

/// The difference of the squares that both sides have to go, as a win probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distance;

impl Evaluator<Sprint> for Distance {
    /// For the side to move, which is half a roll ahead.
    fn evaluate(&self, position: &Sprint) -> f32 {
        let left = |side: Side| {
            position.runners[side].iter().map(|&square| f32::from(HOME - square)).sum::<f32>()
        };
        let lead = left(!position.side) - left(position.side) + 1.75;
        1.0 / (1.0 + (-lead / 5.0).exp())
    }
}
