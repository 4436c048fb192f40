//! The composite evaluation of paper `heuristic-pruned-mcts`, section 3.2:
//!
//! H = α · Σ wᵢ + β · Σ (Dmax − dᵢ) − γ · Penalty
//!
//! The sums are over the living cubes of one side; wᵢ is the probability that cube *i* may be
//! moved, dᵢ its distance from the goal (in steps of a king), Dmax = 4, and by default α = 1.5, β = 2 and
//! γ = 1.2.
//! Each term is first scaled to 0..1 over its range, as the paper says without naming the ranges.
//! The range taken here is, for Σ wᵢ, that over all sets of cubes (1 to 10/6 under the official
//! rules) and, for the distances, 0 to 15: three cubes on the squares next to the goal and three
//! behind them.
//!
//! The paper does not define the penalty, only its purpose. Here it is the mean of three parts,
//! each from 0 to 1:
//!
//! * *key defence exposed*: how close the foremost enemy cube that no own cube can stop any more is
//!   to its goal;
//! * *can be taken in one step*: the probability that the enemy can capture a cube with its next
//!   roll;
//! * *core path blocked*: 1 when every square by which a foremost cube comes closer can be entered
//!   by the enemy.

use wurfel_core::{Evaluator, Side};

use super::army::Army;
use super::distances::by_code;
use super::mobility::Mobility;
use crate::HeuristicWeights;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;
use crate::logistic::logistic;

/// The log-odds for each point by which one side's H is above the other's. It was fitted with the
/// paper's weights: see `docs/methods/attack-defence.md`.
const SLOPE: f32 = 0.73;

/// H assigns points to each side; the value of a position is the logistic function of the
/// difference between both sides' points.
#[derive(Clone, Debug)]
pub struct Composite<R> {
    weights: HeuristicWeights,
    mobility: Mobility<R>,
    /// By distance code, the first two terms with their weights.
    gains: Vec<f32>,
}

impl<R: RuleSet> Composite<R> {
    /// Computes the tables.
    pub fn new(weights: HeuristicWeights) -> Self {
        let mobility = Mobility::<R>::new();
        let chances = |alive: u8| -> f32 {
            (0..6)
                .filter(|cube| alive >> cube & 1 == 1)
                .map(|cube| mobility.faces(alive, 1 << cube))
                .sum()
        };
        let least = (1..64).map(chances).fold(f32::INFINITY, f32::min);
        let most = (1..64).map(chances).fold(0.0, f32::max);
        let gains = by_code(|distances| {
            let mobile = (chances(distances.alive()) - least) / (most - least);
            let steps: usize = distances.living().map(|(_, far)| 4 - far).sum();
            weights.mobility * mobile + weights.nearness * steps as f32 / 15.0
        });
        Self { weights, mobility, gains }
    }

    /// The penalty of the side whose cubes are `own`, 0 to 1.
    fn penalty(&self, own: &Army, enemy: &Army) -> f32 {
        let taken = self.mobility.faces(enemy.alive, enemy.takers(own.squares)) / 6.0;
        let blocked = f32::from(own.is_blocked(enemy));
        (own.exposure(enemy) + taken + blocked) / 3.0
    }
}

impl<R: RuleSet> Default for Composite<R> {
    fn default() -> Self {
        Self::new(HeuristicWeights::default())
    }
}

impl<R: RuleSet> Evaluator<Position<R>> for Composite<R> {
    fn evaluate(&self, position: &Position<R>) -> f32 {
        let side = position.mover();
        logistic(SLOPE * (self.score(position, side) - self.score(position, !side)))
    }

    /// H, the quantity that section 3.4 of the paper compares.
    fn score(&self, position: &Position<R>, side: Side) -> f32 {
        let (own, enemy) = (Army::new(position, side), Army::new(position, !side));
        let gains = self.gains[usize::from(position.distance_code(side))];
        gains - self.weights.penalty * self.penalty(&own, &enemy)
    }

    fn score_range(&self) -> (f32, f32) {
        let HeuristicWeights { mobility, nearness, penalty } = self.weights;
        (-penalty, mobility + nearness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Einstein, Official};

    #[test]
    fn a_position_worked_out_by_hand() {
        // . . . . .
        // . . . . .
        // . . C . .     red rolls
        // . . . . .
        // . f . . e
        let position: Einstein = "5/5/2C2/5/1f2e r".parse().unwrap();
        let composite = Composite::<Official>::default();
        // Red has one cube with six faces: mobility 0. Of 15 steps, two are made. C guards e and
        // has passed f, which is still four steps away: 0. Nobody can capture C. C comes closer
        // only by d2, which e covers: blocked.
        let red = 2.0 * 2.0 / 15.0 - 1.2 * (1.0 / 3.0);
        let actual = composite.score(&position, Side::First);
        assert!((actual - red).abs() < 1e-5, "{actual} {red}");
        // Blue has five faces for e and one for f: mobility 0, and no step is made. e guards C.
        // Nobody can be captured. e comes closer only by d2, which C covers, but f, equally far
        // away, by b2.
        let actual = composite.score(&position, Side::Second);
        assert!(actual.abs() < 1e-5, "{actual}");
        let value = composite.evaluate(&position);
        assert!((value - logistic(SLOPE * red)).abs() < 1e-5, "{value}");
        // With other weights the same terms count differently.
        let weights = HeuristicWeights { mobility: 9.0, nearness: 3.0, penalty: 0.6 };
        let composite = Composite::<Official>::new(weights);
        let actual = composite.score(&position, Side::First);
        assert!((actual - (3.0 * 2.0 / 15.0 - 0.6 / 3.0)).abs() < 1e-5, "{actual}");
        assert_eq!(composite.score_range(), (-0.6, 12.0));
    }

    #[test]
    fn both_ends_of_the_mobility_range_are_met() {
        let composite = Composite::<Official>::default();
        // Red 1 and 6: ten faces in all, four steps away both, nothing near.
        let position: Einstein = "A4/F4/5/5/4c r".parse().unwrap();
        let actual = composite.score(&position, Side::First);
        assert!((actual - 1.5).abs() < 1e-5, "{actual}");
    }
}
