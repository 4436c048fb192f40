//! Building the tables of a game, one layer after the other.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use wurfel_core::{Endgame, EndgameIndex};

use crate::format::{HEADER, PAGE, PER_PAGE, TableHeader, opened, page_start, seal};
use crate::{Table, TableError, file_name};

/// What is built, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The most pieces.
    pub pieces: u32,
    /// Threads.
    pub threads: usize,
    /// Memory in bytes that may be used beside the tables themselves, which are mapped.
    pub memory: u64,
}

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildProgress {
    /// The pieces of the layer that is being built.
    pub pieces: u32,
    /// Values written, those that were there already included.
    pub done: u64,
    /// Values that there will be.
    pub all: u64,
}

/// Builds the tables of the game called `name` in a folder, which is made if need be; those
/// that are there already stay. `progress` hears after each unit how far it is; a false
/// from it ends the work, and the next call goes on from there. Returns whether all
/// are built.
///
/// # Errors
/// When the system refuses, another program builds the same, a file with the name of
/// a table is none, or memory does not suffice.
pub fn build<G: Endgame>(
    name: &str,
    folder: &Path,
    settings: Build,
    mut progress: impl FnMut(BuildProgress) -> bool,
) -> Result<bool, TableError> {
    let Build { pieces: most, threads, memory } = settings;
    if most > G::MAX_PIECES {
        let (game, max_pieces) = (name.to_owned(), G::MAX_PIECES);
        return Err(TableError::TooMany { game, pieces: most, most: max_pieces });
    }
    fs::create_dir_all(folder).map_err(TableError::io(folder))?;
    let all = (2..=most).flat_map(G::units).sum();
    let mut done = 0;
    let mut fewer: Option<Table> = None;
    for pieces in 2..=most {
        let units = G::units(pieces);
        let count = units.iter().sum();
        let path = folder.join(file_name(name, pieces));
        if !path.exists() {
            let header = TableHeader { name: name.to_owned(), pieces, count };
            let mut draft = Draft::open(&path, header)?;
            let mut written = 0;
            for (unit, &size) in units.iter().enumerate() {
                if written + size > draft.count {
                    draft.truncate(written)?;
                    let threads = fitting::<G>(pieces, unit, threads, memory)?;
                    draft.write(&solve::<G>(pieces, unit, fewer.as_ref(), threads)?)?;
                }
                written += size;
                if !progress(BuildProgress { pieces, done: done + written, all }) {
                    draft.suspend()?;
                    return Ok(false);
                }
            }
            draft.finish()?;
        }
        done += count;
        fewer = Some(Table::open(&path, name, pieces, count)?);
    }
    Ok(true)
}

/// How many threads, at most so many, solve a unit within the memory.
fn fitting<G: Endgame>(
    pieces: u32,
    unit: usize,
    threads: usize,
    memory: u64,
) -> Result<usize, TableError> {
    let fits = |&threads: &usize| G::memory(pieces, unit, threads) <= memory;
    (1..=threads.max(1)).rev().find(fits).ok_or_else(|| TableError::Memory {
        pieces,
        needed: G::memory(pieces, unit, 1).div_ceil(1 << 20),
        allowed: memory >> 20,
    })
}

/// Solves a unit, resting on the table with one piece less.
fn solve<G: Endgame>(
    pieces: u32,
    unit: usize,
    fewer: Option<&Table>,
    threads: usize,
) -> Result<Vec<u16>, TableError> {
    // A value that is missing makes the result worthless: it is rolled away below.
    let known = |place: EndgameIndex| {
        let value = fewer.and_then(|table| table.value(place.index));
        f32::from(value.unwrap_or_default()) / f32::from(u16::MAX)
    };
    let values = G::solve(pieces, unit, &known, threads);
    match fewer.filter(|table| table.is_damaged()) {
        Some(table) => Err(TableError::refused(table.path(), "is damaged")),
        None => Ok(values),
    }
}

