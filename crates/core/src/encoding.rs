//! Decoding of texts that any program on any system wrote: the one place where bytes become text.
//!
//! Most texts are UTF-8. Windows editors and shells put a byte order mark before it or write
//! UTF-16, which begins with one; Chinese programs write GBK, which can be recognised only in a
//! complete text. [`decode`] reads a whole text, [`decoded`] a stream that may never end.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::path::Path;

use encoding_rs::{Decoder, GBK, UTF_8};

use crate::text::{Scanner, TextError};

/// The byte order mark as a character.
const MARK: char = '\u{feff}';

/// The first bytes of the marks of UTF-8 and of both kinds of UTF-16.
const MARKS_BEGIN: [u8; 3] = [0xEF, 0xFE, 0xFF];

/// Decodes bytes in UTF-8, in UTF-16 with a byte order mark, or in GBK. The mark is left out.
///
/// ```
/// use wurfel_core::decode;
///
/// // The same text in UTF-8, in UTF-16 with its mark, and in GBK.
/// assert_eq!(decode("先".as_bytes())?, "先");
/// assert_eq!(decode(&[0xFF, 0xFE, 0x48, 0x51])?, "先");
/// assert_eq!(decode(&[0xCF, 0xC8])?, "先");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When they are none of these.
pub fn decode(bytes: &[u8]) -> Result<String, TextError> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(without_mark(text).to_owned()),
        Err(error) => error,
    };
    // This looks for the mark of UTF-16 first, and leaves it out.
    let (text, _, failed) = GBK.decode(bytes);
    if failed {
        let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let mut scanner = Scanner::new(&good);
        scanner.take_while(|_| true);
        return Err(scanner.place().wrong("expected text in UTF-8, UTF-16 or GBK"));
    }
    Ok(text.into_owned())
}

/// The text in a file, as [`decode`] reads it.
///
/// # Errors
/// When the file cannot be read, or is not text.
pub fn read_text(path: &Path) -> io::Result<String> {
    decode(&std::fs::read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// A text without the byte order mark with which it may begin.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// A stream in UTF-8 without a byte order mark, from one that may begin with a mark or be UTF-16. Bytes
/// that are not UTF-8 are passed on as they are, or as `�` after what may be a mark. A line can be read
/// as soon as it has been received.
pub fn decoded<R: Read>(input: R) -> BufReader<Decoded<R>> {
    BufReader::with_capacity(1 << 16, Decoded { input, state: State::New })
}

/// A stream that [`decoded`] converts.
#[derive(Debug)]
pub struct Decoded<R> {
    input: R,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing has been read yet.
    New,
    /// The first byte begins no mark.
    Plain,
    /// The first byte may begin a mark.
    Marked(Box<Marked>),
}

/// The part of a stream that has been read and converted but not yet passed on.
struct Marked {
    decoder: Decoder,
    text: String,
    /// How many bytes of the text have been passed on.
    passed: usize,
    ended: bool,
}

impl fmt::Debug for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Marked").finish_non_exhaustive()
    }
}

impl Marked {
    /// Begins with the first byte of a stream. A UTF-8 decoder switches to UTF-16 if the stream
    /// begins with its mark.
    fn begun(first: u8) -> Self {
        let decoder = UTF_8.new_decoder();
        let mut marked = Self { decoder, text: String::new(), passed: 0, ended: false };
        marked.add(&[first]);
        marked
    }

    /// Converts the next bytes of the stream; none at its end.
    fn add(&mut self, bytes: &[u8]) {
        self.ended = bytes.is_empty();
        self.text.clear();
        self.passed = 0;
        // Each byte becomes three at most, and some may wait in the decoder.
        self.text.reserve(3 * (bytes.len() + 8));
        let _ = self.decoder.decode_to_string(bytes, &mut self.text, self.ended);
    }

    fn read(&mut self, input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
        while self.passed == self.text.len() && !self.ended {
            let mut bytes = [0; 4096];
            let count = input.read(&mut bytes)?;
            self.add(&bytes[..count]);
        }
        let rest = &self.text.as_bytes()[self.passed..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.passed += count;
        Ok(count)
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Self { input, state } = self;
        match state {
            State::Plain => input.read(buffer),
            State::Marked(marked) => marked.read(input, buffer),
            State::New => {
                let mut first = [0];
                if buffer.is_empty() || input.read(&mut first)? == 0 {
                    return Ok(0);
                }
                if MARKS_BEGIN.contains(&first[0]) {
                    *state = State::Marked(Box::new(Marked::begun(first[0])));
                    return self.read(buffer);
                }
                *state = State::Plain;
                buffer[0] = first[0];
                Ok(1)
            }
        }
    }
}

/// Why a text cannot be written as GBK.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotGbk {
    /// GBK does not have this character.
    #[error("'{0}' is not in GBK: expected --encoding utf-8, or a text without it")]
    Character(char),
    /// The bytes are also valid UTF-8, and would be read as a different text.
    #[error("this text in GBK would be read as another one in UTF-8: expected --encoding utf-8")]
    Ambiguous,
}

