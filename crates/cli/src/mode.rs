//! The mode of the terminal, which differs while the line editor reads.

pub use inner::{changed_during, give_back};

#[cfg(unix)]
mod inner {
    use std::io;
    use std::sync::{Mutex, PoisonError};

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    /// The mode from before the line that is being read.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    fn set(before: Option<Termios>) -> Option<Termios> {
        std::mem::replace(&mut *BEFORE.lock().unwrap_or_else(PoisonError::into_inner), before)
    }

    /// Calls `read`, which changes the mode of the terminal and restores it at its end.
    pub fn changed_during<T>(read: impl FnOnce() -> T) -> T {
        set(tcgetattr(io::stdin()).ok());
        let done = read();
        set(None);
        done
    }

    /// Switches the terminal back to the mode that it had before a line was read. Called where the
    /// program ends while somebody may be typing.
    pub fn give_back() {
        if let Some(before) = set(None) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
        }
    }
}

#[cfg(not(unix))]
mod inner {
    pub fn changed_during<T>(read: impl FnOnce() -> T) -> T {
        read()
    }

    pub const fn give_back() {}
}
