//! The interface of every forward pass, whatever device it runs on.

use crate::Architecture;

/// A network that evaluates, together with the memory that it needs. Each thread needs a network of
/// its own.
///
/// Implementations differ in the device that computes. Their results for the same network are the
/// same, except for rounding.
pub trait Forward: Send + Sync {
    /// The architecture of the network.
    fn architecture(&self) -> &Architecture;

    /// Evaluates positions. `planes` holds the planes of one position after the other, each plane
    /// cell by cell. Writes the logits of all moves, legal or not, and the value of each position,
    /// −1 to 1, for the side from whose viewpoint the encoding writes it.
    ///
    /// # Panics
    /// When the lengths of the lists do not fit the number of positions, which is that of the
    /// values.
    fn infer(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]);

    /// How many positions go through the network together. A batch that is split at multiples of
    /// this number gets the same answers, bit by bit, as the whole batch. By default no batch may
    /// be split.
    fn batch_size(&self) -> usize {
        usize::MAX
    }

    /// The same network with memory of its own, for another thread.
    fn another(&self) -> Box<dyn Forward>;
}
