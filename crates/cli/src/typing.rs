//! Lines that a person types: with history, arrow keys and completion at a terminal, and read
//! plainly from pipes, from files and at terminals on which nothing can be drawn over.
//!
//! The editor is rustyline without its optional parts, which adds the least code of those that are
//! maintained. It switches the terminal to another mode while it reads, so a program that ends
//! meanwhile has to switch it back: [`crate::mode`].

use std::io::{self, BufRead, BufReader, Stdin, Write};

use rustyline::completion::Completer;
use rustyline::config::CompletionType;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, ExternalPrinter, Helper};
use wurfel_core::{Decoded, decoded};

use crate::terminal::draws;
use crate::{mode, stop};

/// Prints lines above the prompt while a person types.
pub type Printer = Box<dyn ExternalPrinter + Send>;

/// The person who types.
pub struct Typist {
    /// The editor of lines, if standard input and output are a terminal.
    editor: Option<Editor<Words, MemHistory>>,
    /// What is read where there is no editor.
    plain: BufReader<Decoded<Stdin>>,
}

impl Typist {
    /// Whoever types on standard input.
    pub fn new() -> Self {
        let is_terminal = draws(&io::stdin()) && draws(&io::stdout());
        let editor = || {
            let config = Config::builder()
                .completion_type(CompletionType::List)
                .auto_add_history(true)
                .bracketed_paste(false)
                .build();
            Editor::with_history(config, MemHistory::new()).ok()
        };
        Self { editor: is_terminal.then(editor).flatten(), plain: decoded(io::stdin()) }
    }

    /// What prints above the prompt while [`Typist::line`] reads at a terminal.
    pub fn printer(&mut self) -> Option<Printer> {
        let printer = self.editor.as_mut()?.create_external_printer().ok()?;
        Some(Box::new(printer))
    }

    /// Shows the prompt on standard output and reads a line, trimmed; `None` at the end of the
    /// input. Tab completes the words. What was written before must have been flushed.
    pub fn line(&mut self, prompt: &str, words: Vec<String>) -> Option<String> {
        let Some(editor) = &mut self.editor else {
            let mut out = io::stdout();
            out.write_all(prompt.as_bytes()).ok()?;
            out.flush().ok()?;
            return plain_line(&mut self.plain);
        };
        editor.set_helper(Some(Words(words)));
        let read = mode::changed_during(|| editor.readline(prompt));
        if matches!(read, Err(ReadlineError::Interrupted)) {
            stop::pressed();
        }
        Some(read.ok()?.trim().to_owned())
    }
}

/// A line of the input, trimmed; `None` at its end.
fn plain_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = vec![];
    match input.read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).trim().to_owned()),
    }
}

/// The words that Tab completes.
struct Words(Vec<String>);

impl Words {
    /// The words that begin like the last one before the cursor, and where that begins.
    fn fitting(&self, before: &str) -> (usize, Vec<String>) {
        let start = before.rfind(' ').map_or(0, |space| space + 1);
        let fits = |word: &&String| word.starts_with(&before[start..]);
        (start, self.0.iter().filter(fits).cloned().collect())
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.fitting(line.get(..at).unwrap_or(line)))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_before_the_cursor_is_completed() {
        let words = Words(["c3d2", "c3c2", "moves", "quit"].map(str::to_owned).to_vec());
        assert_eq!(words.fitting("c3"), (0, vec!["c3d2".into(), "c3c2".into()]));
        assert_eq!(words.fitting("4 mo"), (2, vec!["moves".into()]));
        assert_eq!(words.fitting("").1.len(), 4);
        assert!(words.fitting("x").1.is_empty());
    }
}
