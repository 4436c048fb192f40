//! The first and last lines that a program wrote to its standard error: the first often names what
//! happened, and the last often says why.

use std::collections::VecDeque;

use wurfel_core::excerpt;

/// How many bytes of the first line are kept, and how many of the end.
const MAX_FIRST: usize = 1024;
const MAX_LAST: usize = 4096;

/// The beginning and the end of what a program wrote to its standard error.
#[derive(Debug, Default)]
pub(crate) struct ErrorOutput {
    first: Vec<u8>,
    last: VecDeque<u8>,
}

impl ErrorOutput {
    /// Adds what the program has written.
    pub fn add(&mut self, bytes: &[u8]) {
        let room = MAX_FIRST - self.first.len();
        self.first.extend(&bytes[..bytes.len().min(room)]);
        self.last.extend(bytes);
        self.last.drain(..self.last.len().saturating_sub(MAX_LAST));
    }

    /// The end of what it has written.
    pub fn text(&self) -> String {
        let bytes: Vec<u8> = self.last.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The last line with any text.
    pub fn last_line(&self) -> Option<String> {
        let text = self.text();
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
        Some(excerpt(line))
    }

    /// The first and the last line with any text, as one line.
    pub fn words(&self) -> Option<String> {
        let last = self.last_line()?;
        let text = String::from_utf8_lossy(&self.first);
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).map(excerpt);
        Some(match first {
            Some(first) if first != last => format!("{first} … {last}"),
            _ => last,
        })
    }

    /// The number of bytes that are kept.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.first.len() + self.last.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_line_are_told() {
        let words = |parts: &[&str]| {
            let mut error_output = ErrorOutput::default();
            for part in parts {
                error_output.add(part.as_bytes());
            }
            assert!(error_output.len() <= MAX_FIRST + MAX_LAST);
            error_output.words()
        };
        assert_eq!(words(&["\n \n"]), None);
        assert_eq!(words(&["oh ", "no\n\n"]).as_deref(), Some("oh no"));
        let trace = "\nTraceback (most recent call last):\n  File \"bot.py\"\nKeyError: 'D4'\n";
        let expected = "Traceback (most recent call last): … KeyError: 'D4'";
        assert_eq!(words(&[trace]).as_deref(), Some(expected));
        // However much comes between them, and in however many pieces.
        let middle = "x\n".repeat(100_000);
        let expected = words(&["out of ", "memory\n", &middle, "aborted"]);
        assert_eq!(expected.as_deref(), Some("out of memory … aborted"));
    }
}
