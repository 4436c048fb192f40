//! What every forward pass does, wherever it is calculated.

use crate::Architecture;

/// A network that evaluates, with the memory that this takes: one for each thread.
///
/// They differ in where they calculate, not in what: of the same network all say the same, but
/// for rounding.
pub trait Forward: Send + Sync {
    /// The network's shape.
    fn architecture(&self) -> &Architecture;

    /// Evaluates positions: `planes` holds the planes of one after the other, each plane
    /// cell by cell. For each writes the logits of all moves, legal or not, and the
    /// value for whichever side the encoding gives, −1 to 1.
    ///
    /// # Panics
    /// When the lengths do not belong to as many positions as there are values.
    fn infer(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]);

    /// The same network, for another thread.
    fn another(&self) -> Box<dyn Forward>;
}
