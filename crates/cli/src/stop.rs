//! Ctrl-C: while work goes on that can keep what it has, the first asks it to
//! stop; any other ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static WORKING: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that Ctrl-C has ended.
pub const CODE: u8 = 130;

/// The work was stopped by Ctrl-C.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}

/// Prepares for Ctrl-C. The flag that is returned turns true when it comes
/// during [`working`].
pub fn on_ctrl_c() -> &'static AtomicBool {
    // Fails only when a handler is set already: then the flag works, too.
    let _ = ctrlc::set_handler(|| {
        if !WORKING.load(Ordering::Relaxed) || STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(CODE));
        }
    });
    &STOP
}

/// Does work that heeds the flag of [`on_ctrl_c`].
pub fn working<T>(work: impl FnOnce() -> T) -> T {
    WORKING.store(true, Ordering::Relaxed);
    let done = work();
    WORKING.store(false, Ordering::Relaxed);
    done
}
