//! The metrics of a run, a JSON line for each round. `docs/training.md` describes the entries for
//! programs that read them.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wurfel_arena::{Control, Interval, MatchTally, wilson_interval};
use wurfel_core::files::{FileError, write_whole};

use wurfel_core::{Game, Outcome, Side};

use super::error::RunError;
use super::files::failed;
use super::games::{PlayedGame, Resignation};

/// The metrics of a round. Losses are means over the round's batches, and `None` when no step was
/// taken.
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
    /// The checksum of the file with these positions, sixteen hexadecimal digits; empty in old
    /// runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub games_checksum: String,
    /// The games of this round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<RoundGames>,
    /// Positions in the replay buffer.
    pub buffer: usize,
    /// Steps of all rounds so far.
    pub steps: u64,
    /// The learning rate of the last step; that of the configuration when no step was taken.
    pub learning_rate: f32,
    /// The policy's cross-entropy, in nats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_loss: Option<f32>,
    /// The value's squared error, values from −1 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_loss: Option<f32>,
    /// The weighted sum of both losses, with the weights of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// The variance of `loss` over the last rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variance: Option<f32>,
    /// The weight of the policy loss in this round's steps.
    pub policy_weight: f32,
    /// The weight of the value loss in this round's steps.
    pub value_weight: f32,
    /// The entropy of the network's policy, in nats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entropy: Option<f32>,
    /// The mean norm of the gradient before clipping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gradient: Option<f32>,
    /// How often a position of all rounds was drawn on average.
    #[serde(default)]
    pub replay_ratio: f64,
    /// The losses of the network on those games of this round that it does not learn from, if there
    /// are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Seconds that the games took.
    pub game_seconds: f64,
    /// Seconds that the steps took.
    pub step_seconds: f64,
    /// When the round ended, in seconds since 1970.
    #[serde(default)]
    pub finished: f64,
    /// The strength of the network after the round, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Strength>,
}

impl Round {
    /// Whether the network learned: a step was taken.
    pub const fn has_learned(&self) -> bool {
        self.loss.is_some()
    }

    /// Seconds that the round took, with its evaluation.
    pub fn seconds(&self) -> f64 {
        let measured = self.evaluation.as_ref().map_or(0.0, |strength| strength.seconds);
        self.game_seconds + self.step_seconds + measured
    }
}

/// How long the games of a round were, and how they ended.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RoundGames {
    /// How many games there were.
    pub games: u64,
    /// Their mean length, in turns of both sides together.
    pub mean_plies: f64,
    /// The length of the longest.
    pub max_plies: u32,
    /// How many the first side won.
    pub first_side_wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many ended because a side resigned.
    pub resigned: u64,
    /// How many were played on although a side would have resigned.
    pub played_on: u64,
    /// In how many of these games that side did not lose.
    pub wrongly_resigned: u64,
}

impl RoundGames {
    /// The metrics of these games, among which there may be scattered turns.
    pub(super) fn of<G: Game>(games: &[PlayedGame<G>]) -> Self {
        let count = |is: fn(&PlayedGame<G>) -> bool| games.iter().filter(|g| is(g)).count() as u64;
        let whole = count(|game| game.outcome.is_some());
        let plies: u64 = games.iter().map(|game| u64::from(game.plies)).sum();
        let wrong = count(|game| game.resignation == Some(Resignation::Wrong));
        Self {
            games: whole,
            mean_plies: plies as f64 / whole.max(1) as f64,
            max_plies: games.iter().map(|game| game.plies).max().unwrap_or(0),
            first_side_wins: count(|game| game.outcome == Some(Outcome::Win(Side::First))),
            draws: count(|game| game.outcome == Some(Outcome::Draw)),
            resigned: count(|game| game.resignation == Some(Resignation::Accepted)),
            played_on: count(|game| game.resignation == Some(Resignation::PlayedOn)) + wrong,
            wrongly_resigned: wrong,
        }
    }
}

/// The resignations of a whole run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Resignations {
    /// How many games ended by a resignation.
    pub resigned: u64,
    /// How many games were played on although a side would have resigned.
    pub played_on: u64,
    /// In how many of these games that side did not lose.
    pub wrong: u64,
    /// The share of the games that were played on in which that side did not lose.
    pub false_positive_rate: f64,
    /// The 95 % interval of that rate.
    pub interval: Interval,
}

