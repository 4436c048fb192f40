//! The interface of every learner, whatever device it runs on.

use crate::{Batch, Checkpoint, Losses, Model, OptimizerStep, TaskWeights};

/// A network that learns: it takes batches, and makes a step after some of them.
///
/// Implementations differ in the device that computes. From the same [`Checkpoint`] they arrive at
/// the same parameters, except for rounding.
pub trait Learner {
    /// Sets the number of threads to use from now on; the default is one. The result of learning
    /// does not depend on it. A learner that does not run on the CPU ignores it.
    fn set_threads(&mut self, _threads: usize) {}

    /// The loss of a batch with the present parameters. Its gradients are added to those that wait
    /// for the next [`step`](Self::step), and the batch norms update their running statistics.
    ///
    /// # Panics
    /// When the batch is empty or larger than there is room for, or when its lists do not have the
    /// lengths that the architecture requires.
    fn learn(&mut self, batch: &Batch<'_>, weights: TaskWeights) -> Losses;

    /// Moves the parameters against the mean of the gradients since the last step. Returns the
    /// length of the gradient before clipping.
    fn step(&mut self, step: OptimizerStep) -> f32;

    /// How many steps were taken.
    fn steps(&self) -> u32;

    /// The network with the moving average of the parameters over the steps.
    fn average(&self) -> Model;

    /// Everything on which the next steps depend, except for gradients that wait for a step.
    fn checkpoint(&self) -> Checkpoint;
}
