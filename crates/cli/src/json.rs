//! The output of `--json`: each answer is one line of JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Writes an answer as a line. Fails when it cannot be written.
pub fn write_json(answer: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, answer)?;
    writeln!(out)
}

/// Writes an answer as a line, with the keys of every object in alphabetical order.
pub fn write_sorted(answer: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write_json(&serde_json::to_value(answer)?, out)
}
