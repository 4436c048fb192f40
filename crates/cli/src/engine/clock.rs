//! How much of a fixed time an engine spends on a turn.

use std::time::Duration;

/// The least time for a turn: a search looks one turn ahead in any case.
const SHORTEST: Duration = Duration::from_millis(1);

/// A fixed time for a turn, without what the answer takes to arrive.
pub fn within(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(SHORTEST)
}
