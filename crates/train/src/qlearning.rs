//! Q-learning over many games of self-play, with a value for each feature of a position instead of
//! a table. Unlike the agent `qlearning`, which learns from scratch for each move, it keeps what it
//! learns.
//!
//! An action is an afterstate: the position that a turn leaves to the other side. Its value is 1
//! minus the value of that position, so values of positions are enough. On each turn the value of
//! the position is moved towards that of the best action after the roll (C. Watkins, "Learning from
//! delayed rewards", 1989). The moves of the games are random at first; later they are the moves
//! that look best.

use wurfel_core::{Evaluator, Random, draw};
use wurfel_games::Learnable;
use wurfel_games::linear::LinearValue;

/// The settings of Q-learning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QSettings {
    /// The number of games. The share of random moves falls from 1 to [`QSettings::MIN_EPSILON`]
    /// over them.
    pub games: u64,
    /// The learning rate of the first games, 0 to 1; it falls to a tenth.
    pub rate: f32,
    /// The discount, 0 to 1: the weight of the value of the next turn; the rest counts as even.
    pub discount: f32,
    /// The seed of all chance.
    pub seed: u64,
}

impl QSettings {
    /// The least share of random moves.
    pub const MIN_EPSILON: f64 = 0.01;
}

/// Learns from games of self-play by these rules. After each game, `see` gets its number, from 1, and the root
/// mean squared error of its values; if it returns false, learning ends.
pub fn learn_values<G: Learnable>(
    rules: &G,
    settings: QSettings,
    mut see: impl FnMut(u64, f32) -> bool,
) -> LinearValue {
    let mut values = LinearValue::even(G::FEATURES);
    for game in 0..settings.games {
        let mut random = Random::new(Random::seed_for(settings.seed, &[game]));
        let left = 1.0 - game as f64 / settings.games as f64;
        let explore = left.max(QSettings::MIN_EPSILON);
        let rate = settings.rate * (left as f32).max(0.1);
        let mut position = rules.setup(&mut random);
        let (mut error, mut turns) = (0.0, 0.0);
        while position.outcome().is_none() {
            let roll = draw(position.rolls().as_ref(), &mut random);
            let (mut best, mut most, mut ends) = (None, f32::NEG_INFINITY, 0);
            let at_random = random.unit() < explore;
            let mut played = None;
            position.ends(roll, |end| {
                let value = 1.0
                    - match end.outcome() {
                        Some(outcome) => outcome.value_for(end.side()),
                        None => values.evaluate(end),
                    };
                if value > most {
                    (best, most) = (Some(end.clone()), value);
                }
                // Reservoir sampling: each afterstate so far is equally likely to be played.
                ends += 1;
                if at_random && random.below(ends) == 0 {
                    played = Some(end.clone());
                }
            });
            let target = 0.5 + settings.discount * (most - 0.5);
            let step = target - values.evaluate(&position);
            let mut count = 0.0;
            LinearValue::each_feature(&position, |_| count += 1.0);
            // A step in the value corresponds to one four times as large in the log-odds, taking
            // the logistic function at its steepest.
            let change = 4.0 * rate * step / count;
            LinearValue::each_feature(&position, |feature| values.weights[feature] += change);
            error += step * step;
            turns += 1.0;
            let Some(next) = played.or(best) else { break };
            position = next;
        }
        if !see(game + 1, (error / turns).sqrt()) {
            break;
        }
    }
    values
}
