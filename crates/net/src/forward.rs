//! The interface of every forward pass, whatever device it runs on.

use crate::Architecture;

/// A network that evaluates, with the memory that this takes. Each thread needs one of its own.
///
/// Implementations differ in where they compute. Their results for the same network are the same,
/// except for rounding.
pub trait Forward: Send + Sync {
    /// The architecture of the network.
    fn architecture(&self) -> &Architecture;

    /// Evaluates positions. `planes` holds the planes of one position after the other, each plane
    /// cell by cell. Writes the logits of all moves, legal or not, and the value of each position,
    /// −1 to 1, for the side from whose viewpoint the encoding writes it.
    ///
    /// # Panics
    /// When the lengths of the lists do not belong to as many positions as there are values.
    fn infer(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]);

    /// How many positions go through the network together. A batch that is cut at multiples of this has the same answers, to
    /// the bit, as the whole. Without an implementation no batch is to be cut.
    fn together(&self) -> usize {
        usize::MAX
    }

    /// The same network with its own memory, for another thread.
    fn another(&self) -> Box<dyn Forward>;
}
