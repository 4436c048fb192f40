//! Batch norm in training: the statistics of a batch, forward and backward.

use std::ops::Range;

use crate::architecture::Convolution;
use crate::model::EPSILON;
use crate::rows::{LANES, Row, blocks, row_list};

/// How far each batch moves the running statistics towards its own, 0 to 1.
pub const MOMENTUM: f32 = 0.1;

/// The places of one channel's parameters in a norm.
#[derive(Clone, Copy, Debug)]
struct Channel {
    scale: usize,
    shift: usize,
    mean: usize,
    variance: usize,
}

/// Two sums for each channel. Forward: of z − centre and of its square. Backward: of the gradients,
/// and of the gradients times z − mean.
#[derive(Clone, Debug)]
pub(super) struct Sums(Vec<[f64; 2]>);

impl Sums {
    pub fn new(blocks: usize) -> Self {
        Self(vec![[0.0; 2]; blocks * LANES])
    }

    /// Adds the sums of other boards.
    pub fn add_all(&mut self, other: &Self) {
        for (sums, more) in self.0.iter_mut().zip(&other.0) {
            sums[0] += more[0];
            sums[1] += more[1];
        }
    }

    pub fn add(&mut self, block: usize, [first, second]: [Row; 2]) {
        let sums = &mut self.0[block * LANES..][..LANES];
        for (sums, (first, second)) in sums.iter_mut().zip(first.0.iter().zip(second.0)) {
            sums[0] += f64::from(*first);
            sums[1] += f64::from(second);
        }
    }
}

/// The norm of one layer. The numbers that kernels read are stored by block of channels.
///
/// Each thread has a copy of its own, and all copies compute the same from the sums of the whole
/// batch.
#[derive(Clone, Debug)]
pub(super) struct Norm {
    channels: Vec<Channel>,
    /// The mean of the batch and its unbiased variance, for each channel.
    batch_statistics: Vec<[f32; 2]>,
    /// The gradients of shift and scale, for each channel.
    gradients: Vec<[f32; 2]>,
    /// The negative mean. In the forward pass, until the batch is measured, it is a guess that
    /// keeps the sums accurate.
    pub minus_mean: Vec<Row>,
    /// The factors of the norm, which turns z into scale · z + shift.
    pub scale: Vec<Row>,
    pub shift: Vec<Row>,
    /// 1 / deviation of each channel.
    inverse: Vec<f32>,
}

/// The factors with which the backward pass computes the gradients of z; see
/// [`NormGradients`](crate::kernels::NormGradients).
pub(super) struct Back {
    pub of_gradient: Vec<Row>,
    pub of_sum: Vec<Row>,
    pub constant: Vec<Row>,
}

impl Norm {
    /// One norm for these layers, whose channels lie side by side.
    pub fn new(layers: &[&Convolution]) -> Self {
        let channel = |layer: &Convolution, n: usize| {
            let at = |range: &Range<usize>| range.start + n;
            Channel {
                scale: at(&layer.scale),
                shift: at(&layer.shift),
                mean: at(&layer.mean),
                variance: at(&layer.variance),
            }
        };
        let of_layer = |layer: &&Convolution| -> Vec<Channel> {
            (0..layer.outputs).map(|n| channel(layer, n)).collect()
        };
        let channels: Vec<Channel> = layers.iter().flat_map(of_layer).collect();
        let rows = vec![Row::ZERO; blocks(channels.len())];
        Self {
            batch_statistics: vec![[0.0; 2]; channels.len()],
            gradients: vec![[0.0; 2]; channels.len()],
            minus_mean: rows.clone(),
            scale: rows.clone(),
            shift: rows,
            inverse: vec![0.0; channels.len()],
            channels,
        }
    }

    /// How many blocks of channels there are.
    pub fn blocks(&self) -> usize {
        blocks(self.channels.len())
    }

    /// Prepares the norm for the statistics of a new batch.
    pub fn begin(&mut self, parameters: &[f32]) {
        self.minus_mean = self.rows(|_, channel| -parameters[channel.mean]);
    }

    /// Computes the means and variances of the batch from the sums of all its `count` numbers of each
    /// channel.
    pub fn measured(&mut self, sums: &Sums, count: usize, parameters: &[f32]) {
        let count = count as f64;
        for (n, channel) in self.channels.iter().enumerate() {
            let [first, second] = sums.0[n].map(|sum| sum / count);
            let mean = (f64::from(parameters[channel.mean]) + first) as f32;
            let variance = (second - first * first).max(0.0);
            self.minus_mean[n / LANES].0[n % LANES] = -mean;
            self.inverse[n] = (1.0 / (variance + f64::from(EPSILON)).sqrt()) as f32;
            self.batch_statistics[n] = [mean, (variance * count / (count - 1.0).max(1.0)) as f32];
        }
        self.scale = self.rows(|n, channel| parameters[channel.scale] * self.inverse[n]);
        self.shift = self.rows(|n, channel| {
            let minus_mean = self.minus_mean[n / LANES].0[n % LANES];
            parameters[channel.shift] + minus_mean * parameters[channel.scale] * self.inverse[n]
        });
    }

    /// Computes the factors for the gradients of z from the sums over all `count` gradients of each
    /// channel, and keeps the gradients of scale and shift.
    ///
    /// With r = 1 / deviation: gradient of z = scale · r · (g − Σg / count − (z − mean) · r² ·
    /// Σg(z − mean) / count).
    pub fn back(&mut self, sums: &Sums, count: usize, parameters: &[f32]) -> Back {
        for (n, gradients) in self.gradients.iter_mut().enumerate() {
            *gradients = [sums.0[n][0] as f32, sums.0[n][1] as f32 * self.inverse[n]];
        }
        let mean = |n: usize, which: usize| (sums.0[n][which] / count as f64) as f32;
        let of_gradient = |n: usize, channel: &Channel| parameters[channel.scale] * self.inverse[n];
        let of_sum = |n: usize, channel: &Channel| {
            -of_gradient(n, channel) * self.inverse[n] * self.inverse[n] * mean(n, 1)
        };
        let constant = |n: usize, channel: &Channel| {
            let minus_mean = self.minus_mean[n / LANES].0[n % LANES];
            of_sum(n, channel) * minus_mean - of_gradient(n, channel) * mean(n, 0)
        };
        Back {
            of_gradient: self.rows(of_gradient),
            of_sum: self.rows(of_sum),
            constant: self.rows(constant),
        }
    }

    /// Moves the running statistics towards those of the batch, and adds the gradients of scale and
    /// shift. To be called once for each batch, after both passes.
    pub fn settle(&self, parameters: &mut [f32], gradients: &mut [f32]) {
        let both = self.batch_statistics.iter().zip(&self.gradients);
        for (channel, ([mean, variance], [shift, scale])) in self.channels.iter().zip(both) {
            parameters[channel.mean] += MOMENTUM * (mean - parameters[channel.mean]);
            parameters[channel.variance] += MOMENTUM * (variance - parameters[channel.variance]);
            gradients[channel.shift] += shift;
            gradients[channel.scale] += scale;
        }
    }

    fn rows(&self, number: impl Fn(usize, &Channel) -> f32) -> Vec<Row> {
        row_list(self.channels.len(), |n| number(n, &self.channels[n]))
    }
}
