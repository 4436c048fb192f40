//! Building the tables of a game, one layer after the other.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};

use wurfel_core::files::{self, FileError, unfinished};
use wurfel_core::{Endgame, EndgameIndex, threads};

use crate::format::{HEADER, PAGE, PER_PAGE, TableHeader, opened, page_start, seal};
use crate::{Table, TableError, file_name};

/// The tables to build, and the resources that may be used.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The largest number of pieces.
    pub pieces: u32,
    /// How many threads solve positions.
    pub threads: usize,
    /// The memory that may be used, in bytes, not counting the tables themselves, which are mapped.
    pub memory: u64,
}

/// How far a build has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildProgress {
    /// The pieces of the layer that is being built.
    pub pieces: u32,
    /// How many values are written, including those that were there already.
    pub done: u64,
    /// How many values there will be in the end.
    pub all: u64,
}

/// Builds the tables of the game called `name` in a folder, which is created if necessary. Existing
/// tables are kept. `progress` is called after each unit; when it returns false the build stops,
/// and the next call resumes it there. Returns whether all tables are built.
/// # Errors
/// When the system refuses, when another program is building the same table, when a file with a
/// table's name is not a table, or when there is not enough memory.
pub fn build<G: Endgame>(
    name: &str,
    folder: &Path,
    settings: Build,
    mut progress: impl FnMut(BuildProgress) -> bool,
) -> Result<bool, TableError> {
    let most = settings.pieces;
    if most > G::MAX_PIECES {
        let (game, max_pieces) = (name.to_owned(), G::MAX_PIECES);
        return Err(TableError::TooMany { game, pieces: most, most: max_pieces });
    }
    fs::create_dir_all(folder).map_err(FileError::at(folder))?;
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
            let mut goes_on = |size: &u64| {
                written += size;
                progress(BuildProgress { pieces, done: done + written, all })
            };
            let (there, whole_bytes) = draft.whole_units(&units);
            draft.truncate(whole_bytes)?;
            let layer = Units { pieces, sizes: &units, fewer: fewer.as_ref() };
            let finished = units[..there].iter().all(&mut goes_on)
                && layer.solve::<G>(there, settings, |unit, values| {
                    draft.write(&values)?;
                    Ok(goes_on(&units[unit]))
                })?;
            if !finished {
                draft.suspend()?;
                return Ok(false);
            }
            draft.finish()?;
        }
        done += count;
        fewer = Some(Table::open(&path, name, pieces, count)?);
    }
    Ok(true)
}

/// Solves one unit of the tables for `settings.pieces` pieces of the game called `name`. The table
/// for one piece fewer must be in the folder, unless there are only two pieces.
///
/// # Errors
/// When that table is missing or damaged, there is no such unit, or there is not enough memory.
pub fn solve_unit<G: Endgame>(
    name: &str,
    folder: &Path,
    settings: Build,
    unit: usize,
) -> Result<Vec<u16>, TableError> {
    let Build { pieces, threads, memory } = settings;
    let fewer = (pieces > 2).then(|| {
        let path = folder.join(file_name(name, pieces - 1));
        Table::open(&path, name, pieces - 1, G::units(pieces - 1).iter().sum())
    });
    let threads = fitting::<G>(pieces, unit, threads, memory)?;
    solve::<G>(pieces, unit, fewer.transpose()?.as_ref(), threads)
}

/// Puts the table for `pieces` pieces together from the values of its units; `unit` returns those
/// of the unit with a given number. An existing table is kept.
///
/// # Errors
/// The errors of `unit`, and when a unit has the wrong number of values, another program is
/// building the table, or the system refuses.
pub fn assemble<G: Endgame, E: From<TableError>>(
    name: &str,
    folder: &Path,
    pieces: u32,
    mut unit: impl FnMut(usize) -> Result<Vec<u16>, E>,
) -> Result<(), E> {
    let path = folder.join(file_name(name, pieces));
    if path.exists() {
        return Ok(());
    }
    let sizes = G::units(pieces);
    let header = TableHeader { name: name.to_owned(), pieces, count: sizes.iter().sum() };
    let mut draft = Draft::open(&path, header)?;
    draft.truncate(0)?;
    for (number, &size) in sizes.iter().enumerate() {
        let values = unit(number)?;
        if values.len() as u64 != size {
            let why = format!("got {} values of unit {number}, not {size}", values.len());
            return Err(TableError::refused(&path, why).into());
        }
        draft.write(&values)?;
    }
    Ok(draft.finish()?)
}

/// The units of a layer, which do not depend on each other.
struct Units<'a> {
    pieces: u32,
    sizes: &'a [u64],
    fewer: Option<&'a Table>,
}

