//! What the kernel reports about a thread: how long it ran, and how long it was ready to run but
//! had no CPU. Linux counts both for every thread.

use std::fs;
use std::time::Duration;

/// The times of a thread since it began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Times {
    pub ran: Duration,
    /// The time that the thread waited for a CPU. A wait counts as soon as it is over.
    pub waited: Duration,
}

pub(crate) fn read(schedstat: &str) -> Option<Times> {
    let mut times = schedstat.split(' ').map(|word| word.parse().ok().map(Duration::from_nanos));
    Some(Times { ran: times.next()??, waited: times.next()?? })
}

/// How long this thread has been ready to run but had no CPU since it began. Zero on systems that
/// do not count it, that is, everywhere but on Linux.
pub fn waited_for_cpu() -> Duration {
    let own = fs::read_to_string("/proc/thread-self/schedstat").ok();
    own.and_then(|text| read(&text)).unwrap_or_default().waited
}
