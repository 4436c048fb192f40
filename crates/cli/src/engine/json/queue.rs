//! The positions that wait for a thread, and those that are being analysed.
//!
//! A driver's lines must be read while its queries wait, or it could not end them. So the queue has
//! room for many more positions than a driver asks about at once, and only a file of millions of
//! lines fills it. In that case no further line is read until a position has been begun, and the
//! engine's memory stays bounded.
//!
//! Work without a time limit is watched, because a depth or a number of nodes that is never reached
//! would block its thread for ever.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::slot::AgentSlot;

/// How many positions may wait. Each takes some hundred bytes.
pub const MAX_WAITING: usize = 1 << 20;
/// How long work without a time limit may take before it is ended in the same way as a driver ends
/// work.
pub const PATIENCE: Duration = Duration::from_mins(10);

/// The work on a position, which sends its answers itself.
pub type RunTask = Box<dyn FnOnce(&mut AgentSlot) + Send>;

/// A position of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// The query's `id`.
    pub id: String,
    /// How many words of the query's moves come before the position.
    pub turn: usize,
}

/// A position that is waiting to be analysed.
pub struct QueuedTask {
    /// The identification of the position.
    pub ticket: Ticket,
    /// How long the work may take, if it has no time limit of its own.
    pub patience: Option<Duration>,
    pub work: RunTask,
}

/// The positions that wait, and those in progress.
pub struct Queue {
    state: Mutex<State>,
    /// Notified whenever something is added or taken, and when nothing more will be added.
    changed: Condvar,
    /// Notified when a thread has found that nothing more will come.
    over: Condvar,
}

/// Closes a queue when it is dropped, so that no thread waits for ever, however the reader ends.
pub struct Closing<'a>(&'a Queue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.changed.notify_all();
    }
}

/// The work of a thread.
struct UnderWay {
    ticket: Option<Ticket>,
    /// When the work must end.
    until: Option<Instant>,
    /// The flag that ends it.
    stop: Arc<AtomicBool>,
}

impl UnderWay {
    const fn idle(stop: Arc<AtomicBool>) -> Self {
        Self { ticket: None, until: None, stop }
    }
}

struct State {
    /// The waiting positions: the highest priority first, and among equals the earliest request.
    waiting: BTreeMap<(Reverse<i32>, u64), QueuedTask>,
    /// How many positions have been requested so far.
    requests: u64,
    /// Whether nothing more will be added.
    closed: bool,
    /// The work of each thread.
    under_way: Vec<UnderWay>,
    /// How many threads still take work.
    working: usize,
    /// How often the threads had to forget what they cache between queries.
    cleared: u64,
}

impl Queue {
    /// An empty queue for as many threads as there are flags.
    pub fn new(stops: &[Arc<AtomicBool>]) -> Self {
        let idle = |stop: &Arc<_>| UnderWay::idle(Arc::clone(stop));
        let state = State {
            waiting: BTreeMap::new(),
            requests: 0,
            closed: false,
            under_way: stops.iter().map(idle).collect(),
            working: stops.len(),
            cleared: 0,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), over: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a position, waiting until there is room.
    pub fn add(&self, priority: i32, job: QueuedTask) {
        let mut state = self.state();
        while state.waiting.len() >= MAX_WAITING {
            state = self.wait(state);
        }
        let number = state.requests;
        state.requests += 1;
        state.waiting.insert((Reverse(priority), number), job);
        self.changed.notify_all();
    }

    /// A guard; when it is dropped, nothing more will be added.
    pub const fn closing(&self) -> Closing<'_> {
        Closing(self)
    }

