//! The Schwarz score: how many turns the quickest cube needs if the side moves nothing else.
//!
//! The score of a cube is its distance times 6 over the number of faces that let the cube move; the
//! score of a side is the smallest of these. A face that leaves a choice counts for both cubes. A.
//! Schäfer's report "Rock'n'Roll" (student report, 2005) is not public; only its table,
//! [`Schwarz`](super::Schwarz), is documented, in which all cubes play together. The name and the
//! formula of this score come from the exercise code of a university course, so it is one possible
//! reading.

use std::marker::PhantomData;

use wurfel_core::Evaluator;

use super::distances::{Distances, by_code};
use super::mobility::Mobility;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;
use crate::logistic::logistic;

/// The log-odds for each turn by which a side's score is smaller. It was fitted: see
/// `docs/methods/attack-defence.md`.
const SLOPE: f32 = 0.15;

/// The logistic function of the difference between both sides' Schwarz scores.
#[derive(Clone, Debug)]
pub struct SchwarzScore<R> {
    /// The scores by distance code, in turns: 1 to 24.
    scores: Vec<f32>,
    rules: PhantomData<R>,
}

impl<R: RuleSet> SchwarzScore<R> {
    /// Computes the table.
    pub fn new() -> Self {
        let mobility = Mobility::<R>::new();
        Self { scores: by_code(|distances| score(&mobility, distances)), rules: PhantomData }
    }

    /// The score of a side in turns, from its distance code, 1 to 15,624.
    pub fn turns(&self, code: u16) -> f32 {
        self.scores[usize::from(code)]
    }
}

/// The Schwarz score of a side in turns.
pub(super) fn score<R: RuleSet>(mobility: &Mobility<R>, distances: Distances) -> f32 {
    let alive = distances.alive();
    let turns = |(cube, far): (usize, usize)| far as f32 * 6.0 / mobility.faces(alive, 1 << cube);
    distances.living().map(turns).fold(f32::INFINITY, f32::min)
}

impl<R: RuleSet> Default for SchwarzScore<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: RuleSet> Evaluator<Position<R>> for SchwarzScore<R> {
    #[inline(always)]
    fn evaluate(&self, position: &Position<R>) -> f32 {
        let (mover, other) = position.distance_codes();
        logistic(SLOPE * (self.turns(other) - self.turns(mover)))
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "numbers that floats hold exactly")]
mod tests {
    use super::*;
    use crate::einstein::{Einstein, EinsteinNearest, Nearest, Official};
    use wurfel_core::Side;

    #[test]
    fn the_quickest_cube_counts() {
        // Red 2 is two steps from e1, red 5 three; either moves with four faces.
        // Blue's only cube moves with any face and is three steps from a5.
        let board = "5/1E3/2B2/3c1/5 r";
        let position: Einstein = board.parse().unwrap();
        let score = SchwarzScore::<Official>::new();
        assert_eq!(score.turns(position.distance_code(Side::First)), 3.0);
        assert_eq!(score.turns(position.distance_code(Side::Second)), 3.0);
        assert_eq!(score.evaluate(&position), 0.5);
        // The nearest cube alone: 2 has faces 1 to 3.
        let position: EinsteinNearest = board.parse().unwrap();
        let score = SchwarzScore::<Nearest>::new();
        assert_eq!(score.turns(position.distance_code(Side::First)), 4.0);
        assert!(score.evaluate(&position) < 0.5);
    }
}
