//! The report of a match as every front end shows it, with one name and one unit for each quantity.
//!
//! A [`MatchTally`] has sums, which can be saved and added up; a report has what follows from them. Rates
//! are the first agent's, from 0 to 1, and times are in seconds. Every interval is one of 95 %, given by
//! its two ends.

use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};
use wurfel_core::{BySide, Side};

use crate::control::{Adjusted, Control};
use crate::match_tally::{AgentTally, MatchTally};
use crate::played_games::{PlayedGames, PlayedRate, fault_warning};
use crate::searches::Tally;

/// Where the set-ups of a match come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SetUps {
    /// Drawn at random for each pair of games.
    #[default]
    Random,
    /// Chosen by the agents.
    Chosen,
}

/// The report of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchReport {
    /// The name of the game.
    pub game: &'static str,
    /// The names of its two sides.
    pub sides: [&'static str; 2],
    /// The two agents.
    pub agents: [AgentReport; 2],
    /// The seed of set-ups, dice and agents.
    pub seed: u64,
    /// Where the set-ups came from.
    pub setups: SetUps,
    /// Whether all pairs were played.
    pub complete: bool,
    /// The program that could not be restarted, if that ended the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up: Option<String>,
    /// The score.
    #[serde(flatten)]
    pub score: ScoreReport,
    /// Games that the first side won.
    pub first_side_wins: u64,
    /// Turns in a game, of both sides together, on average.
    pub mean_plies: f64,
    /// How long the match took; `None` where its parts were played at different times.
    pub seconds: Option<f64>,
    /// Games played per second, without those of an earlier run; `None` as for `seconds`.
    pub games_per_second: Option<f64>,
}

/// The score of two agents, and what follows from it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreReport {
    /// Pairs played.
    pub pairs: u64,
    /// Games played, two for each pair.
    pub games: u64,
    /// Games that the first agent won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that the first agent lost.
    pub losses: u64,
    /// How many pairs brought the first agent 0, ½, 1, 1½ and 2 points.
    pub pair_points: [u64; 5],
    /// Points per game; a draw counts half.
    pub win_rate: f64,
    /// The 95 % interval of the win rate, from the variance between pairs.
    pub interval: [f64; 2],
    /// The win rate with the luck of the dice taken off; `None` if luck was not measured, or in too few
    /// pairs.
    pub luck_adjusted: Option<AdjustedRate>,
    /// The Elo difference that the win rate stands for; `None` if one agent won all games.
    pub elo: Option<f64>,
    /// The 95 % interval of the Elo difference.
    pub elo_interval: [Option<f64>; 2],
    /// The likelihood of superiority: the probability that the first agent is the stronger one, given
    /// these games.
    pub los: f64,
    /// How many times as many independent games would give the same interval; `None` when pairs do not
    /// vary.
    pub gain_of_pairing: Option<f64>,
    /// The number of games after which the interval would be the win rate ± 1 %; `None` when pairs do
    /// not vary.
    pub games_for_one_percent: Option<u64>,
    /// Games that an agent lost by a fault.
    pub lost_by_fault: u64,
    /// The score of the games that no fault decided; missing where faults decided none or all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedReport>,
    /// A warning about the win rate, when many games were lost by faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// A win rate with the luck of the dice taken off.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjustedRate {
    /// Points per game.
    pub win_rate: f64,
    /// The 95 % interval of the win rate.
    pub interval: [f64; 2],
    /// The share of the luck that was taken off.
    pub coefficient: f64,
    /// How many times as many pairs would give the same interval without adjustment.
    pub gain: f64,
}

impl From<Adjusted> for AdjustedRate {
    fn from(Adjusted { estimate, coefficient, gain }: Adjusted) -> Self {
        Self { win_rate: estimate.mean, interval: estimate.interval.ends(), coefficient, gain }
    }
}

/// The score of the games that no fault decided.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedReport {
    /// The number of these games.
    pub games: u64,
    /// Points per game.
    pub win_rate: f64,
    /// The interval of the win rate.
    pub interval: [f64; 2],
}

impl From<PlayedRate> for PlayedReport {
    fn from(PlayedRate { games, rate, interval }: PlayedRate) -> Self {
        Self { games, win_rate: rate, interval: interval.ends() }
    }
}

