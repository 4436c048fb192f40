//! Threads on every system, including web pages, which have none.
//!
//! The standard library can be compiled for a page, but panics there as soon as a thread is started or
//! waits. So every crate takes its threads from here. Elsewhere these are the functions of the standard
//! library. In a page, a thread's work runs at once on the calling thread, so work whose parts wait for
//! each other must not ask for more than [`at_most`] threads.

use std::num::NonZero;
use std::thread::available_parallelism;

#[cfg(target_family = "wasm")]
pub use alone::{Scope, scope, sleep};
#[cfg(not(target_family = "wasm"))]
pub use std::thread::{Scope, scope, sleep};

/// Whether threads can be started.
pub const SUPPORTED: bool = !cfg!(target_family = "wasm");

/// How many threads can run at the same time: 1 where that is not known.
pub fn available() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// This many threads, or 1 where none can be started.
pub const fn at_most(threads: usize) -> usize {
    if SUPPORTED { threads } else { 1 }
}

/// The same functions without threads.
#[cfg(any(test, target_family = "wasm"))]
mod alone {
    use std::time::Duration;

    /// Takes the place of [`std::thread::Scope`].
    #[derive(Debug)]
    pub struct Scope;

    /// The result of a thread's work.
    #[derive(Debug)]
    pub struct Done<T>(T);

    /// Passes a scope to `work`.
    pub fn scope<T>(work: impl FnOnce(&Scope) -> T) -> T {
        work(&Scope)
    }

    impl Scope {
        /// Does the work at once.
        #[allow(clippy::unused_self, reason = "as the standard library's")]
        pub fn spawn<T>(&self, work: impl FnOnce() -> T) -> Done<T> {
            Done(work())
        }
    }

    impl<T> Done<T> {
        /// The result of the work.
        ///
        /// # Errors
        /// Never.
        #[allow(clippy::unnecessary_wraps, reason = "a thread may have panicked")]
        pub fn join(self) -> std::thread::Result<T> {
            Ok(self.0)
        }
    }

    /// Returns at once: nobody could end the wait.
    pub fn sleep(_: Duration) {}
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::alone;

    /// Like the exact search of a position: workers take questions while there are any, and the
    /// answers are read until the last worker has ended.
    #[test]
    fn work_is_done_in_order_without_threads() {
        let mut questions = 1..=3;
        let (answer, answers) = mpsc::channel();
        let read: Vec<i32> = alone::scope(|scope| {
            let first = scope.spawn(|| questions.next());
            assert_eq!(first.join().unwrap(), Some(1));
            scope.spawn(|| questions.try_for_each(|n| answer.send(n * n))).join().unwrap().unwrap();
            drop(answer);
            alone::sleep(Duration::MAX);
            answers.iter().collect()
        });
        assert_eq!(read, [4, 9]);
    }
}