/// A text in GBK, as Chinese programs write it. [`decode`] reads back the same text.
///
/// # Errors
/// When the text cannot be written in GBK.
pub fn encode_gbk(text: &str) -> Result<Vec<u8>, NotGbk> {
    let (bytes, _, failed) = GBK.encode(text);
    if failed {
        let lacks = |character: &char| GBK.encode(character.encode_utf8(&mut [0; 4])).2;
        return Err(NotGbk::Character(text.chars().find(lacks).unwrap_or_default()));
    }
    match decode(&bytes) {
        Ok(again) if again == text => Ok(bytes.into_owned()),
        _ => Err(NotGbk::Ambiguous),
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufRead;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_that_would_be_read_as_another_is_refused() {
        assert_eq!(encode_gbk("red").unwrap(), b"red");
        assert_eq!(encode_gbk("先手胜").unwrap(), b"\xcf\xc8\xca\xd6\xca\xa4");
        assert_eq!(encode_gbk("a 🎲"), Err(NotGbk::Character('🎲')));
        // Its bytes in GBK are those of ģ in UTF-8.
        assert_eq!(encode_gbk("模"), Err(NotGbk::Ambiguous));
    }

    /// A text in each encoding that a shell or an editor may write.
    fn encodings(text: &str) -> [Vec<u8>; 4] {
        let wide = |bytes: fn(u16) -> [u8; 2]| {
            std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
        [text.into(), marked, wide(u16::to_le_bytes), wide(u16::to_be_bytes)]
    }

    /// Gives its bytes one at a time, as a slow writer at the other end of a pipe does.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = usize::from(!self.0.is_empty() && !buffer.is_empty());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    proptest! {
        #[test]
        fn a_text_is_the_same_in_every_encoding_whole_and_as_a_stream(text in "[^\u{feff}]{0,20}\n?") {
            for bytes in encodings(&text) {
                prop_assert_eq!(&decode(&bytes).unwrap(), &text);
                let mut whole = String::new();
                decoded(&*bytes).read_to_string(&mut whole).unwrap();
                prop_assert_eq!(&whole, &text);
                let mut dropped = String::new();
                decoded(Drops(&bytes)).read_to_string(&mut dropped).unwrap();
                prop_assert_eq!(&dropped, &text);
            }
        }
    }

    /// Bytes, many of them from marks and from characters of several bytes.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let marks = prop::sample::select(vec![&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF", b""]);
        let byte = prop_oneof![any::<u8>(), Just(0), 0xD7..0xE0_u8, 0xEE..=0xFF_u8, 0x80..0xC0_u8];
        (marks, prop::collection::vec(byte, 0..50)).prop_map(|(mark, rest)| [mark, &rest].concat())
    }

    proptest! {
        #[test]
        fn the_pieces_of_a_stream_make_no_difference_nor_does_reading_it_as_a_whole(bytes in bytes()) {
            let [mut stream, mut dropped] = [vec![], vec![]];
            decoded(&*bytes).read_to_end(&mut stream).unwrap();
            decoded(Drops(&bytes)).read_to_end(&mut dropped).unwrap();
            prop_assert_eq!(&stream, &dropped);
            if let (Ok(text), Ok(stream)) = (decode(&bytes), String::from_utf8(stream)) {
                prop_assert!(text == stream || stream.contains('\u{fffd}'), "{:?} {:?}", text, stream);
            }
        }
    }

    /// A stream that fails when somebody asks for more than was sent.
    struct Silent;

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("this would wait for ever");
        }
    }

    #[test]
    fn a_short_line_is_read_before_the_next_one_was_sent() {
        for line in ["\n", "d\n", "先\n"] {
            let mut stream = decoded(Drops(line.as_bytes()).chain(Silent));
            let mut read = String::new();
            stream.read_line(&mut read).unwrap();
            assert_eq!(read, line);
        }
    }

    /// A library that converted streams lost a part of the last character here.
    #[test]
    fn a_stream_that_ends_in_the_middle_of_a_character_ends_with_a_replacement() {
        let cut = [b"\xff\xfe".as_slice(), &[b'a', 0].repeat(30), b"b"].concat();
        for length in [cut.len() - 1, cut.len()] {
            let mut whole = String::new();
            decoded(&cut[..length]).read_to_string(&mut whole).unwrap();
            let end = if length == cut.len() { "\u{fffd}" } else { "" };
            assert_eq!(whole, "a".repeat(30) + end);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_passed_on_in_a_stream_and_refused_in_a_whole_text() {
        let mut all = vec![];
        decoded(&b"a\xff\xfeb"[..]).read_to_end(&mut all).unwrap();
        assert_eq!(all, b"a\xff\xfeb");
        let error = decode(b"a\n\xff\xff").unwrap_err().to_string();
        assert_eq!(error, "line 2, column 1: expected text in UTF-8, UTF-16 or GBK");
    }
}
