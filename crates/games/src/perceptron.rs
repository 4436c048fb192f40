//! A small network of fully connected layers, with ReLU between them and the logistic function at
//! its single output.

use wurfel_core::{Random, checksum};

use crate::learned::WeightsError;
use crate::logistic::logistic;

/// A layer: each output is the weighted sum of all inputs plus its bias.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// The weights of the first output, then those of the second, and so on.
    pub weights: Vec<f32>,
    /// The bias of each output.
    pub bias: Vec<f32>,
}

impl Layer {
    /// A layer in which all weights and biases are 0.
    pub fn zero(inputs: usize, outputs: usize) -> Self {
        Self { weights: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }

    /// How many inputs the layer has.
    pub fn inputs(&self) -> usize {
        self.weights.len() / self.bias.len()
    }

    /// The outputs before any activation function.
    pub fn sums(&self, inputs: &[f32]) -> Vec<f32> {
        let rows = self.weights.chunks_exact(self.inputs());
        let row = |(row, &bias): (&[f32], &f32)| {
            row.iter().zip(inputs).fold(bias, |sum, (weight, input)| sum + weight * input)
        };
        rows.zip(&self.bias).map(row).collect()
    }
}

/// A network whose last layer has one output.
#[derive(Clone, PartialEq, Debug)]
pub struct Perceptron {
    /// The layers, beginning at the inputs.
    pub layers: Vec<Layer>,
}

/// The first line of a file.
const MAGIC: &[u8] = b"wurfel perceptron 1\n";

impl Perceptron {
    /// A network whose layers have these `sizes`, from the inputs to the output. Its weights are
    /// drawn from a uniform distribution whose width keeps signals about equally large from layer
    /// to layer (X. Glorot and Y. Bengio, 2010).
    pub fn random(sizes: &[usize], random: &mut Random) -> Self {
        let layer = |sizes: &[usize]| {
            let mut layer = Layer::zero(sizes[0], sizes[1]);
            let range = (6.0 / (sizes[0] + sizes[1]) as f64).sqrt();
            for weight in &mut layer.weights {
                *weight = ((2.0 * random.unit() - 1.0) * range) as f32;
            }
            layer
        };
        Self { layers: sizes.windows(2).map(layer).collect() }
    }

    /// The output of the network for these inputs, 0 to 1.
    pub fn evaluate(&self, inputs: &[f32]) -> f32 {
        let mut signals = inputs.to_vec();
        for (n, layer) in self.layers.iter().enumerate() {
            if n > 0 {
                for signal in &mut signals {
                    *signal = signal.max(0.0);
                }
            }
            signals = layer.sums(&signals);
        }
        logistic(signals[0])
    }

    /// The network as a file: a line that says what it is; the number of layers, and the inputs and
    /// outputs of each; all parameters in little-endian order; and a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut size = |number: usize| bytes.extend((number as u32).to_le_bytes());
        size(self.layers.len());
        for layer in &self.layers {
            size(layer.inputs());
            size(layer.bias.len());
        }
        for layer in &self.layers {
            let numbers = layer.weights.iter().chain(&layer.bias);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads what [`Perceptron::to_bytes`] has written, for a network with layers of these `sizes`.
    ///
    /// # Errors
    /// When the bytes are not such a file, or are damaged.
    pub fn from_bytes(bytes: &[u8], sizes: &[usize]) -> Result<Self, WeightsError> {
        let empty = sizes.windows(2).map(|sizes| Layer::zero(sizes[0], sizes[1])).collect();
        let mut network = Self { layers: empty };
        let wanted = network.to_bytes();
        if !bytes.starts_with(MAGIC) {
            return Err(WeightsError::UnknownFormat);
        }
        let head = MAGIC.len() + 4 + 8 * network.layers.len();
        if bytes.len() != wanted.len() || bytes[..head] != wanted[..head] {
            return Err(WeightsError::Damaged);
        }
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(WeightsError::Damaged)?;
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(WeightsError::Damaged);
        }
        let (numbers, _) = body[head..].as_chunks::<4>();
        let places = network
            .layers
            .iter_mut()
            .flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias));
        for (place, number) in places.zip(numbers) {
            *place = f32::from_le_bytes(*number);
        }
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_is_written_by_hand() {
        // Two hidden units, the second of which is negative before ReLU.
        let first = Layer { weights: vec![1.0, 2.0, -3.0, 1.0], bias: vec![0.5, 0.5] };
        let second = Layer { weights: vec![0.4, 9.0], bias: vec![-1.0] };
        let network = Perceptron { layers: vec![first, second] };
        // 0.4 · (1 + 2 · 0.5 + 0.5) − 1 = 0.
        assert!((network.evaluate(&[1.0, 0.5]) - 0.5).abs() < 1e-6);
        let more = network.evaluate(&[1.0, 1.75]);
        assert!((more - 1.0 / (1.0 + (-1.0_f32).exp())).abs() < 1e-5, "{more}");
    }

    #[test]
    fn a_file_comes_back_and_no_other_is_taken_for_it() {
        let sizes = [5, 4, 3, 1];
        let network = Perceptron::random(&sizes, &mut Random::new(1));
        let bytes = network.to_bytes();
        assert_eq!(Perceptron::from_bytes(&bytes, &sizes), Ok(network));
        assert_eq!(Perceptron::from_bytes(&bytes, &[5, 4, 1]), Err(WeightsError::Damaged));
        assert_eq!(Perceptron::from_bytes(b"wurfel", &sizes), Err(WeightsError::UnknownFormat));
        for length in MAGIC.len()..bytes.len() {
            assert_eq!(
                Perceptron::from_bytes(&bytes[..length], &sizes),
                Err(WeightsError::Damaged)
            );
        }
        for place in MAGIC.len()..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[place] ^= 1;
            assert_eq!(Perceptron::from_bytes(&wrong, &sizes), Err(WeightsError::Damaged));
        }
    }
}
