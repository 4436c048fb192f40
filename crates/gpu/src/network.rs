//! The network, from planes to logits and values, with batch norms that use either the statistics
//! of the batch or those measured while the network learned.
//!
//! Activations are matrices with a row for each cell and a column for each channel. Only operations
//! that need boards get them as boards. One reason is that burn 0.20.1 computes wrong sums, at
//! least on Vulkan, along the axes of a tensor whose axes were exchanged, and convolutions return
//! such tensors.

use std::ops::Range;

use burn_tensor::Tensor;
use burn_tensor::activation::relu;
use burn_tensor::backend::Backend;
use burn_tensor::module::conv2d;
use burn_tensor::ops::ConvOptions;
use wurfel_net::{Architecture, Convolution, DenseLayer, Layout, NORM_EPSILON};

/// The statistics of batch norms: their places among the parameters, and their values for a batch.
type Statistics<B> = Vec<(Range<usize>, Tensor<B, 1>)>;

/// The statistics with which norms centre and scale.
enum Norms<B: Backend> {
    /// The statistics of the batch, which are collected here.
    Batch(Statistics<B>),
    /// The running statistics among the parameters.
    Running,
}

/// A network for one batch.
pub(crate) struct Network<'a, B: Backend> {
    architecture: &'a Architecture,
    layout: &'a Layout,
    parameters: Tensor<B, 1>,
    norms: Norms<B>,
}

impl<'a, B: Backend> Network<'a, B> {
    /// A network that learns: norms use the statistics of the batch.
    pub fn learning(
        architecture: &'a Architecture,
        layout: &'a Layout,
        parameters: Tensor<B, 1>,
    ) -> Self {
        Self { architecture, layout, parameters, norms: Norms::Batch(vec![]) }
    }

    /// A network that has learned: norms use the running statistics.
    pub fn learned(
        architecture: &'a Architecture,
        layout: &'a Layout,
        parameters: Tensor<B, 1>,
    ) -> Self {
        Self { architecture, layout, parameters, norms: Norms::Running }
    }

    /// The mean and the variance of each norm over the batch, if the network learns.
    pub fn into_statistics(self) -> Statistics<B> {
        match self.norms {
            Norms::Batch(statistics) => statistics,
            Norms::Running => vec![],
        }
    }

    /// Evaluates boards × planes × rows × columns. Returns the logits, boards × moves, and the
    /// values, boards × 1, from −1 to 1.
    pub fn infer(&mut self, planes: Tensor<B, 4>) -> (Tensor<B, 2>, Tensor<B, 2>) {
        let Layout { tower, policy, moves, value, hidden, out, .. } = self.layout;
        let (plain, blocks) = tower.split_at(self.architecture.shape.convolutions);
        let mut x = rows(planes);
        for layer in plain {
            x = relu(self.convolution(layer, x));
        }
        for block in blocks.chunks_exact(2) {
            let inner = relu(self.convolution(&block[0], x.clone()));
            x = relu(self.convolution(&block[1], inner) + x);
        }
        let policy = relu(self.convolution(policy, x.clone()));
        let value = relu(self.convolution(value, x));
        let logits = if self.architecture.shape.spatial_policy {
            self.boards(self.linear(moves, policy)).flatten(1, 3)
        } else {
            self.linear(moves, self.boards(policy).flatten(1, 3))
        };
        let hidden = relu(self.linear(hidden, self.boards(value).flatten(1, 3)));
        (logits, self.linear(out, hidden).tanh())
    }

    /// A convolution followed by its norm.
    fn convolution(&mut self, layer: &Convolution, x: Tensor<B, 2>) -> Tensor<B, 2> {
        let Convolution { inputs, outputs, .. } = *layer;
        let weight = part(&self.parameters, &layer.weight);
        let z = if layer.weight.len() == inputs * outputs {
            x.matmul(weight.reshape([outputs, inputs]).transpose())
        } else {
            // A border of zeros keeps the board at its size.
            let options = ConvOptions::new([1, 1], [1, 1], [1, 1], 1);
            let weight = weight.reshape([outputs, inputs, 3, 3]);
            rows(conv2d(self.boards(x), weight, None, options))
        };
        let channels = |range| part(&self.parameters, range).reshape([1, outputs]);
        let (z, variance) = match &mut self.norms {
            Norms::Batch(statistics) => {
                let mean = z.clone().mean_dim(0);
                let z = z - mean.clone();
                let variance = z.clone().square().mean_dim(0);
                let count = z.dims()[0] as f64;
                let unbiased = variance.clone() * (count / (count - 1.0).max(1.0));
                for (range, measured) in [(&layer.mean, mean), (&layer.variance, unbiased)] {
                    statistics.push((range.clone(), measured.reshape([outputs])));
                }
                (z, variance)
            }
            Norms::Running => (z - channels(&layer.mean), channels(&layer.variance)),
        };
        z / (variance + NORM_EPSILON).sqrt() * channels(&layer.scale) + channels(&layer.shift)
    }

    fn linear(&self, layer: &DenseLayer, x: Tensor<B, 2>) -> Tensor<B, 2> {
        let weight = part(&self.parameters, &layer.weight).reshape([layer.outputs, layer.inputs]);
        x.matmul(weight.transpose())
            + part(&self.parameters, &layer.bias).reshape([1, layer.outputs])
    }

    /// Turns a row for each cell into boards × channels × rows × columns.
    fn boards(&self, x: Tensor<B, 2>) -> Tensor<B, 4> {
        let side = self.architecture.board;
        let [rows, channels] = x.dims();
        x.reshape([rows / (side * side), side, side, channels]).permute([0, 3, 1, 2])
    }
}

/// Turns boards × channels × rows × columns into a row for each cell.
fn rows<B: Backend>(x: Tensor<B, 4>) -> Tensor<B, 2> {
    let [boards, channels, height, width] = x.dims();
    x.permute([0, 2, 3, 1]).reshape([boards * height * width, channels])
}

/// The parameters of one layer.
fn part<B: Backend>(parameters: &Tensor<B, 1>, range: &Range<usize>) -> Tensor<B, 1> {
    parameters.clone().slice(range.clone())
}
