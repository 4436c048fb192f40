//! The files of a match: whole or not there, so that a match that was stopped
//! goes on where it was.

use std::path::Path;

use crate::csv_log::{GAME_COLUMNS, MOVE_COLUMNS};
use crate::draft::{Draft, OutputError};
use crate::record::{GameRecord, Header};

/// How many pairs a table has for certain: all before that of its last whole
/// line. Lines that belong to no table are removed.
fn whole_pairs(table: &mut Draft, columns: &str) -> Result<u64, OutputError> {
    let mut last = 0;
    table.keep(|number, text| match pair_of(text) {
        _ if number == 0 => text == columns.trim_end(),
        Some(pair) => {
            last = pair;
            true
        }
        None => false,
    })?;
    Ok(last)
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
    records: Draft,
    games: Draft,
    moves: Draft,
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
        if let Some(there) = tables.iter().find(|name| name.exists()) {
            return Err(OutputError::Exists(there.clone()));
        }
        let line = serde_json::to_string(header).unwrap_or_default() + "\n";
        let records = Draft::begun(path.to_owned(), &line)?;
        let [games, moves] = tables;
        let mut output = Self { records, games: Draft::open(games)?, moves: Draft::open(moves)? };
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
            pairs = pairs.min(whole_pairs(table, columns)?);
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
    fn tables(&mut self) -> [(&mut Draft, &'static str); 2] {
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
