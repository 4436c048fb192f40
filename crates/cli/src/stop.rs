//! Ctrl-C and SIGTERM. During work that can keep its results so far, the first signal asks the work
//! to stop. A second signal, or one at any other time, ends the program.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Done, mode};

static WORKING: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that one of these signals has ended.
pub const CODE: u8 = 130;

/// The error of work that one of these signals has stopped.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

impl Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}

/// Handles the signals from now on, for every command. Where the system does not allow a handler,
/// they end the program immediately, as they do by default.
pub fn listen() {
    // SIGHUP is not handled, because a run that was started under `nohup` must outlive the
    // terminal.
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
            std::thread::spawn(move || signals.forever().for_each(|_| on_signal()));
        }
    }
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(on_signal);
}

fn on_signal() {
    if !WORKING.load(Ordering::Relaxed) || STOP.swap(true, Ordering::Relaxed) {
        mode::give_back();
        std::process::exit(i32::from(CODE));
    }
}

/// Ctrl-C as a key, where the terminal does not make a signal of it.
pub fn pressed() {
    on_signal();
}

/// The flag that Ctrl-C or SIGTERM sets during [`working`].
pub fn on_ctrl_c() -> &'static AtomicBool {
    &STOP
}

/// Whether the work must stop: the state of this flag.
pub fn is_wanted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Does work that watches the flag of [`on_ctrl_c`], so that a signal need not end the program.
pub fn working<T>(work: impl FnOnce() -> T) -> T {
    WORKING.store(true, Ordering::Relaxed);
    let done = work();
    WORKING.store(false, Ordering::Relaxed);
    done
}

/// What becomes of work that was stopped and has written all that it did.
pub const RESUMES: &str = "the same command resumes it";
/// What becomes of work that was stopped and gave a result nevertheless.
pub const HAS_RESULT: &str = "the file has the result so far";

/// The end of a command whose work was stopped, after a line that says so and what becomes of the work.
pub fn after(done: impl Display, all: u64, parts: &str, then: &str) -> anyhow::Result<Done> {
    writeln!(io::stderr(), "stopped after {done} of {all} {parts}; {then}")?;
    Ok(Done::Stopped)
}
