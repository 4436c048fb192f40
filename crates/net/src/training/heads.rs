//! The two heads, forward and backward, for the boards of one slice.

use super::loss::{Batch, TaskWeights, softmax};
use super::norm::{Back, Norm, Sums};
use super::tower::Activations;
use crate::architecture::{Architecture, DenseLayer, Layout};
use crate::boards::Part;
use crate::grid::Grid;
use crate::kernels::{
    Gate, Instructions, Moments, NormGradients, Normalise, Product, SumOfProducts,
};
use crate::rows::{Matrix, Row};
use crate::weights::{add_columns, fill, padded, transposed};

/// The weights of both heads. Their 1 × 1 convolutions are one layer, with the policy's channels before
/// the value's.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    grid: Grid,
    channels: usize,
    weight: Matrix,
    weight_transposed: Matrix,
    policy: Part,
    value: Part,
    moves: Dense,
    hidden: Dense,
}

/// The weights of a fully connected layer.
#[derive(Clone, Debug)]
struct Dense {
    layer: DenseLayer,
    weight: Matrix,
    weight_transposed: Matrix,
}

/// The buffers of the heads for one slice of a batch.
#[derive(Clone, Debug)]
pub(super) struct HeadsSlice {
    /// How many boards the slice has at present.
    boards: usize,
    /// The convolution's outputs, its activations, and the gradients of both, with a row for each
    /// cell.
    z: Matrix,
    a: Matrix,
    g: Matrix,
    z_gradients: Matrix,
    moves: DenseSlice,
    hidden: DenseSlice,
}

/// The inputs and outputs of a fully connected layer, and the gradients of both.
#[derive(Clone, Debug)]
struct DenseSlice {
    x: Matrix,
    y: Matrix,
    x_gradients: Matrix,
    y_gradients: Matrix,
}

impl Heads {
    pub fn new(architecture: &Architecture, layout: &Layout, grid: Grid) -> Self {
        let Layout { policy, value, moves, hidden, .. } = layout;
        let channels = policy.outputs + value.outputs;
        let [policy_part, value_part] = Part::heads(architecture);
        Self {
            grid,
            channels,
            weight: Matrix::new(padded(policy.inputs), channels),
            weight_transposed: Matrix::new(padded(channels), policy.inputs),
            policy: policy_part,
            value: value_part,
            moves: Dense::new(moves),
            hidden: Dense::new(hidden),
        }
    }

    /// Buffers for a slice of up to `room` boards.
    pub fn slice(&self, room: usize) -> HeadsSlice {
        let tile = self.grid.instructions.tile_rows();
        let cells = Matrix::new((room * self.grid.cells()).next_multiple_of(tile), self.channels);
        HeadsSlice {
            boards: 0,
            z: cells.clone(),
            a: cells.clone(),
            g: cells.clone(),
            z_gradients: cells,
            moves: self.moves.slice(self.policy.rows(room).next_multiple_of(tile)),
            hidden: self.hidden.slice(self.value.rows(room).next_multiple_of(tile)),
        }
    }

    pub fn pack(&mut self, layout: &Layout, parameters: &[f32]) {
        let Layout { policy, value, .. } = layout;
        fill(&mut self.weight, &parameters[policy.weight.clone()], policy.inputs, 0);
        fill(&mut self.weight, &parameters[value.weight.clone()], value.inputs, policy.outputs);
        self.weight_transposed = transposed(&self.weight, policy.inputs, self.channels);
        self.moves.pack(parameters);
        self.hidden.pack(parameters);
    }

    /// Computes the convolution of the slice's boards, and returns its moments.
    pub fn convolve(
        &self,
        below: &Activations,
        boards: usize,
        slice: &mut HeadsSlice,
        norm: &Norm,
    ) -> Sums {
        slice.boards = boards;
        let instructions = self.grid.instructions;
        let rows = boards * self.grid.cells();
        product(instructions, &below.a, &self.weight, &mut slice.z, rows);
        let mut sums = Sums::new(norm.blocks());
        for block in 0..norm.blocks() {
            let (z, minus_centre) = (slice.z.part(block, 0..rows), &norm.minus_mean[block]);
            sums.add(block, instructions.run(Moments { z, minus_centre }));
        }
        sums
    }

