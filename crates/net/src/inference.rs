//! Inference: the forward pass alone, with batch norms folded into the weights.

use std::sync::{Arc, OnceLock};

use crate::architecture::{Architecture, Convolution, Layout};
use crate::boards::read_planes;
use crate::forward::Forward;
use crate::grid::Grid;
use crate::heads::{Dense, HeadLayers, HeadMemory, Rounding, rectify};
use crate::kernels::{Instructions, Product, Rectify};
use crate::model::{EPSILON, Model};
use crate::rows::{Matrix, Row, blocks, row_list};
use crate::weights::{fill, padded, taps};

/// How many tiles go through the network together: few enough for the L2 cache.
const TILES_AT_ONCE: usize = 42;

/// A network prepared for inference, together with the memory that it needs. Each thread needs a
/// network of its own; clones share the weights. Two things that a program may never need are made
/// only when they are first needed: the buffers, because a network that others are cloned from
/// often evaluates nothing itself, and the weights by Winograd's points, because searches often
/// evaluate one position at a time.
#[derive(Debug)]
pub struct Inference {
    folded: Arc<Folded>,
    grid: Grid,
    /// How many boards go through the network together.
    room: usize,
    /// The largest number of boards that are convolved cell by cell.
    few: usize,
    memory: Option<Memory>,
}

impl Clone for Inference {
    fn clone(&self) -> Self {
        let Self { ref folded, grid, room, few, .. } = *self;
        Self { folded: folded.clone(), grid, room, few, memory: None }
    }
}

/// How 3 × 3 convolutions are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Whichever of the other two is faster for the number of boards.
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
    above: HeadLayers,
}

/// A 3 × 3 convolution with its weights by tap and, once they are needed, by Winograd's points.
#[derive(Debug)]
struct Layer {
    taps: Vec<Row>,
    points: OnceLock<Vec<Row>>,
    bias: Vec<Row>,
    inner: usize,
    outer: usize,
}

impl Layer {
    /// The weights by point, which are computed when they are first needed.
    fn points(&self, grid: Grid) -> &[Row] {
        self.points.get_or_init(|| {
            let mut points = vec![];
            grid.weights(&self.taps, &mut points);
            points
        })
    }
}

/// The buffers to which a forward pass writes.
#[derive(Debug)]
struct Memory {
    input: Matrix,
    /// The input of a layer, its output, and the activations between the two layers of a block.
    activations: [Matrix; 3],
    /// Values by point, before and after the product; empty until they are needed.
    points: [Vec<Row>; 2],
    /// How many rows each point has: the number of tiles of as many boards as there is room for.
    tiles: usize,
    heads: HeadMemory,
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

    fn batch_size(&self) -> usize {
        self.room
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
        let folded = Arc::new(Folded::new(model));
        Self { folded, grid, room, few, memory: None }
    }

    /// Evaluates positions, at most as many as there is room for.
    fn infer_some(&mut self, planes: &[f32], logits: &mut [f32], values: &mut [f32]) {
        self.channels(planes, values.len(), &mut |_, _| ());
        let Self { folded, grid, memory, .. } = self;
        let memory = memory.as_mut().expect("the channels are in it");
        folded.above.answer(grid.instructions, &mut memory.heads, logits, values);
    }

    /// Computes the channels of the heads. `see` is called with the number and the outputs of each
    /// 3 × 3 convolution, from the planes upwards, and then with the channels of the heads.
    pub(crate) fn channels(
        &mut self,
        planes: &[f32],
        boards: usize,
        see: &mut impl FnMut(usize, &Matrix),
    ) {
        let Self { folded, grid, memory, .. } = self;
        let memory =
            memory.get_or_insert_with(|| Memory::new(&folded.architecture, *grid, self.room));
        let cells = grid.cells();
        read_planes(planes, cells, folded.architecture.planes, &mut memory.input);
        let direct = boards <= self.few;
        memory.tower(folded, *grid, boards, direct, see);
        let Memory { activations: [x, ..], heads: HeadMemory { channels, .. }, .. } = memory;
        let Dense { bias, .. } = &folded.heads;
        folded.heads.apply(grid.instructions, Rounding::Quickest, x, channels, boards * cells);
        rectify(grid.instructions, bias, channels, boards * cells);
        see(folded.tower.len(), channels);
    }
}

