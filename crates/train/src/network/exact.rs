//! How far a network is from known results: from exact values of positions with few pieces, and
//! from games that it did not learn from.

use std::sync::Arc;

use wurfel_agents::Catalogued;
use wurfel_arena::PositionSource;
use wurfel_core::{Evaluator, Game, Network, Predictions, Random, Situation, Turn, draw};

use super::games::Sample;
use super::metrics::{ExactError, HeldOut};

/// How many positions are evaluated in a batch.
const BATCH: usize = 256;

/// Turns with known exact values, by the number of pieces. They are the same in all evaluations of
/// a run, so that the errors of its networks can be compared.
pub struct SolvedTurns<G: Game> {
    turns: Vec<(u32, Vec<Solved<G>>)>,
}

/// A turn and its exact value.
type Solved<G> = (Situation<G>, f32);

impl<G: Catalogued> SolvedTurns<G> {
    /// `count` turns by these rules for each number of pieces from 2 to `pieces`, scattered at random under a
    /// seed, as far as such turns exist.
    pub fn new(
        rules: &G,
        known: &Arc<dyn Evaluator<G>>,
        pieces: u32,
        count: u32,
        seed: u64,
    ) -> Self {
        let of = |pieces: u32| {
            let mut random = Random::new(Random::seed_for(seed, &[u64::from(pieces)]));
            let turn = |_| {
                let position = PositionSource::Scattered.draw(rules, pieces, &mut random)?;
                let roll = draw(position.rolls().as_ref(), &mut random);
                let value = exact_value(&**known, Turn { position: &position, roll })?;
                Some((Situation { position, roll: Some(roll) }, value))
            };
            (pieces, (0..count).map_while(turn).collect())
        };
        Self { turns: (2..=pieces).map(of).collect() }
    }

    /// The errors of a network.
    pub fn errors(&self, network: &mut impl Network<G>) -> Vec<ExactError> {
        let mut errors = vec![];
        for (pieces, turns) in &self.turns {
            let (mut sum, mut squares) = (0.0, 0.0);
            for turns in turns.chunks(BATCH) {
                let situations: Vec<Situation<G>> =
                    turns.iter().map(|(situation, _)| situation.clone()).collect();
                let mut predictions = Predictions::default();
                network.infer(&situations, &mut predictions);
                for (prediction, (_, exact)) in predictions.iter().zip(turns) {
                    let error = f64::from(prediction.value - exact);
                    sum += error;
                    squares += error * error;
                }
            }
            let positions = turns.len() as u64;
            let count = positions.max(1) as f64;
            let (mean, rms) = (sum / count, (squares / count).sqrt());
            errors.extend((positions > 0).then_some(ExactError {
                pieces: *pieces,
                positions,
                mean,
                rms,
            }));
        }
        errors
    }
}

/// The value of a turn with perfect play for the **side to move**; `None` when a move leads to a
/// position whose value is not known.
fn exact_value<G: Game>(known: &dyn Evaluator<G>, turn: Turn<'_, G>) -> Option<f32> {
    let side = turn.side();
    let mut best = 0.0f32;
    for &mv in turn.moves().as_ref() {
        let mut after = turn.position.clone();
        let rest = after.play(turn.roll, mv);
        let value = match (after.outcome(), rest) {
            (Some(outcome), _) => outcome.value_for(side),
            (None, Some(roll)) => exact_value(known, Turn { position: &after, roll })?,
            (None, None) => {
                let value = known.exact(&after)?;
                if after.side() == side { value } else { 1.0 - value }
            }
        };
        best = best.max(value);
    }
    Some(best)
}