    /// Computes the logits and the hidden units, without biases.
    pub fn forward(&self, slice: &mut HeadsSlice, norm: &Norm) {
        let instructions = self.grid.instructions;
        let HeadsSlice { boards, ref z, ref mut a, ref mut moves, ref mut hidden, .. } = *slice;
        let rows = boards * self.grid.cells();
        for block in 0..norm.blocks() {
            instructions.run(Normalise {
                z: z.part(block, 0..rows),
                scale: &norm.scale[block],
                shift: &norm.shift[block],
                skip: None,
                y: a.part_mut(block, 0..rows),
            });
        }
        self.policy.take(boards, a, &mut moves.x);
        self.value.take(boards, a, &mut hidden.x);
        self.moves.forward(instructions, self.policy.rows(boards), moves);
        self.hidden.forward(instructions, boards, hidden);
    }

    /// The sums of the loss over a slice: the policy's cross-entropy, the value's squared error and
    /// the policy's entropy. Also computes the gradients of the logits, of the hidden units and of
    /// the value's last layer, multiplied by the weights.
    pub fn loss(
        &self,
        layout: &Layout,
        batch: &Batch<'_>,
        weights: TaskWeights,
        slice: &mut HeadsSlice,
        parameters: &[f32],
        gradients: &mut [f32],
    ) -> [f64; 3] {
        let policy = self.policy_loss(layout, batch, weights.policy, slice, parameters);
        let (bias, out) =
            (&parameters[layout.hidden.bias.clone()], &parameters[layout.out.weight.clone()]);
        let mut squares = 0.0;
        for (board, target) in batch.values.iter().enumerate() {
            let DenseSlice { y, y_gradients, .. } = &mut slice.hidden;
            let unit = |n: usize| (y.at(board, n) + bias[n]).max(0.0);
            let sum: f32 = out.iter().enumerate().map(|(n, weight)| weight * unit(n)).sum();
            let value = (sum + parameters[layout.out.bias.start]).tanh();
            let error = value - target;
            squares += f64::from(error) * f64::from(error);
            let gradient = 2.0 * error * (1.0 - value * value) * weights.value;
            gradients[layout.out.bias.start] += gradient;
            for (n, weight) in out.iter().enumerate() {
                let unit = unit(n);
                gradients[layout.out.weight.start + n] += gradient * unit;
                let gradient = if unit > 0.0 { gradient * weight } else { 0.0 };
                *y_gradients.at_mut(board, n) = gradient;
            }
        }
        let [cross_entropy, entropy] = policy;
        [cross_entropy, squares, entropy]
    }

    /// The sums of cross-entropy and entropy over a slice. The gradients of the logits are multiplied by
    /// `weight`.
    fn policy_loss(
        &self,
        layout: &Layout,
        batch: &Batch<'_>,
        weight: f32,
        slice: &mut HeadsSlice,
        parameters: &[f32],
    ) -> [f64; 2] {
        let moves = batch.legal.len() / batch.values.len();
        let bias = &parameters[layout.moves.bias.clone()];
        let (part, cells) = (self.policy, self.grid.cells());
        let place = |board, mv| part.place(board, mv / cells, mv % cells);
        let (mut losses, mut policy) = ([0.0; 2], vec![0.0; moves]);
        let targets = batch.legal.chunks_exact(moves).zip(batch.policy.chunks_exact(moves));
        for (board, (legal, target)) in targets.enumerate() {
            for (mv, logit) in policy.iter_mut().enumerate() {
                let (row, column) = place(board, mv);
                *logit = slice.moves.y.at(row, column) + bias[column];
            }
            softmax(&mut policy, |mv| legal[mv]);
            for (mv, (&is, &wanted)) in policy.iter().zip(target).enumerate() {
                let log = f64::from(is.max(f32::MIN_POSITIVE).ln());
                losses[0] -= f64::from(wanted) * log;
                losses[1] -= f64::from(is) * log;
                let gradient = if legal[mv] { is - wanted } else { 0.0 };
                let (row, column) = place(board, mv);
                *slice.moves.y_gradients.at_mut(row, column) = gradient * weight;
            }
        }
        losses
    }

    /// Propagates these gradients to the fully connected layers and to the input of the ReLU, and
    /// returns the sums of the latter.
    pub fn back(&self, slice: &mut HeadsSlice, norm: &Norm, gradients: &mut [f32]) -> Sums {
        let instructions = self.grid.instructions;
        let rows = slice.boards * self.grid.cells();
        let HeadsSlice { boards, z, a, g, moves, hidden, .. } = slice;
        let boards = *boards;
        self.moves.back(instructions, self.policy.rows(boards), moves, gradients);
        self.hidden.back(instructions, boards, hidden, gradients);
        self.policy.put_back(boards, &moves.x_gradients, g);
        self.value.put_back(boards, &hidden.x_gradients, g);
        let mut sums = Sums::new(norm.blocks());
        for block in 0..norm.blocks() {
            let gated = instructions.run(Gate {
                g: g.part_mut(block, 0..rows),
                activation: a.part(block, 0..rows),
                z: z.part(block, 0..rows),
                minus_mean: &norm.minus_mean[block],
            });
            sums.add(block, gated);
        }
        sums
    }