impl Units<'_> {
    /// Solves the units from `first` on and hands their values to `see` in order, until it returns
    /// false; returns its last answer.
    ///
    /// Several units at a time, each on one thread, keep all threads busy where the memory is large
    /// enough for them. Threads that share a unit wait for each other after every few rows.
    fn solve<G: Endgame>(
        &self,
        first: usize,
        settings: Build,
        mut see: impl FnMut(usize, Vec<u16>) -> Result<bool, TableError>,
    ) -> Result<bool, TableError> {
        let Self { pieces, sizes, fewer } = *self;
        let Build { threads, memory, .. } = settings;
        let units = first..sizes.len();
        let at_once = self.at_once::<G>(first, settings);
        if at_once < 2 {
            for unit in units {
                let threads = fitting::<G>(pieces, unit, threads, memory)?;
                if !see(unit, solve::<G>(pieces, unit, fewer, threads)?)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let (give, given) = mpsc::channel();
        let (hand_in, handed_in) = mpsc::channel();
        let given = Mutex::new(given);
        let take = || given.lock().ok()?.recv().ok();
        threads::scope(|scope| {
            // Dropped when this ends, however it ends: then the threads end, too.
            let give = give;
            for _ in 0..at_once {
                let hand_in = hand_in.clone();
                scope.spawn(move || {
                    while let Some(unit) = take() {
                        let solve = || solve::<G>(pieces, unit, fewer, 1);
                        let solved = panic::catch_unwind(AssertUnwindSafe(solve));
                        if hand_in.send((unit, solved)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(hand_in);
            let mut next = units.clone();
            let mut begin = || next.next().is_none_or(|unit| give.send(unit).is_ok());
            (0..2 * at_once).all(|_| begin());
            let mut early = BTreeMap::new();
            for unit in units {
                while !early.contains_key(&unit)
                    && let Ok((number, solved)) = handed_in.recv()
                {
                    early
                        .insert(number, solved.unwrap_or_else(|panic| panic::resume_unwind(panic)));
                }
                let Some(values) = early.remove(&unit) else { return Ok(false) };
                begin();
                if !see(unit, values?)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// How many units, from `first` on, can be solved at once within the memory, each on one thread.
    /// As many again may be solved and wait for one before them.
    fn at_once<G: Endgame>(&self, first: usize, Build { threads, memory, .. }: Build) -> usize {
        let each = self.sizes.iter().enumerate().skip(first);
        let each = each.map(|(unit, size)| G::memory(self.pieces, unit, 1) + 2 * size);
        let fit = memory / each.max().unwrap_or(1);
        threads::at_most(threads).min(fit as usize)
    }
}

/// The largest number of threads, at most `threads`, with which a unit can be solved within the
/// memory.
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

/// Solves a unit with the help of the table for one piece fewer.
fn solve<G: Endgame>(
    pieces: u32,
    unit: usize,
    fewer: Option<&Table>,
    threads: usize,
) -> Result<Vec<u16>, TableError> {
    // If a value is missing, the result is useless and is discarded below.
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

/// A table that is being written. Its file name ends in `.part` until the table is complete.
#[derive(Debug)]
struct Draft {
    name: PathBuf,
    /// The file's name while the table is incomplete.
    temporary: PathBuf,
    file: File,
    header: TableHeader,
    /// How many values have been written so far.
    count: u64,
    /// The values of the last page, which is not full yet and not yet in the file.
    page: Vec<u8>,
}

impl Draft {
    /// Begins a table, or resumes it from its file, with all pages up to the first damaged one.
    fn open(name: &Path, header: TableHeader) -> Result<Self, TableError> {
        let temporary = unfinished(name);
        let file = files::lock(&temporary)?;
        let name = name.to_owned();
        let mut draft = Self { name, temporary, file, header, count: 0, page: vec![] };
        draft.read().map_err(FileError::at(&draft.temporary))?;
        Ok(draft)
    }

    /// Reads the values that the file already has; a file with another header is started again.
    fn read(&mut self) -> std::io::Result<()> {
        let header = self.header.bytes();
        let mut file_header = vec![];
        self.file.seek(SeekFrom::Start(0))?;
        Read::by_ref(&mut self.file).take(HEADER as u64).read_to_end(&mut file_header)?;
        if file_header != header {
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

    /// Truncates the file after the last full page.
    fn rewind(&mut self) -> std::io::Result<()> {
        let end = page_start(self.count / PER_PAGE) as u64;
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// How many units of these sizes the file has in full, and how many values they have.
    fn whole_units(&self, sizes: &[u64]) -> (usize, u64) {
        let ends = sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        let whole = ends.take_while(|&end| end <= self.count);
        whole.fold((0, 0), |(units, _), end| (units + 1, end))
    }

    /// Keeps only the first `count` values; there must be at least as many.
    fn truncate(&mut self, count: u64) -> Result<(), TableError> {
        if count == self.count {
            return Ok(());
        }
        let page = count / PER_PAGE;
        let whole_bytes = 2 * (count % PER_PAGE) as usize;
        if page < self.count / PER_PAGE {
            let mut bytes = vec![0; whole_bytes];
            let read = self
                .file
                .seek(SeekFrom::Start(page_start(page) as u64))
                .and_then(|_| self.file.read_exact(&mut bytes));
            read.map_err(FileError::at(&self.temporary))?;
            self.page = bytes;
        }
        self.page.truncate(whole_bytes);
        self.count = count;
        Ok(self.rewind().map_err(FileError::at(&self.temporary))?)
    }

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

    /// Writes the last page into the file, whether it is full or not.
    fn close_page(&mut self, page: u64) -> Result<(), TableError> {
        if self.page.is_empty() {
            return Ok(());
        }
        seal(page, &mut self.page);
        self.file.write_all(&self.page).map_err(FileError::at(&self.temporary))?;
        self.page.clear();
        Ok(())
    }

    /// Writes the unfinished last page to the file, so that the build can be resumed later.
    fn suspend(mut self) -> Result<(), TableError> {
        self.close_page(self.count / PER_PAGE)?;
        Ok(self.file.sync_all().map_err(FileError::at(&self.temporary))?)
    }

    /// Gives the complete table its name.
    fn finish(mut self) -> Result<(), TableError> {
        self.close_page(self.count / PER_PAGE)?;
        let finished = files::finish(&self.file, &self.temporary, &self.name);
        Ok(finished.map_err(FileError::at(&self.temporary))?)
    }
}
