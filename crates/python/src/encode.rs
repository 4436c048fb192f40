//! Arrays for networks: positions as planes, and moves as indices.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_core::{Situation, Turn};

use crate::encoding::find;
use crate::error::wrong;
use crate::position::Position;
use crate::state::{AnyState, known, refused};

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
