//! The games of the catalogue by their names.

use pyo3::prelude::*;
use wurfel::{Facts, all_games};
use wurfel_core::Side;

use crate::error::wrong;

/// A game of the catalogue. `wurfel.game("einstein")` finds one by its name.
#[pyclass(frozen, eq, hash, module = "wurfel")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Game {
    /// The name in commands and records.
    #[pyo3(get)]
    pub name: &'static str,
    /// The name that is shown to people.
    #[pyo3(get)]
    pub title: &'static str,
    /// A description in one line.
    #[pyo3(get)]
    pub about: &'static str,
    /// The names of side 0 and side 1.
    #[pyo3(get)]
    pub sides: (&'static str, &'static str),
    /// The names of the evaluations that agents can use, the default first.
    #[pyo3(get)]
    pub evaluations: Vec<&'static str>,
}

impl From<wurfel::Game> for Game {
    fn from(game: wurfel::Game) -> Self {
        let Facts { name, title, about, sides, evaluations, .. } = game.facts();
        Self {
            name,
            title,
            about,
            sides: (sides[Side::First], sides[Side::Second]),
            evaluations: evaluations.iter().map(|evaluation| evaluation.name).collect(),
        }
    }
}

/// The game with this name.
///
/// If there is none, raises a `ValueError` with the nearest known name.
#[pyfunction]
pub fn game(name: &str) -> PyResult<Game> {
    wurfel::game(name).map(Game::from).map_err(wrong)
}

/// All games, the default first.
#[pyfunction(name = "games")]
pub fn games() -> Vec<Game> {
    all_games().map(Game::from).collect()
}
