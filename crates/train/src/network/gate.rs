//! The gate: the test that decides whether a network is better than the best one before it.
//!
//! "More than half of the games" lets a network that is no better pass every second time, and what it then
//! claims to have won is luck. The gate is therefore a test whose error rate is chosen: how often a
//! network passes that is exactly as strong. It says nothing about *how much* stronger one that passes is;
//! that is for games of their own ([`Curve`](super::Curve)).

use serde::{Deserialize, Serialize};
use wurfel_arena::{EloModel, FixedTest, MatchReport, Sprt, SprtError, Verdict};

/// How it is decided whether a network is better than the best one before it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// The kind of test.
    pub test: GateTest,
    /// How often a network passes that is exactly as strong, 0.0001 to 0.49.
    pub error: f64,
    /// For a sequential test, the Elo difference that must not be overlooked more often than `error` says, 1
    /// to 500.
    pub elo: f64,
    /// Whether the luck of the dice is measured in all matches of the evaluation, and taken off for the
    /// test.
    pub luck: bool,
}

/// A kind of test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateTest {
    /// After all pairs.
    #[default]
    Fixed,
    /// A sequential test of 0 against `elo`, which ends as soon as it is decided. A network about which
    /// it is undecided after all pairs does not pass.
    Sequential,
    /// More than half of the points, whatever `error` says; a network that is exactly as strong
    /// passes nearly every second time.
    Majority,
}

impl Default for GateConfig {
    fn default() -> Self {
        Self { test: GateTest::Fixed, error: 0.05, elo: 20.0, luck: true }
    }
}

impl GateConfig {
    /// The sequential test, if that is wanted.
    ///
    /// # Errors
    /// When it cannot be made of these numbers.
    pub fn sprt(&self) -> Result<Option<Sprt>, SprtError> {
        if self.test != GateTest::Sequential {
            return Ok(None);
        }
        let Self { error, elo, luck, .. } = *self;
        let (alpha, beta, model) = (error, error, EloModel::Logistic);
        Sprt { elo0: 0.0, elo1: elo, alpha, beta, model, luck }.checked().map(Some)
    }

    /// Whether the network that played these games as the first agent is better than the other.
    pub fn passed(&self, report: &MatchReport) -> bool {
        let Self { error, luck, .. } = *self;
        match self.test {
            GateTest::Fixed => FixedTest { error, luck }.passed(report),
            GateTest::Majority => report.score.summary().win_rate > 0.5,
            GateTest::Sequential => {
                let sprt = self.sprt().ok().flatten();
                sprt.is_some_and(|sprt| sprt.verdict_of(report) == Verdict::H1)
            }
        }
    }
}
