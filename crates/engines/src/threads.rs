//! What the kernel reports about the threads of a program. Only Linux counts their times; elsewhere
//! no threads are found, and no program is taken to have waited.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::waits::{self, Times};

/// The largest number of threads that are examined; further threads of a program are not counted.
const MAX_THREADS: usize = 512;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Thread {
    times: Times,
    /// Whether the thread runs or waits for a CPU.
    is_ready: bool,
}

/// The threads of a program at one moment, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Threads(HashMap<u32, Thread>);

impl Threads {
    /// The threads of a process and of the processes that it has started.
    pub fn of(process: u32) -> Self {
        let mut by_number = HashMap::new();
        let mut processes = vec![process];
        while let Some(process) = processes.pop() {
            let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { continue };
            for thread in threads.flatten() {
                let number = thread.file_name().to_str().and_then(|name| name.parse().ok());
                let text = |name| fs::read_to_string(thread.path().join(name)).ok();
                let read = || read(&text("schedstat")?, &text("stat")?);
                let Some((number, read)) = number.zip(read()) else { continue };
                if by_number.len() >= MAX_THREADS || by_number.insert(number, read).is_some() {
                    return Self(by_number);
                }
                processes.extend(children(&thread.path()));
            }
        }
        Self(by_number)
    }

    /// How long the program waited for a CPU since it was in the state `before`, `elapsed` ago: the
    /// wait of the thread that waited longest. Threads that only wait for each other, because there
    /// are more of them than `cpus`, do not count, because that is the program's own doing. So
    /// while a program actually used all the CPUs that it could use, it cannot have waited.
    pub fn waited_since(&self, before: &Self, elapsed: Duration, cpus: u32) -> Duration {
        let since = |number: &u32, now: &Thread| {
            let before = before.0.get(number).copied().unwrap_or_default();
            let (now, before) = (now.times, before.times);
            [now.ran.saturating_sub(before.ran), now.waited.saturating_sub(before.waited)]
        };
        let (mut ran, mut waited) = (Duration::ZERO, Duration::ZERO);
        for [one_ran, one_waited] in self.0.iter().map(|(number, now)| since(number, now)) {
            ran += one_ran;
            waited = waited.max(one_waited);
        }
        waited.min(elapsed.saturating_sub(ran / cpus))
    }

    /// Whether some thread is ready to run and has not run since the program was in the state
    /// `before`.
    pub fn waits_since(&self, before: &Self) -> bool {
        self.0.iter().any(|(number, now)| {
            now.is_ready
                && before.0.get(number).is_none_or(|before| before.times.ran == now.times.ran)
        })
    }
}

/// A process and those that it has started, with their children, as far as their parents are still
/// there. Where the system does not list them (other than Linux), only the process itself.
pub(crate) fn tree_of(process: u32) -> Vec<u32> {
    let mut tree = vec![process];
    let mut next = 0;
    while let Some(process) = tree.get(next) {
        let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        tree.extend(threads.take(MAX_THREADS).flat_map(|thread| children(&thread.path())));
        next += 1;
    }
    tree
}

/// The processes that a thread has started; the folder is its own in `/proc`.
fn children(thread: &Path) -> Vec<u32> {
    let text = fs::read_to_string(thread.join("children")).unwrap_or_default();
    text.split(' ').filter_map(|child| child.parse().ok()).collect()
}

/// Reads the kernel's figures for one thread.
fn read(schedstat: &str, stat: &str) -> Option<Thread> {
    let times = waits::read(schedstat)?;
    // The name of the program is in brackets and may contain any character.
    let (_, state) = stat.rsplit_once(") ")?;
    Some(Thread { times, is_ready: state.starts_with('R') })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// Threads from 1 on, each with the milliseconds that it ran and waited.
    fn threads(times: &[[u64; 2]]) -> Threads {
        let thread = |&[ran, waited]: &[u64; 2]| {
            let times = Times { ran: ms(ran), waited: ms(waited) };
            Thread { times, is_ready: true }
        };
        Threads((1..).zip(times.iter().map(thread)).collect())
    }

    #[test]
    fn the_kernels_words_are_read() {
        let stat = "7 (a) R (b) S 1 7 7 0 -1";
        let times = Times { ran: ms(3), waited: ms(2) };
        let thread = Thread { times, is_ready: false };
        assert_eq!(read("3000000 2000000 17\n", stat), Some(thread));
        assert!(read("3000000 2000000 17\n", "7 (a) R 1").unwrap().is_ready);
        for [schedstat, stat] in [["", stat], ["3", stat], ["3 x 1", stat], ["3 2 1", "7"]] {
            assert_eq!(read(schedstat, stat), None);
        }
    }

    #[test]
    fn a_program_has_waited_as_long_as_the_thread_that_waited_longest() {
        let before = threads(&[[10, 50], [0, 0]]);
        let waited =
            |times, elapsed| threads(times).waited_since(&before, ms(elapsed), 2).as_millis();
        assert_eq!(waited(&[[10, 50], [0, 0]], 100), 0);
        assert_eq!(waited(&[[15, 120], [5, 40]], 100), 70);
        // All the waiting of a new thread was done since `before`.
        assert_eq!(waited(&[[10, 50], [0, 0], [1, 30]], 100), 30);
        // A wait is never longer than the time that has passed.
        assert_eq!(waited(&[[10, 150], [0, 0]], 80), 80);
    }

    /// Eight threads on two CPUs: each waits most of the time for the others.
    #[test]
    fn threads_that_wait_for_each_other_are_the_programs_own_affair() {
        let before = threads(&[[0, 0]; 8]);
        let alone = threads(&[[25, 75]; 8]);
        assert_eq!(alone.waited_since(&before, ms(100), 2), Duration::ZERO);
        // Another program occupies one of the CPUs.
        let beside = threads(&[[12, 88]; 8]);
        assert_eq!(beside.waited_since(&before, ms(100), 2), ms(52));
    }

    #[test]
    fn a_thread_that_is_ready_but_does_not_run_waits() {
        let before = threads(&[[5, 5], [7, 7]]);
        assert!(!threads(&[[6, 5], [8, 7]]).waits_since(&before));
        assert!(threads(&[[6, 5], [7, 7]]).waits_since(&before));
        assert!(threads(&[[6, 5], [8, 7], [0, 0]]).waits_since(&before));
        let mut asleep = threads(&[[6, 5], [7, 7]]);
        asleep.0.values_mut().for_each(|thread| thread.is_ready = false);
        assert!(!asleep.waits_since(&before));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_threads_of_a_program_are_found_with_its_children() {
        let own = std::process::id();
        let count = || Threads::of(own).0.len();
        assert!(Threads::of(own).0.contains_key(&own));
        let before = count();
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let there = Threads::of(own).0.contains_key(&child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(there, "{before} before, {} now", count());
    }
}