impl Resignations {
    /// The resignations of these rounds; `None` when no side wanted to resign.
    pub fn of(history: &[Round]) -> Option<Self> {
        let (mut resigned, mut played_on, mut wrong) = (0, 0, 0);
        for played in history.iter().filter_map(|round| round.played) {
            resigned += played.resigned;
            played_on += played.played_on;
            wrong += played.wrongly_resigned;
        }
        (resigned + played_on > 0).then(|| Self {
            resigned,
            played_on,
            wrong,
            false_positive_rate: wrong as f64 / (played_on as f64).max(1.0),
            interval: share_interval(wrong, played_on),
        })
    }
}

/// The 95 % interval of a share of independent cases.
fn share_interval(of: u64, all: u64) -> Interval {
    if all == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    wilson_interval(of as f64 / all as f64, 1.96, all as f64)
}

/// The losses of a network on positions that it did not learn from.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HeldOut {
    /// How many positions.
    pub positions: usize,
    /// The policy's cross-entropy, in nats.
    pub policy_loss: f64,
    /// The value's squared error, values from −1 to 1.
    pub value_loss: f64,
}

/// How far a network's values are from exact ones, for a number of pieces.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExactError {
    /// Pieces on the board.
    pub pieces: u32,
    /// How many positions were compared.
    pub positions: u64,
    /// The mean of value minus exact value, both from 0 to 1.
    pub mean: f64,
    /// The root of the mean squared difference.
    pub rms: f64,
}

/// The measured strength of a network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Strength {
    /// The match against the best network so far; `None` for the first network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_best: Option<NetworkMatch>,
    /// Whether the network passed the gate; `None` for the first network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    /// The round after which the network was the best so far.
    pub best_round: u64,
    /// The number of evaluations since `best_round`.
    pub without_gain: u64,
    /// The matches against the agents of the configuration, in its order.
    pub opponents: Vec<NetworkMatch>,
    /// How far its values are from exact ones, by the number of pieces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<ExactError>,
    /// Seconds that the evaluation took.
    pub seconds: f64,
}

/// The result of a match of the network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkMatch {
    /// The spec of the opponent; `best` for the best network so far.
    pub opponent: String,
    /// The round of the opponent, if it is a network of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u64>,
    /// Whether a sequential test decided when the match ended. The interval is the one for a fixed
    /// number of pairs nevertheless.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sequential: bool,
    /// The network's win rate.
    pub win_rate: f64,
    /// The 95 % interval of the win rate.
    pub interval: Interval,
    /// Mirrored pairs that were played.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pairs: u64,
    /// The win rate with the luck of the dice taken off, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<Rate>,
}

/// A win rate with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rate {
    /// The win rate, 0 to 1.
    pub win_rate: f64,
    /// The 95 % interval of the win rate.
    pub interval: Interval,
}

/// A point of the Elo curve of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CurvePoint {
    /// The round after which the network was saved; 0 before the first.
    pub round: u64,
    /// The games of all rounds up to this one.
    pub games: u64,
    /// The rating above the first anchor.
    pub elo: f64,
    /// The 95 % interval of the rating, in Elo.
    pub interval: Interval,
    /// The matches against the anchors, in their order.
    pub against: Vec<NetworkMatch>,
}

impl NetworkMatch {
    /// The result of a match against this opponent, from the report of its games.
    pub(super) fn new(opponent: String, report: &MatchTally) -> Self {
        let summary = report.score.summary();
        let adjusted =
            report.luck.as_ref().and_then(Control::adjusted).map(|hyperbola| hyperbola.estimate);
        Self {
            opponent,
            round: None,
            sequential: false,
            win_rate: summary.win_rate,
            interval: summary.interval,
            pairs: report.score.games() / 2,
            adjusted: adjusted
                .map(|hyperbola| Rate { win_rate: hyperbola.mean, interval: hyperbola.interval }),
        }
    }

