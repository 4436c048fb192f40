//! The gate: the test that decides whether a network is better than the best one before it.
//!
//! A rule such as "more than half of the games" lets every second network pass that is no better,
//! and the gain that such a network claims is luck. The gate is therefore a test with a chosen
//! error rate: how often a network passes that is exactly as strong. It says nothing about *how
//! much* stronger a network is that passes; games of their own measure that
//! ([`Curve`](super::Curve)).

use serde::{Deserialize, Serialize};
use wurfel_arena::{EloModel, FixedSampleTest, MatchTally, Sprt, SprtError, SprtVerdict};

/// The test that decides whether a network is better than the best one before it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// The kind of test.
    pub test: GateTest,
    /// How often a network passes that is exactly as strong, 0.0001 to 0.49.
    pub error: f64,
    /// For a sequential test, the Elo difference, 1 to 500, that must not be overlooked more often
    /// than `error` says.
    pub elo: f64,
    /// Whether the luck of the dice is measured in all matches of the evaluation, and taken off for the
    /// test.
    pub luck: bool,
}

/// A kind of test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateTest {
    /// One decision, after all pairs.
    #[default]
    Fixed,
    /// A sequential test of 0 against `elo`, which ends as soon as it is decided. A network passes
    /// only if the test is decided in its favour before the pairs are used up.
    Sequential,
    /// More than half of the points, whatever `error` says; a network that is exactly as strong
    /// passes nearly half of the time.
    Majority,
}

impl Default for GateConfig {
    fn default() -> Self {
        Self { test: GateTest::Fixed, error: 0.05, elo: 20.0, luck: true }
    }
}

impl GateConfig {
    /// The sequential test, if the configuration asks for one.
    ///
    /// # Errors
    /// When these numbers do not define a test.
    pub fn sprt(&self) -> Result<Option<Sprt>, SprtError> {
        if self.test != GateTest::Sequential {
            return Ok(None);
        }
        let Self { error, elo, luck, .. } = *self;
        let (alpha, beta, model) = (error, error, EloModel::Logistic);
        Sprt { elo0: 0.0, elo1: elo, alpha, beta, model, luck }.checked().map(Some)
    }

    /// Whether the network that was the first agent in these games passes as better than the other
    /// one.
    pub fn passes(&self, report: &MatchTally) -> bool {
        let Self { error, luck, .. } = *self;
        match self.test {
            GateTest::Fixed => FixedSampleTest { error, luck }.passes(report),
            GateTest::Majority => report.score.summary().win_rate > 0.5,
            GateTest::Sequential => {
                let sprt = self.sprt().ok().flatten();
                sprt.is_some_and(|sprt| sprt.verdict_of(report) == SprtVerdict::H1)
            }
        }
    }
}
