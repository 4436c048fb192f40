//! Positions as planes of numbers and moves as indices: what networks read and say.

use crate::{Game, Situation, Turn};

/// An encoding of a game for networks.
///
/// A position, rolled or at rest, becomes planes over a square board, one number a cell; a move
/// becomes the index of an output. The contract, which tests of each encoding prove: different
/// legal moves of a turn have different indices, and images have the same value.
pub trait Encode<G: Game>: Send + Sync {
    /// The name in network files; never changes.
    fn name(&self) -> &'static str;

    /// Cells along a side of the board.
    fn board(&self) -> usize;

    /// How many planes there are.
    fn planes(&self) -> usize;

    /// How many indices there are.
    fn moves(&self) -> usize;

    /// Writes a position, plane by plane, cell by cell, into numbers that are all 0. What would
    /// tell its roll stays 0 at rest.
    fn write(&self, situation: &Situation<G>, planes: &mut [f32]);

    /// The index of a legal move, below [`moves`](Self::moves).
    fn index(&self, turn: Turn<'_, G>, mv: G::Move) -> usize;

    /// How many situations with other planes have, for the side to move, the same value: the
    /// situation itself is image 0.
    fn images(&self) -> usize {
        1
    }

    /// One of these, by number below [`images`](Self::images).
    fn image(&self, situation: &Situation<G>, _number: usize) -> Situation<G> {
        situation.clone()
    }

    /// What a legal move of the turn is in that image.
    fn move_image(&self, _turn: Turn<'_, G>, mv: G::Move, _number: usize) -> G::Move {
        mv
    }
}
