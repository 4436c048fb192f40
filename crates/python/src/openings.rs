//! What a game offers: its encodings, and its positions from a text or before the first roll.

use std::sync::Arc;

use pyo3::prelude::*;
use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_core::{Random, Situation};

use crate::encoding::{Encoding, encodings};
use crate::error::wrong;
use crate::game::Game;
use crate::numbers;
use crate::position::Position;
use crate::state::AnyState;

/// A position before the first roll: with set-ups that are drawn, or the usual position.
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
    /// Raises a `ValueError` that names the wrong character and what was expected. With
    /// `drop_castling`, rights to castle that the board rules out are dropped and not refused.
    #[pyo3(signature = (text, *, drop_castling=false))]
    fn position(&self, text: &str, drop_castling: bool) -> PyResult<Position> {
        Position::read(text, self.name, drop_castling)
    }

    /// The usual position before the first roll.
    fn start(&self) -> PyResult<Position> {
        Ok(Position(with_game(self.name, Start(None)).map_err(wrong)?))
    }

    /// A position before the first roll, with set-ups for both sides that are drawn at random, each
    /// equally likely.
    ///
    /// The same `seed` draws the same set-ups; without a seed, new ones are drawn each time.
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
