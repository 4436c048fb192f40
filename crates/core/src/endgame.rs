//! Endgames: how a game numbers and solves its positions with few pieces, so that their exact
//! values can be stored in tablebase files.

use crate::Game;

/// The number of a position among all positions with the same number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EndgameIndex {
    /// Pieces of both sides on the board.
    pub pieces: u32,
    /// The position's number: from 0, without gaps.
    pub index: u64,
}

/// How a game numbers and solves its positions with few pieces. A game that keeps the defaults has
/// no tablebase.
///
/// The positions with *n* pieces form a layer, numbered from 0 without gaps. A layer is divided
/// into units of consecutive numbers. The values in a unit depend only on each other and on layers
/// with fewer pieces, so that units can be solved one at a time and written as they are finished.
/// Positions whose values are always equal may share a number. Only positions before the end of the
/// game are numbered.
pub trait Endgame: Game {
    /// Positions with more pieces than this are not numbered; below 2 none are.
    const MAX_PIECES: u32 = 0;

    /// How many positions each unit of a layer has, in the order of their numbers.
    fn units(_pieces: u32) -> Vec<u64> {
        vec![]
    }

    /// The number of this position; `None` when the game is over or when there are more than
    /// `_most` pieces.
    fn place(&self, _most: u32) -> Option<EndgameIndex> {
        None
    }

    /// A position with this number; `None` when there is none.
    fn at_place(_place: EndgameIndex) -> Option<Self> {
        None
    }

    /// An upper bound on the memory that [`Endgame::solve`] takes for a unit, in bytes, its result
    /// included.
    fn memory(_pieces: u32, _unit: usize, _threads: usize) -> u64 {
        0
    }

    /// The values of a unit for the **side to move** before its roll, in steps of 1/65,535 and in
    /// the order of the positions' numbers. `known` returns the values of positions with one piece
    /// fewer, also for the side to move. The result does not depend on the number of threads.
    fn solve(
        _pieces: u32,
        _unit: usize,
        _known: &(impl Fn(EndgameIndex) -> f32 + Sync),
        _threads: usize,
    ) -> Vec<u16> {
        vec![]
    }
}