    /// The best estimate of the win rate: luck-adjusted where luck was measured.
    pub fn rate(&self) -> Rate {
        self.adjusted.unwrap_or(Rate { win_rate: self.win_rate, interval: self.interval })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
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
        text => text.map_err(FileError::at(path))?,
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

/// Reads the rounds of a run that resumes after `done` rounds. A line of a later round is from a
/// program that was killed before the round was complete; it is removed from the file.
pub(super) fn read_resumed(path: &Path, done: u64) -> Result<Vec<Round>, RunError> {
    let mut rounds = read_rounds(path)?;
    if (rounds.len() as u64) < done {
        return Err(failed(path, &format!("{} rounds of {done}", rounds.len())));
    }
    rounds.truncate(done as usize);
    let lines: Result<Vec<String>, _> = rounds.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| failed(path, &error))?;
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    if path.exists() && fs::read_to_string(path).is_ok_and(|there| there != text) {
        write_whole(path, text)?;
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

/// The hyperbola a + b / (1 + t / c), fitted to losses at t = 0, 1, 2…
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hyperbola {
    /// The limit for large t, at least 0, because no loss is less.
    pub a: f64,
    /// How far above the limit the hyperbola begins.
    pub b: f64,
    /// The t at which half of `b` is left.
    pub c: f64,
}

impl Hyperbola {
    /// The hyperbola with the smallest squared error; `None` for fewer than four numbers.
    pub fn fit(numbers: &[f64]) -> Option<Self> {
        if numbers.len() < 4 {
            return None;
        }
        let count = numbers.len() as f64;
        // For a given c, linear regression gives a and b; c itself is found by search. Where the
        // limit would be negative, the best one that is not is 0, and b follows from that.
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
            let a = mean_y - b * mean_x;
            if a >= 0.0 {
                return Self { a, b, c };
            }
            let products = falls().zip(numbers).map(|(x, y)| x * y).sum::<f64>();
            Self { a: 0.0, b: products / falls().map(|x| x * x).sum::<f64>(), c }
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
impl NetworkMatch {
    /// A match of two pairs, for tests.
    pub(super) fn sample(opponent: &str, interval: Interval) -> Self {
        Self {
            opponent: opponent.to_owned(),
            round: None,
            sequential: false,
            win_rate: 0.75,
            interval,
            pairs: 2,
            adjusted: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hyperbola_is_found_again() {
        let truth = Hyperbola { a: 0.5, b: 2.0, c: 12.0 };
        let numbers: Vec<f64> = (0..100).map(|t| truth.at(f64::from(t))).collect();
        let hyperbola = Hyperbola::fit(&numbers).unwrap();
        for (t, number) in numbers.iter().enumerate() {
            assert!((hyperbola.at(t as f64) - number).abs() < 0.02, "{t}: {hyperbola:?}");
        }
        assert!(
            (hyperbola.c / truth.c).ln().abs() < 0.1 && Hyperbola::fit(&numbers[..3]).is_none()
        );
    }

    /// These losses fall in a straight line, and the best hyperbola without a bound went below 0.
    #[test]
    fn no_loss_is_predicted_to_fall_below_zero() {
        let numbers: Vec<f64> = (0..40).map(|t| 1.3 - 0.006 * f64::from(t)).collect();
        let hyperbola = Hyperbola::fit(&numbers).unwrap();
        assert!(hyperbola.a >= 0.0 && hyperbola.b > 0.0, "{hyperbola:?}");
        for (t, number) in numbers.iter().enumerate() {
            assert!((hyperbola.at(t as f64) - number).abs() < 0.05, "{t}: {hyperbola:?}");
        }
    }

    /// Newcombe (1998), table I: 81 of 263 and 0 of 20.
    #[test]
    fn intervals_of_shares_are_wilsons() {
        for (of, all, low, high) in [(81, 263, 0.2553, 0.3662), (0, 20, 0.0, 0.1611)] {
            let hyperbola = share_interval(of, all);
            assert!(
                (hyperbola.low - low).abs() < 1e-3 && (hyperbola.high - high).abs() < 1e-3,
                "{hyperbola:?}"
            );
        }
    }

    #[test]
    fn the_variance_is_that_of_the_window() {
        assert!((variance(&[9.0, 1.0, 3.0], 2) - 1.0).abs() < 1e-6);
        assert!(variance(&[4.0], 5).abs() < 1e-6);
    }
}