impl Memory {
    fn new(architecture: &Architecture, grid: Grid, room: usize) -> Self {
        let Architecture { planes, shape, .. } = *architecture;
        let rows = (room * grid.cells()).next_multiple_of(grid.instructions.tile_rows());
        let activation = Matrix::new(rows, shape.filters);
        Self {
            input: Matrix::new(rows, planes),
            activations: [activation.clone(), activation.clone(), activation],
            points: [vec![], vec![]],
            tiles: room * grid.tiles(),
            heads: HeadMemory::new(architecture, grid.instructions, room),
        }
    }

    /// Runs the tower, whose output is then in the first of the activations. `see` is called with
    /// the outputs of each layer.
    fn tower(
        &mut self,
        folded: &Folded,
        grid: Grid,
        boards: usize,
        direct: bool,
        see: &mut impl FnMut(usize, &Matrix),
    ) {
        let Self { input, activations: [x, y, between], points, tiles, .. } = self;
        let tiles = *tiles;
        if !direct && points[0].is_empty() {
            let size = |blocks| grid.points() * blocks * tiles;
            points[0].resize(size(input.blocks().max(x.blocks())), Row::ZERO);
            points[1].resize(size(x.blocks()), Row::ZERO);
        }
        let mut pass = Pass { grid, boards, tiles, direct, points };
        let (first, rest) = folded.tower.split_first().expect("at least one convolution");
        let (plain, blocks) = rest.split_at(folded.architecture.shape.convolutions - 1);
        pass.convolve(first, input, None, x);
        see(0, x);
        for (number, layer) in (1..).zip(plain) {
            pass.convolve(layer, x, None, y);
            see(number, y);
            std::mem::swap(x, y);
        }
        for (number, [one, two]) in (1 + plain.len()..).step_by(2).zip(blocks.as_chunks().0) {
            pass.convolve(one, x, None, between);
            see(number, between);
            pass.convolve(two, between, Some(x), y);
            see(number + 1, y);
            std::mem::swap(x, y);
        }
    }
}

/// The forward pass of a batch of boards.
struct Pass<'a> {
    grid: Grid,
    boards: usize,
    /// How many rows each point has: the number of tiles of as many boards as there is room for.
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
                b: layer.points(grid),
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

impl Folded {
    fn new(model: &Model) -> Self {
        let parameters = &model.parameters;
        let Layout { tower, policy, value, .. } = model.architecture().layout();
        let layer = |layer: &Convolution| {
            let (scale, shift) = folded_norm(layer, parameters);
            let weight = &parameters[layer.weight.clone()];
            let taps = taps(weight, layer.inputs, |output| scale[output]);
            Layer {
                taps,
                points: OnceLock::new(),
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
        Self {
            architecture: *model.architecture(),
            tower: tower.iter().map(layer).collect(),
            heads: Dense { weight: heads, bias: row_list(shifts.len(), |n| shifts[n]) },
            above: HeadLayers::new(model, Rounding::Quickest),
        }
    }
}

/// The factors and the offsets that the batch norm of a convolution applies to its outputs.
pub(crate) fn folded_norm(layer: &Convolution, parameters: &[f32]) -> (Vec<f32>, Vec<f32>) {
    (0..layer.outputs)
        .map(|n| {
            let at = |range: &std::ops::Range<usize>| parameters[range.start + n];
            let scale = at(&layer.scale) / (at(&layer.variance) + EPSILON).sqrt();
            (scale, at(&layer.shift) - at(&layer.mean) * scale)
        })
        .unzip()
}
