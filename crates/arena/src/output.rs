//! The files of a match: written beside their final name and renamed when all
//! is in them, so that a file with that name is always complete, and a match
//! that was stopped goes on where it was.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::csv_log::{GAME_COLUMNS, MOVE_COLUMNS};
use crate::record::{GameRecord, Header};

/// Why the files of a match cannot be written. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The files of an earlier match would be lost.
    #[error("'{0}' is there already: choose another name or remove it")]
    Exists(PathBuf),
    /// A part of another match is in the way.
    #[error("'{0}' is the beginning of another match: remove it or choose another name")]
    Foreign(PathBuf),
    /// Another program writes it.
    #[error("'{0}' is being written by another match")]
    Busy(PathBuf),
    /// The system refused.
    #[error("'{path}': {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// A file that has its final name only when it is complete.
#[derive(Debug)]
struct Part {
    name: PathBuf,
    /// The name until then.
    draft: PathBuf,
    file: BufWriter<File>,
}

impl Part {
    fn draft_of(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        name.into()
    }

    fn open(name: PathBuf) -> Result<Self, OutputError> {
        let draft = Self::draft_of(&name);
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&draft);
        match opened {
            Ok(file) if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) => {
                Err(OutputError::Busy(draft))
            }
            Ok(file) => Ok(Self { name, draft, file: BufWriter::with_capacity(1 << 20, file) }),
            Err(error) => Err(OutputError::Io { path: draft, error }),
        }
    }

    fn failed(&self, error: io::Error) -> OutputError {
        OutputError::Io { path: self.draft.clone(), error }
    }

    /// The first line, or what there is of it.
    fn first_line(&mut self) -> Result<String, OutputError> {
        let mut line = vec![];
        let file = self.file.get_mut();
        let read = file
            .seek(SeekFrom::Start(0))
            .and_then(|_| BufReader::new(&*file).read_until(b'\n', &mut line));
        match read {
            Ok(_) => Ok(String::from_utf8_lossy(&line).into_owned()),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(bytes).map_err(|error| self.failed(error))
    }

    /// Keeps the lines at the beginning for which `keep` is true, whole lines
    /// only, and goes on behind them.
    fn keep(&mut self, mut keep: impl FnMut(usize, &str) -> bool) -> Result<usize, OutputError> {
        let kept = (|| {
            let file = self.file.get_mut();
            file.seek(SeekFrom::Start(0))?;
            let mut reader = BufReader::new(&*file);
            let (mut bytes, mut lines) = (0, 0);
            let mut line = vec![];
            while reader.read_until(b'\n', &mut line)? > 0 {
                let whole = line.ends_with(b"\n");
                let text = std::str::from_utf8(&line).unwrap_or_default().trim_end();
                if !whole || !keep(lines, text) {
                    break;
                }
                bytes += line.len() as u64;
                lines += 1;
                line.clear();
            }
            file.set_len(bytes)?;
            file.seek(SeekFrom::Start(bytes))?;
            Ok(lines)
        })();
        kept.map_err(|error| self.failed(error))
    }

    /// How many pairs a table has for certain: all before that of its last whole
    /// line. Lines that belong to no table are removed.
    fn whole_pairs(&mut self, columns: &str) -> Result<u64, OutputError> {
        let mut last = 0;
        self.keep(|number, text| match pair_of(text) {
            _ if number == 0 => text == columns.trim_end(),
            Some(pair) => {
                last = pair;
                true
            }
            None => false,
        })?;
        Ok(last)
    }

    fn sync(&mut self) -> Result<(), OutputError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| self.failed(error))
    }

    fn finish(mut self) -> Result<(), OutputError> {
        self.sync()?;
        std::fs::rename(&self.draft, &self.name).map_err(|error| self.failed(error))
    }
}

/// The number of the pair that a line of a table begins with.
fn pair_of(line: &str) -> Option<u64> {
    line.split(',').next()?.parse().ok()
}

/// What one pair adds to the files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PairText {
    pub records: Vec<u8>,
    pub games: Vec<u8>,
    pub moves: Vec<u8>,
}

/// The three files of a match: the records `NAME.jsonl`, the table of games
/// `NAME.games.csv` and the table of moves `NAME.moves.csv`.
#[derive(Debug)]
pub struct Output {
    records: Part,
    games: Part,
    moves: Part,
}

impl Output {
    /// Opens the files of a match for writing, and returns the games that an
    /// interrupted run of the same match has left there, whole pairs in order.
    ///
    /// # Errors
    /// When a file is there already, belongs to another match, or cannot be
    /// written.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Vec<GameRecord>), OutputError> {
        let stem = path.with_extension("");
        let tables = ["games.csv", "moves.csv"].map(|table| stem.with_added_extension(table));
        let names = tables.iter().map(PathBuf::as_path).chain([path]);
        if let Some(there) = names.into_iter().find(|name| name.exists()) {
            return Err(OutputError::Exists(there.to_owned()));
        }
        let line = serde_json::to_string(header).unwrap_or_default() + "\n";
        let mut records = Part::open(path.to_owned())?;
        // A header that was cut off is this one's beginning, or foreign too.
        if !line.starts_with(&records.first_line()?) {
            return Err(OutputError::Foreign(records.draft));
        }
        let [games, moves] = tables;
        let mut output = Self { records, games: Part::open(games)?, moves: Part::open(moves)? };
        let left = output.resume(&line)?;
        Ok((output, left))
    }

    fn resume(&mut self, header: &str) -> Result<Vec<GameRecord>, OutputError> {
        let mut found: Vec<GameRecord> = vec![];
        self.records.keep(|number, text| {
            if number == 0 {
                return true;
            }
            // Games are in order: a line that is not the next one ends them.
            let next = ((number - 1) / 2, (number - 1) % 2);
            let game: Option<GameRecord> = serde_json::from_str(text).ok();
            let fits = game.filter(|game| {
                (game.pair as usize, usize::from(game.game)) == next && game.outcome().is_some()
            });
            found.extend(fits);
            found.len() == number
        })?;
        // A program that was killed may have written more to one file than to
        // another: what all three have is kept.
        let mut pairs = found.len() as u64 / 2;
        for (table, columns) in self.tables() {
            pairs = pairs.min(table.whole_pairs(columns)?);
        }
        found.truncate(2 * pairs as usize);
        let lines = found.len() + 1;
        if self.records.keep(|number, _| number < lines)? == 0 {
            self.records.write(header.as_bytes())?;
        }
        for (table, columns) in self.tables() {
            let kept = table.keep(|number, text| number == 0 || pair_of(text) < Some(pairs))?;
            if kept == 0 {
                table.write(columns.as_bytes())?;
            }
        }
        Ok(found)
    }

    /// The tables with their first lines.
    fn tables(&mut self) -> [(&mut Part, &'static str); 2] {
        [(&mut self.games, GAME_COLUMNS), (&mut self.moves, MOVE_COLUMNS)]
    }

    pub(crate) fn write(&mut self, text: &PairText) -> Result<(), OutputError> {
        self.records.write(&text.records)?;
        self.games.write(&text.games)?;
        self.moves.write(&text.moves)
    }

    /// Keeps what is written for a later run of the same match.
    pub(crate) fn suspend(mut self) -> Result<(), OutputError> {
        self.games.sync()?;
        self.moves.sync()?;
        self.records.sync()
    }

    /// Gives the files their final names, the records last.
    pub(crate) fn finish(self) -> Result<(), OutputError> {
        self.games.finish()?;
        self.moves.finish()?;
        self.records.finish()
    }
}
