//! Inference: the forward pass alone, with batch norms folded into the weights.

use std::sync::Arc;

use crate::architecture::{Architecture, Convolution, Layout};
use crate::boards::{Part, read_planes};
use crate::forward::Forward;
use crate::grid::Grid;
use crate::kernels::{Instructions, Product, Rectify};
use crate::model::{EPSILON, Model};
use crate::rows::{LANES, Matrix, Row, blocks, row_list};
use crate::weights::{fill, padded, taps};

/// How many tiles go through the network together: few enough for the L2 cache.
const TILES_AT_ONCE: usize = 42;

/// A network prepared for inference, with the memory that this takes. Each thread needs one of its
/// own; clones share the weights.
#[derive(Clone, Debug)]
pub struct Inference {
    folded: Arc<Folded>,
    grid: Grid,
    /// How many boards go through the network together.
    room: usize,
    /// Up to how many boards are convolved cell by cell.
    few: usize,
    memory: Memory,
}

/// How 3 × 3 convolutions are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The faster of the other two for the number of boards.
    Faster,
    /// By Winograd's maps, which need fewer products but larger weights.
    Winograd,
    /// Cell by cell.
    Direct,
}

/// A network whose batch norms are folded into its weights.
#[derive(Debug)]
struct Folded {
    architecture: Architecture,
    tower: Vec<Layer>,
    /// The 1 × 1 convolutions of both heads as one layer: the policy's channels first, then the
    /// value's.
    heads: Dense,
    moves: Dense,
    hidden: Dense,
    out: Vec<f32>,
    out_bias: f32,
}

/// A 3 × 3 convolution with its weights by tap and by Winograd's points.
#[derive(Debug)]
struct Layer {
    taps: Vec<Row>,
    points: Vec<Row>,
    bias: Vec<Row>,
    inner: usize,
    outer: usize,
}

/// A matrix of weights and the biases that are added after the product.
#[derive(Debug)]
struct Dense {
    weight: Matrix,
    bias: Vec<Row>,
}

/// The memory that a forward pass writes to.
#[derive(Clone, Debug)]
struct Memory {
    input: Matrix,
    /// The input of a layer, its output, and the activations between the two layers of a block.
    activations: [Matrix; 3],
    /// Values by point, before and after the product.
    points: [Vec<Row>; 2],
    heads: Matrix,
    policy: Matrix,
    value: Matrix,
    logits: Matrix,
    hidden: Matrix,
}

impl Forward for Inference {
    fn architecture(&self) -> &Architecture {
        &self.folded.architecture
    }

    fn infer(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        self.architecture().check_lengths(planes, logits, values);
        let Architecture { planes: count, moves, .. } = self.folded.architecture;
        let parts = planes.chunks(self.room * count * self.grid.cells());
        let answers = logits.chunks_mut(self.room * moves).zip(values.chunks_mut(self.room));
        for (planes, (logits, values)) in parts.zip(answers) {
            self.infer_some(planes, logits, values);
        }
    }

    fn another(&self) -> Box<dyn Forward> {
        Box::new(self.clone())
    }
}

impl Inference {
    /// Prepares a network for the fastest instructions of this machine.
    pub fn new(model: &Model) -> Self {
        Self::with(model, Instructions::best(), Method::Faster)
    }

    /// Prepares a network for these instructions and this method.
    pub fn with(model: &Model, instructions: Instructions, method: Method) -> Self {
        let architecture = *model.architecture();
        let grid = Grid::new(architecture.board, instructions);
        let room = grid.whole(TILES_AT_ONCE / grid.tiles());
        let few = match method {
            Method::Faster => 5 / grid.tiles(),
            Method::Winograd => 0,
            Method::Direct => room,
        };
        let folded = Arc::new(Folded::new(model, grid));
        Self { memory: Memory::new(&architecture, grid, room), folded, grid, room, few }
    }

