//! Learning: the loss of a batch, its gradients by back-propagation, and steps of Adam.
//!
//! A batch goes through one layer after the other, because each norm needs the statistics of the
//! whole batch. Within a layer, slices of boards that fit into the L2 cache are processed on the
//! requested number of threads. Operations on single numbers are applied to a slice directly before
//! or after a matrix product, while the slice is in the cache.

mod adam;
mod heads;
mod loss;
mod norm;
mod slices;
mod tower;

use wurfel_core::threads;

use crate::architecture::{Architecture, Layout};
use crate::checkpoint::Checkpoint;
use crate::grid::Grid;
use crate::kernels::Instructions;
use crate::learner::Learner;
use crate::model::Model;
use adam::Adam;
pub use adam::{BETAS as ADAM_BETAS, EPSILON as ADAM_EPSILON};
use heads::Heads;
pub use loss::{Batch, Losses, TaskWeights, softmax};
pub use norm::MOMENTUM as NORM_MOMENTUM;
use slices::Slices;
use tower::Tower;

/// The settings of one step of the optimiser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptimizerStep {
    /// The learning rate: Adam's α.
    pub learning_rate: f32,
    /// λ of the regularisation λ Σ θ², whose gradient 2 λ θ is added to the gradient of the loss.
    pub l2: f32,
    /// The largest length of the gradient over all parameters; a longer one is shortened to it.
    pub clip: f32,
    /// The share of its [average](Learner::average) that a step keeps, from 0 to below 1. The first
    /// steps keep less, so that the initial parameters are soon forgotten.
    pub ema_decay: f32,
}

impl OptimizerStep {
    /// How far step number `steps`, counted from 1, moves the average towards the parameters, 0 to
    /// 1.
    pub fn moved(&self, steps: u32) -> f32 {
        let steps = steps as f32;
        1.0 - self.ema_decay.min(steps / (steps + 10.0))
    }
}

/// A network that learns on the CPU.
#[derive(Clone, Debug)]
pub struct Trainer {
    architecture: Architecture,
    encoding: String,
    layout: Layout,
    parameters: Vec<f32>,
    /// The moving average of the parameters.
    average: Vec<f32>,
    gradients: Vec<f32>,
    /// How many batches have contributed to the sum of the gradients.
    batches: u32,
    adam: Adam,
    tower: Tower,
    heads: Heads,
    slices: Slices,
}

impl Trainer {
    /// A learner that begins with a network and takes batches of at most `most` positions.
    pub fn new(model: &Model, most: usize) -> Self {
        Self::with(model, most, Instructions::best())
    }

    /// [`Trainer::new`] with a given set of instructions.
    pub fn with(model: &Model, most: usize, instructions: Instructions) -> Self {
        let architecture = *model.architecture();
        let layout = architecture.layout();
        let grid = Grid::new(architecture.board, instructions);
        let parameters = model.parameters.clone();
        let tower = Tower::new(&architecture, &layout, grid);
        let heads = Heads::new(&architecture, &layout, grid);
        let mut trainer = Self {
            gradients: vec![0.0; parameters.len()],
            batches: 0,
            adam: Adam::new(parameters.len()),
            slices: Slices::new(architecture, &layout, &tower, &heads, most),
            tower,
            heads,
            architecture,
            encoding: model.encoding().to_owned(),
            layout,
            average: parameters.clone(),
            parameters,
        };
        trainer.pack();
        trainer
    }

    /// A learner that resumes from a checkpoint and takes batches of at most `most` positions.
    pub fn resume(checkpoint: &Checkpoint, most: usize) -> Self {
        let Checkpoint { model, average, means, squares, steps } = checkpoint;
        Self {
            average: average.parameters.clone(),
            adam: Adam { means: means.clone(), squares: squares.clone(), steps: *steps },
            ..Self::new(model, most)
        }
    }

    /// The network with its present parameters.
    pub fn model(&self) -> Model {
        self.with_numbers(&self.parameters)
    }

    fn with_numbers(&self, parameters: &[f32]) -> Model {
        Model::from_parameters(self.architecture, &self.encoding, parameters.to_vec())
            .expect("as many parameters as before")
    }

    /// Lays the parameters out for the kernels again, after they have changed.
    fn pack(&mut self) {
        self.tower.pack(&self.parameters, self.slices.threads());
        self.heads.pack(&self.layout, &self.parameters);
    }

    /// The sum of the gradients since the last step.
    #[cfg(test)]
    pub(crate) fn gradients(&self) -> &[f32] {
        &self.gradients
    }
}

impl Learner for Trainer {
    fn set_threads(&mut self, threads: usize) {
        self.slices.set_threads(threads);
    }

    fn learn(&mut self, batch: &Batch<'_>, weights: TaskWeights) -> Losses {
        let Self { parameters, gradients, tower, heads, slices, .. } = self;
        self.batches += 1;
        slices.learn(tower, heads, batch, weights, parameters, gradients)
    }

    fn step(&mut self, step: OptimizerStep) -> f32 {
        let share = 1.0 / self.batches.max(1) as f32;
        let mut length = 0.0;
        for tensor in &self.layout.tensors {
            let range = tensor.range.clone();
            if tensor.statistic {
                continue;
            }
            for (gradient, number) in
                self.gradients[range.clone()].iter_mut().zip(&self.parameters[range])
            {
                *gradient = *gradient * share + 2.0 * step.l2 * number;
                length += f64::from(*gradient) * f64::from(*gradient);
            }
        }
        let length = length.sqrt() as f32;
        let factor = if length > step.clip { step.clip / length } else { 1.0 };
        self.adam.step(&mut self.parameters, &self.gradients, factor, step.learning_rate);
        let moved = step.moved(self.adam.steps);
        for (average, number) in self.average.iter_mut().zip(&self.parameters) {
            *average += moved * (number - *average);
        }
        self.gradients.fill(0.0);
        self.batches = 0;
        self.pack();
        length
    }

    fn steps(&self) -> u32 {
        self.adam.steps
    }

    fn average(&self) -> Model {
        self.with_numbers(&self.average)
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            model: self.model(),
            average: self.average(),
            means: self.adam.means.clone(),
            squares: self.adam.squares.clone(),
            steps: self.adam.steps,
        }
    }
}

/// Runs each task on a thread of its own, the first one on the calling thread.
fn on_threads<T: Send>(tasks: Vec<T>, run: impl Fn(T) + Sync) {
    threads::scope(|scope| {
        let mut tasks = tasks.into_iter();
        let own = tasks.next();
        for task in tasks {
            scope.spawn(|| run(task));
        }
        if let Some(own) = own {
            run(own);
        }
    });
}
