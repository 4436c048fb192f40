//! The network in plain loops and double precision, as the oracle of the tests.

use std::ops::Range;

use wurfel_core::Random;

use crate::architecture::{Architecture, Convolution, DenseLayer};
use crate::model::{EPSILON, Model};
use crate::training::{Batch, TaskWeights};

/// The output of the network for one position.
pub struct NaiveOutput {
    pub logits: Vec<f64>,
    pub value: f64,
}

/// The channels of one board: `[channel][cell]`.
type Planes = Vec<Vec<f64>>;

/// The statistics that the norms use.
#[derive(Clone, Copy, PartialEq)]
pub enum Norms {
    /// The running statistics.
    Running,
    /// The statistics of the batch.
    Batch,
}

struct Net<'a> {
    parameters: &'a [f64],
    side: usize,
    norms: Norms,
}

/// The logits and values of a batch, by the textbook's loops.
pub fn infer(
    architecture: &Architecture,
    parameters: &[f64],
    planes: &[f32],
    norms: Norms,
) -> Vec<NaiveOutput> {
    let layout = architecture.layout();
    let cells = architecture.cells();
    let net = Net { parameters, side: architecture.board, norms };
    let boards: Vec<Planes> = planes
        .chunks_exact(architecture.planes * cells)
        .map(|board| {
            board
                .chunks_exact(cells)
                .map(|plane| plane.iter().map(|&x| f64::from(x)).collect())
                .collect()
        })
        .collect();
    let mut x = boards;
    let (plain, blocks) = layout.tower.split_at(architecture.shape.convolutions);
    for layer in plain {
        x = net.layer(layer, &x, None);
    }
    for block in blocks.chunks(2) {
        let between = net.layer(&block[0], &x, None);
        x = net.layer(&block[1], &between, Some(&x));
    }
    let policy = net.layer(&layout.policy, &x, None);
    let value = net.layer(&layout.value, &x, None);
    let answer = |(policy, value): (&Planes, &Planes)| {
        let hidden = net.linear(&layout.hidden, &value.concat());
        let hidden: Vec<f64> = hidden.into_iter().map(|unit| unit.max(0.0)).collect();
        let by_cell = |cell: usize| {
            let channels: Vec<f64> = policy.iter().map(|plane| plane[cell]).collect();
            net.linear(&layout.moves, &channels)
        };
        let logits = if architecture.shape.spatial_policy {
            let cells: Vec<Vec<f64>> = (0..cells).map(by_cell).collect();
            let plane = |n: usize| cells.iter().map(move |cell| cell[n]);
            (0..layout.moves.outputs).flat_map(plane).collect()
        } else {
            net.linear(&layout.moves, &policy.concat())
        };
        NaiveOutput { logits, value: net.linear(&layout.out, &hidden)[0].tanh() }
    };
    policy.iter().zip(&value).map(answer).collect()
}

/// The loss of a batch.
pub fn loss(
    architecture: &Architecture,
    parameters: &[f64],
    batch: &Batch<'_>,
    weights: TaskWeights,
) -> f64 {
    let answers = infer(architecture, parameters, batch.planes, Norms::Batch);
    let moves = architecture.moves;
    let mut sum = 0.0;
    for (board, NaiveOutput { logits, value }) in answers.iter().enumerate() {
        let legal = &batch.legal[board * moves..][..moves];
        let powers: f64 =
            logits.iter().zip(legal).filter(|(_, legal)| **legal).map(|(x, _)| x.exp()).sum();
        for mv in (0..moves).filter(|&mv| legal[mv]) {
            let wanted = f64::from(batch.policy[board * moves + mv]);
            sum -= f64::from(weights.policy) * wanted * (logits[mv].exp() / powers).ln();
        }
        sum += f64::from(weights.value) * (value - f64::from(batch.values[board])).powi(2);
    }
    sum / answers.len() as f64
}

