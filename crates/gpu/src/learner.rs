//! The learner. All parameters of a network are one tensor, and so are all moments, averages and
//! gradients.
//!
//! A step of the optimiser is therefore a few operations on whole tensors, whatever the layers are.
//! The price is that each batch must cut the one tensor into the arrays of the layers.

use burn_autodiff::Autodiff;
use burn_tensor::backend::Backend;
use burn_tensor::{Int, Tensor, TensorData};
use wurfel_net::{
    ADAM_BETAS, ADAM_EPSILON, Architecture, Batch, Checkpoint, Layout, Learner, Losses, Model,
    NORM_MOMENTUM, OptimizerStep, TaskWeights,
};

use crate::loss::{TrainingBatch, losses};
use crate::network::{Network, places};

/// A network that learns on a device of the framework's backend `B`.
pub struct TensorLearner<B: Backend> {
    architecture: Architecture,
    encoding: String,
    layout: Layout,
    device: B::Device,
    parameters: Tensor<B, 1>,
    places: Tensor<Autodiff<B>, 1, Int>,
    /// The moving average of the parameters.
    average: Tensor<B, 1>,
    /// Adam's moments: the means of the gradients, and in the next field those of their squares.
    means: Tensor<B, 1>,
    squares: Tensor<B, 1>,
    /// The sum of the gradients since the last step.
    gradients: Tensor<B, 1>,
    /// 1 for each learned parameter, 0 for each statistic, because statistics are measured.
    learned: Tensor<B, 1>,
    /// How many batches the sum of the gradients contains.
    batches: u32,
    /// How many steps were taken.
    steps: u32,
}

impl<B: Backend> TensorLearner<B> {
    /// A learner that resumes from a checkpoint.
    ///
    /// # Panics
    /// When the framework does not find the device.
    pub fn resume(checkpoint: &Checkpoint, device: B::Device) -> Self {
        let Checkpoint { model, average, means, squares, steps } = checkpoint;
        let layout = model.architecture().layout();
        let mut learned = vec![1.0f32; layout.len];
        for layer in layout.convolutions() {
            learned[layer.mean.clone()].fill(0.0);
            learned[layer.variance.clone()].fill(0.0);
        }
        let tensor = |parameters: &[f32]| Tensor::from_floats(parameters, &device);
        Self {
            architecture: *model.architecture(),
            encoding: model.encoding().to_owned(),
            parameters: tensor(model.parameters()),
            places: places(model.architecture().board, &device),
            average: tensor(average.parameters()),
            means: tensor(means),
            squares: tensor(squares),
            gradients: Tensor::zeros([layout.len], &device),
            learned: tensor(&learned),
            batches: 0,
            steps: *steps,
            layout,
            device,
        }
    }

    fn model(&self, parameters: &Tensor<B, 1>) -> Model {
        Model::from_parameters(self.architecture, &self.encoding, list(parameters))
            .expect("as many parameters as before")
    }

    /// Copies a part of a batch to the device.
    fn input<const D: usize>(&self, data: &[f32], shape: [usize; D]) -> Tensor<Autodiff<B>, D> {
        Tensor::from_data(TensorData::new(data.to_vec(), shape), &self.device)
    }
}

impl<B: Backend> Learner for TensorLearner<B> {
    fn learn(&mut self, batch: &Batch<'_>, weights: TaskWeights) -> Losses {
        let boards = batch.check(&self.architecture);
        let Architecture { board, planes, moves, .. } = self.architecture;
        let parameters =
            Tensor::<Autodiff<B>, 1>::from_inner(self.parameters.clone()).require_grad();
        let planes = self.input(batch.planes, [boards, planes, board, board]);
        let illegal: Vec<bool> = batch.legal.iter().map(|legal| !legal).collect();
        let batch = TrainingBatch {
            illegal: Tensor::from_data(TensorData::new(illegal, [boards, moves]), &self.device),
            policy: self.input(batch.policy, [boards, moves]),
            values: self.input(batch.values, [boards, 1]),
        };
        let mut network = Network::learning(
            &self.architecture,
            &self.layout,
            parameters.clone(),
            self.places.clone(),
        );
        let (logits, values) = network.infer(planes);
        let [policy, value, entropy] = losses(logits, values, batch);
        let sums = Tensor::cat(vec![policy.clone(), value.clone(), entropy], 0);
        let mut gradients = (policy * weights.policy + value * weights.value).backward();
        for (range, measured) in network.into_statistics() {
            let running = self.parameters.clone().slice(range.clone());
            let running = running.clone() + (measured.inner() - running) * NORM_MOMENTUM;
            self.parameters = self.parameters.clone().slice_assign(range, running);
        }
        let gradients = parameters.grad_remove(&mut gradients).expect("a loss of the parameters");
        self.gradients = self.gradients.clone() + gradients;
        self.batches += 1;
        let sums = list(&sums.inner());
        Losses { policy: sums[0], value: sums[1], entropy: sums[2] }
    }

    fn step(&mut self, step: OptimizerStep) -> f32 {
        self.steps += 1;
        let share = 1.0 / self.batches.max(1) as f32;
        let decay = self.parameters.clone() * self.learned.clone() * (2.0 * step.l2);
        let gradients = self.gradients.clone() * share + decay;
        let length = list(&gradients.clone().square().sum())[0].sqrt();
        let gradients = gradients * if length > step.clip { step.clip / length } else { 1.0 };

        let grown = |beta: f32| 1.0 - beta.powi(self.steps as i32);
        let (of_mean, of_square) =
            (step.learning_rate / grown(ADAM_BETAS.0), 1.0 / grown(ADAM_BETAS.1));
        let towards = |old: &Tensor<B, 1>, new: Tensor<B, 1>, share: f32| {
            old.clone() + (new - old.clone()) * share
        };
        self.means = towards(&self.means, gradients.clone(), 1.0 - ADAM_BETAS.0);
        self.squares = towards(&self.squares, gradients.square(), 1.0 - ADAM_BETAS.1);
        let deviation = (self.squares.clone() * of_square).sqrt() + ADAM_EPSILON;
        self.parameters = self.parameters.clone() - self.means.clone() * of_mean / deviation;
        self.average = towards(&self.average, self.parameters.clone(), step.moved(self.steps));

        self.gradients = self.gradients.zeros_like();
        self.batches = 0;
        length
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn average(&self) -> Model {
        self.model(&self.average)
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            model: self.model(&self.parameters),
            average: self.average(),
            means: list(&self.means),
            squares: list(&self.squares),
            steps: self.steps,
        }
    }
}

/// Copies a tensor from the device into a list.
fn list<B: Backend>(tensor: &Tensor<B, 1>) -> Vec<f32> {
    tensor.to_data().iter::<f32>().collect()
}
