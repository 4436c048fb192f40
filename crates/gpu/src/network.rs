//! The network, from planes to logits and values, with the statistics of a batch or those that
//! were measured while it learned.
//!
//! Activations have a row a cell and a column a channel; only what wants a board gets them as
//! boards. This is also for burn 0.20.1, which adds up wrongly, on Vulkan at least, along
//! the axes of a tensor whose axes were exchanged, as those are that convolutions return.

use std::ops::Range;

use burn_tensor::Tensor;
use burn_tensor::activation::relu;
use burn_tensor::backend::Backend;
use burn_tensor::module::conv2d;
use burn_tensor::ops::ConvOptions;
use wurfel_net::{Architecture, Convolution, DenseLayer, Layout, NORM_EPSILON};

/// Where statistics lie among the parameters, and what a batch says they are.
type Statistics<B> = Vec<(Range<usize>, Tensor<B, 1>)>;

/// By what norms centre and scale.
enum Norms<B: Backend> {
    /// The batch, whose statistics are noted.
    Batch(Statistics<B>),
    /// What was measured before.
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
    /// One that learns.
    pub fn learning(
        architecture: &'a Architecture,
        layout: &'a Layout,
        parameters: Tensor<B, 1>,
    ) -> Self {
        Self { architecture, layout, parameters, norms: Norms::Batch(vec![]) }
    }

    /// One that is done with it.
    pub fn learned(
        architecture: &'a Architecture,
        layout: &'a Layout,
        parameters: Tensor<B, 1>,
    ) -> Self {
        Self { architecture, layout, parameters, norms: Norms::Running }
    }

    /// The mean and the variance of each norm over the batch that was evaluated, if it learns.
    pub fn into_statistics(self) -> Statistics<B> {
        match self.norms {
            Norms::Batch(statistics) => statistics,
            Norms::Running => vec![],
        }
    }

    /// Boards × planes × rows × columns become logits, boards × moves, and values,
    /// boards × 1.
    pub fn infer(&mut self, planes: Tensor<B, 4>) -> (Tensor<B, 2>, Tensor<B, 2>) {
        let Layout { tower, policy, moves, value, hidden, out, .. } = self.layout;
        let (plain, blocks) = tower.split_at(self.architecture.convolutions);
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
        let logits = if self.architecture.spatial_policy {
            self.boards(self.linear(moves, policy)).flatten(1, 3)
        } else {
            self.linear(moves, self.boards(policy).flatten(1, 3))
        };
        let hidden = relu(self.linear(hidden, self.boards(value).flatten(1, 3)));
        (logits, self.linear(out, hidden).tanh())
    }

    /// With its norm.
    fn convolution(&mut self, layer: &Convolution, x: Tensor<B, 2>) -> Tensor<B, 2> {
        let Convolution { inputs, outputs, .. } = *layer;
        let weight = part(&self.parameters, &layer.weight);
        let z = if layer.weight.len() == inputs * outputs {
            x.matmul(weight.reshape([outputs, inputs]).transpose())
        } else {
            // With a border of zeros the board stays as large as it is.
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

    /// A row a cell becomes boards × channels × rows × columns.
    fn boards(&self, x: Tensor<B, 2>) -> Tensor<B, 4> {
        let side = self.architecture.board;
        let [rows, channels] = x.dims();
        x.reshape([rows / (side * side), side, side, channels]).permute([0, 3, 1, 2])
    }
}

/// Boards × channels × rows × columns become a row a cell.
fn rows<B: Backend>(x: Tensor<B, 4>) -> Tensor<B, 2> {
    let [boards, channels, height, width] = x.dims();
    x.permute([0, 2, 3, 1]).reshape([boards * height * width, channels])
}

/// One layer's part of all parameters.
fn part<B: Backend>(parameters: &Tensor<B, 1>, range: &Range<usize>) -> Tensor<B, 1> {
    parameters.clone().slice(range.clone())
}
