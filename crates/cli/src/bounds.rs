//! The options that bound how long an agent thinks about a move.

use std::time::Duration;

use clap::Args;
use wurfel_agents::{LimitError, parse_time};
use wurfel_core::Budget;

/// Reads a duration such as `100ms` or `2s`.
pub fn time(text: &str) -> Result<Duration, LimitError> {
    parse_time(text)
}

/// Bounds for each move of agents whose spec sets none.
#[derive(Args, Clone, Copy, Debug)]
pub struct Bounds {
    /// Turns to look ahead on each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Positions to visit for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time for each move, such as 100ms or 2s
    #[arg(long, value_parser = time)]
    time: Option<Duration>,
}

impl Bounds {
    /// The bounds as a budget without a stop flag.
    pub const fn budget(self) -> Budget<'static> {
        let Self { depth, nodes, time } = self;
        Budget { depth, nodes, time, deadline: None, clocks: None, stop: None }
    }
}
