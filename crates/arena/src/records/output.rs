//! The files of a match. They get their final names only when the match is complete, and a match
//! that was stopped resumes where it was.
//!
//! The records hold every game and are the same whatever machine played them. The tables, which are
//! written on request, repeat the moves in three times the bytes; only they have the times of the moves
//! and their evaluations.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use csv::StringRecord;
use wurfel_core::Side;
use wurfel_core::files::unfinished;
use wurfel_games::Playable;
use wurfel_statistics::{Sides, Timing};

use crate::records::csv_log::{BoardEvaluation, GAME_COLUMNS, MOVE_COLUMNS};
use crate::records::draft::{Draft, OutputError};
use crate::records::game_recorder::Recording;
use crate::records::record::{GameRecord, MatchHeader};
use crate::records::recorded_game::plain;

/// The index of a column of a table.
fn column(table: &str, name: &str) -> Option<usize> {
    table.trim_end().split(',').position(|column| column == name)
}

/// The fields of a row. Only rows with quotes get a CSV reader, because building one takes a hundred
/// times as long as reading a row.
fn fields(line: &str) -> Option<StringRecord> {
    if !line.contains('"') {
        return Some(line.split(',').collect());
    }
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).from_reader(line.as_bytes());
    reader.records().next()?.ok()
}

/// The contents that a row of a table must have to belong to a game of the records.
struct Row<'a> {
    pair: u64,
    game: u8,
    /// Columns, by their index, with the expected text.
    columns: Vec<(usize, Cow<'a, str>)>,
    /// The number of columns.
    width: usize,
}

impl<'a> Row<'a> {
    fn new(
        game: &GameRecord,
        table: &str,
        columns: impl IntoIterator<Item = (&'static str, Cow<'a, str>)>,
    ) -> Self {
        let own = [("pair", game.pair.to_string().into()), ("game", game.game.to_string().into())];
        let columns = own.into_iter().chain(columns);
        let columns =
            columns.filter_map(|(name, text)| Some((column(table, name)?, text))).collect();
        let width = table.split(',').count();
        Self { pair: game.pair, game: game.game, columns, width }
    }

    /// Whether a line of the table is this row.
    fn is(&self, line: &str) -> bool {
        let Some(fields) = fields(line) else { return false };
        let says = |(column, text): &(usize, Cow<'_, str>)| fields.get(*column) == Some(&**text);
        fields.len() == self.width && self.columns.iter().all(says)
    }
}

/// The row of a game in the table of games.
fn game_rows(game: &GameRecord) -> impl Iterator<Item = Row<'_>> {
    [Row::new(game, GAME_COLUMNS, [("turns", game.plies.to_string().into())])].into_iter()
}

/// The rows of a game in the table of moves. The roll is compared only where the record has it:
/// before the first move that is made with it. Records of version 0.1 have what is left of it before
/// the others, too.
fn move_rows(game: &GameRecord) -> impl Iterator<Item = Row<'_>> {
    let mut roll = None;
    game.moves.split_whitespace().filter_map(move |word| {
        if let Some(rolled) = word.strip_prefix('@') {
            roll = Some(rolled);
            return None;
        }
        let rolled = roll.take().map(|roll| ("roll", Cow::from(roll)));
        let columns = [("move", Cow::from(word))].into_iter().chain(rolled);
        Some(Row::new(game, MOVE_COLUMNS, columns))
    })
}

/// The number of pairs, from the first on, for which a table has all its rows. Rows of games beyond
/// these are removed.
fn whole_pairs<'a>(
    table: &mut Draft,
    columns: &str,
    mut rows: impl Iterator<Item = Row<'a>>,
) -> Result<u64, OutputError> {
    let mut next = rows.next();
    table.retain_lines(|number, text| match &next {
        _ if number == 0 && text == columns.trim_end() => Ok(true),
        _ if number == 0 => Err(format!("expected the columns {}", columns.trim_end())),
        Some(row) if row.is(text) => {
            next = rows.next();
            Ok(true)
        }
        Some(Row { pair, game, .. }) => {
            Err(format!("expected a row of game {game} of pair {pair}, as the records have it"))
        }
        None => Ok(false),
    })?;
    Ok(next.map_or(u64::MAX, |row| row.pair))
}

/// The number of the pair, which comes first in a line of a table.
fn pair_of(line: &str) -> Option<u64> {
    line.split(',').next()?.parse().ok()
}

/// Reads the line of the game at a place in the order of play, from 0.
fn game_at(place: usize, line: &str) -> Result<GameRecord, String> {
    let game: GameRecord = serde_json::from_str(line)
        .map_err(|error| format!("expected a game: {}", plain(&error)))?;
    let (pair, number) = (place / 2, place % 2);
    if (game.pair as usize, usize::from(game.game)) != (pair, number) {
        let (other, of) = (game.game, game.pair);
        return Err(format!("game {other} of pair {of}: expected game {number} of pair {pair}"));
    }
    game.check(None)?;
    match game.outcome() {
        Some(_) => Ok(game),
        None => Err(format!("result '{}': expected 1-0, 0-1 or 1/2-1/2", game.result)),
    }
}

