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
    /// How long this thread had already waited, where that matters, and the time just before this
    /// was read.
    waits: Option<(Instant, Duration)>,
}

impl Stopwatch {
    /// Starts the watch. Waits are counted only for decisions that are `bounded` in time, because
    /// counting takes some 15 µs.
    pub fn start(bounded: bool) -> Self {
        let waits = bounded.then(|| (Instant::now(), waited_for_cpu()));
        Self { waits, began: Instant::now() }
    }

    /// The time that has passed, and how much of it is the agent's own. An agent that decides
    /// elsewhere reports itself how long it `waited`.
    pub fn stop(self, waited: Option<Duration>) -> (Duration, Duration) {
        let time = self.began.elapsed();
        let own = match (waited, self.waits) {
            (Some(waited), _) => time.saturating_sub(waited),
            // From before the first reading to after the last one, so that no wait is subtracted
            // from a time that does not contain it.
            (None, Some((opened, before))) => {
                let waited = waited_for_cpu().saturating_sub(before);
                opened.elapsed().saturating_sub(waited)
            }
            (None, None) => time,
        };
        (time, own)
    }
}
