//! The output of `--json`: each answer is one line of JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Writes an answer as a line. Fails when it cannot be written.
pub fn write_json(answer: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, answer)?;
    writeln!(out)
}
