//! How much of a fixed time an engine spends on a turn.

use std::time::Duration;

/// The shortest time for a turn, because a search looks one turn ahead in any case.
const MIN_TIME: Duration = Duration::from_millis(1);

/// The thinking time within a fixed time for a turn: the time less what the answer takes to arrive.
pub fn within(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(MIN_TIME)
}
