//! The metrics of a run, a JSON line for each round. `docs/training.md` describes the entries for
//! programs that read them.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wurfel_arena::Interval;

use super::error::RunError;
use super::files::{failed, refused, replace};

/// The metrics of a round. Losses are means over the round's batches, and 0 without any.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Round {
    /// The number of the round, from 1.
    pub round: u64,
    /// Whether a teacher played it.
    pub taught: bool,
    /// Games of all rounds so far.
    pub games: u64,
    /// Positions of this round's games.
    pub positions: usize,
    /// The checksum of the file with them, sixteen hexadecimal digits; empty in old runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub games_checksum: String,
    /// Positions in the replay buffer.
    pub buffer: usize,
    /// Steps of all rounds so far.
    pub steps: u64,
    /// The learning rate of the last step.
    #[serde(alias = "rate")]
    pub learning_rate: f32,
    /// The policy's cross-entropy, in nats.
    pub policy_loss: f32,
    /// The value's squared error, values from −1 to 1.
    pub value_loss: f32,
    /// The weighted sum of both losses, with the weights of the configuration.
    pub loss: f32,
    /// The variance of `loss` over the last rounds.
    pub variance: f32,
    /// The weight of the policy loss in this round's steps.
    pub policy_weight: f32,
    /// The weight of the value loss in this round's steps.
    pub value_weight: f32,
    /// The entropy of the network's policy, in nats.
    pub entropy: f32,
    /// The mean norm of the gradient before clipping.
    pub gradient: f32,
    /// Seconds that the games took.
    pub game_seconds: f64,
    /// Seconds that the steps took.
    pub step_seconds: f64,
    /// The strength of the network after the round, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Strength>,
}

impl Round {
    /// Seconds that the round took, with its evaluation.
    pub fn seconds(&self) -> f64 {
        let measured = self.evaluation.as_ref().map_or(0.0, |strength| strength.seconds);
        self.game_seconds + self.step_seconds + measured
    }
}

/// The measured strength of a network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Strength {
    /// The match against the best network so far; `None` for the first network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_best: Option<Won>,
    /// The round after which the network was the best so far.
    pub best_round: u64,
    /// The number of evaluations since `best_round`.
    pub without_gain: u64,
    /// The matches against the agents of the configuration, in its order.
    pub opponents: Vec<Won>,
    /// Seconds that the evaluation took.
    pub seconds: f64,
}

/// The result of a match of the network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Won {
    /// The spec of the opponent.
    pub opponent: String,
    /// The network's win rate.
    pub win_rate: f64,
    /// The 95 % interval of the win rate.
    pub interval: Interval,
}

/// The last evaluation among these rounds.
pub(super) fn last_strength(history: &[Round]) -> Option<&Strength> {
    history.iter().rev().find_map(|round| round.evaluation.as_ref())
}

/// Reads the rounds of a file, in order. An unfinished last line, which a killed program may leave,
/// is ignored.
///
/// # Errors
/// When the file cannot be read or holds something else.
pub fn read_rounds(path: &Path) -> Result<Vec<Round>, RunError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(refused(path))?,
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut rounds = vec![];
    for (number, line) in (1..).zip(whole.lines()) {
        let round: Round = serde_json::from_str(line)
            .map_err(|error| failed(path, &format!("line {number}: {error}")))?;
        if round.round != number {
            return Err(failed(path, &format!("line {number}: round {}", round.round)));
        }
        rounds.push(round);
    }
    Ok(rounds)
}

/// Reads the rounds of a run that resumes after `done` rounds. The line of a later round, which was
/// killed before it was complete, is removed from the file.
pub(super) fn take_up(path: &Path, done: u64) -> Result<Vec<Round>, RunError> {
    let mut rounds = read_rounds(path)?;
    if (rounds.len() as u64) < done {
        return Err(failed(path, &format!("{} rounds of {done}", rounds.len())));
    }
    rounds.truncate(done as usize);
    let lines: Result<Vec<String>, _> = rounds.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| failed(path, &error))?;
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    if path.exists() && fs::read_to_string(path).is_ok_and(|there| there != text) {
        replace(path, text.as_bytes())?;
    }
    Ok(rounds)
}

/// The variance of the last `window` numbers.
pub(super) fn variance(losses: &[f32], window: usize) -> f32 {
    let last = &losses[losses.len().saturating_sub(window)..];
    let count = last.len().max(1) as f32;
    let mean = last.iter().sum::<f32>() / count;
    last.iter().map(|loss| (loss - mean).powi(2)).sum::<f32>() / count
}

/// The hyperbola a + b / (1 + t / c), fitted to numbers at t = 0, 1, 2…
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hyperbola {
    /// The limit for large t.
    pub a: f64,
    /// How far above the limit the hyperbola begins.
    pub b: f64,
    /// The t at which half of `b` is left.
    pub c: f64,
}

impl Hyperbola {
    /// The hyperbola with the least squared error; `None` for fewer than four numbers.
    pub fn fit(numbers: &[f64]) -> Option<Self> {
        if numbers.len() < 4 {
            return None;
        }
        let count = numbers.len() as f64;
        // For each c, a and b follow from linear regression; c itself is searched for.
        let fitted = |c: f64| {
            let falls = || (0..numbers.len()).map(|t| 1.0 / (1.0 + t as f64 / c));
            let (mean_x, mean_y) =
                (falls().sum::<f64>() / count, numbers.iter().sum::<f64>() / count);
            let (mut xx, mut xy) = (0.0, 0.0);
            for (x, y) in falls().zip(numbers) {
                xx += (x - mean_x).powi(2);
                xy += (x - mean_x) * (y - mean_y);
            }
            let b = xy / xx;
            Self { a: mean_y - b * mean_x, b, c }
        };
        let error = |curve: &Self| -> f64 {
            numbers.iter().enumerate().map(|(t, y)| (curve.at(t as f64) - y).powi(2)).sum()
        };
        let tries = (0..=120).map(|n| fitted(0.1 * (100.0 * count).powf(f64::from(n) / 120.0)));
        tries.min_by(|one, other| error(one).total_cmp(&error(other)))
    }

    /// Its height at `t`.
    pub fn at(&self, t: f64) -> f64 {
        self.a + self.b / (1.0 + t / self.c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hyperbola_is_found_again() {
        let truth = Hyperbola { a: 0.5, b: 2.0, c: 12.0 };
        let numbers: Vec<f64> = (0..100).map(|t| truth.at(f64::from(t))).collect();
        let found = Hyperbola::fit(&numbers).unwrap();
        for (t, number) in numbers.iter().enumerate() {
            assert!((found.at(t as f64) - number).abs() < 0.02, "{t}: {found:?}");
        }
        assert!((found.c / truth.c).ln().abs() < 0.1 && Hyperbola::fit(&numbers[..3]).is_none());
    }

    #[test]
    fn the_variance_is_that_of_the_window() {
        assert!((variance(&[9.0, 1.0, 3.0], 2) - 1.0).abs() < 1e-6);
        assert!(variance(&[4.0], 5).abs() < 1e-6);
    }
}