/// The losses of a network on samples; `None` without any. Positions at rest count only for the
/// value, as they do in training.
pub fn held_out<G: Game>(network: &mut impl Network<G>, samples: &[Sample<G>]) -> Option<HeldOut> {
    let (mut policy_loss, mut value_loss) = (0.0, 0.0);
    for samples in samples.chunks(BATCH) {
        let situations: Vec<Situation<G>> =
            samples.iter().map(|sample| sample.situation.clone()).collect();
        let mut predictions = Predictions::default();
        network.infer(&situations, &mut predictions);
        for (prediction, sample) in predictions.iter().zip(samples) {
            // Converts from a scale of 0 to 1 to one of −1 to 1.
            value_loss += (2.0 * f64::from(prediction.value - sample.value)).powi(2);
            for (&share, &prior) in sample.policy.iter().zip(prediction.prior) {
                if share > 0.0 {
                    policy_loss -= f64::from(share) * f64::from(prior.max(f32::MIN_POSITIVE)).ln();
                }
            }
        }
    }
    let count = samples.len().max(1) as f64;
    let (policy_loss, value_loss) = (policy_loss / count, value_loss / count);
    (!samples.is_empty()).then_some(HeldOut { positions: samples.len(), policy_loss, value_loss })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::Einstein;

    /// An evaluation that claims to know of every position that the side to move wins a quarter of
    /// all games.
    struct Quarter;

    impl Evaluator<Einstein> for Quarter {
        fn evaluate(&self, _: &Einstein) -> f32 {
            0.25
        }

        fn exact(&self, _: &Einstein) -> Option<f32> {
            Some(0.25)
        }
    }

    /// An evaluation that knows no exact value.
    struct Nothing;

    impl Evaluator<Einstein> for Nothing {
        fn evaluate(&self, _: &Einstein) -> f32 {
            0.25
        }
    }

    #[test]
    fn the_value_of_a_turn_is_that_of_its_best_move() {
        let value = |text: &str, known: &dyn Evaluator<Einstein>| {
            let situation: Situation<Einstein> = text.parse().unwrap();
            exact_value(known, situation.turn().unwrap())
        };
        // Red's cube is one step from its goal, or two steps.
        assert_eq!(value("4b/5/5/3A1/5 r 1 9", &Quarter), Some(1.0));
        assert_eq!(value("4b/5/2A2/5/5 r 1 9", &Quarter), Some(0.75));
        assert_eq!(value("4b/5/2A2/5/5 r 1 9", &Nothing), None);
        // Taking the last cube wins the game.
        assert_eq!(value("5/5/2Ab1/5/5 r 1 9", &Nothing), None);
        assert_eq!(value("5/5/2Ab1/5/5 r 1 9", &Quarter), Some(1.0));
    }

    /// A network that gives every position 0.5 is 0.25 above positions that are known to be worth
    /// 0.25, and so on.
    #[test]
    fn errors_and_losses_are_those_of_a_network_that_knows_nothing() {
        let known: Arc<dyn Evaluator<Einstein>> = Arc::new(Quarter);
        let exact = SolvedTurns::new(&Einstein::default(), &known, 3, 40, 5);
        let errors = exact.errors(&mut wurfel_core::UniformNetwork);
        assert_eq!(errors.iter().map(|error| error.pieces).collect::<Vec<_>>(), [2, 3]);
        for (error, (_, turns)) in errors.iter().zip(&exact.turns) {
            let mean = turns.iter().map(|(_, exact)| 0.5 - f64::from(*exact)).sum::<f64>() / 40.0;
            assert!((error.mean - mean).abs() < 1e-6 && error.positions == 40, "{error:?}");
            // The exact value of each turn is 0.75 or 1.
            assert!((0.25..=0.5).contains(&error.rms) && error.rms >= -mean, "{error:?}");
        }
        let situation: Situation<Einstein> = "ABC2/DE3/F3f/3ed/2cba r 4 1".parse().unwrap();
        let count = situation.turn().unwrap().moves().as_ref().len();
        let mut policy = vec![0.0; count];
        policy[0] = 1.0;
        let sample = Sample { situation, policy, value: 1.0 };
        let result = held_out(&mut wurfel_core::UniformNetwork, &[sample.clone(), sample]).unwrap();
        assert_eq!(result.positions, 2);
        assert!((result.policy_loss - (count as f64).ln()).abs() < 1e-6, "{result:?}");
        assert!((result.value_loss - 1.0).abs() < 1e-6, "{result:?}");
        assert_eq!(held_out::<Einstein>(&mut wurfel_core::UniformNetwork, &[]), None);
    }
}
