//! What may be drawn on a terminal.

use std::env;
use std::io::{self, IsTerminal};

/// Whether the stream is a terminal on which a line can be drawn over.
pub fn draws(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Whether standard output takes colours, and nobody has said that they do not want any
/// (<https://no-color.org>).
pub fn colours() -> bool {
    draws(&io::stdout()) && env::var_os("NO_COLOR").is_none_or(|said| said.is_empty())
}
