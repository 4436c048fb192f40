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
    /// counting takes some 20 µs.
    pub fn start(bounded: bool) -> Self {
        if bounded {
            let (began, waited) = moment();
            Self { began, waited: Some(waited) }
        } else {
            Self { began: Instant::now(), waited: None }
        }
    }

    /// The time that has passed, and how much of it is the agent's own. An agent that decides
    /// elsewhere reports itself how long it `waited`.
    pub fn stop(self, waited: Option<Duration>) -> (Duration, Duration) {
        let (ended, waited) = match (waited, self.waited) {
            (Some(waited), _) => (Instant::now(), waited),
            (None, None) => (Instant::now(), Duration::ZERO),
            (None, Some(before)) => {
                let (ended, after) = moment();
                (ended, after.saturating_sub(before))
            }
        };
        let time = ended - self.began;
        (time, time.saturating_sub(waited))
    }
}

/// The time, and how long this thread has waited for a CPU until then. A wait between reading the
/// one and the other would be subtracted from a time that does not contain it, so both are read
/// again after one.
fn moment() -> (Instant, Duration) {
    loop {
        let waited = waited_for_cpu();
        let now = Instant::now();
        if waited_for_cpu() == waited {
            return (now, waited);
        }
    }
}
