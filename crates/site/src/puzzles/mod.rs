//! Puzzles: positions with a roll in which few turns are good, mostly a single one. `solved.rs` makes
//! those whose values are exact, `book.rs` reads those whose values a deep search has estimated.

mod book;
mod solved;

use serde::Serialize;
use wurfel::{Game, Scene};
use wurfel_arena::ScoredMove;

use crate::agents::{AgentCache, Stop};

/// A puzzle with its solution.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Puzzle {
    /// The number of the puzzle; the same number always gives the same puzzle.
    pub number: u64,
    /// The largest number; `None` where every number has a puzzle.
    pub last: Option<u64>,
    /// The difficulty, from 1 (easy) to 4.
    pub difficulty: usize,
    /// The position.
    pub scene: Scene,
    /// The spec of the agent that estimated the values; `None` where they are exact.
    pub analyser: Option<&'static str>,
    /// The number of right moves or turns, which come first in the list.
    pub right: usize,
    /// Every move with its value for the side that moves, the best first; empty where turns are
    /// listed.
    pub moves: Vec<ScoredMove>,
    /// Every turn, the best first, where a turn takes several moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<PuzzleTurn>>,
}

/// A whole turn as an answer to a puzzle.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PuzzleTurn {
    /// The moves, in an order in which they can be made.
    pub moves: Vec<String>,
    /// The value for the side that moves.
    pub value: f64,
    /// Whether the value is exact.
    pub exact: bool,
    /// The search depth of the value in turns.
    pub depth: u32,
    /// The text of the position after the turn, the same for all orders of its moves.
    pub end: String,
}

/// Why there is no puzzle with this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum NoPuzzle {
    #[error("there are no puzzles for this game")]
    Game,
    #[error("the puzzles of this game have the numbers 1 to {0}")]
    Number(u64),
    #[error("stopped")]
    Stopped,
}

/// Whether a game has puzzles.
pub(crate) fn has_puzzles(game: Game) -> bool {
    solved::can_solve(game) || game.puzzles().is_some()
}

/// A puzzle of a game by its number.
pub(crate) fn puzzle(
    game: Game,
    number: u64,
    cache: &mut AgentCache,
    stop: Stop<'_>,
) -> Result<Puzzle, NoPuzzle> {
    match game.puzzles() {
        Some(values) => book::puzzle(game, values, number, cache),
        None => solved::puzzle(game, number, cache, stop),
    }
}
