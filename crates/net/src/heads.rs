//! The layers after the 1 × 1 convolutions of the heads: the fully connected layers, which are
//! small and stay in floating point, whatever arithmetic the tower uses.

use crate::architecture::{Architecture, DenseLayer, Layout};
use crate::boards::Part;
use crate::kernels::{Instructions, Product, Rectify};
use crate::model::Model;
use crate::rows::{LANES, Matrix, Row, row_list};
use crate::weights::{fill, padded};

/// Whether products are rounded before they are added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    /// In whichever way is fastest with the instructions; results then differ in the last bits.
    Quickest,
    /// Always rounded, so that all instructions give the same results bit by bit.
    Always,
}

/// A matrix of weights and the biases that are added after the product.
#[derive(Debug)]
pub(crate) struct Dense {
    pub weight: Matrix,
    pub bias: Vec<Row>,
}

/// The fully connected layers of both heads.
#[derive(Debug)]
pub(crate) struct HeadLayers {
    architecture: Architecture,
    rounding: Rounding,
    moves: Dense,
    hidden: Dense,
    out: Vec<f32>,
    out_bias: f32,
}

/// The buffers to which the heads write.
#[derive(Clone, Debug)]
pub(crate) struct HeadMemory {
    /// The channels of both heads after their 1 × 1 convolution, with a row for each cell; the
    /// channels of the policy head come first.
    pub channels: Matrix,
    policy: Matrix,
    value: Matrix,
    logits: Matrix,
    hidden: Matrix,
}

impl Dense {
    /// to ← from · weight in the first `used` rows.
    pub fn apply(
        &self,
        instructions: Instructions,
        rounding: Rounding,
        from: &Matrix,
        to: &mut Matrix,
        used: usize,
    ) {
        let product = Product {
            rows: from.rows(),
            used,
            inner: from.blocks(),
            outer: to.blocks(),
            a: from.all(),
            b: self.weight.all(),
            c: to.all_mut(),
        };
        match rounding {
            Rounding::Quickest => instructions.run(product),
            Rounding::Always => instructions.run_unfused(product),
        }
    }
}

/// y ← max(0, y + bias) in the first `rows` rows.
pub(crate) fn rectify(instructions: Instructions, bias: &[Row], y: &mut Matrix, rows: usize) {
    for (block, bias) in bias.iter().enumerate() {
        instructions.run(Rectify { y: y.part_mut(block, 0..rows), bias });
    }
}

impl HeadMemory {
    /// Buffers for up to `room` boards.
    pub fn new(architecture: &Architecture, instructions: Instructions, room: usize) -> Self {
        let shape = architecture.shape;
        let tile = instructions.tile_rows();
        let rows = (room * architecture.cells()).next_multiple_of(tile);
        let boards = room.next_multiple_of(tile);
        let [policy, _] = Part::heads(architecture);
        let policy_rows = policy.rows(room).next_multiple_of(tile);
        let layout = architecture.layout();
        Self {
            channels: Matrix::new(rows, shape.policy_channels + shape.value_channels),
            policy: Matrix::new(policy_rows, layout.moves.inputs),
            value: Matrix::new(boards, layout.hidden.inputs),
            logits: Matrix::new(policy_rows, layout.moves.outputs),
            hidden: Matrix::new(boards, shape.value_hidden),
        }
    }
}

impl HeadLayers {
    pub fn new(model: &Model, rounding: Rounding) -> Self {
        let parameters = &model.parameters;
        let Layout { moves, hidden, out, .. } = model.architecture().layout();
        let dense = |layer: &DenseLayer| {
            let mut weight = Matrix::new(padded(layer.inputs), layer.outputs);
            fill(&mut weight, &parameters[layer.weight.clone()], layer.inputs, 0);
            let bias = &parameters[layer.bias.clone()];
            Dense { weight, bias: row_list(layer.outputs, |output| bias[output]) }
        };
        Self {
            architecture: *model.architecture(),
            rounding,
            moves: dense(&moves),
            hidden: dense(&hidden),
            out: parameters[out.weight.clone()].to_vec(),
            out_bias: parameters[out.bias.start],
        }
    }

    /// Computes logits and values from the channels in the memory.
    pub fn answer(
        &self,
        instructions: Instructions,
        memory: &mut HeadMemory,
        logits: &mut [f32],
        values: &mut [f32],
    ) {
        let HeadMemory { channels, policy, value, logits: policy_out, hidden } = memory;
        let (boards, cells) = (values.len(), self.architecture.cells());
        let [policy_part, value_part] = Part::heads(&self.architecture);
        policy_part.take(boards, channels, policy);
        value_part.take(boards, channels, value);
        let policy_rows = policy_part.rows(boards);
        self.moves.apply(instructions, self.rounding, policy, policy_out, policy_rows);
        self.hidden.apply(instructions, self.rounding, value, hidden, boards);
        rectify(instructions, &self.hidden.bias, hidden, boards);
        let logits = logits.chunks_exact_mut(self.architecture.moves);
        for (board, (logits, value)) in logits.zip(values).enumerate() {
            for (channel, logits) in logits.chunks_mut(cells).enumerate() {
                for (cell, logit) in logits.iter_mut().enumerate() {
                    let (row, column) = policy_part.place(board, channel, cell);
                    let bias = self.moves.bias[column / LANES].0[column % LANES];
                    *logit = policy_out.at(row, column) + bias;
                }
            }
            let units = self.out.iter().enumerate();
            let sum: f32 = units.map(|(unit, weight)| weight * hidden.at(board, unit)).sum();
            *value = libm::tanhf(sum + self.out_bias);
        }
    }
}