/// The report on one agent of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentReport {
    /// Its spec.
    pub agent: String,
    /// Its name: the one given in the spec, or else the spec itself.
    pub name: String,
    /// Its mean time for a decision; `None` where no time is known.
    pub mean_seconds: Option<f64>,
    /// Its longest time for a decision; `None` as for `mean_seconds`.
    pub max_seconds: Option<f64>,
    /// The games that it lost by faults.
    #[serde(flatten)]
    pub faults: FaultReport,
    /// Why it lost the first few of these games.
    pub reasons: Vec<String>,
    /// Its own turns in a game that it won, on average; `None` when it won none.
    pub turns_to_win: Option<f64>,
    /// The turns of both sides in a game that it won, on average; `None` when it won none.
    pub plies_to_win: Option<f64>,
    /// The figures of its searches, with their names.
    #[serde(serialize_with = "as_object")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, SearchFigure>")
    )]
    pub statistics: Vec<(String, SearchFigure)>,
    /// The set-ups that it chose, if agents choose them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setups: Option<SetUpReport>,
}

/// The games that an agent lost by faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaultReport {
    /// Games lost by a crash.
    pub crashes: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
    /// Games lost on time.
    pub time_losses: u64,
}

impl From<[u64; 3]> for FaultReport {
    fn from([crashes, illegal_moves, time_losses]: [u64; 3]) -> Self {
        Self { crashes, illegal_moves, time_losses }
    }
}

/// The set-ups that an agent chose, as text; `None` for a side on which it takes one at random.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetUpReport {
    /// The one for the side that the game names first.
    pub first: Option<String>,
    /// The one for the other side.
    pub second: Option<String>,
}

/// A figure of an agent's searches over its decisions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchFigure {
    /// Its mean.
    pub mean: Option<f64>,
    /// Its largest value.
    pub max: f64,
}

impl From<&Tally> for SearchFigure {
    fn from(tally: &Tally) -> Self {
        Self { mean: tally.mean(), max: tally.max }
    }
}

fn as_object<S: Serializer>(
    figures: &[(String, SearchFigure)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().map(|(name, figure)| (name, figure)))
}

impl MatchReport {
    /// The report of a match of this game between these agents with this tally, which took this long to
    /// play; `None` where its parts were played at different times.
    pub fn new(
        (game, sides): (&'static str, BySide<&'static str>),
        agents: [AgentReport; 2],
        (seed, setups): (u64, SetUps),
        tally: &MatchTally,
        time: Option<Duration>,
    ) -> Self {
        let seconds = time.map(|time| time.as_secs_f64());
        let played = tally.score.games().saturating_sub(2 * tally.resumed);
        Self {
            game,
            sides: Side::BOTH.map(|side| sides[side]),
            agents,
            seed,
            setups,
            complete: tally.complete,
            given_up: None,
            score: ScoreReport::new(tally),
            first_side_wins: tally.first_side_wins,
            mean_plies: tally.mean_plies(),
            seconds,
            games_per_second: seconds.map(|seconds| played as f64 / seconds),
        }
    }
}

impl ScoreReport {
    /// The report on the score of a match.
    pub fn new(tally: &MatchTally) -> Self {
        let (score, summary) = (tally.score, tally.score.summary());
        let adjusted = tally.luck.as_ref().and_then(Control::adjusted);
        Self {
            pairs: score.games() / 2,
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            pair_points: score.pairs,
            win_rate: summary.win_rate,
            interval: summary.interval.ends(),
            luck_adjusted: adjusted.map(AdjustedRate::from),
            elo: summary.elo,
            elo_interval: [summary.elo_low, summary.elo_high],
            los: summary.los,
            gain_of_pairing: summary.gain_of_pairing,
            games_for_one_percent: summary.games_for_one_percent,
            lost_by_fault: tally.lost_by_fault(),
            played: tally.played_games().and_then(PlayedGames::rate).map(PlayedReport::from),
            warning: fault_warning(tally.lost_by_fault(), score.games()),
        }
    }
}

impl AgentReport {
    /// The report on an agent with this spec and name.
    pub fn new(tally: &AgentTally, spec: &str, name: &str) -> Self {
        let AgentTally { timing, faults, reasons, wins, searches } = tally;
        let seconds = |time: Duration| (timing.moves > 0).then_some(time.as_secs_f64());
        Self {
            agent: spec.to_owned(),
            name: name.to_owned(),
            mean_seconds: seconds(timing.mean()),
            max_seconds: seconds(timing.longest),
            faults: (*faults).into(),
            reasons: reasons.clone(),
            turns_to_win: wins.mean_turns(),
            plies_to_win: wins.mean_plies(),
            statistics: searches
                .iter()
                .map(|(name, figure)| (name.to_owned(), figure.into()))
                .collect(),
            setups: None,
        }
    }
}
