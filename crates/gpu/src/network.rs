//! The network, from planes to logits and values, with batch norms that use either the statistics
//! of the batch or those measured while the network learned.
//!
//! Activations have a row for each cell and a column for each channel, and a convolution is a
//! product of matrices: each row gets the channels of the cell's neighbours beside its own. The
//! framework's own convolutions need tuning, which takes minutes. Also, burn 0.20.1 computes wrong
//! sums, at least on Vulkan, along the axes of a tensor whose axes were exchanged, and its
//! convolutions return such tensors.
//!
//! When a network learns, the rows are in groups. Gradients of weights and the statistics of norms
//! are sums over all rows, for which the framework would compute each number of the result on a
//! single unit of the device; so each group is summed by itself, and then the groups.

use std::ops::Range;

use burn_tensor::activation::relu;
use burn_tensor::backend::Backend;
use burn_tensor::{Int, Tensor, TensorData};
use wurfel_net::{Architecture, Convolution, DenseLayer, Layout, NORM_EPSILON};

/// The statistics of batch norms: their places among the parameters, and their values for a batch.
type Statistics<B> = Vec<(Range<usize>, Tensor<B, 1>)>;

/// Groups of rows, each with a row for each cell and a column for each channel.
type Activations<B> = Tensor<B, 3>;

/// The largest number of groups.
const MAX_GROUPS: usize = 64;

/// The statistics with which norms centre and scale.
enum Norms<B: Backend> {
    /// The statistics of the batch, which are collected here.
    Batch(Statistics<B>),
    /// The running statistics among the parameters.
    Running,
}

pub(crate) struct Network<'a, B: Backend> {
    architecture: &'a Architecture,
    layout: &'a Layout,
    parameters: Tensor<B, 1>,
    /// For each cell the numbers of the cells around it, as [`places`] lists them.
    places: Tensor<B, 1, Int>,
    norms: Norms<B>,
}

impl<'a, B: Backend> Network<'a, B> {
    /// A network that learns: norms use the statistics of the batch.
    pub fn learning(
        architecture: &'a Architecture,
        layout: &'a Layout,
        parameters: Tensor<B, 1>,
        places: Tensor<B, 1, Int>,
    ) -> Self {
        Self { architecture, layout, parameters, places, norms: Norms::Batch(vec![]) }
    }

    /// A network that has learned: norms use the running statistics.
    pub fn learned(
        architecture: &'a Architecture,
        layout: &'a Layout,
        parameters: Tensor<B, 1>,
        places: Tensor<B, 1, Int>,
    ) -> Self {
        Self { architecture, layout, parameters, places, norms: Norms::Running }
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
        let mut x = self.rows(planes);
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
            self.boards(self.linear(moves, policy.flatten(0, 1))).flatten(1, 3)
        } else {
            self.linear(moves, self.boards(policy).flatten(1, 3))
        };
        let hidden = relu(self.linear(hidden, self.boards(value).flatten(1, 3)));
        (logits, self.linear(out, hidden).tanh())
    }

    /// Turns boards × channels × rows × columns into a row for each cell.
    fn rows(&self, x: Tensor<B, 4>) -> Activations<B> {
        let [boards, channels, height, width] = x.dims();
        let most = match self.norms {
            Norms::Batch(_) => MAX_GROUPS,
            Norms::Running => 1,
        };
        let groups = (1..=most).rev().find(|&groups| boards.is_multiple_of(groups)).unwrap_or(1);
        x.permute([0, 2, 3, 1]).reshape([groups, boards / groups * height * width, channels])
    }

    fn convolution(&mut self, layer: &Convolution, x: Activations<B>) -> Activations<B> {
        let Convolution { inputs, outputs, .. } = *layer;
        let weight = part(&self.parameters, &layer.weight);
        let z = if layer.weight.len() == inputs * outputs {
            x.matmul(weight.reshape([1, outputs, inputs]).transpose())
        } else {
            let weight = weight.reshape([outputs, inputs, 9]).permute([2, 1, 0]);
            self.neighbours(x).matmul(weight.reshape([1, 9 * inputs, outputs]))
        };
        let channels = |range| part(&self.parameters, range).reshape([1, 1, outputs]);
        let mean = |x: Activations<B>| x.mean_dim(1).mean_dim(0);
        let (z, variance) = match &mut self.norms {
            Norms::Batch(statistics) => {
                let average = mean(z.clone());
                let z = z - average.clone();
                let variance = mean(z.clone().square());
                let count = (z.dims()[0] * z.dims()[1]) as f64;
                let unbiased = variance.clone() * (count / (count - 1.0).max(1.0));
                for (range, measured) in [(&layer.mean, average), (&layer.variance, unbiased)] {
                    statistics.push((range.clone(), measured.reshape([outputs])));
                }
                (z, variance)
            }
            Norms::Running => (z - channels(&layer.mean), channels(&layer.variance)),
        };
        z / (variance + NORM_EPSILON).sqrt() * channels(&layer.scale) + channels(&layer.shift)
    }

    /// Turns a row for each cell into one that has the channels of the nine cells around it, row by
    /// row. Cells beyond the border are zeros.
    fn neighbours(&self, x: Activations<B>) -> Activations<B> {
        let cells = self.architecture.cells();
        let [groups, rows, channels] = x.dims();
        let boards = groups * rows / cells;
        let beyond = Tensor::zeros([boards, 1, channels], &x.device());
        let x = Tensor::cat(vec![x.reshape([boards, cells, channels]), beyond], 1);
        x.select(1, self.places.clone()).reshape([groups, rows, 9 * channels])
    }

    fn linear(&self, layer: &DenseLayer, x: Tensor<B, 2>) -> Tensor<B, 2> {
        let weight = part(&self.parameters, &layer.weight).reshape([layer.outputs, layer.inputs]);
        x.matmul(weight.transpose())
            + part(&self.parameters, &layer.bias).reshape([1, layer.outputs])
    }

    /// Turns a row for each cell into boards × channels × rows × columns.
    fn boards<const D: usize>(&self, x: Tensor<B, D>) -> Tensor<B, 4> {
        let side = self.architecture.board;
        let (numbers, channels) = (x.shape().num_elements(), x.dims()[D - 1]);
        let boards = numbers / (side * side * channels);
        x.reshape([boards, side, side, channels]).permute([0, 3, 1, 2])
    }
}

/// For each cell of a board with this side, the numbers of the nine cells around it, row by row.
/// Cells beyond the border have the number after the last cell's.
pub(crate) fn places<B: Backend>(side: usize, device: &B::Device) -> Tensor<B, 1, Int> {
    let place = |row: usize, column: usize, near: usize| {
        // Counted from 1, so that the row before the first one has the number 0.
        let (row, column) = (row + near / 3, column + near % 3);
        let inside = (1..=side).contains(&row) && (1..=side).contains(&column);
        (if inside { (row - 1) * side + column - 1 } else { side * side }) as i64
    };
    let cells = (0..side * side).map(|cell| (cell / side, cell % side));
    let places: Vec<i64> =
        cells.flat_map(|(row, column)| (0..9).map(move |near| place(row, column, near))).collect();
    Tensor::from_data(TensorData::new(places, [9 * side * side]), device)
}

fn part<B: Backend>(parameters: &Tensor<B, 1>, range: &Range<usize>) -> Tensor<B, 1> {
    parameters.clone().slice(range.clone())
}
