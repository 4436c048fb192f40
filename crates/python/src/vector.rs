//! Many games at once, for learning in Python, with arrays that are allocated only once.
//!
//! Each lane plays one game after the other. A step plays one move in every lane, rolls where a
//! roll is due, and begins a new game where one has ended, so that every lane has a side to move.
//! The random generator stays on this side: nothing that Python receives can foresee a roll.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{
    PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadwriteArray1, PyReadwriteArray2,
    PyReadwriteArray4,
};
use pyo3::prelude::*;
use wurfel::{LaneArrays, Lanes};
use wurfel_core::Random;

use crate::arrays;
use crate::chance::{Fork, generator};
use crate::encoding::Encoding;
use crate::error::wrong;
use crate::numbers;
use crate::position::Position;

const MAX_LANES: usize = 1 << 20;

/// The games of an environment, and whether their dice must be drawn again.
struct Games {
    lanes: Box<dyn Lanes>,
    fork: Fork,
}

/// The arrays of an environment, borrowed while they are written.
struct Borrowed<'py> {
    observations: PyReadwriteArray4<'py, f32>,
    mask: PyReadwriteArray2<'py, bool>,
    sides: PyReadwriteArray1<'py, u8>,
    rewards: PyReadwriteArray1<'py, f32>,
    dones: PyReadwriteArray1<'py, bool>,
}

impl Borrowed<'_> {
    fn buffers(&mut self) -> PyResult<LaneArrays<'_>> {
        Ok(LaneArrays {
            observations: self.observations.as_slice_mut()?,
            mask: self.mask.as_slice_mut()?,
            sides: self.sides.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            dones: self.dones.as_slice_mut()?,
        })
    }
}

/// Thousands of games that are played at once; each step plays one move in every game.
///
/// A lane plays one game after the other, with the moves of both sides: where a game ends, the next
/// one begins in the same step. The arrays are made once, and `reset` and `step` write them in
/// place, so copy whatever you want to keep. An environment can neither be copied nor pickled, and
/// its positions hold no generator, so that nobody can foresee its dice.
///
/// `size` is the number of lanes. Set-ups and dice are drawn from `seed`, or from the system if it
/// is left out; a process that is forked off then rolls dice of its own. `encoding` is the name of one of `Game.encodings`, by default the first.
#[pyclass(frozen, module = "wurfel")]
pub struct VectorEnv {
    games: Mutex<Games>,
    /// The number of games.
    #[pyo3(get)]
    size: usize,
    /// The name of the game.
    #[pyo3(get)]
    game: String,
    /// The encoding of positions and moves.
    #[pyo3(get)]
    encoding: Encoding,
    /// What the side to move sees: `float32`, shape `(size, planes, rows, columns)`.
    #[pyo3(get)]
    observations: Py<PyArray4<f32>>,
    /// Which actions are legal: `bool`, shape `(size, moves)`.
    #[pyo3(get)]
    action_mask: Py<PyArray2<bool>>,
    /// The side to move, 0 or 1: `uint8`, shape `(size,)`.
    #[pyo3(get)]
    sides: Py<PyArray1<u8>>,
    /// The reward of the last step for the side that moved in it: 1 for a win, -1 for a loss, else
    /// 0; `float32`, shape `(size,)`.
    #[pyo3(get)]
    rewards: Py<PyArray1<f32>>,
    /// Whether the last step ended a game, so that a new one has begun: `bool`, shape `(size,)`.
    #[pyo3(get)]
    dones: Py<PyArray1<bool>>,
}

