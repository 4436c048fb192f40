//! What a game offers: its encodings, and its positions from a text or before the first roll.

use pyo3::prelude::*;

use crate::chance::generator;
use crate::encoding::Encoding;
use crate::error::wrong;
use crate::game::Game;
use crate::numbers;
use crate::position::Position;

impl Game {
    /// The game in the library.
    fn handle(&self) -> PyResult<wurfel::Game> {
        wurfel::game(self.name).map_err(wrong)
    }
}

#[pymethods]
impl Game {
    /// The encodings for networks, the default first.
    #[getter]
    fn encodings(&self) -> PyResult<Vec<Encoding>> {
        Ok(self.handle()?.encodings().iter().map(|encoding| Encoding::from(&**encoding)).collect())
    }

    /// Reads a position, with its roll if the text has one.
    ///
    /// Raises a `ValueError` that names the wrong character and what was expected. With
    /// `drop_castling`, castling rights that the board rules out are dropped, not refused.
    #[pyo3(signature = (text, *, drop_castling=false))]
    fn position(&self, text: &str, drop_castling: bool) -> PyResult<Position> {
        Position::read(text, self.name, drop_castling)
    }

    /// The initial position before the first roll.
    fn start(&self) -> PyResult<Position> {
        Ok(Position(self.handle()?.start()))
    }

    /// A position before the first roll, with set-ups for both sides that are drawn at random, each
    /// equally likely.
    ///
    /// The same `seed` draws the same set-ups; without a seed, new ones are drawn each time.
    #[pyo3(signature = (seed=None))]
    fn setup(&self, #[pyo3(from_py_with = numbers::seed)] seed: Option<u64>) -> PyResult<Position> {
        Ok(Position(self.handle()?.setup(&mut generator(seed)?)))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (&'static str,))> {
        Ok((py.import("wurfel")?.getattr("game")?.unbind(), (self.name,)))
    }

    fn __repr__(&self) -> String {
        format!("wurfel.game('{}')", self.name)
    }
}
