//! Parallel work whose results arrive in order.
//!
//! Each worker takes the next number when it is free and hands in its results. The caller's thread
//! sees them strictly in the order of the numbers, so that what it writes or adds up does not
//! depend on the number of workers.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How far the fastest worker may run ahead of the slowest, which bounds the results that wait.
const WINDOW: u64 = 1 << 14;
/// Results are handed in when there are this many, or at the latest after [`HAND_IN`].
const BATCH: usize = 64;
const HAND_IN: Duration = Duration::from_millis(50);

/// The next number to work on, and up to which number results have been seen.
struct Gate {
    next: u64,
    seen: u64,
}

/// Does `work` for each number of `range` on `jobs` threads, each with a state
/// of its own from `start`, and calls `see` with the results in order.
///
/// A `None` from `work` or a false from `see` ends the work early. Results whose predecessors are
/// missing are then dropped.
pub fn ordered<S, T: Send>(
    range: Range<u64>,
    jobs: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, u64) -> Option<T> + Sync,
    mut see: impl FnMut(u64, T) -> bool,
) {
    let gate = Mutex::new(Gate { next: range.start, seen: range.start });
    let moved = Condvar::new();
    let over = AtomicBool::new(false);
    let lock = || gate.lock().unwrap_or_else(PoisonError::into_inner);
    let end = || {
        over.store(true, Ordering::Relaxed);
        moved.notify_all();
    };
    let take = |hand_in: &mut dyn FnMut()| {
        let mut gate = lock();
        while gate.next >= gate.seen + WINDOW && !over.load(Ordering::Relaxed) {
            // The result that the caller waits for may be among those held back here.
            hand_in();
            gate = moved.wait_timeout(gate, HAND_IN).unwrap_or_else(PoisonError::into_inner).0;
        }
        let number = gate.next;
        (number < range.end && !over.load(Ordering::Relaxed)).then(|| {
            gate.next += 1;
            number
        })
    };
    std::thread::scope(|scope| {
        let (hand_in, results) = mpsc::channel::<Vec<(u64, T)>>();
        for _ in 0..jobs.max(1) {
            let hand_in = hand_in.clone();
            let (take, start, work, end) = (&take, &start, &work, &end);
            scope.spawn(move || {
                let mut state = start();
                let mut done = vec![];
                let mut last = Instant::now();
                let send = |done: &mut Vec<(u64, T)>| {
                    let _ = hand_in.send(std::mem::take(done));
                };
                while let Some(number) = take(&mut || send(&mut done)) {
                    let Some(result) = work(&mut state, number) else {
                        end();
                        break;
                    };
                    done.push((number, result));
                    if done.len() == BATCH || last.elapsed() > HAND_IN {
                        send(&mut done);
                        last = Instant::now();
                    }
                }
                send(&mut done);
            });
        }
        drop(hand_in);
        let mut waiting: VecDeque<Option<T>> = VecDeque::new();
        let mut seen = range.start;
        for batch in results {
            for (number, result) in batch {
                let place = (number - seen) as usize;
                if waiting.len() <= place {
                    waiting.resize_with(place + 1, || None);
                }
                waiting[place] = Some(result);
                while let Some(Some(result)) = waiting.front_mut().map(Option::take) {
                    waiting.pop_front();
                    if !see(seen, result) {
                        end();
                        return;
                    }
                    seen += 1;
                }
            }
            lock().seen = seen;
            moved.notify_all();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn results_come_in_order_whatever_the_workers_do() {
        for jobs in [1, 2, 8] {
            let mut seen = vec![];
            let work = |(): &mut (), n: u64| {
                if n.is_multiple_of(7) {
                    std::thread::sleep(Duration::from_micros(50 * (n % 5)));
                }
                Some(n * n)
            };
            ordered(
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

    /// A worker once held back the result that all others waited for while it waited itself for
    /// the next number, and nothing moved any more.
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
        ordered(
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
    fn the_work_ends_early_without_a_gap() {
        let mut seen = vec![];
        let work = |(): &mut (), n: u64| (n != 500).then_some(n);
        ordered(
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
        ordered(
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
}
