//! The options of a sequential test.

use clap::Args;
use wurfel_agents::{LimitError, parse_decimal};
use wurfel_arena::{EloModel, Sprt, SprtError};

use crate::bounds::{decimal, whole};

/// Reads an Elo difference.
pub fn elo(text: &str) -> Result<f64, LimitError> {
    parse_decimal(text, -1000.0, 1000.0)
}

/// The options of a test.
#[derive(Args, Clone, Copy, Debug)]
pub struct Test {
    /// The Elo difference under H0
    #[arg(long, default_value_t = 0.0, value_parser = elo)]
    elo0: f64,
    /// The Elo difference under H1, above that under H0
    #[arg(long, default_value_t = 5.0, value_parser = elo)]
    elo1: f64,
    /// How often H1 may be accepted although H0 is true
    #[arg(long, default_value_t = 0.05, value_parser = decimal::<f64>(1e-9..=1.0))]
    alpha: f64,
    /// How often H0 may be accepted although H1 is true
    #[arg(long, default_value_t = 0.05, value_parser = decimal::<f64>(1e-9..=1.0))]
    beta: f64,
    /// The scale of both hypotheses: logistic or normalised Elo
    #[arg(long, default_value_t = EloModel::Logistic)]
    model: EloModel,
    /// Take the luck of the dice off the results, which needs fewer games
    #[arg(long)]
    luck: bool,
    /// End the test as inconclusive after this many pairs
    #[arg(long, default_value_t = 1_000_000, value_parser = whole::<u64>(1..=1 << 40))]
    pub max_pairs: u64,
}

impl Test {
    /// The test, if the options define one.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        let Self { elo0, elo1, alpha, beta, model, luck, .. } = *self;
        Sprt { elo0, elo1, alpha, beta, model, luck }.checked()
    }
}
