//! The encodings of a game.

use pyo3::prelude::*;

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
    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn moves(&self) -> usize {
        self.moves
    }
}

impl From<&dyn wurfel::Encoding> for Encoding {
    fn from(encoding: &dyn wurfel::Encoding) -> Self {
        Self {
            name: encoding.name().to_owned(),
            planes: encoding.planes(),
            board: encoding.board(),
            moves: encoding.moves(),
        }
    }
}