impl Net<'_> {
    fn of(&self, range: &Range<usize>) -> &[f64] {
        &self.parameters[range.clone()]
    }

    /// A convolution, its norm, the addition of the skip connection, and ReLU.
    fn layer(
        &self,
        layer: &Convolution,
        boards: &[Planes],
        skip: Option<&[Planes]>,
    ) -> Vec<Planes> {
        let mut sums: Vec<Planes> =
            boards.iter().map(|board| self.convolution(layer, board)).collect();
        let count = (sums.len() * self.side * self.side) as f64;
        for channel in 0..layer.outputs {
            let (mut mean, mut variance) =
                (self.of(&layer.mean)[channel], self.of(&layer.variance)[channel]);
            if self.norms == Norms::Batch {
                let all = || sums.iter().flat_map(|board| &board[channel]);
                mean = all().sum::<f64>() / count;
                variance = all().map(|z| (z - mean).powi(2)).sum::<f64>() / count;
            }
            let scale = self.of(&layer.scale)[channel] / (variance + f64::from(EPSILON)).sqrt();
            let shift = self.of(&layer.shift)[channel];
            for (n, board) in sums.iter_mut().enumerate() {
                for (cell, z) in board[channel].iter_mut().enumerate() {
                    let added = skip.map_or(0.0, |skip| skip[n][channel][cell]);
                    *z = ((*z - mean) * scale + shift + added).max(0.0);
                }
            }
        }
        sums
    }

    fn convolution(&self, layer: &Convolution, board: &Planes) -> Planes {
        let side = self.side as isize;
        let window = if layer.weight.len() == layer.inputs * layer.outputs { 1 } else { 3 };
        let mut sums = vec![vec![0.0; (side * side) as usize]; layer.outputs];
        let mut weights = self.of(&layer.weight).iter();
        for sums in &mut sums {
            for plane in board {
                for tap in 0..window * window {
                    let (down, across) = (tap / window - window / 2, tap % window - window / 2);
                    let weight = weights.next().expect("outputs × inputs × taps");
                    for row in 0.max(-down)..side.min(side - down) {
                        for column in 0.max(-across)..side.min(side - across) {
                            let from = (row + down) * side + column + across;
                            sums[(row * side + column) as usize] += weight * plane[from as usize];
                        }
                    }
                }
            }
        }
        sums
    }

    fn linear(&self, layer: &DenseLayer, x: &[f64]) -> Vec<f64> {
        let rows = self.of(&layer.weight).chunks_exact(layer.inputs).zip(self.of(&layer.bias));
        rows.map(|(row, bias)| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>() + bias).collect()
    }
}

/// A random network in which no parameter is trivial, including those of the norms.
pub fn lively(architecture: Architecture, random: &mut Random) -> Model {
    let mut model = Model::new(architecture, "toy", random).expect("a sound architecture");
    let layout = architecture.layout();
    for tensor in &layout.tensors {
        for number in &mut model.parameters[tensor.range.clone()] {
            let some = random.unit() as f32;
            if tensor.name.ends_with("norm.weight") || tensor.name.ends_with("running_var") {
                *number = 0.5 + some;
            } else if tensor.shape.len() == 1 {
                *number = some - 0.5;
            } else if tensor.name.starts_with("policy.moves")
                || tensor.name.starts_with("value.out")
            {
                *number *= 10.0;
            }
        }
    }
    model
}

/// Random positions to learn from, with lists that it owns.
pub struct TrainingBatch {
    pub planes: Vec<f32>,
    pub legal: Vec<bool>,
    pub policy: Vec<f32>,
    pub values: Vec<f32>,
}

impl TrainingBatch {
    /// Makes random positions, every fifth of which is at rest.
    pub fn random(architecture: &Architecture, boards: usize, random: &mut Random) -> Self {
        let planes = boards * architecture.planes * architecture.cells();
        let planes = (0..planes).map(|_| random.below(3) as f32 - 1.0).collect();
        let (mut legal, mut policy) = (vec![], vec![]);
        for board in 1..=boards {
            if board % 5 == 0 {
                legal.extend(vec![false; architecture.moves]);
                policy.extend(vec![0.0; architecture.moves]);
                continue;
            }
            let always = random.below(architecture.moves as u32) as usize;
            let list: Vec<bool> =
                (0..architecture.moves).map(|mv| mv == always || random.below(2) == 0).collect();
            let weights: Vec<f32> =
                list.iter().map(|&legal| if legal { random.unit() as f32 } else { 0.0 }).collect();
            let sum: f32 = weights.iter().sum();
            policy.extend(weights.iter().map(|weight| weight / sum));
            legal.extend(list);
        }
        let values = (0..boards).map(|_| random.unit() as f32 * 2.0 - 1.0).collect();
        Self { planes, legal, policy, values }
    }

    pub fn batch(&self) -> Batch<'_> {
        let Self { planes, legal, policy, values } = self;
        Batch { planes, legal, policy, values }
    }
}
