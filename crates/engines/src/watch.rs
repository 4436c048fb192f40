//! How long a program takes to answer, without delays that are not its fault.
//!
//! On an overloaded machine an answer comes late for two reasons that are not the program's fault.
//! The program may be ready to run and have no CPU: the kernel counts these waits, and they are
//! subtracted ([`Threads`]). And this side may have no CPU and read late what was written in time.
//! This needs no counting: this side looks every [`TICK`], and whatever a late look finds counts as
//! found when the look was due.
//!
//! The price is 10 to 20 µs for each answer that takes longer than [`FIRST`], and nothing for
//! others.

use std::time::{Duration, Instant};

use crate::threads::Threads;

/// When the waits of a program begin to be counted. Most answers come before that and cost nothing.
const FIRST: Duration = Duration::from_millis(1);
/// How often a program is looked at after that.
const TICK: Duration = Duration::from_millis(20);
/// A program that has not answered this long after its time was up is abandoned, even if it waited
/// for a CPU all the time. At the lowest priority on a busy machine an interpreter can need minutes
/// to start. The number was not measured.
const MAX_WAIT: Duration = Duration::from_mins(5);

/// A request and how long its answer takes.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    process: u32,
    began: Instant,
    /// The last moment at which the program was known to have said nothing more.
    quiet: Instant,
    /// The moment by which the last thing that the program said had certainly been said.
    answered: Instant,
    /// The threads at the first look, and how late that look was.
    first: Option<(Threads, Duration)>,
    /// The threads when the program was last examined after its time was up.
    overdue: Option<Threads>,
    cpus: u32,
}

impl Watch {
    /// Begins to watch a process that has just received a request.
    pub fn new(process: u32, cpus: u32) -> Self {
        let began = Instant::now();
        let (quiet, answered) = (began, began);
        Self { process, began, quiet, answered, first: None, overdue: None, cpus }
    }

    /// The next moment at which to look at the program, not later than `deadline`.
    pub fn due(&self, deadline: Instant) -> Instant {
        let next = match self.first {
            None => self.began + FIRST,
            Some(_) => self.quiet + TICK,
        };
        next.min(deadline)
    }

    /// Records a look that was due at this moment or earlier, and whether the program had said
    /// something.
    pub fn looked(&mut self, due: Instant, output: bool) {
        let now = Instant::now();
        self.quiet = now;
        if output {
            self.answered = now.min(due);
        }
        let first = self.began + FIRST;
        if self.first.is_none() && now >= first {
            // How long the program waited in the meantime is not known. This side has waited as
            // well.
            self.first = Some((Threads::of(self.process), now - first));
        }
    }

    /// How long the program has had to wait so far.
    fn waited(&self, threads: &Threads) -> Duration {
        self.first.as_ref().map_or(Duration::ZERO, |(first, late)| {
            *late + threads.waited_since(first, self.began.elapsed(), self.cpus)
        })
    }

    /// How long the program took until its last output, without the time that it had to wait.
    pub fn taken(&self) -> Duration {
        let time = self.answered.saturating_duration_since(self.began);
        match self.first {
            Some(_) => time.saturating_sub(self.waited(&Threads::of(self.process))),
            None => time,
        }
    }

    /// The moment until which an answer can still come in time although `deadline` is over; `None`
    /// when it cannot.
    pub fn extended(&mut self, deadline: Instant) -> Option<Instant> {
        let now = Instant::now();
        if now > deadline + MAX_WAIT {
            return None;
        }
        let threads = Threads::of(self.process);
        let until = deadline + self.waited(&threads);
        // The kernel counts a wait only when it is over. Whether a thread is still waiting shows at
        // the second look, which must come soon: a thread that runs during one look and waits at
        // the next has an uncounted wait of all the time between them.
        let soon = now + TICK;
        let none = Threads::default();
        let waits = threads.waits_since(self.overdue.as_ref().unwrap_or(&none));
        self.overdue = Some(threads);
        let until = if waits { soon } else { until.min(soon) };
        (until > now).then_some(until)
    }
}