/// A table that is being written. It has `.part` behind its name until it is complete.
#[derive(Debug)]
struct Draft {
    name: PathBuf,
    /// The name until then.
    temporary: PathBuf,
    file: File,
    header: TableHeader,
    /// Values so far.
    count: u64,
    /// The values of the last page, which is not full and not yet in the file.
    page: Vec<u8>,
}

impl Draft {
    /// Begins a table, or goes on with what is there of it: all pages up to the first
    /// that is damaged.
    fn open(name: &Path, header: TableHeader) -> Result<Self, TableError> {
        let mut temporary = name.as_os_str().to_owned();
        temporary.push(".part");
        let temporary = PathBuf::from(temporary);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&temporary).map_err(TableError::io(&temporary))?;
        // When another program has just finished it, the file has its final name.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !temporary.exists() {
            return Err(TableError::Busy(temporary));
        }
        let name = name.to_owned();
        let mut draft = Self { name, temporary, file, header, count: 0, page: vec![] };
        draft.read().map_err(TableError::io(&draft.temporary))?;
        Ok(draft)
    }

    /// Reads what is there.
    fn read(&mut self) -> std::io::Result<()> {
        let header = self.header.bytes();
        let mut found = vec![];
        self.file.seek(SeekFrom::Start(0))?;
        Read::by_ref(&mut self.file).take(HEADER as u64).read_to_end(&mut found)?;
        if found != header {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            return self.file.write_all(&header);
        }
        let mut bytes = vec![];
        for page in 0.. {
            bytes.clear();
            Read::by_ref(&mut self.file).take(PAGE as u64).read_to_end(&mut bytes)?;
            let Some(values) = opened(page, &bytes) else { break };
            self.count += values.len() as u64 / 2;
            if bytes.len() < PAGE {
                self.page = values.to_vec();
                break;
            }
        }
        self.rewind()
    }

    /// Takes the last page, if it is not full, and all that is behind it out of the file.
    fn rewind(&mut self) -> std::io::Result<()> {
        let end = page_start(self.count / PER_PAGE) as u64;
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// Keeps only the first values; there are at least so many.
    fn truncate(&mut self, count: u64) -> Result<(), TableError> {
        if count == self.count {
            return Ok(());
        }
        let page = count / PER_PAGE;
        let kept = 2 * (count % PER_PAGE) as usize;
        if page < self.count / PER_PAGE {
            let mut bytes = vec![0; kept];
            let read = self
                .file
                .seek(SeekFrom::Start(page_start(page) as u64))
                .and_then(|_| self.file.read_exact(&mut bytes));
            read.map_err(TableError::io(&self.temporary))?;
            self.page = bytes;
        }
        self.page.truncate(kept);
        self.count = count;
        self.rewind().map_err(TableError::io(&self.temporary))
    }

    /// Writes values behind those that are there.
    fn write(&mut self, values: &[u16]) -> Result<(), TableError> {
        let mut rest = values;
        while !rest.is_empty() {
            let room = (2 * PER_PAGE as usize - self.page.len()) / 2;
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.page.extend(now.iter().flat_map(|value| value.to_le_bytes()));
            if now.len() == room {
                self.close_page(self.count / PER_PAGE)?;
            }
            self.count += now.len() as u64;
            rest = later;
        }
        Ok(())
    }

    /// Writes the last page into the file, full or not.
    fn close_page(&mut self, page: u64) -> Result<(), TableError> {
        if self.page.is_empty() {
            return Ok(());
        }
        seal(page, &mut self.page);
        self.file.write_all(&self.page).map_err(TableError::io(&self.temporary))?;
        self.page.clear();
        Ok(())
    }

    /// Leaves the table so that the work can go on later.
    fn suspend(mut self) -> Result<(), TableError> {
        self.close_page(self.count / PER_PAGE)?;
        self.file.sync_all().map_err(TableError::io(&self.temporary))
    }

    /// Gives the complete table its name.
    fn finish(mut self) -> Result<(), TableError> {
        self.close_page(self.count / PER_PAGE)?;
        self.file.sync_all().map_err(TableError::io(&self.temporary))?;
        fs::rename(&self.temporary, &self.name).map_err(TableError::io(&self.temporary))
    }
}
