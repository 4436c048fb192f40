//! The two heads, forward and backward.

use super::loss::{Batch, Losses, TaskWeights, softmax};
use super::norm::Norm;
use super::tower::Layer;
use crate::architecture::{Architecture, DenseLayer, Layout};
use crate::boards::Part;
use crate::grid::Grid;
use crate::kernels::{
    Gate, Instructions, Moments, NormGradients, Normalise, Product, SumOfProducts,
};
use crate::rows::{Matrix, Row};
use crate::weights::{add_columns, fill, padded, transposed};

/// Both heads. Their 1 × 1 convolutions are one layer, with the policy's channels before the
/// value's.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    grid: Grid,
    weight: Matrix,
    weight_transposed: Matrix,
    norm: Norm,
    /// The convolution's outputs, its activations, and the gradients of both, with a row for each
    /// cell.
    z: Matrix,
    a: Matrix,
    g: Matrix,
    z_gradients: Matrix,
    policy: Part,
    value: Part,
    moves: Dense,
    hidden: Dense,
}

/// A fully connected layer.
#[derive(Clone, Debug)]
struct Dense {
    layer: DenseLayer,
    weight: Matrix,
    weight_transposed: Matrix,
    x: Matrix,
    y: Matrix,
    x_gradients: Matrix,
    y_gradients: Matrix,
}

impl Heads {
    pub fn new(architecture: &Architecture, layout: &Layout, grid: Grid, most: usize) -> Self {
        let tile = grid.instructions.tile_rows();
        let Layout { policy, value, moves, hidden, .. } = layout;
        let channels = policy.outputs + value.outputs;
        let cells = Matrix::new((most * grid.cells()).next_multiple_of(tile), channels);
        let parts = Part::heads(architecture);
        let [policy_rows, value_rows] = parts.map(|part| part.rows(most).next_multiple_of(tile));
        let [policy_part, value_part] = parts;
        Self {
            grid,
            weight: Matrix::new(padded(policy.inputs), channels),
            weight_transposed: Matrix::new(padded(channels), policy.inputs),
            norm: Norm::new(&[policy, value]),
            z: cells.clone(),
            a: cells.clone(),
            g: cells.clone(),
            z_gradients: cells,
            policy: policy_part,
            value: value_part,
            moves: Dense::new(moves, policy_rows),
            hidden: Dense::new(hidden, value_rows),
        }
    }

    pub fn pack(&mut self, layout: &Layout, parameters: &[f32]) {
        let Layout { policy, value, .. } = layout;
        fill(&mut self.weight, &parameters[policy.weight.clone()], policy.inputs, 0);
        fill(&mut self.weight, &parameters[value.weight.clone()], value.inputs, policy.outputs);
        let channels = policy.outputs + value.outputs;
        self.weight_transposed = transposed(&self.weight, policy.inputs, channels);
        self.moves.pack(parameters);
        self.hidden.pack(parameters);
    }

    /// Computes the logits and the hidden units, without biases.
    pub fn forward(&mut self, below: &Matrix, boards: usize, parameters: &mut [f32]) {
        let instructions = self.grid.instructions;
        let rows = boards * self.grid.cells();
        product(instructions, below, &self.weight, &mut self.z, rows);
        self.norm.begin(parameters);
        for block in 0..self.z.blocks() {
            let moments = instructions.run(Moments {
                z: self.z.part(block, 0..rows),
                minus_centre: &self.norm.minus_mean[block],
            });
            self.norm.sums.add(block, moments);
        }
        self.norm.measured(rows, parameters);
        for block in 0..self.z.blocks() {
            instructions.run(Normalise {
                z: self.z.part(block, 0..rows),
                scale: &self.norm.scale[block],
                shift: &self.norm.shift[block],
                skip: None,
                y: self.a.part_mut(block, 0..rows),
            });
        }
        self.policy.take(boards, &self.a, &mut self.moves.x);
        self.value.take(boards, &self.a, &mut self.hidden.x);
        self.moves.forward(instructions, self.policy.rows(boards));
        self.hidden.forward(instructions, boards);
    }

