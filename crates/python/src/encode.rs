//! Arrays for networks: positions as planes, and moves as indices.

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use wurfel::Encoding;

use crate::error::wrong;
use crate::position::Position;

/// An encoded batch: its numbers, and the shape of each position.
struct Encoded {
    planes: Vec<f32>,
    mask: Vec<bool>,
    shape: [usize; 3],
    moves: usize,
}

/// The encoding with this name of a position's game, or its default one.
fn encoding_of(position: &Position, name: Option<&str>) -> PyResult<Box<dyn Encoding>> {
    wurfel::game(position.0.game()).map_err(wrong)?.encoding(name).map_err(wrong)
}

fn encoded(positions: &[Position], name: Option<&str>) -> PyResult<Encoded> {
    let first = positions.first().ok_or_else(|| wrong("positions: expected at least one"))?;
    let encoding = encoding_of(first, name)?;
    let (board, planes, moves) = (encoding.board(), encoding.planes(), encoding.moves());
    let size = planes * board * board;
    let mut encoded = Encoded {
        planes: vec![0.0; size * positions.len()],
        mask: vec![false; moves * positions.len()],
        shape: [planes, board, board],
        moves,
    };
    let rows = encoded.planes.chunks_exact_mut(size).zip(encoded.mask.chunks_exact_mut(moves));
    for (Position(position), (planes, mask)) in positions.iter().zip(rows) {
        encoding.write(position, planes).map_err(wrong)?;
        for index in encoding.indices(position).map_err(wrong)? {
            mask[index] = true;
        }
    }
    Ok(encoded)
}

/// Positions of one game as a `float32` array of shape `(positions, planes, rows, columns)`.
///
/// `encoding` is the name of one of `Game.encodings`, by default the first. Before the roll, the
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
/// All of a row is false where nobody can move, which is before the roll and after the end.
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

/// The index of each legal move, in the order of `Position.legal_moves()`.
#[pyfunction]
#[pyo3(signature = (position, encoding=None))]
pub fn move_indices(position: &Position, encoding: Option<&str>) -> PyResult<Vec<usize>> {
    encoding_of(position, encoding)?.indices(&position.0).map_err(wrong)
}