impl VectorEnv {
    /// The games, with dice of this process's own.
    fn games(&self) -> PyResult<MutexGuard<'_, Games>> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(random) = games.fork.anew()? {
            games.lanes.reseed(random);
        }
        Ok(games)
    }

    fn borrowed<'py>(&self, py: Python<'py>) -> PyResult<Borrowed<'py>> {
        Ok(Borrowed {
            observations: self.observations.bind(py).try_readwrite().map_err(wrong)?,
            mask: self.action_mask.bind(py).try_readwrite().map_err(wrong)?,
            sides: self.sides.bind(py).try_readwrite().map_err(wrong)?,
            rewards: self.rewards.bind(py).try_readwrite().map_err(wrong)?,
            dones: self.dones.bind(py).try_readwrite().map_err(wrong)?,
        })
    }
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game="einstein", size=1024, *, seed=None, encoding=None))]
    fn new(
        py: Python<'_>,
        game: &str,
        #[pyo3(from_py_with = numbers::size)] size: usize,
        #[pyo3(from_py_with = numbers::seed)] seed: Option<u64>,
        encoding: Option<&str>,
    ) -> PyResult<Self> {
        if !(1..=MAX_LANES).contains(&size) {
            return Err(wrong(format!("size={size}: expected a number from 1 to {MAX_LANES}")));
        }
        let handle = wurfel::game(game).map_err(wrong)?;
        let lanes = handle.lanes(size, generator(seed)?, encoding).map_err(wrong)?;
        let encoding = Encoding::from(&*handle.encoding(encoding).map_err(wrong)?);
        let (planes, rows, columns) = encoding.shape();
        let made = Self {
            games: Mutex::new(Games { lanes, fork: Fork::since(seed) }),
            size,
            game: game.to_owned(),
            observations: PyArray4::zeros(py, [size, planes, rows, columns], false).unbind(),
            action_mask: PyArray2::zeros(py, [size, encoding.moves()], false).unbind(),
            sides: PyArray1::zeros(py, [size], false).unbind(),
            rewards: PyArray1::zeros(py, [size], false).unbind(),
            dones: PyArray1::zeros(py, [size], false).unbind(),
            encoding,
        };
        made.reset(py, None)?;
        Ok(made)
    }

    /// Begins a new game in every lane; with a `seed`, set-ups and dice are drawn from it from now on.
    #[pyo3(signature = (seed=None))]
    fn reset(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::seed)] seed: Option<u64>,
    ) -> PyResult<()> {
        let mut borrowed = self.borrowed(py)?;
        let mut buffers = borrowed.buffers()?;
        py.detach(|| {
            let mut games = self.games()?;
            if let Some(seed) = seed {
                games.lanes.reseed(Random::new(seed));
                games.fork = Fork::since(Some(seed));
            }
            games.lanes.reset(&mut buffers);
            Ok(())
        })
    }

    /// Plays one move in every lane and writes the arrays. `actions` are move indices: whole numbers
    /// of any type, shape `(size,)`.
    ///
    /// If an action is illegal, raises a `ValueError` that names the first such action, and changes
    /// nothing.
    fn step(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arrays::actions)] actions: Vec<i64>,
    ) -> PyResult<()> {
        if actions.len() != self.size {
            return Err(wrong(format!("{} actions: expected {}", actions.len(), self.size)));
        }
        let mut borrowed = self.borrowed(py)?;
        let mut buffers = borrowed.buffers()?;
        py.detach(|| self.games()?.lanes.step(&actions, &mut buffers).map_err(wrong))
    }

    /// A legal action for every lane, each equally likely: `int64`, shape `(size,)`.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut actions = vec![0; self.size];
        py.detach(|| {
            self.games()?.lanes.sample(&mut actions);
            PyResult::Ok(())
        })?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// The position of a lane, with the roll of the side to move.
    fn position(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::lane)] lane: usize,
    ) -> PyResult<Position> {
        let position = py.detach(|| PyResult::Ok(self.games()?.lanes.position(lane)))?;
        let last = self.size - 1;
        position
            .map(Position)
            .ok_or_else(|| wrong(format!("lane {lane}: expected one from 0 to {last}")))
    }

    fn __len__(&self) -> usize {
        self.size
    }

    fn __repr__(&self) -> String {
        format!("VectorEnv('{}', {}, encoding='{}')", self.game, self.size, self.encoding.name())
    }
}