    /// Evaluates positions, no more than there is room for.
    fn infer_some(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let Self { folded, grid, memory, .. } = self;
        let Architecture { planes: count, moves, .. } = folded.architecture;
        let boards = values.len();
        let cells = grid.cells();
        read_planes(planes, cells, count, &mut memory.input);
        let direct = boards <= self.few;
        memory.tower(folded, *grid, boards, direct);
        let Memory { activations, heads, policy, value, logits: policy_out, hidden, .. } = memory;
        let instructions = grid.instructions;
        folded.heads.apply(instructions, &activations[0], heads, boards * cells);
        rectify(instructions, &folded.heads.bias, heads, boards * cells);
        let [policy_part, value_part] = Part::heads(&folded.architecture);
        policy_part.take(boards, heads, policy);
        value_part.take(boards, heads, value);
        folded.moves.apply(instructions, policy, policy_out, policy_part.rows(boards));
        folded.hidden.apply(instructions, value, hidden, boards);
        rectify(instructions, &folded.hidden.bias, hidden, boards);
        for (board, (logits, value)) in logits.chunks_exact_mut(moves).zip(values).enumerate() {
            for (channel, logits) in logits.chunks_mut(cells).enumerate() {
                for (cell, logit) in logits.iter_mut().enumerate() {
                    let (row, column) = policy_part.place(board, channel, cell);
                    let bias = folded.moves.bias[column / LANES].0[column % LANES];
                    *logit = policy_out.at(row, column) + bias;
                }
            }
            let units = folded.out.iter().enumerate();
            let sum: f32 = units.map(|(unit, weight)| weight * hidden.at(board, unit)).sum();
            *value = (sum + folded.out_bias).tanh();
        }
    }
}

impl Memory {
    fn new(architecture: &Architecture, grid: Grid, room: usize) -> Self {
        let Architecture { planes, shape, .. } = *architecture;
        let heads = shape.policy_channels + shape.value_channels;
        let tile = grid.instructions.tile_rows();
        let rows = (room * grid.cells()).next_multiple_of(tile);
        let boards = room.next_multiple_of(tile);
        let [policy, _] = Part::heads(architecture);
        let policy_rows = policy.rows(room).next_multiple_of(tile);
        let layout = architecture.layout();
        let points =
            |columns| vec![Row::ZERO; grid.points() * blocks(columns) * room * grid.tiles()];
        let activation = Matrix::new(rows, shape.filters);
        Self {
            input: Matrix::new(rows, planes),
            activations: [activation.clone(), activation.clone(), activation],
            points: [points(planes.max(shape.filters)), points(shape.filters)],
            heads: Matrix::new(rows, heads),
            policy: Matrix::new(policy_rows, layout.moves.inputs),
            value: Matrix::new(boards, layout.hidden.inputs),
            logits: Matrix::new(policy_rows, layout.moves.outputs),
            hidden: Matrix::new(boards, shape.value_hidden),
        }
    }

    /// Runs the tower; its output is in the first of the activations.
    fn tower(&mut self, folded: &Folded, grid: Grid, boards: usize, direct: bool) {
        let Self { input, activations: [x, y, between], points, .. } = self;
        let tiles = points[1].len() / (grid.points() * x.blocks());
        let mut pass = Pass { grid, boards, tiles, direct, points };
        let (first, rest) = folded.tower.split_first().expect("at least one convolution");
        let (plain, blocks) = rest.split_at(folded.architecture.shape.convolutions - 1);
        pass.convolve(first, input, None, x);
        for layer in plain {
            pass.convolve(layer, x, None, y);
            std::mem::swap(x, y);
        }
        for [one, two] in blocks.as_chunks().0 {
            pass.convolve(one, x, None, between);
            pass.convolve(two, between, Some(x), y);
            std::mem::swap(x, y);
        }
    }
}

/// The forward pass of a batch of boards.
struct Pass<'a> {
    grid: Grid,
    boards: usize,
    /// How many rows each point has: as many as the boards for which there is room have tiles.
    tiles: usize,
    direct: bool,
    points: &'a mut [Vec<Row>; 2],
}

