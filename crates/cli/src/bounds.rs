//! The options that bound the work on a move.

use std::time::Duration;

use clap::Args;
use wurfel_arena::{LimitError, parse_time};
use wurfel_core::Budget;

/// A time as typed.
pub fn time(text: &str) -> Result<Duration, LimitError> {
    parse_time(text)
}

/// Bounds for a move, unless the agent's spec has its own.
#[derive(Args, Clone, Copy, Debug)]
pub struct Bounds {
    /// Turns to look ahead
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
    /// The bounds as a budget that cannot be stopped.
    pub const fn budget(self) -> Budget {
        Budget { depth: self.depth, nodes: self.nodes, time: self.time, stop: None }
    }
}
