//! Parallel work whose results arrive in order.
//!
//! Each worker takes the next number when it is free and hands in its results. The caller's thread
//! sees them strictly in the order of the numbers, so anything that it writes or adds up does not
//! depend on the number of workers.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use wurfel_core::{Instant, threads};

/// The lead that the fastest worker may have over the slowest, which bounds the number of waiting results.
const WINDOW: u64 = 1 << 14;
/// Results are handed in once there are this many, or at the latest after [`HAND_IN`].
const BATCH: usize = 64;
const HAND_IN: Duration = Duration::from_millis(50);

/// Does `work` for each number of `range` on `jobs` threads, each with a state
/// of its own from `start`, and calls `see` with the results in order.
///
/// A `None` from `work` or a false from `see` ends the work early. Results whose predecessors are
/// missing are then dropped.
pub fn run_in_order<S, T: Send>(
    range: Range<u64>,
    jobs: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, u64) -> Option<T> + Sync,
    mut see: impl FnMut(u64, T) -> bool,
) {
    if !threads::SUPPORTED {
        return one_by_one(range, &start, &work, &mut see);
    }
    let jobs = jobs.max(1);
    let queue = Queue::new(range, jobs);
    run_workers(
        jobs,
        &|| {
            let _working = Working(&queue);
            let mut state = start();
            queue.work(&mut |number| work(&mut state, number));
        },
        &mut || queue.watch(&mut see),
    );
}

/// [`run_in_order`] without threads.
fn one_by_one<S, T>(
    range: Range<u64>,
    start: &dyn Fn() -> S,
    work: &dyn Fn(&mut S, u64) -> Option<T>,
    see: &mut dyn FnMut(u64, T) -> bool,
) {
    let mut state = start();
    for number in range {
        let Some(result) = work(&mut state, number) else { return };
        if !see(number, result) {
            return;
        }
    }
}

/// Runs `work` on `jobs` threads and `meanwhile` on this one. The code that starts threads is
/// large; behind pointers it is compiled once instead of for each kind of work in each game.
fn run_workers(jobs: usize, work: &(dyn Fn() + Sync), meanwhile: &mut dyn FnMut()) {
    threads::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
        meanwhile();
    });
}

/// The state that workers and watcher share.
struct Queue<T> {
    state: Mutex<State<T>>,
    /// Signals workers that results have been seen, or that the work is over.
    seen: Condvar,
    /// Signals the watcher that results were handed in, or that a worker has ended.
    handed_in: Condvar,
}

struct State<T> {
    /// The next number to work on; below, where the numbers end.
    next: u64,
    end: u64,
    /// The next number whose result has not been seen.
    seen: u64,
    /// Whether no more work is begun.
    over: bool,
    /// Workers that have not ended.
    workers: usize,
    results: Vec<(u64, T)>,
}

/// Marks a worker as running until it ends, even by a panic.
struct Working<'a, T>(&'a Queue<T>);

impl<T> Drop for Working<'_, T> {
    fn drop(&mut self) {
        self.0.lock().workers -= 1;
        self.0.handed_in.notify_one();
    }
}

/// Ends the work when the watcher ends, even by a panic.
struct Watching<'a, T>(&'a Queue<T>);

