//! Games that were played, as columns: one row per game, or one row per move.

use std::collections::HashMap;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_arena::{FiledGame, read_games};
use wurfel_core::{Fault, Outcome, Side};

use crate::error::wrong;
use crate::interrupt::at_once;
use crate::source;

/// A game as a row.
struct GameRow {
    pair: Option<u64>,
    players: [String; 2],
    result: Option<String>,
    winner: Option<usize>,
    plies: u32,
    start: String,
    fault: Option<&'static str>,
    fault_side: Option<usize>,
    reason: Option<String>,
    time: String,
    place: String,
    event: String,
}

/// A move as a row.
struct MoveRow {
    game: usize,
    ply: u32,
    side: usize,
    position: Option<String>,
    roll: String,
    rolled: bool,
    mv: String,
    points: Option<f32>,
}

/// The games of any rule set.
trait AnyGames: Send + Sync {
    fn len(&self) -> usize;
    /// What was assumed of the games.
    fn assumed(&self) -> Vec<String>;
    fn players(&self, game: usize) -> [String; 2];
    fn row(&self, game: usize) -> GameRow;
    /// Passes the moves of all games to `see`, with the text of each position if `positions`.
    fn moves(&self, positions: bool, see: &mut dyn FnMut(MoveRow) -> PyResult<()>) -> PyResult<()>;
}

/// The name of a player, or of the side where the player is not known.
fn player<G: Catalogued>(filed: &FiledGame<G>, side: Side) -> String {
    match filed.game.players[side].as_str() {
        "" => G::SIDES[side].to_owned(),
        name => name.to_owned(),
    }
}

impl<G: Catalogued> AnyGames for Vec<FiledGame<G>> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn assumed(&self) -> Vec<String> {
        self.iter().flat_map(|filed| filed.assumed.clone()).collect()
    }

    fn players(&self, game: usize) -> [String; 2] {
        Side::BOTH.map(|side| player(&self[game], side))
    }

    fn row(&self, game: usize) -> GameRow {
        let filed = &self[game];
        let (start, now) = (filed.game.start(), filed.game.now());
        let fault = |fault| match fault {
            Fault::Crash => "crash",
            Fault::IllegalMove => "illegal_move",
            Fault::Time => "time",
        };
        let failure = filed.failure.as_ref();
        GameRow {
            pair: filed.pair,
            players: self.players(game),
            result: filed.game.result.map(|result| result.to_string()),
            winner: filed.game.result.and_then(Outcome::winner).map(Side::index),
            plies: now.ply() - start.ply(),
            start: start.to_string(),
            fault: failure.map(|(_, failure)| fault(failure.fault)),
            fault_side: failure.map(|(side, _)| side.index()),
            reason: failure.map(|(_, failure)| failure.reason.clone()),
            time: filed.game.occasion.time.clone(),
            place: filed.game.occasion.place.clone(),
            event: filed.game.occasion.event.clone(),
        }
    }

    fn moves(&self, positions: bool, see: &mut dyn FnMut(MoveRow) -> PyResult<()>) -> PyResult<()> {
        for (game, filed) in self.iter().enumerate() {
            let mut seen = Ok(());
            filed.game.replay(|step| {
                let (turn, side) = (step.turn, step.turn.side());
                if seen.is_ok() {
                    seen = see(MoveRow {
                        game,
                        ply: turn.position.ply(),
                        side: side.index(),
                        position: positions.then(|| turn.situation().to_string()),
                        roll: turn.roll.to_string(),
                        rolled: step.rolled,
                        mv: step.mv.to_string(),
                        points: filed.game.result.map(|result| result.value_for(side)),
                    });
                }
            });
            seen?;
        }
        Ok(())
    }
}

struct Read<'a>(&'a [String]);

impl UseGame for Read<'_> {
    type Output = PyResult<Box<dyn AnyGames>>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let mut games: Vec<FiledGame<G>> = vec![];
        for text in self.0 {
            games.extend(read_games(text).map_err(wrong)?);
        }
        Ok(Box::new(games))
    }
}

/// Games that were played. `records(…)` reads them.
#[pyclass(frozen, module = "wurfel")]
pub struct Records {
    /// The name of the game.
    #[pyo3(get)]
    game: String,
    games: Box<dyn AnyGames>,
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

/// A value of Python.
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
            let row = self.games.row(game);
            let [one, other] = row.players;
            columns.add([
                value(py, row.pair)?,
                value(py, one)?,
                value(py, other)?,
                value(py, row.result)?,
                value(py, row.winner)?,
                value(py, row.plies)?,
                value(py, row.start)?,
                value(py, row.fault)?,
                value(py, row.fault_side)?,
                value(py, row.reason.and_then(known))?,
                value(py, known(row.time))?,
                value(py, known(row.place))?,
                value(py, known(row.event))?,
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
        let mut players: Option<(usize, [Bound<'py, PyAny>; 2])> = None;
        self.games.moves(positions, &mut |row| {
            let (_, names) = match players.take() {
                Some(known) if known.0 == row.game => players.insert(known),
                _ => players.insert((row.game, self.games.players(row.game).map(&mut shared))),
            };
            let player = names[row.side].clone();
            columns.add([
                value(py, row.game)?,
                value(py, row.ply)?,
                value(py, row.side)?,
                player,
                shared(row.roll),
                value(py, row.rolled)?,
                shared(row.mv),
                value(py, row.points)?,
                value(py, row.position)?,
            ]);
            Ok(())
        })?;
        columns.dictionary(py)
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    fn __repr__(&self) -> String {
        format!("Records('{}', {} games)", self.game, self.games.len())
    }
}

/// Reads games that were played, and gives them as tables.
///
/// Each of `games` is a text in any form that the program reads (the records of a match, move
/// lists, WTN), the `bytes` of such a text, the path of a file, or the path of a folder with files
/// that end in `.jsonl`, such as a tournament writes. A path must be an object such as
/// `pathlib.Path`, because a string is read as a text. `game` is the game's name; if left out, it
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
    let games = at_once(py, || with_game(&game, Read(&texts)).map_err(wrong)?)??;
    source::warn(py, &games.assumed())?;
    Ok(Records { game, games })
}
