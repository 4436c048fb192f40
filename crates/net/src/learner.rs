//! What every learner does, wherever it calculates.

use crate::{Batch, Checkpoint, Losses, Model, OptimizerStep, TaskWeights};

/// A network that learns: batches, and a step after some of them.
///
/// Learners differ in where they calculate, not in what: from the same [`Checkpoint`] they
/// come to the same parameters, but for rounding.
pub trait Learner {
    /// The loss of a batch under the present parameters; adds its gradients to those that wait
    /// for the next [`step`](Self::step), and lets batch norms see the batch.
    ///
    /// # Panics
    /// When the batch is empty, larger than there is room for, or its lists are not of
    /// the lengths that the architecture asks for.
    fn learn(&mut self, batch: &Batch<'_>, weights: TaskWeights) -> Losses;

    /// Moves the parameters against the mean of the gradients since the last step; returns the
    /// length of the gradient before it was clipped.
    fn step(&mut self, step: OptimizerStep) -> f32;

    /// Steps taken.
    fn steps(&self) -> u32;

    /// The network with the moving average of the parameters over the steps.
    fn average(&self) -> Model;

    /// All that the next steps depend on. Gradients that wait for a step are left out.
    fn checkpoint(&self) -> Checkpoint;
}
