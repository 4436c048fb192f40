//! The positions that wait for a thread, and those that are being analysed.
//!
//! The queue is bounded: when it is full, no further line is read until a position has been begun.
//! So a program may write a million queries at once and the engine's memory stays small.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::desk::Desk;

/// How many positions may wait.
pub const MAX_WAITING: usize = 4096;

/// The work on a position, which tells its answers itself.
pub type Work = Box<dyn FnOnce(&mut Desk) + Send>;

/// A position of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// The query's `id`.
    pub id: String,
    /// How many words of the query's moves lie before the position.
    pub turn: usize,
}

/// What waits, and what is under way.
pub struct Queue {
    state: Mutex<State>,
    /// Notified whenever something is added, taken or over.
    changed: Condvar,
}

struct State {
    /// The highest priority first, and among equals what was asked first.
    waiting: BTreeMap<(Reverse<i32>, u64), (Ticket, Work)>,
    /// How many positions were asked for so far.
    asked: u64,
    /// Whether nothing more will be added.
    closed: bool,
    /// What each thread works at, and the flag that ends this work.
    under_way: Vec<(Option<Ticket>, Arc<AtomicBool>)>,
    /// How often what is kept between queries was to be forgotten.
    cleared: u64,
}

impl Queue {
    /// An empty queue for as many threads as there are flags.
    pub fn new(stops: &[Arc<AtomicBool>]) -> Self {
        let under_way = stops.iter().map(|stop| (None, Arc::clone(stop))).collect();
        let waiting = BTreeMap::new();
        let state = State { waiting, asked: 0, closed: false, under_way, cleared: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a position, as soon as there is room.
    pub fn add(&self, priority: i32, ticket: Ticket, work: Work) {
        let mut state = self.state();
        while state.waiting.len() >= MAX_WAITING {
            state = self.wait(state);
        }
        let number = state.asked;
        state.asked += 1;
        state.waiting.insert((Reverse(priority), number), (ticket, work));
        self.changed.notify_all();
    }

    /// Nothing more will be added.
    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// The next position for a thread, whose last one is over, and how often what is kept was to be
    /// forgotten; `None` when nothing more will come.
    pub fn next(&self, thread: usize) -> Option<(Work, u64)> {
        let mut state = self.state();
        state.under_way[thread].0 = None;
        loop {
            if let Some((_, (ticket, work))) = state.waiting.pop_first() {
                let (current, stop) = &mut state.under_way[thread];
                *current = Some(ticket);
                stop.store(false, Ordering::Relaxed);
                self.changed.notify_all();
                return Some((work, state.cleared));
            }
            if state.closed {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Ends what is `meant`: what is under way is asked to stop, and what waits is returned, in
    /// order, and never begun.
    pub fn end(&self, meant: impl Fn(&Ticket) -> bool) -> Vec<Ticket> {
        let mut state = self.state();
        for (ticket, stop) in &state.under_way {
            if ticket.as_ref().is_some_and(&meant) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        let mut ended: Vec<(u64, Ticket)> = vec![];
        state.waiting.retain(|&(_, number), (ticket, _)| {
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

    /// Every thread is to forget what it keeps before its next position.
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

    #[test]
    fn higher_priority_goes_first_and_equal_ones_in_their_order() {
        let stop: Arc<AtomicBool> = Arc::default();
        let queue = Queue::new(&[Arc::clone(&stop)]);
        let (sender, order) = channel();
        for (priority, id) in [(0, "a"), (0, "b"), (5, "c"), (-1, "d"), (5, "e")] {
            let sender = sender.clone();
            let work = move |_: &mut Desk| sender.send(id).expect("a receiver");
            queue.add(priority, ticket(id, 0), Box::new(work));
        }
        queue.close();
        let mut desk = Desk::new(stop);
        while let Some((work, _)) = queue.next(0) {
            work(&mut desk);
        }
        drop(sender);
        assert_eq!(order.iter().collect::<String>(), "ceabd");
    }

    #[test]
    fn what_waits_is_taken_back_and_what_is_under_way_is_stopped() {
        let stop: Arc<AtomicBool> = Arc::default();
        let queue = Queue::new(&[Arc::clone(&stop)]);
        for (id, turn) in [("a", 0), ("b", 0), ("a", 2), ("a", 1)] {
            queue.add(0, ticket(id, turn), Box::new(|_| {}));
        }
        assert!(queue.next(0).is_some());
        let ended = queue.end(|ticket| ticket.id == "a" && ticket.turn != 2);
        assert_eq!(ended, [ticket("a", 1)]);
        assert!(stop.load(Ordering::Relaxed));
        // The next work begins without the request to stop.
        assert!(queue.next(0).is_some() && !stop.load(Ordering::Relaxed));
        assert_eq!(queue.end(|_| true), [ticket("a", 2)]);
        queue.close();
        assert!(queue.next(0).is_none());
    }

    #[test]
    fn a_full_queue_takes_the_next_one_when_one_is_begun() {
        let queue = Queue::new(&[Arc::default()]);
        for _ in 0..MAX_WAITING {
            queue.add(0, ticket("a", 0), Box::new(|_| {}));
        }
        std::thread::scope(|threads| {
            threads.spawn(|| queue.add(9, ticket("last", 0), Box::new(|_| {})));
            assert!(queue.next(0).is_some());
        });
        assert_eq!(queue.end(|ticket| ticket.id == "last").len(), 1);
        assert_eq!(queue.end(|_| true).len(), MAX_WAITING - 1);
    }
}
