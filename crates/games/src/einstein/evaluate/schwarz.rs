//! The Schwarz table (A. Schäfer, "Rock'n'Roll", student report, 2005; described in paper
//! `zweistein`, section 4.3): the difference between the two expected distances to the corner.

use std::marker::PhantomData;

use wurfel_core::Evaluator;

use super::distance_to_corner::DistanceToCorner;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;

/// An evaluation by how many turns the side to roll is ahead, scaled to a result: ½ plus 1/40 for
/// each turn. No side needs more than 19 turns, so estimates stay between the values of lost and
/// won games.
#[derive(Clone, Debug)]
pub struct Schwarz<R> {
    /// The mean distance to the corner of each distance code, in turns.
    means: Vec<f32>,
    rules: PhantomData<R>,
}

impl<R: RuleSet> Schwarz<R> {
    /// Computes the table, in some thousandths of a second.
    pub fn new() -> Self {
        let dtc = DistanceToCorner::<R>::new();
        let means = (1..=15_624).map(|code| dtc.mean(code) as f32);
        Self { means: std::iter::once(0.0).chain(means).collect(), rules: PhantomData }
    }
}

impl<R: RuleSet> Default for Schwarz<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: RuleSet> Evaluator<Position<R>> for Schwarz<R> {
    #[inline(always)]
    fn evaluate(&self, position: &Position<R>) -> f32 {
        let (mover, other) = position.distance_codes();
        let ahead = self.means[usize::from(other)] - self.means[usize::from(mover)];
        0.5 + ahead / 40.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Einstein, Official};

    #[test]
    fn the_published_difference_comes_out() {
        // Distances (0,2,2,0,3,0) for red and (0,3,3,3,3,0) for blue, figure 12
        // of the paper: 5.581104 − 3.305556 turns.
        let position: Einstein = "3b1/1E1c1/2B1C/de3/5 r".parse().unwrap();
        let ahead = 40.0 * (Schwarz::<Official>::new().evaluate(&position) - 0.5);
        assert!((ahead - 2.275_548).abs() < 1e-4, "{ahead}");
    }
}
