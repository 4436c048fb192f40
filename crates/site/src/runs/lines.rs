//! The lines of a file, one at a time, however large it is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use wurfel_core::{Decoded, decoded};

/// The longest line. A longer one ends the reading, because wurfel writes none of this length.
const MAX_LINE: u64 = 1 << 20;

/// The lines of a file.
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
}

impl Lines<BufReader<Decoded<File>>> {
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(decoded(File::open(path)?)))
    }
}

impl<R: BufRead> Lines<R> {
    pub const fn new(reader: R) -> Self {
        Self { reader, line: Vec::new() }
    }

    /// The next line; `None` at the end, or when the file does not continue with lines of text.
    pub fn next(&mut self) -> io::Result<Option<&str>> {
        self.line.clear();
        self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.line)?;
        let whole = !self.line.is_empty() && (self.line.len() as u64) < MAX_LINE;
        Ok(std::str::from_utf8(&self.line).ok().filter(|_| whole))
    }

    /// The next line, parsed; `None` at the end, or when it cannot be parsed, for instance because
    /// it is half written.
    pub fn read<T: serde::de::DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        Ok(self.next()?.and_then(|line| serde_json::from_str(line).ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_one_by_one_to_what_is_none() {
        let mut lines = Lines::new("1\n2\n{\"half".as_bytes());
        let mut read = || lines.read::<u8>().unwrap();
        assert_eq!([read(), read(), read(), read()], [Some(1), Some(2), None, None]);
        let long = "x".repeat(1 << 21);
        assert_eq!(Lines::new(long.as_bytes()).next().unwrap(), None);
    }
}
