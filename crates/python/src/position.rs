//! Positions as Python sees them.
//!
//! A position never changes: playing a move gives another one. It holds no random generator, so
//! nobody who is given a position, least of all a planner, can foresee the dice of the game that it
//! comes from.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use wurfel_core::{Outcome, Side};

use crate::chance::generator;
use crate::error::wrong;
use crate::game::{Game, game};
use crate::numbers;

/// A position of a game, before or after the roll.
///
/// Positions are immutable and can be compared, hashed, copied and pickled. They hold no random
/// generator, so nobody can foresee the next roll from a position; `step_chance` draws a fresh one.
/// Sides are numbered 0 and 1 as in `Game.sides`.
///
/// `Position(text, game="einstein")` reads a text such as `'ABC2/DE3/F3f/3ed/2cba r 4 1'`; a
/// `ValueError` names the character that is wrong. With `drop_castling`, castling rights that the
/// board rules out are dropped, not refused.
#[pyclass(frozen, from_py_object, module = "wurfel")]
#[derive(Clone)]
pub struct Position(pub wurfel::Position);

impl Position {
    pub fn read(text: &str, game: &str, drop_castling: bool) -> PyResult<Self> {
        let game = wurfel::game(game).map_err(wrong)?;
        game.read(text, drop_castling).map(Self).map_err(wrong)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text, game="einstein", *, drop_castling=false))]
    fn new(text: &str, game: &str, drop_castling: bool) -> PyResult<Self> {
        Self::read(text, game, drop_castling)
    }

    /// The game to which the position belongs.
    #[getter]
    fn game(&self) -> PyResult<Game> {
        game(self.0.game())
    }

    /// The text form, from which `Position(text, game)` reads the same position.
    #[getter]
    fn text(&self) -> String {
        self.0.to_string()
    }

    /// What the dice show, or what is left of it to play; `None` before the roll.
    #[getter]
    fn roll(&self) -> Option<String> {
        self.0.roll()
    }

    /// The side that rolls or moves next: 0 or 1.
    #[getter]
    fn side(&self) -> usize {
        self.0.side().index()
    }

    /// The number of the turn, counted from 1.
    #[getter]
    fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// How the game ended: `"1-0"` (side 0 has won), `"0-1"` or `"1/2-1/2"`; `None` while the game
    /// goes on.
    #[getter]
    fn outcome(&self) -> Option<String> {
        self.0.outcome().map(|outcome| outcome.to_string())
    }

    /// The side that has won, 0 or 1; `None` while the game goes on and after a draw.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.0.outcome().and_then(Outcome::winner).map(Side::index)
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    /// Whether a roll is due: the game goes on and there is no roll.
    #[getter]
    fn is_chance(&self) -> bool {
        !self.is_over() && self.0.roll().is_none()
    }

    /// The rolls that differ here, each with its probability; the probabilities sum to 1.
    ///
    /// Rolls that allow the same moves are merged. Raises `ValueError` unless a roll is due.
    fn chance_outcomes(&self) -> PyResult<Vec<(String, f64)>> {
        let rolls = self.0.rolls();
        if rolls.is_empty() {
            return Err(wrong(self.0.refused("one in which a roll is due")));
        }
        let chances: u32 = rolls.iter().map(|of| of.weight).sum();
        let share = |weight: u32| f64::from(weight) / f64::from(chances);
        Ok(rolls.into_iter().map(|of| (of.item, share(of.weight))).collect())
    }

    /// The position after the roll with this text, such as `"4"` or `"PNB"`.
    ///
    /// Raises `ValueError` when no roll is due or when this roll is not possible here.
    fn rolled(&self, roll: &str) -> PyResult<Self> {
        self.0.rolled(roll).map(Self).map_err(wrong)
    }

    /// The position after a roll of the physical dice.
    ///
    /// The same `seed` gives the same roll. Without a seed, the system draws a fresh roll, which
    /// has nothing to do with the dice of any game. Raises `ValueError` unless a roll is due.
    #[pyo3(signature = (seed=None))]
    fn step_chance(
        &self,
        #[pyo3(from_py_with = numbers::seed)] seed: Option<u64>,
    ) -> PyResult<Self> {
        self.0.roll_dice(&mut generator(seed)?).map(Self).map_err(wrong)
    }

    /// The legal moves as texts, in an order that depends only on position and roll.
    ///
    /// The list is empty before the roll and after the end. A forced pass is a move.
    fn legal_moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// The position after a move. The new position has a roll if the same side goes on with the
    /// rest of its roll.
    ///
    /// If the move is not legal, raises a `ValueError` that lists the legal moves.
    #[pyo3(name = "play")]
    fn play_move(&self, r#move: &str) -> PyResult<Self> {
        self.0.played(r#move).map(Self).map_err(wrong)
    }

    /// The result for a side after the end: 1 for a win, 0.5 for a draw, 0 for a loss.
    ///
    /// `None` while the game goes on.
    fn result(&self, #[pyo3(from_py_with = numbers::side)] side: usize) -> PyResult<Option<f32>> {
        let side = Side::BOTH.get(side).copied();
        let side = side.ok_or_else(|| wrong("side: expected 0 or 1"))?;
        Ok(self.0.outcome().map(|outcome| outcome.value_for(side)))
    }

    /// A picture of the board in SVG, with the roll and the pieces that the roll lets move.
    fn svg(&self) -> String {
        self.0.diagram().svg()
    }

    /// A picture of the board as lines of text.
    fn diagram(&self) -> String {
        self.0.diagram().text(false)
    }

    /// The picture that notebooks show.
    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', '{}')", self.0, self.0.game())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.0 == other.get().0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let arguments = PyTuple::new(py, [self.0.to_string(), self.0.game().to_owned()])?;
        Ok((py.get_type::<Self>().into_any(), arguments))
    }
}
