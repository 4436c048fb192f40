//! The options of a sequential test.

use clap::Args;
use wurfel_arena::{EloModel, Sprt, SprtError};

/// The options of a test.
#[derive(Args, Clone, Copy, Debug)]
pub struct Test {
    /// The Elo difference under H0
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    elo0: f64,
    /// The Elo difference under H1, above that under H0
    #[arg(long, default_value_t = 5.0, allow_hyphen_values = true)]
    elo1: f64,
    /// How often H1 may be accepted although H0 is true
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often H0 may be accepted although H1 is true
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The scale of both hypotheses: logistic or normalised Elo
    #[arg(long, default_value_t = EloModel::Logistic)]
    model: EloModel,
    /// Take the luck of the dice off the results, which needs fewer games
    #[arg(long)]
    luck: bool,
    /// End the test as inconclusive after so many pairs
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub max_pairs: u64,
}

impl Test {
    /// The test, if the options define one.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        let Self { elo0, elo1, alpha, beta, model, luck, .. } = *self;
        Sprt { elo0, elo1, alpha, beta, model, luck }.checked()
    }
}
