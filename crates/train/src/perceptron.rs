//! Fits a small fully connected network. Adam minimises the mean squared error of its output on
//! mini-batches.

use serde::Serialize;
use wurfel_core::Random;
use wurfel_games::perceptron::{Layer, Perceptron};

use crate::Fit;
use crate::adam::Adam;

/// The inputs of a network with the output that it should give for them.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingExample {
    /// The inputs, as many as the network has.
    pub inputs: Vec<f32>,
    /// The wanted output, 0 to 1.
    pub value: f32,
}

/// Adds half the gradient of the squared error of one example to `gradients`, and returns the
/// squared error.
fn learn(network: &Perceptron, example: &TrainingExample, gradients: &mut Perceptron) -> f64 {
    // The inputs of each layer, the first layer's first.
    let mut signals = vec![example.inputs.clone()];
    for layer in &network.layers {
        let sums = layer.sums(&signals[signals.len() - 1]);
        signals.push(sums.into_iter().map(|sum| sum.max(0.0)).collect());
    }
    let value = network.evaluate(&example.inputs);
    let error = value - example.value;
    let mut back = vec![error * value * (1.0 - value)];
    for (n, layer) in network.layers.iter().enumerate().rev() {
        let (inputs, gradients) = (&signals[n], &mut gradients.layers[n]);
        let mut below = vec![0.0; inputs.len()];
        for (row, &gradient) in back.iter().enumerate() {
            let weights = row * inputs.len()..(row + 1) * inputs.len();
            gradients.bias[row] += gradient;
            for (sum, input) in gradients.weights[weights.clone()].iter_mut().zip(inputs) {
                *sum += gradient * input;
            }
            for (sum, weight) in below.iter_mut().zip(&layer.weights[weights]) {
                *sum += gradient * weight;
            }
        }
        // The gradient of ReLU is 0 where its output is 0.
        for (below, &input) in below.iter_mut().zip(inputs) {
            *below = if input > 0.0 { *below } else { 0.0 };
        }
        back = below;
    }
    f64::from(error) * f64::from(error)
}

fn blocks(network: &mut Perceptron) -> impl Iterator<Item = &mut [f32]> {
    let layers = network.layers.iter_mut();
    layers.flat_map(|Layer { weights, bias }| [&mut weights[..], &mut bias[..]])
}

/// How well a network fits after an epoch: mean squared errors of its output.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PerceptronEpoch {
    /// The number of the epoch, from 1.
    pub epoch: u32,
    /// The loss on the training set, measured while the parameters were changing.
    pub training_loss: f64,
    /// The loss on the validation set after the epoch; `None` without a validation set.
    pub validation_loss: Option<f64>,
}

/// A network that was fitted.
#[derive(Clone, PartialEq, Debug)]
pub struct FittedPerceptron {
    /// The network with the parameters after the last epoch.
    pub network: Perceptron,
    /// Its losses, epoch by epoch.
    pub epochs: Vec<PerceptronEpoch>,
}

/// Examples to learn from, and others that only measure the loss.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TrainingExamples {
    /// The examples that are learned from.
    pub training: Vec<TrainingExample>,
    /// The examples that only measure the loss; may be empty.
    pub validation: Vec<TrainingExample>,
}

/// Fits a network to examples with a constant learning rate. `sizes` are the numbers of inputs and
/// of the outputs of each layer. `see` gets the losses after each epoch; if it returns false, the
/// fit ends.
pub fn fit_perceptron(
    sizes: &[usize],
    examples: &TrainingExamples,
    fit: Fit,
    mut see: impl FnMut(PerceptronEpoch) -> bool,
) -> FittedPerceptron {
    let TrainingExamples { training, validation } = examples;
    let mut random = Random::new(fit.seed);
    let mut network = Perceptron::random(sizes, &mut random);
    let zero = sizes.windows(2).map(|sizes| Layer::zero(sizes[0], sizes[1])).collect();
    let mut gradients = Perceptron { layers: zero };
    let mut adam = Adam::new(blocks(&mut network).map(|block| block.len()).sum());
    let mut order: Vec<&TrainingExample> = training.iter().collect();
    let mut epochs = vec![];
    for epoch in 1..=fit.epochs {
        random.shuffle(&mut order);
        let mut error = 0.0;
        for batch in order.chunks(fit.batch) {
            error +=
                batch.iter().map(|example| learn(&network, example, &mut gradients)).sum::<f64>();
            let both = blocks(&mut network).zip(blocks(&mut gradients));
            adam.step(both, batch.len(), fit.learning_rate);
        }
        let training_loss = error / training.len().max(1) as f64;
        let validation_loss = loss(&network, validation);
        epochs.push(PerceptronEpoch { epoch, training_loss, validation_loss });
        if !see(epochs[epochs.len() - 1]) {
            break;
        }
    }
    FittedPerceptron { network, epochs }
}

