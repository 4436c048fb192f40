//! Turns as planes of numbers and moves as indices: what networks read and say.

use crate::{Game, Turn};

/// An encoding of a game for networks.
///
/// A turn becomes planes over a square board, one number a cell; a move becomes the
/// index of an output. The contract, which tests of each encoding prove: different legal
/// moves of a turn have different indices, and images have the same value.
pub trait Encode<G: Game>: Send + Sync {
    /// The name in network files; never changes.
    fn name(&self) -> &'static str;

    /// Cells along a side of the board.
    fn board(&self) -> usize;

    /// How many planes there are.
    fn planes(&self) -> usize;

    /// How many indices there are.
    fn moves(&self) -> usize;

    /// Writes the turn, plane by plane, cell by cell, into numbers that are all 0.
    fn write(&self, turn: Turn<'_, G>, planes: &mut [f32]);

    /// The index of a legal move, below [`moves`](Self::moves).
    fn index(&self, turn: Turn<'_, G>, mv: G::Move) -> usize;

    /// How many turns with other planes have, for the side that decides, the same value:
    /// the turn itself is image 0.
    fn images(&self) -> usize {
        1
    }

    /// One of these turns, by number below [`images`](Self::images).
    fn image(&self, turn: Turn<'_, G>, _number: usize) -> (G, G::Roll) {
        (turn.position.clone(), turn.roll)
    }

    /// What a legal move of the turn is in that image.
    fn move_image(&self, _turn: Turn<'_, G>, mv: G::Move, _number: usize) -> G::Move {
        mv
    }
}
