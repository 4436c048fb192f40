//! Endgames that are solved once and for all: what a game says of its positions
//! with few pieces, so that their exact values can be kept in files.

use crate::Game;

/// The number of a position among all positions with as many pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EndgameIndex {
    /// Pieces on the board, of both sides together.
    pub pieces: u32,
    /// The number, from 0, without gaps.
    pub index: u64,
}

/// What a game says of its positions with few pieces, so that they can be solved. A game
/// that says nothing has none that can.
///
/// The positions with *n* pieces are a layer, numbered from 0 without gaps. A layer falls
/// into units of consecutive numbers; a unit rests only on itself and on layers of fewer
/// pieces, so that units can be solved one by one and written down as they come. Positions
/// whose values are always equal may share a number. Only positions before the end have
/// one.
pub trait Endgame: Game {
    /// Positions with more pieces are not numbered; with fewer than 2 none are.
    const MAX_PIECES: u32 = 0;

    /// How many positions each unit of a layer has, in the order of their numbers.
    fn units(_pieces: u32) -> Vec<u64> {
        vec![]
    }

    /// The number of this position; `None` when the game is over or there are more than
    /// `most` pieces.
    fn place(&self, _most: u32) -> Option<EndgameIndex> {
        None
    }

    /// A position with this number; `None` when there is none.
    fn at_place(_place: EndgameIndex) -> Option<Self> {
        None
    }

    /// The bytes that [`Endgame::solve`] needs at most for a unit, its result
    /// included.
    fn memory(_pieces: u32, _unit: usize, _threads: usize) -> u64 {
        0
    }

    /// The values of a unit for the **side to move** before its roll in steps of
    /// 1/65,535, in the order of the numbers. `known` gives the values of places with
    /// one piece less, also for the side to move. The result does not depend on the
    /// number of threads.
    fn solve(
        _pieces: u32,
        _unit: usize,
        _known: &(impl Fn(EndgameIndex) -> f32 + Sync),
        _threads: usize,
    ) -> Vec<u16> {
        vec![]
    }
}