/// The mean squared error on examples, if there are any.
fn loss(network: &Perceptron, examples: &[TrainingExample]) -> Option<f64> {
    let error = |example: &TrainingExample| {
        f64::from(network.evaluate(&example.inputs) - example.value).powi(2)
    };
    let sum: f64 = examples.iter().map(error).sum();
    (!examples.is_empty()).then(|| sum / examples.len() as f64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what fails here fails the test")]
mod tests {
    use super::*;

    const SIZES: [usize; 4] = [4, 6, 3, 1];

    fn example(random: &mut Random) -> TrainingExample {
        let inputs = (0..4).map(|_| random.unit() as f32).collect();
        TrainingExample { inputs, value: random.unit() as f32 }
    }

    #[test]
    fn the_gradients_are_those_of_the_error() {
        const STEP: f32 = 1.0 / 512.0;
        let mut random = Random::new(1);
        let (mut comparisons, mut steep) = (0, 0);
        for _ in 0..20 {
            let mut network = Perceptron::random(&SIZES, &mut random);
            let example = example(&mut random);
            let mut gradients = network.clone();
            for block in blocks(&mut gradients) {
                block.fill(0.0);
            }
            learn(&network, &example, &mut gradients);
            let gradients: Vec<f32> =
                blocks(&mut gradients).flat_map(|block| block.to_vec()).collect();
            for (n, gradient) in gradients.into_iter().enumerate() {
                let mut moved = |step: f32| {
                    let number = blocks(&mut network).flatten().nth(n).expect("a number");
                    *number += step;
                    let error = f64::from(network.evaluate(&example.inputs) - example.value);
                    *blocks(&mut network).flatten().nth(n).expect("a number") -= step;
                    error * error
                };
                let expected = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP) / 2.0;
                let close = (f64::from(gradient) - expected).abs() < 1e-3;
                comparisons += u32::from(close);
                // Near the kink of a ReLU the gradient jumps.
                assert!(close || gradient.abs() < 0.1, "number {n}: {gradient} {expected}");
                steep += u32::from(expected.abs() > 0.01);
            }
        }
        assert!(comparisons > 950 && steep > 100, "{comparisons} {steep}");
    }

    #[test]
    fn it_learns_what_no_plane_can_part() {
        let example = |n: u8| {
            let [one, two] = [n & 1, n >> 1].map(f32::from);
            TrainingExample {
                inputs: vec![one, two, 0.5, 0.5],
                value: f32::from((n & 1) ^ (n >> 1)),
            }
        };
        let table: Vec<TrainingExample> = (0..4).map(example).collect();
        let fit = Fit { epochs: 2000, batch: 4, learning_rate: 0.01, seed: 1 };
        let examples = TrainingExamples { training: table.clone(), validation: table.clone() };
        let FittedPerceptron { network, epochs } = fit_perceptron(&SIZES, &examples, fit, |_| true);
        let (first, last) = (epochs[0], epochs[1999]);
        assert!(last.training_loss < 0.0025 && first.training_loss > 0.1, "{first:?} {last:?}");
        // After the last step, the loss is that of the finished network.
        assert!((last.validation_loss.unwrap() - last.training_loss).abs() < 1e-4, "{last:?}");
        // A fit that is ended early keeps its results, and without a validation set there is no
        // validation loss.
        let examples = TrainingExamples { validation: vec![], ..examples };
        let ended = fit_perceptron(&SIZES, &examples, fit, |epoch| epoch.epoch < 3);
        let losses: Vec<_> = ended.epochs.iter().map(|epoch| epoch.training_loss).collect();
        assert_eq!(losses, epochs[..3].iter().map(|epoch| epoch.training_loss).collect::<Vec<_>>());
        assert!(ended.epochs.iter().all(|epoch| epoch.validation_loss.is_none()));
        for example in &table {
            assert!((network.evaluate(&example.inputs) - example.value).abs() < 0.1);
        }
    }
}
