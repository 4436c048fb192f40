//! How long a decision takes, and how much of that is the agent's own time.
//!
//! On a machine that is overloaded a decision takes longer than its agent can help: its thread is ready to run and has no
//! CPU. What the kernel counts of that is taken off.

use std::time::{Duration, Instant};

use wurfel_agents::waited_for_cpu;

/// Runs from the question to the answer.
pub(super) struct Stopwatch {
    began: Instant,
    /// What this thread had waited then, where that matters.
    waited: Option<Duration>,
}

impl Stopwatch {
    /// Begins. Only decisions that are `bounded` in time have their waits counted, which takes some 10 µs.
    pub fn start(bounded: bool) -> Self {
        Self { waited: bounded.then(waited_for_cpu), began: Instant::now() }
    }

    /// The time that has passed, and how much of it is the agent's own. An agent that decides elsewhere knows itself what it
    /// `waited`.
    pub fn stop(self, waited: Option<Duration>) -> (Duration, Duration) {
        let time = self.began.elapsed();
        let here = || self.waited.map(|before| waited_for_cpu().saturating_sub(before));
        let waited = waited.or_else(here).unwrap_or_default();
        (time, time.saturating_sub(waited))
    }
}
