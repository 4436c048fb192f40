//! The report of a sequential test, played or made from the games of a file.

use std::time::Duration;

use serde::Serialize;

use crate::match_report::{AgentReport, ScoreReport};
use crate::match_tally::MatchTally;
use crate::pentanomial::Pentanomial;
use crate::sprt::Sprt;

/// The report of a sequential probability ratio test, from the point of view of the first agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SprtReport {
    /// The name of the game.
    pub game: String,
    /// The two agents.
    pub agents: [AgentReport; 2],
    /// The seed of the games, if they were played for this test.
    pub seed: Option<u64>,
    /// The two hypotheses and the error rates.
    pub test: Sprt,
    /// `H0 accepted`, `H1 accepted` or `inconclusive`.
    pub verdict: String,
    /// The logarithm of how much likelier H1 is than H0.
    pub llr: f64,
    /// The values of `llr` that accept H0 and H1.
    pub bounds: [f64; 2],
    /// The largest number of pairs.
    pub max_pairs: u64,
    /// Whether the test came to its end.
    pub complete: bool,
    /// The program that could not be restarted, if that ended the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up: Option<String>,
    /// The score. Its Elo difference is calculated as for a match with this number of pairs, so after an
    /// early end it is too far from the middle between the hypotheses.
    #[serde(flatten)]
    pub score: ScoreReport,
    /// The Elo difference without the bias of an early end; `None` beyond ±1,000, or where all pairs
    /// had the same points.
    pub stopping_adjusted_elo: Option<f64>,
    /// The interval of `stopping_adjusted_elo`.
    pub stopping_adjusted_elo_interval: [Option<f64>; 2],
    /// The score above one half in standard deviations of a game.
    pub normalised_elo: f64,
    /// The interval of `normalised_elo`.
    pub normalised_elo_interval: [f64; 2],
    /// How long the test took, in seconds.
    pub seconds: f64,
}

impl SprtReport {
    /// The report of a test of this tally, which took this long.
    pub fn new(
        (test, max_pairs): (Sprt, u64),
        (game, seed): (&str, Option<u64>),
        agents: [AgentReport; 2],
        tally: &MatchTally,
        time: Duration,
    ) -> Self {
        let estimate = test.estimate(tally.score.pairs, tally.luck.as_ref());
        let (normalised_elo, normalised) = Pentanomial::of(tally.score.pairs).normalised_elo();
        Self {
            game: game.to_owned(),
            agents,
            seed,
            test,
            verdict: test.verdict_of(tally).to_string(),
            llr: test.llr_of(tally),
            bounds: test.bounds().ends(),
            max_pairs,
            complete: tally.complete,
            given_up: None,
            score: ScoreReport::new(tally),
            stopping_adjusted_elo: estimate.elo,
            stopping_adjusted_elo_interval: [estimate.low, estimate.high],
            normalised_elo,
            normalised_elo_interval: normalised.ends(),
            seconds: time.as_secs_f64(),
        }
    }
}
