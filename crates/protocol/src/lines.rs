//! Reads lines from a program that may send anything.

use std::io::{self, BufRead, BufReader, Read};

use wurfel_core::{Decoded, decoded};

/// The longest line, in bytes without its line break.
pub const MAX_LINE: usize = 64 * 1024;

/// A line as it was received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Its text without the line break. Bytes that are not UTF-8 are replaced by `�`.
    Text(String),
    /// The line was longer than [`MAX_LINE`] and is left out.
    TooLong,
}

/// Reads a stream line by line, as [`decoded`] converts it, and never keeps more than [`MAX_LINE`] bytes
/// of a line.
#[derive(Debug)]
pub struct Lines<R> {
    input: BufReader<Decoded<R>>,
    line: Vec<u8>,
}

impl<R: Read> Lines<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self { input: decoded(input), line: vec![] }
    }

    /// The next line; `None` at the end of the stream. A last line may lack its line break.
    ///
    /// # Errors
    /// When the stream cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        self.line.clear();
        let mut too_long = false;
        let mut begun = false;
        loop {
            let part = match self.input.fill_buf() {
                Ok(part) => part,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = part.iter().position(|&byte| byte == b'\n');
            begun |= !part.is_empty();
            let text = &part[..end.unwrap_or(part.len())];
            if self.line.len() + text.len() > MAX_LINE {
                too_long = true;
            } else if !too_long {
                self.line.extend_from_slice(text);
            }
            let used = end.map_or(part.len(), |end| end + 1);
            let over = end.is_some() || part.is_empty();
            self.input.consume(used);
            if over {
                break;
            }
        }
        Ok(match (begun, too_long) {
            (false, _) => None,
            (true, true) => Some(Line::TooLong),
            (true, false) => {
                let text = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
                Some(Line::Text(String::from_utf8_lossy(text).into_owned()))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(bytes);
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn lines_end_with_either_line_break_or_with_the_stream() {
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\n"), [text("")]);
        assert_eq!(all(b"one\r\n\ntwo"), [text("one"), text(""), text("two")]);
        assert_eq!(all(b"a\xff\xfe\n"), [text("a\u{fffd}\u{fffd}")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_nothing_else() {
        let longest = "x".repeat(MAX_LINE);
        let bytes = format!("{longest}\n{longest}y\nnext\n{longest}y");
        let lines = all(bytes.as_bytes());
        assert_eq!(lines, [text(&longest), Line::TooLong, text("next"), Line::TooLong]);
    }
}
