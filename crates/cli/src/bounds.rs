//! The numbers and times on the command line, and the options that bound how long an agent thinks
//! about a move.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use wurfel_agents::{LimitError, parse_decimal, parse_number, parse_time};
use wurfel_core::Budget;

/// A parser for options whose value is a whole number within a range.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, LimitError> + Clone + Send + Sync + 'static {
    move |text| {
        let number = parse_number(text, *range.start(), *range.end())?;
        T::try_from(number).map_err(|_| LimitError("a smaller number".into()))
    }
}

/// A parser for options whose value is a decimal number within a range.
pub fn decimal<T: FromStr>(
    range: RangeInclusive<f64>,
) -> impl Fn(&str) -> Result<T, LimitError> + Clone + Send + Sync + 'static {
    move |text| {
        parse_decimal(text, *range.start(), *range.end())?;
        // The text is parsed again as the type of the option, because rounding twice may give another
        // number.
        text.parse().map_err(|_| LimitError("a number".into()))
    }
}

/// Reads the seed of a random generator.
pub fn seed(text: &str) -> Result<u64, LimitError> {
    parse_number(text, 0, u64::MAX)
}

/// Reads a duration such as `100ms` or `2s`.
pub fn time(text: &str) -> Result<Duration, LimitError> {
    parse_time(text)
}

/// Bounds for each move of agents whose spec sets none.
#[derive(Args, Clone, Copy, Debug)]
pub struct Bounds {
    /// Turns to look ahead on each move
    #[arg(long, value_parser = whole::<u32>(1..=64))]
    depth: Option<u32>,
    /// Positions to visit for each move
    #[arg(long, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Time for each move, such as 100ms or 2s
    #[arg(long, value_parser = time, allow_hyphen_values = true)]
    time: Option<Duration>,
}

impl Bounds {
    /// The bounds as a budget without a stop flag.
    pub const fn budget(self) -> Budget<'static> {
        let Self { depth, nodes, time } = self;
        Budget { depth, nodes, time, deadline: None, clocks: None, stop: None }
    }
}
