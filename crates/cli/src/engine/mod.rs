//! `wurfel engine`: agents for programs that drive them, by the protocols of `wurfel-protocol`.
//!
//! By UGI, one thread reads the driver's commands, and another one carries them out in order. While
//! that one thinks, the reader itself answers `isready`, `stop` and `quit`, so that no search
//! delays them.

mod board;
mod clock;
mod control;
mod course;
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

/// Sends a line to the driver, whole and immediately, from any thread.
fn say(line: &impl Display) {
    let line = format!("{line}\n");
    let mut out = io::stdout().lock();
    // A driver that has closed this pipe has also closed the other one, which ends the program.
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