    /// The loss, and the gradients of the logits, of the hidden units and of the value's last
    /// layer.
    pub fn loss(
        &mut self,
        layout: &Layout,
        batch: &Batch<'_>,
        weights: TaskWeights,
        parameters: &[f32],
        gradients: &mut [f32],
    ) -> Losses {
        let boards = batch.values.len();
        let share = 1.0 / boards as f32;
        let mut losses = [0.0f64; 3];
        let moves = batch.legal.len() / boards;
        let bias = &parameters[layout.moves.bias.clone()];
        let (part, cells) = (self.policy, self.grid.cells());
        let place = |board, mv| part.place(board, mv / cells, mv % cells);
        let mut policy = vec![0.0; moves];
        let targets = batch.legal.chunks_exact(moves).zip(batch.policy.chunks_exact(moves));
        for (board, (legal, target)) in targets.enumerate() {
            for (mv, logit) in policy.iter_mut().enumerate() {
                let (row, column) = place(board, mv);
                *logit = self.moves.y.at(row, column) + bias[column];
            }
            softmax(&mut policy, |mv| legal[mv]);
            for (mv, (&is, &wanted)) in policy.iter().zip(target).enumerate() {
                let log = f64::from(is.max(f32::MIN_POSITIVE).ln());
                losses[0] -= f64::from(wanted) * log;
                losses[2] -= f64::from(is) * log;
                let gradient = if legal[mv] { is - wanted } else { 0.0 };
                let (row, column) = place(board, mv);
                *self.moves.y_gradients.at_mut(row, column) = gradient * weights.policy * share;
            }
        }
        let bias = &parameters[layout.hidden.bias.clone()];
        let out = &parameters[layout.out.weight.clone()];
        for (board, target) in batch.values.iter().enumerate() {
            let unit = |n: usize| (self.hidden.y.at(board, n) + bias[n]).max(0.0);
            let sum: f32 = out.iter().enumerate().map(|(n, weight)| weight * unit(n)).sum();
            let value = (sum + parameters[layout.out.bias.start]).tanh();
            let error = value - target;
            losses[1] += f64::from(error) * f64::from(error);
            let gradient = 2.0 * error * (1.0 - value * value) * weights.value * share;
            gradients[layout.out.bias.start] += gradient;
            for (n, weight) in out.iter().enumerate() {
                let unit = unit(n);
                gradients[layout.out.weight.start + n] += gradient * unit;
                let gradient = if unit > 0.0 { gradient * weight } else { 0.0 };
                *self.hidden.y_gradients.at_mut(board, n) = gradient;
            }
        }
        let [policy, value, entropy] = losses.map(|sum| (sum / boards as f64) as f32);
        Losses { policy, value, entropy }
    }

    /// Turns these gradients into those of all parameters of the heads, and of the tower's output.
    pub fn back(
        &mut self,
        layout: &Layout,
        below: &mut Layer,
        boards: usize,
        parameters: &[f32],
        gradients: &mut [f32],
    ) {
        let (grid, instructions) = (self.grid, self.grid.instructions);
        let rows = boards * grid.cells();
        self.moves.back(instructions, self.policy.rows(boards), gradients);
        self.hidden.back(instructions, boards, gradients);
        self.policy.put_back(boards, &self.moves.x_gradients, &mut self.g);
        self.value.put_back(boards, &self.hidden.x_gradients, &mut self.g);
        self.norm.sums.clear();
        for block in 0..self.z.blocks() {
            let sums = instructions.run(Gate {
                g: self.g.part_mut(block, 0..rows),
                activation: self.a.part(block, 0..rows),
                z: self.z.part(block, 0..rows),
                minus_mean: &self.norm.minus_mean[block],
            });
            self.norm.sums.add(block, sums);
        }
        let back = self.norm.back(rows, parameters, gradients);
        for block in 0..self.z.blocks() {
            instructions.run(NormGradients {
                g: self.g.part(block, 0..rows),
                z: self.z.part(block, 0..rows),
                of_gradient: &back.of_gradient[block],
                of_sum: &back.of_sum[block],
                constant: &back.constant[block],
                out: self.z_gradients.part_mut(block, 0..rows),
            });
        }
        let sums = sum_of_products(instructions, &below.a, &self.z_gradients, rows);
        let Layout { policy, value, .. } = layout;
        for (head, first) in [(policy, 0), (value, policy.outputs)] {
            add_columns(&sums, &mut gradients[head.weight.clone()], head.inputs, first);
        }
        product(instructions, &self.z_gradients, &self.weight_transposed, &mut below.g, rows);
        below.norm.sums.clear();
        for block in 0..below.g.blocks() {
            below.gate(grid, block, 0..rows);
        }
    }
}

impl Dense {
    fn new(layer: &DenseLayer, rows: usize) -> Self {
        let (x, y) = (Matrix::new(rows, layer.inputs), Matrix::new(rows, layer.outputs));
        Self {
            layer: layer.clone(),
            weight: Matrix::new(padded(layer.inputs), layer.outputs),
            weight_transposed: Matrix::new(padded(layer.outputs), layer.inputs),
            x_gradients: x.clone(),
            y_gradients: y.clone(),
            x,
            y,
        }
    }

    fn pack(&mut self, parameters: &[f32]) {
        let DenseLayer { inputs, outputs, .. } = self.layer;
        fill(&mut self.weight, &parameters[self.layer.weight.clone()], inputs, 0);
        self.weight_transposed = transposed(&self.weight, inputs, outputs);
    }

    /// Computes the layer's outputs in the first `rows` rows.
    fn forward(&mut self, instructions: Instructions, rows: usize) {
        product(instructions, &self.x, &self.weight, &mut self.y, rows);
    }

    fn back(&mut self, instructions: Instructions, rows: usize, gradients: &mut [f32]) {
        let DenseLayer { inputs, outputs, .. } = self.layer;
        let sums = sum_of_products(instructions, &self.x, &self.y_gradients, rows);
        add_columns(&sums, &mut gradients[self.layer.weight.clone()], inputs, 0);
        for (output, gradient) in gradients[self.layer.bias.clone()].iter_mut().enumerate() {
            *gradient += (0..rows).map(|row| self.y_gradients.at(row, output)).sum::<f32>();
        }
        debug_assert_eq!(outputs, self.layer.bias.len());
        product(
            instructions,
            &self.y_gradients,
            &self.weight_transposed,
            &mut self.x_gradients,
            rows,
        );
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
    instructions.run(SumOfProducts { a, b, c, rows, used, left, right });
    sums
}
