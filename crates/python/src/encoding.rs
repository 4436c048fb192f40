//! The encodings of a game.

use pyo3::prelude::*;
use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_core::Encode;

use crate::error::wrong;

/// How a network reads a game: positions as planes of numbers, and moves as indices.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct Encoding {
    /// The name of the encoding in network files.
    name: String,
    /// The number of planes.
    planes: usize,
    /// The number of cells along one side of the board.
    board: usize,
    /// The number of move indices.
    moves: usize,
}

#[pymethods]
impl Encoding {
    #[new]
    const fn new(name: String, planes: usize, board: usize, moves: usize) -> Self {
        Self { name, planes, board, moves }
    }

    fn __getnewargs__(&self) -> (&str, usize, usize, usize) {
        (&self.name, self.planes, self.board, self.moves)
    }

    /// The shape of an encoded position: planes, rows, columns.
    #[getter]
    pub fn shape(&self) -> (usize, usize, usize) {
        (self.planes, self.board, self.board)
    }

    fn __repr__(&self) -> String {
        let Self { name, planes, board, moves } = self;
        format!("Encoding(name='{name}', planes={planes}, board={board}, moves={moves})")
    }
}

impl Encoding {
    pub fn of<G: Catalogued>(encoding: &dyn Encode<G>) -> Self {
        Self {
            name: encoding.name().to_owned(),
            planes: encoding.planes(),
            board: encoding.board(),
            moves: encoding.moves(),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn moves(&self) -> usize {
        self.moves
    }
}

/// All encodings of a game.
struct All;

impl UseGame for All {
    type Output = Vec<Encoding>;

    fn with<G: Catalogued>(self) -> Vec<Encoding> {
        G::ENCODINGS.iter().map(|&encoding| Encoding::of(encoding)).collect()
    }
}

/// The encodings of a game, the default first.
pub fn encodings(game: &str) -> PyResult<Vec<Encoding>> {
    with_game(game, All).map_err(wrong)
}

/// The encoding with this name, or the default one of game `G`.
pub fn find<G: Catalogued>(name: Option<&str>) -> Result<&'static dyn Encode<G>, String> {
    let fits = |encoding: &&&dyn Encode<G>| name.is_none_or(|name| encoding.name() == name);
    G::ENCODINGS.iter().find(fits).copied().ok_or_else(|| {
        let names: Vec<&str> = G::ENCODINGS.iter().map(|encoding| encoding.name()).collect();
        let expected = if names.is_empty() { "a game with one".into() } else { names.join(" or ") };
        format!("encoding '{}': expected {expected}", name.unwrap_or("of networks"))
    })
}
