//! Ctrl-C, and SIGTERM, by which systems end programs: while work goes on that can keep what
//! it has, the first asks it to stop; any other ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static WORKING: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that one of them has ended.
pub const CODE: u8 = 130;

/// The work was stopped by one of them.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}

/// Hears them from now on, for every command. Where the system does not let it, they end
/// the program as they would any other.
pub fn listen() {
    // Not SIGHUP: who starts a run under `nohup` wants it to outlive the terminal.
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
            std::thread::spawn(move || signals.forever().for_each(|_| heard()));
        }
    }
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(heard);
}

fn heard() {
    if !WORKING.load(Ordering::Relaxed) || STOP.swap(true, Ordering::Relaxed) {
        std::process::exit(i32::from(CODE));
    }
}

/// The flag that turns true when Ctrl-C comes during [`working`].
pub fn on_ctrl_c() -> &'static AtomicBool {
    &STOP
}

/// Does work that heeds the flag of [`on_ctrl_c`].
pub fn working<T>(work: impl FnOnce() -> T) -> T {
    WORKING.store(true, Ordering::Relaxed);
    let done = work();
    WORKING.store(false, Ordering::Relaxed);
    done
}
