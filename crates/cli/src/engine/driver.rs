//! Whether the driver is still there.
//!
//! An engine that writes notices when nobody reads its output any more. One that thinks for an hour
//! before it writes does not, so once its input has ended it also watches its output.

/// Waits until nobody can read the answers any more: for ever where the output is a file.
#[cfg(unix)]
pub fn wait_until_gone() {
    use rustix::event::{PollFd, PollFlags, poll};
    let out = std::io::stdout();
    let mut polled = [PollFd::new(&out, PollFlags::empty())];
    // `poll` reports errors even if no event is requested.
    while poll(&mut polled, None) == Err(rustix::io::Errno::INTR) {}
}

/// Waits for ever, because this system cannot report it.
#[cfg(not(unix))]
pub fn wait_until_gone() {
    loop {
        std::thread::park();
    }
}
