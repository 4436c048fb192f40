//! Ctrl-C: the first asks the work to stop and keep what it has, the second
//! ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on the flag that is returned turns true at Ctrl-C.
pub fn on_ctrl_c() -> &'static AtomicBool {
    // Fails only when a handler is set already: then the flag works, too.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    &STOP
}