/// A game that an interrupted run left in the files.
#[derive(Clone, PartialEq, Debug)]
pub struct ResumedGame {
    /// The game as the file of games has it.
    pub record: GameRecord,
    /// The times of each agent of the header, from the table of moves; without it none.
    pub timing: [Timing; 2],
}

impl ResumedGame {
    /// Adds the time of a move, given by the fields of its row in the table of moves.
    fn time(&mut self, row: &StringRecord) {
        let field = |name| row.get(column(MOVE_COLUMNS, name)?);
        let first = field("side") == Some("1");
        let side = if first { Side::First } else { Side::Second };
        let agent = Sides { first: usize::from(self.record.first & 1) }.agent(side);
        let milliseconds = field("time_ms").and_then(|text| text.parse::<f64>().ok());
        let time = Duration::try_from_secs_f64(milliseconds.unwrap_or_default() / 1000.0);
        self.timing[agent].add(time.unwrap_or_default());
    }
}

/// The text that one pair adds to each of the files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PairText {
    pub records: Vec<u8>,
    pub games: Vec<u8>,
    pub moves: Vec<u8>,
}

/// The table of games `NAME.games.csv` and the table of moves `NAME.moves.csv`.
#[derive(Debug)]
struct Tables {
    games: Draft,
    moves: Draft,
}

/// The files of a match: its records, and on request tables beside them.
#[derive(Debug)]
pub struct Output {
    records: Draft,
    tables: Option<Tables>,
}

impl Output {
    /// Opens the files of a match for writing, and returns the games that an interrupted run of the same
    /// match has left there, whole pairs in order. The records are in the file of this path,
    /// `NAME.jsonl`, when the match is over; with `csv` there are `NAME.games.csv` and `NAME.moves.csv`.
    ///
    /// # Errors
    /// When a file already exists, belongs to another match, is damaged, or cannot be written, and
    /// when the interrupted run wrote tables and this one is to write none, or the other way round.
    pub fn open(
        path: &Path,
        header: &MatchHeader,
        csv: bool,
    ) -> Result<(Self, Vec<ResumedGame>), OutputError> {
        let stem = path.with_extension("");
        let tables = ["games.csv", "moves.csv"].map(|table| stem.with_added_extension(table));
        if let Some(there) = tables.iter().find(|name| name.exists()) {
            return Err(OutputError::Exists(there.clone()));
        }
        let begun = tables.iter().map(|table| unfinished(table)).find(|part| part.exists());
        if let Some(table) = begun.as_ref().filter(|_| !csv) {
            return Err(OutputError::Tabled(table.clone()));
        }
        let line = serde_json::to_string(header).unwrap_or_default() + "\n";
        let mut records = Draft::begin(path.to_owned(), &line)?;
        if csv && begun.is_none() && records.first_line()? == line {
            return Err(OutputError::Untabled(unfinished(path)));
        }
        let tables = if csv { Some(Tables::open(tables)?) } else { None };
        let mut output = Self { records, tables };
        let left = output.resume(&line)?;
        Ok((output, left))
    }

    /// What must be recorded of a game that is written here.
    pub(crate) fn recording<G: Playable>(&self) -> Recording<G> {
        match self.tables {
            Some(_) => Recording::Tables(BoardEvaluation::new()),
            None => Recording::Game,
        }
    }

    fn resume(&mut self, header: &str) -> Result<Vec<ResumedGame>, OutputError> {
        let mut records: Vec<GameRecord> = vec![];
        self.records.retain_lines(|number, text| {
            if let Some(place) = number.checked_sub(1) {
                records.push(game_at(place, text)?);
            }
            Ok(true)
        })?;
        // A program that was killed may have written more to one file than to another. Only the
        // pairs that all files have remain.
        let whole = records.len() as u64 / 2;
        let tables = self.tables.as_mut().map(|tables| tables.whole_pairs(&records)).transpose()?;
        let pairs = tables.map_or(whole, |pairs| pairs.min(whole));
        records.truncate(2 * pairs as usize);
        let lines = records.len() + 1;
        if self.records.retain_lines(|number, _| Ok(number < lines))? == 0 {
            self.records.write(header.as_bytes())?;
        }
        let untimed = |record| ResumedGame { record, timing: Default::default() };
        let mut records: Vec<ResumedGame> = records.into_iter().map(untimed).collect();
        if let Some(tables) = &mut self.tables {
            tables.retain_pairs(pairs)?;
            tables.time(&mut records)?;
        }
        Ok(records)
    }

