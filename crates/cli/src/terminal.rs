//! What may be drawn on a terminal, and input from it.

use std::env;
use std::io::{self, BufRead, IsTerminal};

/// Whether the stream is a terminal on which a line can be drawn over.
pub fn draws(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Whether standard output takes colours, and the user has not asked for none
/// (<https://no-color.org>).
pub fn colours() -> bool {
    draws(&io::stdout()) && env::var_os("NO_COLOR").is_none_or(|said| said.is_empty())
}

/// A line of standard input, trimmed; `None` at its end.
pub fn read_line() -> Option<String> {
    let mut line = vec![];
    match io::stdin().lock().read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).trim().to_owned()),
    }
}
