//! How long a decision takes, and how much of that counts as the agent's own time.
//!
//! On an overloaded machine a decision takes longer through no fault of the agent: its thread is
//! ready to run and has no CPU. The kernel counts this time, and it is subtracted.

use std::time::Duration;

use wurfel_core::Instant;

use wurfel_engines::waited_for_cpu;

/// Measures the time from the question to the answer.
pub(super) struct Stopwatch {
    began: Instant,
    /// How long this thread had already waited at the start, where that matters.
    waited: Option<Duration>,
}

impl Stopwatch {
    /// Starts the watch. Waits are counted only for decisions that are `bounded` in time, because
    /// counting takes some 10 µs.
    pub fn start(bounded: bool) -> Self {
        Self { waited: bounded.then(waited_for_cpu), began: Instant::now() }
    }

    /// The time that has passed, and how much of it is the agent's own. An agent that decides
    /// elsewhere reports itself how long it `waited`.
    pub fn stop(self, waited: Option<Duration>) -> (Duration, Duration) {
        let time = self.began.elapsed();
        let here = || self.waited.map(|before| waited_for_cpu().saturating_sub(before));
        let waited = waited.or_else(here).unwrap_or_default();
        (time, time.saturating_sub(waited))
    }
}
