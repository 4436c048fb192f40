//! How long a program takes to answer, without what it cannot help.
//!
//! On a machine that is overloaded an answer comes late for two reasons that are not the program's. It may be
//! ready to run and have no CPU: what the kernel counts of that is taken off ([`Threads`]). And this
//! side may have none, and read late what was written in time. That needs no counting: this side looks
//! every [`TICK`], and what it finds at a look that came late counts as found when the look was due.
//!
//! The price is 10 to 20 µs for each answer that takes more than [`FIRST`], and none for others.

use std::time::{Duration, Instant};

use super::threads::Threads;

/// When the waits of a program begin to be counted. Most answers that come before cost nothing so.
const FIRST: Duration = Duration::from_millis(1);
/// How often a program is looked at after that.
const TICK: Duration = Duration::from_millis(20);
/// A program that has no CPU for so long is given up.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// A question and how long its answer takes.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    process: u32,
    asked: Instant,
    /// When it was known last that no more had been said.
    quiet: Instant,
    /// When what was said last had been said at the latest.
    heard: Instant,
    /// The threads at the first look, and how late that look was.
    first: Option<(Threads, Duration)>,
    /// The threads when the time was over and the program was looked at last.
    overdue: Option<Threads>,
    cpus: u32,
}

impl Watch {
    /// Begins with the question to a process.
    pub fn new(process: u32, cpus: u32) -> Self {
        let asked = Instant::now();
        let (quiet, heard) = (asked, asked);
        Self { process, asked, quiet, heard, first: None, overdue: None, cpus }
    }

    /// When the program is to be looked at next, not later than `deadline`.
    pub fn due(&self, deadline: Instant) -> Instant {
        let next = match self.first {
            None => self.asked + FIRST,
            Some(_) => self.quiet + TICK,
        };
        next.min(deadline)
    }

    /// Notes a look that was due at this moment or earlier, and whether something had been said.
    pub fn looked(&mut self, due: Instant, found: bool) {
        let now = Instant::now();
        self.quiet = now;
        if found {
            self.heard = now.min(due);
        }
        let first = self.asked + FIRST;
        if self.first.is_none() && now >= first {
            // What the program waited for meanwhile is not known. This side has waited as well.
            self.first = Some((Threads::of(self.process), now - first));
        }
    }

    /// How long the program had to wait until now.
    fn waited(&self, threads: &Threads) -> Duration {
        self.first.as_ref().map_or(Duration::ZERO, |(first, late)| {
            *late + threads.waited_since(first, self.asked.elapsed(), self.cpus)
        })
    }

    /// How long the program took for what it said last, without what it had to wait for.
    pub fn taken(&self) -> Duration {
        let time = self.heard.saturating_duration_since(self.asked);
        match self.first {
            Some(_) => time.saturating_sub(self.waited(&Threads::of(self.process))),
            None => time,
        }
    }

    /// Until when an answer can still come in time although `deadline` is over; `None` when it cannot.
    pub fn put_off(&mut self, deadline: Instant) -> Option<Instant> {
        let now = Instant::now();
        if now > deadline + MAX_WAIT {
            return None;
        }
        let threads = Threads::of(self.process);
        let until = deadline + self.waited(&threads);
        // A wait counts when it is over. Whether a thread waits shows at the second look.
        let none = Threads::default();
        let waits = threads.waits_since(self.overdue.as_ref().unwrap_or(&none));
        self.overdue = Some(threads);
        let until = if waits { until.max(now + TICK) } else { until };
        (until > now).then_some(until)
    }
}
