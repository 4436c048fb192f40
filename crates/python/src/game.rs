//! The games of the catalogue: their names, and the sources of positions.

use std::sync::Arc;

use pyo3::prelude::*;
use wurfel_agents::{Catalogued, UseGame, games, with_game};
use wurfel_core::{NotationError, Random, Side, Situation};

use crate::encode::{Encoding, encodings};
use crate::error::wrong;
use crate::numbers;
use crate::position::Position;
use crate::state::AnyState;

/// A game of the catalogue. `wurfel.game("einstein")` finds one by its name.
#[pyclass(frozen, eq, hash, module = "wurfel")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Game {
    /// The name in commands and records.
    #[pyo3(get)]
    pub name: &'static str,
    /// The name for people.
    #[pyo3(get)]
    pub title: &'static str,
    /// A description in one line.
    #[pyo3(get)]
    pub about: &'static str,
    /// The names of side 0 and side 1.
    #[pyo3(get)]
    pub sides: (&'static str, &'static str),
    /// The names of the evaluations for agents, the default first.
    #[pyo3(get)]
    pub evaluations: Vec<&'static str>,
}

/// Facts about a game.
struct Facts;

impl UseGame for Facts {
    type Output = Game;

    fn with<G: Catalogued>(self) -> Game {
        Game {
            name: G::NAME,
            title: G::TITLE,
            about: G::ABOUT,
            sides: (G::SIDES[Side::First], G::SIDES[Side::Second]),
            evaluations: G::EVALUATIONS.iter().map(|evaluation| evaluation.name).collect(),
        }
    }
}

/// A position from its text.
pub struct Read<'a>(pub &'a str);

impl UseGame for Read<'_> {
    type Output = Result<Arc<dyn AnyState>, NotationError>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let situation: Situation<G> = self.0.trim().parse()?;
        Ok(Arc::new(situation))
    }
}

/// A position before the first roll: with set-ups that are drawn, or the usual one.
struct Start(Option<Random>);

impl UseGame for Start {
    type Output = Arc<dyn AnyState>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let position = self.0.map_or_else(G::default, |mut random| G::setup(&mut random));
        Arc::new(Situation { position, roll: None })
    }
}

#[pymethods]
impl Game {
    /// The encodings for networks, the default first.
    #[getter]
    fn encodings(&self) -> PyResult<Vec<Encoding>> {
        encodings(self.name)
    }

    /// Reads a position, with its roll if the text has one.
    ///
    /// Raises `ValueError` that names the character that is wrong and what was expected.
    fn position(&self, text: &str) -> PyResult<Position> {
        Position::read(text, self.name)
    }

    /// The usual position before the first roll.
    fn start(&self) -> PyResult<Position> {
        Ok(Position(with_game(self.name, Start(None)).map_err(wrong)?))
    }

    /// A position before the first roll for which both set-ups are drawn, each equally likely.
    ///
    /// The same `seed` draws the same set-ups; without one they are drawn anew each time.
    #[pyo3(signature = (seed=None))]
    fn setup(&self, #[pyo3(from_py_with = numbers::seed)] seed: Option<u64>) -> PyResult<Position> {
        let random = crate::chance::generator(seed)?;
        Ok(Position(with_game(self.name, Start(Some(random))).map_err(wrong)?))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (&'static str,))> {
        Ok((py.import("wurfel")?.getattr("game")?.unbind(), (self.name,)))
    }

    fn __repr__(&self) -> String {
        format!("wurfel.game('{}')", self.name)
    }
}

/// The game with this name.
///
/// Raises `ValueError` that names the nearest known name.
#[pyfunction]
pub fn game(name: &str) -> PyResult<Game> {
    with_game(name, Facts).map_err(wrong)
}

/// All games, the default first.
#[pyfunction(name = "games")]
pub fn all_games() -> PyResult<Vec<Game>> {
    games().iter().map(|info| game(info.name)).collect()
}