impl Pass<'_> {
    /// y ← max(0, x ∗ weights + bias + skip).
    fn convolve(&mut self, layer: &Layer, x: &Matrix, skip: Option<&Matrix>, y: &mut Matrix) {
        let Self { grid, boards, tiles, direct, ref mut points } = *self;
        let Layer { inner, outer, .. } = *layer;
        let rows = boards * grid.cells();
        let [before, after] = points;
        if !direct {
            for block in 0..inner {
                let points = &mut before[block * tiles..];
                grid.input(x.part(block, 0..rows), points, inner * tiles);
            }
            grid.instructions.run(Product {
                a: &before[..grid.points() * inner * tiles],
                b: &layer.points,
                c: after,
                rows: tiles,
                used: boards * grid.tiles(),
                inner,
                outer,
            });
        }
        for block in 0..outer {
            let y = y.part_mut(block, 0..rows);
            match skip {
                Some(skip) => y.copy_from_slice(skip.part(block, 0..rows)),
                None => y.fill(Row::ZERO),
            }
            if !direct {
                grid.output(&after[block * tiles..], outer * tiles, y);
                grid.instructions.run(Rectify { y, bias: &layer.bias[block] });
            }
        }
        if direct {
            let stride = y.rows();
            for board in 0..boards {
                let cells = &x.all()[board * grid.cells()..];
                let out = &mut y.all_mut()[board * grid.cells()..];
                grid.direct(cells, &layer.taps, out, stride, [inner, outer]);
            }
            rectify(grid.instructions, &layer.bias, y, rows);
        }
    }
}

/// y ← max(0, y + bias) in the first `rows` rows.
fn rectify(instructions: Instructions, bias: &[Row], y: &mut Matrix, rows: usize) {
    for (block, bias) in bias.iter().enumerate() {
        instructions.run(Rectify { y: y.part_mut(block, 0..rows), bias });
    }
}

impl Dense {
    /// to ← from · weight in the first `used` rows.
    fn apply(&self, instructions: Instructions, from: &Matrix, to: &mut Matrix, used: usize) {
        instructions.run(Product {
            rows: from.rows(),
            used,
            inner: from.blocks(),
            outer: to.blocks(),
            a: from.all(),
            b: self.weight.all(),
            c: to.all_mut(),
        });
    }
}

impl Folded {
    fn new(model: &Model, grid: Grid) -> Self {
        let parameters = &model.parameters;
        let Layout { tower, policy, moves, value, hidden, out, .. } = model.architecture().layout();
        let layer = |layer: &Convolution| {
            let (scale, shift) = folded_norm(layer, parameters);
            let weight = &parameters[layer.weight.clone()];
            let taps = taps(weight, layer.inputs, |output| scale[output]);
            Layer {
                points: grid.weights(&taps),
                taps,
                bias: row_list(layer.outputs, |output| shift[output]),
                inner: blocks(layer.inputs),
                outer: blocks(layer.outputs),
            }
        };
        let mut heads = Matrix::new(padded(policy.inputs), policy.outputs + value.outputs);
        let mut shifts = vec![];
        for head in [&policy, &value] {
            let (scale, shift) = folded_norm(head, parameters);
            let weights = parameters[head.weight.clone()].chunks_exact(head.inputs);
            let scaled: Vec<f32> = weights
                .zip(scale)
                .flat_map(|(weights, scale)| weights.iter().map(move |weight| weight * scale))
                .collect();
            fill(&mut heads, &scaled, head.inputs, shifts.len());
            shifts.extend(shift);
        }
        let dense = |layer: &crate::architecture::DenseLayer| {
            let mut weight = Matrix::new(padded(layer.inputs), layer.outputs);
            fill(&mut weight, &parameters[layer.weight.clone()], layer.inputs, 0);
            let bias = &parameters[layer.bias.clone()];
            Dense { weight, bias: row_list(layer.outputs, |output| bias[output]) }
        };
        Self {
            architecture: *model.architecture(),
            tower: tower.iter().map(layer).collect(),
            heads: Dense { weight: heads, bias: row_list(shifts.len(), |n| shifts[n]) },
            moves: dense(&moves),
            hidden: dense(&hidden),
            out: parameters[out.weight.clone()].to_vec(),
            out_bias: parameters[out.bias.start],
        }
    }
}

/// The factors and the offsets that a convolution's outputs get from its batch norm.
pub(crate) fn folded_norm(layer: &Convolution, parameters: &[f32]) -> (Vec<f32>, Vec<f32>) {
    (0..layer.outputs)
        .map(|n| {
            let at = |range: &std::ops::Range<usize>| parameters[range.start + n];
            let scale = at(&layer.scale) / (at(&layer.variance) + EPSILON).sqrt();
            (scale, at(&layer.shift) - at(&layer.mean) * scale)
        })
        .unzip()
}
