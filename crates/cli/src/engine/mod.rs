//! `wurfel engine`: agents for programs that drive them, by the protocols of `wurfel-protocol`.
//!
//! By UGI, one thread reads the driver's commands, and another one carries them out in order. While
//! that one thinks, the reader itself answers `isready`, `stop` and `quit`, so that no search
//! delays them.

mod board;
mod clock;
mod control;
mod course;
mod driver;
mod json;
mod options;
mod search;
mod ugi;

use std::fmt::Display;
use std::io::{self, Write};

pub use course::drive_course;
pub use json::drive_json;
pub use options::Options;
pub use ugi::drive_ugi;

use crate::exit;

/// Sends a line to the driver, whole and immediately, from any thread. If that fails, there is
/// nobody to work for any more, and the program ends, whatever else is asked for and is under way.
fn send(line: &impl Display) {
    let line = format!("{line}\n");
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
        end(&error);
    }
}

/// Ends the program because it cannot answer.
fn end(error: &io::Error) -> ! {
    exit::failed(&format!("the answer cannot be written: {error}"))
}