impl<T> Drop for Watching<'_, T> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl<T> Queue<T> {
    fn new(range: Range<u64>, workers: usize) -> Self {
        let Range { start, end } = range;
        let state = State { next: start, end, seen: start, over: false, workers, results: vec![] };
        Self { state: Mutex::new(state), seen: Condvar::new(), handed_in: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.lock().over = true;
        self.seen.notify_all();
    }

    fn hand_in(&self, done: &mut Vec<(u64, T)>) {
        self.lock().results.append(done);
        self.handed_in.notify_one();
    }

    /// The next number, when the slowest worker is not too far behind; `None` when there is none.
    fn take(&self, done: &mut Vec<(u64, T)>) -> Option<u64> {
        let mut state = self.lock();
        while state.next >= state.seen + WINDOW && !state.over {
            // The result that the caller waits for may be among those held back here.
            state.results.append(done);
            self.handed_in.notify_one();
            state =
                self.seen.wait_timeout(state, HAND_IN).unwrap_or_else(PoisonError::into_inner).0;
        }
        let number = state.next;
        (number < state.end && !state.over).then(|| {
            state.next += 1;
            number
        })
    }

    /// The loop of a worker.
    fn work(&self, work: &mut dyn FnMut(u64) -> Option<T>) {
        let mut done = vec![];
        let mut last = Instant::now();
        while let Some(number) = self.take(&mut done) {
            let Some(result) = work(number) else {
                self.end();
                break;
            };
            done.push((number, result));
            if done.len() >= BATCH || last.elapsed() > HAND_IN {
                self.hand_in(&mut done);
                last = Instant::now();
            }
        }
        self.hand_in(&mut done);
    }

    /// The loop of the caller: sees the results in order until the last worker has ended.
    fn watch(&self, see: &mut dyn FnMut(u64, T) -> bool) {
        let _watching = Watching(self);
        let mut waiting: VecDeque<Option<T>> = VecDeque::new();
        let mut seen = self.lock().seen;
        let mut batch = vec![];
        loop {
            {
                let mut state = self.lock();
                state.seen = seen;
                self.seen.notify_all();
                while state.results.is_empty() && state.workers > 0 {
                    state = self.handed_in.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                std::mem::swap(&mut batch, &mut state.results);
            }
            if batch.is_empty() {
                return;
            }
            for (number, result) in batch.drain(..) {
                let place = (number - seen) as usize;
                if waiting.len() <= place {
                    waiting.resize_with(place + 1, || None);
                }
                waiting[place] = Some(result);
                while let Some(Some(result)) = waiting.front_mut().map(Option::take) {
                    waiting.pop_front();
                    if !see(seen, result) {
                        return;
                    }
                    seen += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_come_in_order_whatever_the_workers_do() {
        for jobs in [1, 2, 8] {
            let mut seen = vec![];
            let work = |(): &mut (), n: u64| {
                if n.is_multiple_of(7) {
                    threads::sleep(Duration::from_micros(50 * (n % 5)));
                }
                Some(n * n)
            };
            run_in_order(
                3..40_000,
                jobs,
                || (),
                work,
                |n, square| {
                    seen.push((n, square));
                    true
                },
            );
            assert!(seen.iter().zip(3..).all(|(&(n, square), i)| n == i && square == i * i));
            assert_eq!(seen.len(), 39_997);
        }
    }

    /// A worker once held back the result that all others waited for, while it waited itself for
    /// the next number, and everything stood still.
    #[test]
    fn the_slowest_result_is_handed_in_before_its_worker_waits() {
        let taken = AtomicU64::new(0);
        let work = |(): &mut (), n: u64| {
            taken.fetch_add(1, Ordering::Relaxed);
            while n == 0 && taken.load(Ordering::Relaxed) < WINDOW {
                std::hint::spin_loop();
            }
            Some(n)
        };
        let mut count = 0;
        run_in_order(
            0..2 * WINDOW,
            2,
            || (),
            work,
            |_, _| {
                count += 1;
                true
            },
        );
        assert_eq!(count, 2 * WINDOW);
    }

    #[test]
    fn the_work_ends_when_the_watcher_panics() {
        let watched = std::panic::catch_unwind(|| {
            run_in_order(
                0..u64::MAX,
                2,
                || (),
                |(), n| Some(n),
                |_, n| n < 100 || panic!("seen enough"),
            );
        });
        assert!(watched.is_err());
    }

    #[test]
    fn the_work_ends_early_without_a_gap() {
        let mut seen = vec![];
        let work = |(): &mut (), n: u64| (n != 500).then_some(n);
        run_in_order(
            0..u64::MAX,
            4,
            || (),
            work,
            |_, n| {
                seen.push(n);
                true
            },
        );
        assert_eq!(seen, (0..500).collect::<Vec<_>>());
        let mut count = 0;
        run_in_order(
            0..u64::MAX,
            4,
            || (),
            |(), n| Some(n),
            |_, _| {
                count += 1;
                count < 10
            },
        );
        assert_eq!(count, 10);
    }

    /// Where no thread can be started, as in a web page, the work is done on the caller's.
    #[test]
    fn without_threads_the_same_results_are_seen() {
        let start = || 100;
        let work = |state: &mut u64, n: u64| {
            *state += 1;
            (n != 6).then_some(*state + n)
        };
        for wanted in [2, 9] {
            let (mut on_threads, mut alone) = (vec![], vec![]);
            run_in_order(3..9, 1, start, work, |n, result| {
                on_threads.push((n, result));
                on_threads.len() < wanted
            });
            one_by_one(3..9, &start, &work, &mut |n, result| {
                alone.push((n, result));
                alone.len() < wanted
            });
            assert_eq!(alone, [(3, 104), (4, 106), (5, 108)][..wanted.min(3)]);
            assert_eq!(alone, on_threads);
        }
    }
}
