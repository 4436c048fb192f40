//! Positions as arrays for networks: planes, and moves as indices.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_core::{Encode, Situation, Turn};

use crate::error::wrong;
use crate::position::Position;
use crate::state::{AnyState, known, refused};

/// An encoding: positions as planes of numbers, moves as indices.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct Encoding {
    /// The name in files of networks.
    name: String,
    /// The number of planes.
    planes: usize,
    /// The number of cells of a side of the board.
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

/// Positions of one game that are to be encoded.
struct Batch<'a> {
    states: &'a [Arc<dyn AnyState>],
    encoding: Option<&'a str>,
}

/// An encoded batch: its numbers, and the shape of each position.
struct Encoded {
    planes: Vec<f32>,
    mask: Vec<bool>,
    shape: [usize; 3],
    moves: usize,
}

impl UseGame for Batch<'_> {
    type Output = Result<Encoded, String>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let encoding = find::<G>(self.encoding)?;
        let (board, planes, moves) = (encoding.board(), encoding.planes(), encoding.moves());
        let size = planes * board * board;
        let mut encoded = Encoded {
            planes: vec![0.0; size * self.states.len()],
            mask: vec![false; moves * self.states.len()],
            shape: [planes, board, board],
            moves,
        };
        let rows = encoded.planes.chunks_exact_mut(size).zip(encoded.mask.chunks_exact_mut(moves));
        for (state, (planes, mask)) in self.states.iter().zip(rows) {
            let situation = known::<G>(&**state)
                .ok_or_else(|| refused(&**state, &format!("one of {}", G::NAME)).to_string())?;
            encoding.write(situation, planes);
            if let Some(turn) = situation.turn().filter(|turn| turn.position.outcome().is_none()) {
                for &mv in turn.moves().as_ref() {
                    mask[encoding.index(turn, mv)] = true;
                }
            }
        }
        Ok(encoded)
    }
}

fn encoded(positions: &[Position], encoding: Option<&str>) -> PyResult<Encoded> {
    let first = positions.first().ok_or_else(|| wrong("positions: expected at least one"))?;
    let states: Vec<_> = positions.iter().map(|position| Arc::clone(&position.0)).collect();
    let batch = Batch { states: &states, encoding };
    with_game(first.0.game(), batch).map_err(wrong)?.map_err(wrong)
}

/// Positions of one game as a `float32` array of shape `(positions, planes, rows, columns)`.
///
/// `encoding` is a name from `Game.encodings`, the default one if left out. Before the roll, the
/// numbers that would describe the roll are 0.
#[pyfunction]
#[pyo3(signature = (positions, encoding=None))]
pub fn encode<'py>(
    py: Python<'py>,
    positions: Vec<Position>,
    encoding: Option<&str>,
) -> PyResult<Bound<'py, PyArray4<f32>>> {
    let Encoded { planes, shape: [depth, rows, columns], .. } = encoded(&positions, encoding)?;
    PyArray1::from_vec(py, planes).reshape([positions.len(), depth, rows, columns])
}

/// Which moves are legal, as a `bool` array of shape `(positions, moves)`.
///
/// A row is false everywhere where nobody can move: before the roll and after the end.
#[pyfunction]
#[pyo3(signature = (positions, encoding=None))]
pub fn legal_mask<'py>(
    py: Python<'py>,
    positions: Vec<Position>,
    encoding: Option<&str>,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let Encoded { mask, moves, .. } = encoded(&positions, encoding)?;
    PyArray1::from_vec(py, mask).reshape([positions.len(), moves])
}

/// The index of each legal move of a position.
struct Indices<'a> {
    state: &'a dyn AnyState,
    encoding: Option<&'a str>,
}

impl UseGame for Indices<'_> {
    type Output = Result<Vec<usize>, String>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let encoding = find::<G>(self.encoding)?;
        let turn = known::<G>(self.state).and_then(Situation::turn);
        let turn = turn.filter(|turn| turn.position.outcome().is_none());
        let index = |turn: Turn<'_, G>| {
            turn.moves().as_ref().iter().map(|&mv| encoding.index(turn, mv)).collect()
        };
        Ok(turn.map_or(vec![], index))
    }
}

/// The index of each legal move, in the order of `Position.legal_moves()`.
#[pyfunction]
#[pyo3(signature = (position, encoding=None))]
pub fn move_indices(position: &Position, encoding: Option<&str>) -> PyResult<Vec<usize>> {
    let indices = Indices { state: &*position.0, encoding };
    with_game(position.0.game(), indices).map_err(wrong)?.map_err(wrong)
}