    /// Ends work that exceeds its time, until nothing more will come.
    pub fn watch(&self) {
        let mut state = self.state();
        while state.working > 0 {
            let now = Instant::now();
            // Work that begins later must end later than this.
            let mut wake = now + PATIENCE;
            for UnderWay { until, stop, .. } in &mut state.under_way {
                match *until {
                    Some(at) if at <= now => {
                        stop.store(true, Ordering::Relaxed);
                        *until = None;
                    }
                    Some(at) => wake = wake.min(at),
                    None => {}
                }
            }
            let waited = self.over.wait_timeout(state, wake - now);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The next position for a thread whose last one is finished, and how often the threads have
    /// been told to forget; `None` when nothing more will come.
    pub fn next(&self, thread: usize) -> Option<(RunTask, u64)> {
        let mut state = self.state();
        let stop = Arc::clone(&state.under_way[thread].stop);
        state.under_way[thread] = UnderWay::idle(Arc::clone(&stop));
        loop {
            if let Some((_, QueuedTask { ticket, patience, work })) = state.waiting.pop_first() {
                let until = patience.map(|patience| Instant::now() + patience);
                stop.store(false, Ordering::Relaxed);
                state.under_way[thread] = UnderWay { ticket: Some(ticket), until, stop };
                self.changed.notify_all();
                return Some((work, state.cleared));
            }
            if state.closed {
                state.working -= 1;
                self.over.notify_all();
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Ends the positions for which `meant` is true. Work in progress is asked to stop; waiting
    /// positions are never begun and are returned, in order.
    pub fn end(&self, meant: impl Fn(&Ticket) -> bool) -> Vec<Ticket> {
        let mut state = self.state();
        for UnderWay { ticket, stop, .. } in &state.under_way {
            if ticket.as_ref().is_some_and(&meant) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        let mut ended: Vec<(u64, Ticket)> = vec![];
        state.waiting.retain(|&(_, number), QueuedTask { ticket, .. }| {
            let keeps = !meant(ticket);
            if !keeps {
                ended.push((number, ticket.clone()));
            }
            keeps
        });
        self.changed.notify_all();
        ended.sort_unstable_by_key(|&(number, _)| number);
        ended.into_iter().map(|(_, ticket)| ticket).collect()
    }

    /// Whether any position waits or is being analysed.
    pub fn is_busy(&self) -> bool {
        let state = self.state();
        !state.waiting.is_empty() || state.under_way.iter().any(|work| work.ticket.is_some())
    }

    /// Makes every thread forget what it has cached, before its next position.
    pub fn forget(&self) {
        self.state().cleared += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn ticket(id: &str, turn: usize) -> Ticket {
        Ticket { id: id.to_owned(), turn }
    }

    fn job(id: &str, turn: usize) -> QueuedTask {
        QueuedTask { ticket: ticket(id, turn), patience: None, work: Box::new(|_| {}) }
    }

    #[test]
    fn higher_priority_goes_first_and_equal_ones_in_their_order() {
        let stop: Arc<AtomicBool> = Arc::default();
        let queue = Queue::new(&[Arc::clone(&stop)]);
        let (sender, order) = channel();
        for (priority, id) in [(0, "a"), (0, "b"), (5, "c"), (-1, "d"), (5, "e")] {
            let sender = sender.clone();
            let work = move |_: &mut AgentSlot| sender.send(id).expect("a receiver");
            queue.add(priority, QueuedTask { work: Box::new(work), ..job(id, 0) });
        }
        drop(queue.closing());
        let mut slot = AgentSlot::new(stop);
        while let Some((work, _)) = queue.next(0) {
            work(&mut slot);
        }
        drop(sender);
        assert_eq!(order.iter().collect::<String>(), "ceabd");
    }

    #[test]
    fn waiting_positions_are_removed_and_running_searches_are_stopped() {
        let stop: Arc<AtomicBool> = Arc::default();
        let queue = Queue::new(&[Arc::clone(&stop)]);
        for (id, turn) in [("a", 0), ("b", 0), ("a", 2), ("a", 1)] {
            queue.add(0, job(id, turn));
        }
        assert!(queue.next(0).is_some());
        let ended = queue.end(|ticket| ticket.id == "a" && ticket.turn != 2);
        assert_eq!(ended, [ticket("a", 1)]);
        assert!(stop.load(Ordering::Relaxed));
        // The flag is lowered again before the next work begins.
        assert!(queue.next(0).is_some() && !stop.load(Ordering::Relaxed));
        assert_eq!(queue.end(|_| true), [ticket("a", 2)]);
        drop(queue.closing());
        assert!(queue.next(0).is_none());
    }

    #[test]
    fn work_that_takes_longer_than_it_may_is_stopped_and_no_other() {
        let [hasty, patient]: [Arc<AtomicBool>; 2] = Default::default();
        let queue = Queue::new(&[Arc::clone(&hasty), Arc::clone(&patient)]);
        queue.add(0, QueuedTask { patience: Some(Duration::ZERO), ..job("a", 0) });
        queue.add(0, job("b", 0));
        std::thread::scope(|threads| {
            threads.spawn(|| queue.watch());
            assert!(queue.next(0).is_some() && queue.next(1).is_some());
            drop(queue.closing());
            // The watcher checks the work in progress whenever a thread is done.
            assert!(queue.next(1).is_none());
            while !hasty.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            assert!(!patient.load(Ordering::Relaxed));
            assert!(queue.next(0).is_none());
        });
    }

    /// Otherwise, threads that wait for work would wait for ever, and the program with them.
    #[test]
    fn a_reader_that_fails_closes_the_queue() {
        let queue = Queue::new(&[Arc::default()]);
        let reader = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _closing = queue.closing();
            std::panic::resume_unwind(Box::new("the reader fails"));
        }));
        assert!(reader.is_err() && queue.next(0).is_none());
    }

    #[test]
    fn a_full_queue_takes_the_next_one_when_one_is_begun() {
        let queue = Queue::new(&[Arc::default()]);
        for _ in 0..MAX_WAITING {
            queue.add(0, job("a", 0));
        }
        std::thread::scope(|threads| {
            threads.spawn(|| queue.add(9, job("last", 0)));
            assert!(queue.next(0).is_some());
        });
        assert_eq!(queue.end(|ticket| ticket.id == "last").len(), 1);
        assert_eq!(queue.end(|_| true).len(), MAX_WAITING - 1);
    }
}
