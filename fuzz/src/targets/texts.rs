//! Bytes as texts: whole and as a stream, in whatever pieces it comes.

use std::io::{self, Read};

use wurfel_core::{decode, decoded, encode_gbk, without_mark};
use wurfel_protocol::Lines;

use super::checks::one_line;

/// A text is the same read as a whole and as a stream, unless only the whole shows its encoding. What
/// was read can be written and is then read as the same.
pub fn fuzz(input: &[u8]) {
    let mut stream = vec![];
    // Memory can be read, and the bytes of a stream need not be text.
    let _ = decoded(input).read_to_end(&mut stream);
    let mut pieces = vec![];
    let _ = decoded(Pieces(input, 1)).read_to_end(&mut pieces);
    assert_eq!(stream, pieces, "pieces of a stream make a difference");
    let mut lines = Lines::new(input);
    while let Ok(Some(_)) = lines.next_line() {}
    let text = match decode(input) {
        Ok(text) => text,
        Err(error) => return one_line(&error),
    };
    if let Ok(stream) = String::from_utf8(stream) {
        // A stream that only seems to begin with a mark, and a broken one, has replacements in it.
        assert!(stream == text || stream.contains('\u{fffd}'), "{stream:?} is not {text:?}");
    }
    // Of two marks one is left, which is then the mark of the text.
    assert_eq!(decode(text.as_bytes()).as_deref(), Ok(without_mark(&text)));
    if let Ok(bytes) = encode_gbk(&text) {
        assert_eq!(decode(&bytes), Ok(text));
    }
}

/// Gives a few bytes at a time, one more each time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        let (now, later) = self.0.split_at(count);
        buffer[..count].copy_from_slice(now);
        *self = Self(later, self.1 + 1);
        Ok(count)
    }
}