    /// Propagates the gradients further, to the convolution's weights and to the tower's
    /// activations.
    pub fn back_through(
        &self,
        layout: &Layout,
        below: &mut Activations,
        slice: &mut HeadsSlice,
        back: &Back,
        gradients: &mut [f32],
    ) {
        let instructions = self.grid.instructions;
        let rows = slice.boards * self.grid.cells();
        let HeadsSlice { z, g, z_gradients, .. } = slice;
        for block in 0..z.blocks() {
            instructions.run(NormGradients {
                g: g.part(block, 0..rows),
                z: z.part(block, 0..rows),
                of_gradient: &back.of_gradient[block],
                of_sum: &back.of_sum[block],
                constant: &back.constant[block],
                out: z_gradients.part_mut(block, 0..rows),
            });
        }
        let sums = sum_of_products(instructions, &below.a, z_gradients, rows);
        let Layout { policy, value, .. } = layout;
        for (head, first) in [(policy, 0), (value, policy.outputs)] {
            add_columns(&sums, &mut gradients[head.weight.clone()], head.inputs, first);
        }
        product(instructions, z_gradients, &self.weight_transposed, &mut below.g, rows);
    }
}

impl Dense {
    fn new(layer: &DenseLayer) -> Self {
        Self {
            layer: layer.clone(),
            weight: Matrix::new(padded(layer.inputs), layer.outputs),
            weight_transposed: Matrix::new(padded(layer.outputs), layer.inputs),
        }
    }

    fn slice(&self, rows: usize) -> DenseSlice {
        let (x, y) = (Matrix::new(rows, self.layer.inputs), Matrix::new(rows, self.layer.outputs));
        DenseSlice { x_gradients: x.clone(), y_gradients: y.clone(), x, y }
    }

    fn pack(&mut self, parameters: &[f32]) {
        let DenseLayer { inputs, outputs, .. } = self.layer;
        fill(&mut self.weight, &parameters[self.layer.weight.clone()], inputs, 0);
        self.weight_transposed = transposed(&self.weight, inputs, outputs);
    }

    /// Computes the layer's outputs in the first `rows` rows.
    fn forward(&self, instructions: Instructions, rows: usize, slice: &mut DenseSlice) {
        product(instructions, &slice.x, &self.weight, &mut slice.y, rows);
    }

    fn back(
        &self,
        instructions: Instructions,
        rows: usize,
        slice: &mut DenseSlice,
        gradients: &mut [f32],
    ) {
        let DenseSlice { x, x_gradients, y_gradients, .. } = slice;
        let DenseLayer { inputs, outputs, .. } = self.layer;
        let sums = sum_of_products(instructions, x, y_gradients, rows);
        add_columns(&sums, &mut gradients[self.layer.weight.clone()], inputs, 0);
        for (output, gradient) in gradients[self.layer.bias.clone()].iter_mut().enumerate() {
            *gradient += (0..rows).map(|row| y_gradients.at(row, output)).sum::<f32>();
        }
        debug_assert_eq!(outputs, self.layer.bias.len());
        product(instructions, y_gradients, &self.weight_transposed, x_gradients, rows);
    }
}

/// c ← a · b in the first `used` rows.
fn product(instructions: Instructions, a: &Matrix, b: &Matrix, c: &mut Matrix, used: usize) {
    let (rows, inner, outer) = (a.rows(), a.blocks(), c.blocks());
    let (a, b, c) = (a.all(), b.all(), c.all_mut());
    instructions.run(Product { a, b, c, rows, used, inner, outer });
}

/// aᵀ · b over the first `used` rows.
fn sum_of_products(instructions: Instructions, a: &Matrix, b: &Matrix, used: usize) -> Matrix {
    let (rows, left, right) = (a.rows(), a.blocks(), b.blocks());
    let mut sums = Matrix::new(left * Row::ZERO.0.len(), right * Row::ZERO.0.len());
    let (a, b, c) = (a.all(), b.all(), sums.all_mut());
    instructions.run(SumOfProducts { a, b, c, rows, used, left, right, add: false });
    sums
}
