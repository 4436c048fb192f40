//! One tablebase file.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};

use wurfel_core::threads;

use wurfel_core::files::FileError;

use crate::TableError;
use crate::format::{HEADER, PAGE, PER_PAGE, TableHeader, opened, page_start};
use crate::map::Bytes;

/// The values of all positions with a given number of pieces. They are read from the file as they
/// are asked for. Threads can share a table.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    header: TableHeader,
    bytes: Bytes,
    /// For each page, whether it is sound, damaged, or not checked yet.
    pages: Box<[AtomicU8]>,
}

const UNKNOWN: u8 = 0;
const SOUND: u8 = 1;
const DAMAGED: u8 = 2;

impl Table {
    /// Opens the table of the game called `name` for `pieces` pieces, which must have `count`
    /// values.
    ///
    /// # Errors
    /// When the file cannot be read, is not this table, or was cut short.
    pub fn open(path: &Path, name: &str, pieces: u32, count: u64) -> Result<Self, TableError> {
        let header = TableHeader { name: name.to_owned(), pieces, count };
        let mut file = File::open(path).map_err(FileError::at(path))?;
        let length = file.metadata().map_err(FileError::at(path))?.len();
        if length == 0 {
            return Err(TableError::refused(path, "is empty"));
        }
        let mut contents = vec![];
        let head = Read::by_ref(&mut file).take(HEADER as u64).read_to_end(&mut contents);
        head.map_err(FileError::at(path))?;
        header.check(&contents).map_err(|why| TableError::refused(path, why))?;
        if length != header.length() {
            let why = format!("has {length} bytes, not {}", header.length());
            return Err(TableError::refused(path, why));
        }
        let bytes = file.rewind().and_then(|()| Bytes::open(&file, length));
        let bytes = bytes.map_err(FileError::at(path))?;
        let pages = (0..header.pages()).map(|_| AtomicU8::new(UNKNOWN)).collect();
        Ok(Self { path: path.to_owned(), header, bytes, pages })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many pieces its positions have.
    pub fn pieces(&self) -> u32 {
        self.header.pieces
    }

    /// How many values the table has.
    pub fn count(&self) -> u64 {
        self.header.count
    }

    /// How long the file is, in bytes.
    pub fn length(&self) -> u64 {
        self.header.length()
    }

    /// The value with this index, in steps of 1/65,535, for the **side to move** before its roll.
    /// `None` when there is no such value or when its page is damaged.
    #[inline(always)]
    pub fn value(&self, index: u64) -> Option<u16> {
        if index >= self.header.count {
            return None;
        }
        let (page, place) = (index / PER_PAGE, (index % PER_PAGE) as usize);
        let state = self.pages.get(page as usize)?.load(Ordering::Relaxed);
        if state != SOUND && !self.is_sound(page) {
            return None;
        }
        let at = page_start(page) + 2 * place;
        let bytes = self.bytes.get(at..at + 2)?.try_into().ok()?;
        Some(u16::from_le_bytes(bytes))
    }

    /// Whether a page agrees with its checksum, which is computed only once.
    #[cold]
    fn is_sound(&self, page: u64) -> bool {
        let known = &self.pages[page as usize];
        if known.load(Ordering::Relaxed) == UNKNOWN {
            let sound = opened(page, &self.bytes[self.header.page(page)]).is_some();
            known.store(if sound { SOUND } else { DAMAGED }, Ordering::Relaxed);
        }
        known.load(Ordering::Relaxed) == SOUND
    }

    /// Checks all pages on several threads. `progress` is called with the number of bytes that were
    /// checked; when it returns false, the check stops without an error.
    ///
    /// # Errors
    /// When a page is damaged; the error names the file.
    pub fn verify(
        &self,
        threads: usize,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<(), TableError> {
        // In each step, every thread has work for some milliseconds.
        let step = 256 * threads as u64;
        let pages = self.header.pages();
        for first in (0..pages).step_by(step as usize) {
            let check = |thread: u64| {
                let own = (first + thread..pages.min(first + step)).step_by(threads);
                own.filter(|&page| !self.is_sound(page)).count() as u64
            };
            let damaged: u64 = threads::scope(|scope| {
                let workers: Vec<_> =
                    (0..threads as u64).map(|n| scope.spawn(move || check(n))).collect();
                workers.into_iter().map(|worker| worker.join().unwrap_or(1)).sum()
            });
            if damaged > 0 {
                let why = format!("is damaged near byte {}", first * PAGE as u64);
                return Err(TableError::refused(&self.path, why));
            }
            if !progress((first + step).min(pages) * PAGE as u64) {
                break;
            }
        }
        Ok(())
    }

    /// Whether any page that was read so far is damaged.
    pub fn is_damaged(&self) -> bool {
        self.pages.iter().any(|page| page.load(Ordering::Relaxed) == DAMAGED)
    }
}
