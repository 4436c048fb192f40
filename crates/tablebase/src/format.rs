//! The layout of a file; the crate's page describes it.

use std::ops::Range;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const MAGIC: &[u8; 8] = b"WURFELTB";
const VERSION: u32 = 1;
/// Bytes of a header.
pub const HEADER: usize = 64;
/// Bytes of a full page.
pub const PAGE: usize = 1 << 16;
/// Bytes of a checksum.
const CHECK: usize = 8;
/// Values of a full page.
pub const PER_PAGE: u64 = ((PAGE - CHECK) / 2) as u64;

/// What a file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableHeader {
    pub name: String,
    pub pieces: u32,
    /// Number of values.
    pub count: u64,
}

/// The number that stands in these bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl TableHeader {
    /// The header as it stands in the file. Names have at most 24 bytes.
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

    /// Checks that a file begins with this header, and says what is wrong if it does not.
    pub fn check(&self, file: &[u8]) -> Result<(), String> {
        let Some(found) = file.get(..HEADER) else {
            return Err("is too short for a table".into());
        };
        if &found[..8] != MAGIC {
            return Err("is no table".into());
        }
        let version = number(&found[8..12]);
        if version != u64::from(VERSION) {
            return Err(format!("has version {version}, not {VERSION}"));
        }
        if found[HEADER - CHECK..] != xxh3_64(&found[..HEADER - CHECK]).to_le_bytes() {
            return Err("has a damaged header".into());
        }
        if found != self.bytes() {
            let name = String::from_utf8_lossy(&found[16..40]);
            return Err(format!(
                "is a table of {} with {} pieces and {} values, not of {} with {} and {}",
                name.trim_end_matches('\0'),
                number(&found[12..16]),
                number(&found[40..48]),
                self.name,
                self.pieces,
                self.count
            ));
        }
        Ok(())
    }

    /// Pages of the file.
    pub fn pages(&self) -> u64 {
        self.count.div_ceil(PER_PAGE)
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        HEADER as u64 + 2 * self.count + CHECK as u64 * self.pages()
    }

    /// The bytes of a page.
    pub fn page(&self, page: u64) -> Range<usize> {
        let start = page_start(page);
        start..(start + PAGE).min(self.length() as usize)
    }
}

/// Where a page begins.
#[inline(always)]
pub const fn page_start(page: u64) -> usize {
    HEADER + page as usize * PAGE
}

/// Puts the checksum behind the values of a page.
pub fn seal(page: u64, bytes: &mut Vec<u8>) {
    let check = xxh3_64_with_seed(bytes, page);
    bytes.extend(check.to_le_bytes());
}

/// The values of a page, as bytes; `None` when it is damaged.
pub fn opened(page: u64, bytes: &[u8]) -> Option<&[u8]> {
    let (values, check) = bytes.split_last_chunk::<CHECK>()?;
    (xxh3_64_with_seed(values, page).to_le_bytes() == *check).then_some(values)
}
