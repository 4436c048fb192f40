//! Encodings: positions as planes of numbers and moves as indices, the form in which networks read
//! a situation and answer.

use crate::{Game, Situation, Turn};

/// An encoding of a game for networks.
///
/// A position, before or after the roll, becomes planes over a square board with one number for
/// each cell; a move becomes the index of an output. The contract, which the tests of each encoding
/// check: different legal moves of a turn have different indices, and all images of a situation
/// have the same value.
pub trait Encode<G: Game>: Send + Sync {
    /// The encoding's name in network files, which never changes.
    fn name(&self) -> &'static str;

    /// How many cells a side of the board has.
    fn board(&self) -> usize;

    /// How many planes there are.
    fn planes(&self) -> usize;

    /// How many move indices there are.
    fn moves(&self) -> usize;

    /// Writes a situation into `planes`, plane by plane and cell by cell; `planes` must hold zeros.
    /// Before the roll, the numbers that would describe the roll stay 0.
    fn write(&self, situation: &Situation<G>, planes: &mut [f32]);

    /// The index of a legal move, below [`moves`](Self::moves).
    fn index(&self, turn: Turn<'_, G>, mv: G::Move) -> usize;

    /// How many images a situation has: situations that look different to the network but have the
    /// same value for the side to move. Image 0 is the situation itself.
    fn images(&self) -> usize {
        1
    }

    /// The image with this number, which is below [`images`](Self::images).
    fn image(&self, situation: &Situation<G>, _number: usize) -> Situation<G> {
        situation.clone()
    }

    /// The move in image `number` that corresponds to the legal move `mv` of the turn.
    fn move_image(&self, _turn: Turn<'_, G>, mv: G::Move, _number: usize) -> G::Move {
        mv
    }
}
