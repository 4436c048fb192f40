//! Games that were played, as columns: one row per game, or one row per move.

use std::collections::HashMap;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use wurfel::{Games, Record, RecordStep};
use wurfel_core::{Fault, Outcome, Side};

use crate::error::wrong;
use crate::interrupt::at_once;
use crate::source;

/// Games that were played. `records(…)` reads them.
#[pyclass(frozen, module = "wurfel")]
pub struct Records {
    /// The name of the game.
    #[pyo3(get)]
    game: String,
    games: Games,
}

/// Columns by name, in the order in which they are added.
struct Columns<'py>(Vec<(&'static str, Vec<Bound<'py, PyAny>>)>);

impl<'py> Columns<'py> {
    fn new(names: &[&'static str]) -> Self {
        Self(names.iter().map(|name| (*name, vec![])).collect())
    }

    fn add<const N: usize>(&mut self, row: [Bound<'py, PyAny>; N]) {
        for ((_, column), value) in self.0.iter_mut().zip(row) {
            column.push(value);
        }
    }

    fn dictionary(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (name, column) in self.0 {
            columns.set_item(name, column)?;
        }
        Ok(columns)
    }
}

fn value<'py>(py: Python<'py>, value: impl IntoPyObjectExt<'py>) -> PyResult<Bound<'py, PyAny>> {
    value.into_bound_py_any(py)
}

#[pymethods]
impl Records {
    /// A table with one row per game: a dictionary with a list for each of `pair` (the number of
    /// the game's mirrored pair), `side_0` and `side_1` (the players), `result` (`"1-0"` when side
    /// 0 has won), `winner` (0 or 1), `plies`, `start` (the first position), `fault`, `fault_side`
    /// and `reason` (where a side lost by a fault), `time`, `place` and `event`. Whatever is not
    /// known is `None`.
    ///
    /// `pandas.DataFrame`, `polars.DataFrame` and `pyarrow.table` accept the dictionary directly.
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut columns = Columns::new(&[
            "pair",
            "side_0",
            "side_1",
            "result",
            "winner",
            "plies",
            "start",
            "fault",
            "fault_side",
            "reason",
            "time",
            "place",
            "event",
        ]);
        let known = |text: String| Some(text).filter(|text| !text.is_empty());
        for game in 0..self.games.len() {
            let Record { entry, pair, outcome, failure, event_info, start } =
                self.games.record(game);
            let [one, other] = entry.players;
            let fault_side = failure.as_ref().map(|(side, _)| side.index());
            let failure = failure.map(|(_, failure)| failure);
            let fault = failure.as_ref().map(|failure| match failure.fault {
                Fault::Crash => "crash",
                Fault::IllegalMove => "illegal_move",
                Fault::Time => "time",
            });
            columns.add([
                value(py, pair)?,
                value(py, one)?,
                value(py, other)?,
                value(py, outcome.map(|outcome| outcome.to_string()))?,
                value(py, outcome.and_then(Outcome::winner).map(Side::index))?,
                value(py, entry.plies)?,
                value(py, start)?,
                value(py, fault)?,
                value(py, fault_side)?,
                value(py, failure.and_then(|failure| known(failure.reason)))?,
                value(py, known(event_info.time))?,
                value(py, known(event_info.place))?,
                value(py, known(event_info.event))?,
            ]);
        }
        columns.dictionary(py)
    }

    /// A table with one row per move: a dictionary with a list for each of `game` (the row of the
    /// move's game), `ply`, `side` and `player` (who moves), `roll`, `rolled` (false where a side
    /// goes on with the rest of its roll), `move`, and `points` (the result of the game for this
    /// player: 1, 0.5 or 0). `positions=True` adds `position`, the position that the player saw.
    #[pyo3(signature = (*, positions=false))]
    fn moves<'py>(&self, py: Python<'py>, positions: bool) -> PyResult<Bound<'py, PyDict>> {
        let mut names = vec!["game", "ply", "side", "player", "roll", "rolled", "move", "points"];
        names.extend(positions.then_some("position"));
        let mut columns = Columns::new(&names);
        // Millions of rows share a few texts.
        let mut texts: HashMap<String, Bound<'py, PyString>> = HashMap::new();
        let mut shared = |text: String| {
            let object = texts.entry(text).or_insert_with_key(|text| PyString::new(py, text));
            object.clone().into_any()
        };
        for game in 0..self.games.len() {
            let Record { entry, outcome, .. } = self.games.record(game);
            let players = entry.players.map(&mut shared);
            let mut failed = Ok(());
            self.games.replay(game, &mut |RecordStep { position, mv, rolled }| {
                let side = position.side();
                let add = || {
                    columns.add([
                        value(py, game)?,
                        value(py, position.ply())?,
                        value(py, side.index())?,
                        players[side.index()].clone(),
                        shared(position.roll().unwrap_or_default()),
                        value(py, rolled)?,
                        shared(mv),
                        value(py, outcome.map(|outcome| outcome.value_for(side)))?,
                        value(py, positions.then(|| position.to_string()))?,
                    ]);
                    PyResult::Ok(())
                };
                if failed.is_ok() {
                    failed = add();
                }
            });
            failed?;
        }
        columns.dictionary(py)
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    fn __repr__(&self) -> String {
        format!("Records('{}', {} games)", self.game, self.games.len())
    }
}

/// Reads games that were played, as tables.
///
/// Each of `games` is a text in any form that the program reads (the records of a match, move
/// lists, WTN), the `bytes` of such a text, the path of a file, or the path of a folder with files
/// that end in `.jsonl`, such as a tournament writes. A path must be an object such as
/// `pathlib.Path`, because a string is read as a text. `game` is the game's name; by default it
/// is found in the first text.
#[pyfunction]
#[pyo3(signature = (*games, game=None))]
pub fn records(
    py: Python<'_>,
    games: Vec<Bound<'_, PyAny>>,
    game: Option<&str>,
) -> PyResult<Records> {
    let texts: Vec<Vec<String>> = games.iter().map(source::texts).collect::<PyResult<_>>()?;
    let texts = texts.concat();
    let first = texts.first().ok_or_else(|| wrong("games: expected at least one text or path"))?;
    let game = source::game(game, first)?;
    let games = at_once(py, || {
        let handle = wurfel::game(&game).map_err(wrong)?;
        let mut games = handle.no_games();
        for text in &texts {
            games.append(handle.read_games(text).map_err(wrong)?);
        }
        PyResult::Ok(games)
    })??;
    source::warn(py, &games)?;
    Ok(Records { game, games })
}
