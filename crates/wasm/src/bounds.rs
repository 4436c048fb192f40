//! The budget of an agent, as options.

use std::time::Duration;

use serde::Deserialize;
use wurfel_core::Budget;

use crate::report::{Fault, fault};

/// The longest time in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;
/// The largest depth in turns.
pub const MAX_DEPTH: u32 = 64;

/// Bounds as they were given; a missing bound does not apply.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "bounds, such as {depth: 4}")]
pub struct Bounds {
    /// Search depth in turns.
    depth: Option<u32>,
    /// Maximum number of positions to visit.
    nodes: Option<u64>,
    /// Seconds.
    time: Option<f64>,
}

impl Bounds {
    /// The budget.
    ///
    /// # Errors
    /// When a bound is out of its range.
    pub fn budget(self) -> Result<Budget<'static>, Fault> {
        let Self { depth, nodes, time } = self;
        if let Some(depth) = depth.filter(|depth| !(1..=MAX_DEPTH).contains(depth)) {
            let expected = format!("expected a whole number from 1 to {MAX_DEPTH}");
            return Err(fault(format!("depth={depth}: {expected}")));
        }
        if nodes == Some(0) {
            return Err(fault("nodes=0: expected at least 1"));
        }
        let time = time.map(seconds).transpose()?;
        Ok(Budget { depth, nodes, time, ..Budget::default() })
    }
}

/// A time from a number of seconds.
pub fn seconds(time: f64) -> Result<Duration, Fault> {
    if (1e-6..=MAX_SECONDS).contains(&time) {
        return Ok(Duration::from_secs_f64(time));
    }
    Err(fault(format!("time={time}: expected seconds from 0.000001 to {MAX_SECONDS}")))
}