    /// Adds a pair. The games are written at once, because the larger tables could otherwise take
    /// the last space on a disk.
    pub(crate) fn write(&mut self, text: &PairText) -> Result<(), OutputError> {
        self.records.write(&text.records)?;
        let Some(tables) = &mut self.tables else { return Ok(()) };
        self.records.flush()?;
        tables.games.write(&text.games)?;
        tables.moves.write(&text.moves)
    }

    /// Closes the unfinished files, so that a later run of the same match can resume.
    pub(crate) fn suspend(mut self) -> Result<(), OutputError> {
        if let Some(Tables { games, moves }) = &mut self.tables {
            games.sync()?;
            moves.sync()?;
        }
        self.records.sync()
    }

    /// Gives the files their final names, the records last.
    pub(crate) fn finish(self) -> Result<(), OutputError> {
        if let Some(Tables { games, moves }) = self.tables {
            games.finish()?;
            moves.finish()?;
        }
        self.records.finish()
    }
}

impl Tables {
    fn open([games, moves]: [PathBuf; 2]) -> Result<Self, OutputError> {
        let mut tables = Self { games: Draft::open(games)?, moves: Draft::open(moves)? };
        tables.games.expect_start(GAME_COLUMNS)?;
        tables.moves.expect_start(MOVE_COLUMNS)?;
        Ok(tables)
    }

    /// The number of pairs, from the first on, for which both tables have all rows.
    fn whole_pairs(&mut self, records: &[GameRecord]) -> Result<u64, OutputError> {
        let games = whole_pairs(&mut self.games, GAME_COLUMNS, records.iter().flat_map(game_rows))?;
        let moves = whole_pairs(&mut self.moves, MOVE_COLUMNS, records.iter().flat_map(move_rows))?;
        Ok(games.min(moves))
    }

    /// Retains the rows of the first `pairs` pairs. A new table gets its first line.
    fn retain_pairs(&mut self, pairs: u64) -> Result<(), OutputError> {
        let Self { games, moves } = self;
        for (table, columns) in [(games, GAME_COLUMNS), (moves, MOVE_COLUMNS)] {
            let rows = table
                .retain_lines(|number, text| Ok(number == 0 || pair_of(text) < Some(pairs)))?;
            if rows == 0 {
                table.write(columns.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Adds the times of the moves to their games. The table of moves must hold the moves of these
    /// games and no others.
    fn time(&mut self, records: &mut [ResumedGame]) -> Result<(), OutputError> {
        self.moves.retain_lines(|number, line| {
            let row = fields(line).filter(|_| number > 0).unwrap_or_default();
            let place = |name| row.get(column(MOVE_COLUMNS, name)?)?.parse::<usize>().ok();
            let game = place("pair").zip(place("game")).map(|(pair, game)| 2 * pair + game);
            if let Some(resumed) = game.and_then(|game| records.get_mut(game)) {
                resumed.time(&row);
            }
            Ok(true)
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_written_before_their_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut draft = Draft::open(path.clone()).unwrap();
        draft.write(b"header\n").unwrap();
        let table = |name| Draft::open(folder.path().join(name)).unwrap();
        let tables = Some(Tables { games: table("a"), moves: table("b") });
        let mut output = Output { records: draft, tables };
        let [records, games, moves] =
            ["game\n", "row\n", "move\n"].map(|text| text.as_bytes().to_vec());
        output.write(&PairText { records, games, moves }).unwrap();
        let there = |path: &Path| std::fs::read_to_string(unfinished(path)).unwrap();
        assert_eq!(there(&path), "header\ngame\n");
        assert_eq!(there(&folder.path().join("b")), "");
    }

    /// Files of version 0.1 have what is left of a roll before each further move of a turn. The table
    /// has it in any case.
    #[test]
    fn each_move_of_a_turn_has_its_row_whether_the_record_repeats_the_roll_or_not() {
        let line = |roll: &str, mv: &str| format!("3,1,greedy,4,1,{roll},{mv},1,0,16,16,,");
        for moves in ["@PPR f7f5 @PR h7h5 @N b1c3", "@PPR f7f5 h7h5 @N b1c3"] {
            let game: GameRecord = serde_json::from_str(&format!(
                r#"{{"pair":3,"game":1,"first":0,"start":"","moves":"{moves}","result":"1-0","plies":2}}"#
            ))
            .unwrap();
            let rows: Vec<Row<'_>> = move_rows(&game).collect();
            let expected = [line("PPR", "f7f5"), line("PR", "h7h5"), line("N", "b1c3")];
            assert_eq!(rows.len(), expected.len());
            assert!(rows.iter().zip(&expected).all(|(row, line)| row.is(line)), "{moves}");
            assert!(!rows[0].is(&line("PR", "f7f5")) && !rows[1].is(&line("PR", "f7f5")));
        }
    }
}
