//! Long work: Python continues to run meanwhile, and Ctrl-C ends the work.
//!
//! The work runs on a thread of its own that is not attached to the interpreter; agents written in
//! Python attach to the interpreter for each decision. The calling thread, the only one that
//! receives signals, checks for them regularly. After a signal, the flag in the work's budget tells
//! the work to stop, and the calling thread waits until it has stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::failed;

/// How often the calling thread checks for signals.
const TICK: Duration = Duration::from_millis(50);
/// The size of the working thread's stack. It is the same as for a program's first thread, on which
/// the searches of the command line run.
const STACK: usize = 8 << 20;

/// The flag that tells one piece of work to stop. It is shared, so that an agent written in Python
/// can check it for as long as it likes.
pub type Stop = Arc<AtomicBool>;

/// Does work that can be stopped by its flag.
///
/// # Errors
/// The exception of a signal, usually `KeyboardInterrupt`, after the work has stopped; and a
/// `RuntimeError` when the work has panicked.
pub fn working<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let stop = Stop::default();
    stoppable(py, &stop, || work(&stop))
}

/// Does work that watches this flag, which a signal sets.
///
/// # Errors
/// Those of [`working`].
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method fits one lifetime only")]
pub fn stoppable<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (ended, end) = channel();
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = catch_unwind(AssertUnwindSafe(work));
                // If the caller's thread has panicked, nobody receives this.
                let _ = ended.send(());
                result
            });
            let worker = worker.map_err(|error| failed(format!("no thread: {error}")))?;
            let mut interrupted = None;
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(signal);
                }
            }
            match (worker.join(), interrupted) {
                (_, Some(signal)) => Err(signal),
                (Ok(Ok(result)), None) => Ok(result),
                _ => Err(failed("wurfel has a defect: the work has panicked")),
            }
        })
    })
}

/// Does work that takes no longer than starting a thread.
///
/// # Errors
/// A `RuntimeError` when the work has panicked.
pub fn at_once<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    done.map_err(|_| failed("wurfel has a defect: the work has panicked"))
}
