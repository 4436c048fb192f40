//! The layout of a tablebase file, which the crate's front page describes.

use std::ops::Range;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const MAGIC: &[u8; 8] = b"WURFELTB";
const VERSION: u32 = 1;
/// The length of a header in bytes.
pub const HEADER: usize = 64;
/// The length of a full page in bytes.
pub const PAGE: usize = 1 << 16;
/// The length of a checksum in bytes.
const CHECK: usize = 8;
/// How many values a full page has.
pub const PER_PAGE: u64 = ((PAGE - CHECK) / 2) as u64;

/// The name of the file with the positions of `pieces` pieces of the game called `name`.
pub fn file_name(name: &str, pieces: u32) -> String {
    format!("{name}-{pieces}.table")
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableHeader {
    pub name: String,
    pub pieces: u32,
    /// How many values the table has.
    pub count: u64,
}

/// The little-endian number that these bytes hold.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl TableHeader {
    /// The header as bytes in the file. A name may have up to 24 bytes.
    pub fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        put(0, MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(12, &self.pieces.to_le_bytes());
        put(16, &self.name.as_bytes()[..self.name.len().min(24)]);
        put(40, &self.count.to_le_bytes());
        put(48, &(PAGE as u64).to_le_bytes());
        let check = xxh3_64(&bytes[..HEADER - CHECK]);
        bytes[HEADER - CHECK..].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    /// Checks that a file begins with this header; otherwise the error says what is wrong.
    pub fn check(&self, file: &[u8]) -> Result<(), String> {
        let Some(head) = file.get(..HEADER) else {
            return Err("is too short for a table".into());
        };
        if &head[..8] != MAGIC {
            return Err("is not a table".into());
        }
        let version = number(&head[8..12]);
        if version != u64::from(VERSION) {
            return Err(format!("has version {version}, not {VERSION}"));
        }
        if head[HEADER - CHECK..] != xxh3_64(&head[..HEADER - CHECK]).to_le_bytes() {
            return Err("has a damaged header".into());
        }
        if head != self.bytes() {
            let name = String::from_utf8_lossy(&head[16..40]);
            return Err(format!(
                "is a table of {} with {} pieces and {} values, not of {} with {} and {}",
                name.trim_end_matches('\0').escape_debug(),
                number(&head[12..16]),
                number(&head[40..48]),
                self.name,
                self.pieces,
                self.count
            ));
        }
        Ok(())
    }

    /// How many pages the file has.
    pub fn pages(&self) -> u64 {
        self.count.div_ceil(PER_PAGE)
    }

    /// How long the file is, in bytes.
    pub fn length(&self) -> u64 {
        HEADER as u64 + 2 * self.count + CHECK as u64 * self.pages()
    }

    /// The range of a page within the file.
    pub fn page(&self, page: u64) -> Range<usize> {
        let start = page_start(page);
        start..(start + PAGE).min(self.length() as usize)
    }
}

/// The byte at which a page begins.
#[inline(always)]
pub const fn page_start(page: u64) -> usize {
    HEADER + page as usize * PAGE
}

/// Appends the checksum to the values of a page.
pub fn seal(page: u64, bytes: &mut Vec<u8>) {
    let check = xxh3_64_with_seed(bytes, page);
    bytes.extend(check.to_le_bytes());
}

/// The bytes of a page's values; `None` when the page is damaged.
pub fn opened(page: u64, bytes: &[u8]) -> Option<&[u8]> {
    let (values, check) = bytes.split_last_chunk::<CHECK>()?;
    (xxh3_64_with_seed(values, page).to_le_bytes() == *check).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by the fuzz target `tables`: the name in a foreign file was written to the terminal
    /// unchanged, including control characters.
    #[test]
    fn the_name_of_another_table_is_shown_as_text() {
        let header = |name: &str| TableHeader { name: name.to_owned(), pieces: 2, count: 283 };
        let error = header("einstein").check(&header("\n\u{1b}[2J").bytes()).unwrap_err();
        assert!(error.starts_with(r"is a table of \n\u{1b}[2J with 2 pieces"), "{error}");
    }
}
