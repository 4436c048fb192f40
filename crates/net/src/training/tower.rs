//! The tower of 3 × 3 convolutions, forward and backward, for the boards of one slice.

use std::ops::Range;

use wurfel_core::threads;

use super::norm::{Back, Norm, Sums};
use crate::architecture::{Architecture, Convolution, Layout};
use crate::boards::read_planes;
use crate::grid::Grid;
use crate::kernels::{Gate, Moments, NormGradients, Normalise, Product, SumOfProducts};
use crate::rows::{Matrix, Row, blocks};
use crate::weights::{add_taps, taps, taps_transposed};

/// How many tiles go through a layer together, at most, if the layers are narrow: as many as fit into
/// the L2 cache. It is a multiple of the 14 rows that the widest kernels process together, so that
/// none of them is idle.
const TILES: usize = 42;
/// The same if the weights of a layer are larger than the L2 cache. Memory then limits the speed,
/// and with more tiles the weights are read less often.
const TILES_OF_WIDE_LAYERS: usize = 126;
/// A layer with this many weights by point is a wide one.
const WIDE: usize = 1 << 20;

#[derive(Clone, Debug)]
pub(super) struct Tower {
    grid: Grid,
    /// How many boards go through a layer together, at most.
    room: usize,
    /// How many plain convolutions come before the residual blocks.
    plain: usize,
    layers: Vec<Layer>,
    /// The weights of each layer, and the same transposed.
    weights: Vec<Vec<Row>>,
    weights_transposed: Vec<Vec<Row>>,
}

#[derive(Clone, Debug)]
struct Layer {
    shape: Convolution,
    inner: usize,
    outer: usize,
}

/// The buffers of the tower for one slice of a batch.
#[derive(Clone, Debug)]
pub(super) struct TowerSlice {
    /// How many boards the slice has at present.
    boards: usize,
    input: Matrix,
    layers: Vec<Activations>,
}

/// The buffers of one convolution with its norm and ReLU, with a row for each cell.
#[derive(Clone, Debug)]
pub(super) struct Activations {
    /// The outputs of the convolution.
    z: Matrix,
    /// ReLU of the norm of z, after the block's input was added.
    pub a: Matrix,
    /// The gradients of the input of the ReLU.
    pub g: Matrix,
}

/// Buffers that one slice after the other uses.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// Values by point: those spread from cells, and those that a product has computed.
    points: [Vec<Row>; 2],
    /// The gradients of the weights, by point.
    weight_gradients: Vec<Row>,
    /// One block of gradients for the boards that go through a layer together.
    block: Vec<Row>,
}

impl Tower {
    pub fn new(architecture: &Architecture, layout: &Layout, grid: Grid) -> Self {
        let layer = |layer: &Convolution| Layer {
            shape: layer.clone(),
            inner: blocks(layer.inputs),
            outer: blocks(layer.outputs),
        };
        let layers: Vec<Layer> = layout.tower.iter().map(layer).collect();
        let empty = vec![vec![]; layers.len()];
        let weights = |layer: &Layer| grid.points() * layer.shape.inputs * layer.shape.outputs;
        let is_wide = layers.iter().any(|layer| weights(layer) >= WIDE);
        let tiles = if is_wide { TILES_OF_WIDE_LAYERS } else { TILES };
        Self {
            grid,
            room: grid.whole(tiles / grid.tiles()),
            plain: architecture.shape.convolutions,
            weights: empty.clone(),
            weights_transposed: empty,
            layers,
        }
    }

    /// The smallest number of boards that fills the kernels completely; slices are multiples of it.
    pub fn unit(&self) -> usize {
        self.grid.whole(1)
    }

    /// The number of boards of a slice, if there are not too many.
    pub fn preferred_slice(&self) -> usize {
        self.grid.whole(TILES / self.grid.tiles())
    }

    pub fn len(&self) -> usize {
        self.layers.len()
    }

    /// Buffers for a slice of up to `boards` boards.
    pub fn slice(&self, architecture: &Architecture, boards: usize) -> TowerSlice {
        let tile = self.grid.instructions.tile_rows();
        let rows = (boards * self.grid.cells()).next_multiple_of(tile);
        let layer = |layer: &Layer| {
            let matrix = Matrix::new(rows, layer.shape.outputs);
            Activations { z: matrix.clone(), a: matrix.clone(), g: matrix }
        };
        TowerSlice {
            boards: 0,
            input: Matrix::new(rows, architecture.planes),
            layers: self.layers.iter().map(layer).collect(),
        }
    }

    pub fn scratch(&self) -> Scratch {
        let Self { grid, room, .. } = self;
        let widest = self.layers.iter().map(|layer| layer.inner.max(layer.outer)).max();
        let points = vec![Row::ZERO; grid.points() * widest.unwrap_or(0) * room * grid.tiles()];
        let block = vec![Row::ZERO; room * grid.cells()];
        Scratch { points: [points.clone(), points], weight_gradients: vec![], block }
    }

    /// Lays the weights out for the kernels. With more than one thread, the transposed ones are laid
    /// out at the same time as the others.
    pub fn pack(&mut self, parameters: &[f32], threads: usize) {
        let Self { grid, ref layers, ref mut weights, ref mut weights_transposed, .. } = *self;
        let numbers = |layer: &Layer| &parameters[layer.shape.weight.clone()];
        let plain = move || {
            for (layer, points) in layers.iter().zip(weights) {
                grid.weights(&taps(numbers(layer), layer.shape.inputs, |_| 1.0), points);
            }
        };
        let transposed = || {
            // Nothing below the first layer needs its gradients.
            for (layer, points) in layers.iter().zip(weights_transposed).skip(1) {
                grid.weights(&taps_transposed(numbers(layer), layer.shape.inputs), points);
            }
        };
        threads::scope(|scope| {
            if threads > 1 {
                scope.spawn(plain);
            } else {
                plain();
            }
            transposed();
        });
    }

    /// The layer whose activations are added to the output of layer `n`, if there is a skip
    /// connection.
    fn skip(&self, n: usize) -> Option<usize> {
        (n >= self.plain && (n - self.plain) % 2 == 1).then(|| n - 2)
    }

    /// Groups of boards that go through a layer together, about equal ones, as ranges of rows.
    fn tiles(&self, boards: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let cells = self.grid.cells();
        let size = boards.div_ceil(boards.div_ceil(self.room)).next_multiple_of(self.unit());
        (0..boards).step_by(size).map(move |first| first * cells..boards.min(first + size) * cells)
    }

    /// Reads the planes of the boards of a slice.
    pub fn read(&self, planes: &[f32], boards: usize, slice: &mut TowerSlice) {
        slice.boards = boards;
        let count = planes.len() / (boards * self.grid.cells());
        read_planes(planes, self.grid.cells(), count, &mut slice.input);
    }

    /// The activations of layer `n`: applies the norm, adds the block's input and applies ReLU.
    pub fn activate(&self, n: usize, slice: &mut TowerSlice, norm: &Norm) {
        let rows = slice.boards * self.grid.cells();
        let skip = self.skip(n);
        let (below, rest) = slice.layers.split_at_mut(n);
        let Activations { z, a, .. } = &mut rest[0];
        for block in 0..self.layers[n].outer {
            self.grid.instructions.run(Normalise {
                z: z.part(block, 0..rows),
                scale: &norm.scale[block],
                shift: &norm.shift[block],
                skip: skip.map(|n| below[n].a.part(block, 0..rows)),
                y: a.part_mut(block, 0..rows),
            });
        }
    }

    /// Computes z of layer `n`, and returns its moments.
    pub fn convolve(
        &self,
        n: usize,
        slice: &mut TowerSlice,
        norm: &Norm,
        scratch: &mut Scratch,
    ) -> Sums {
        let (grid, stride) = (self.grid, self.room * self.grid.tiles());
        let Layer { inner, outer, .. } = self.layers[n];
        let (below, rest) = slice.layers.split_at_mut(n);
        let x = below.last().map_or(&slice.input, |layer| &layer.a);
        let z = &mut rest[0].z;
        let [before, after] = &mut scratch.points;
        let mut sums = Sums::new(outer);
        for rows in self.tiles(slice.boards) {
            for block in 0..inner {
                let cells = x.part(block, rows.clone());
                grid.input(cells, &mut before[block * stride..], inner * stride);
            }
            grid.instructions.run(Product {
                a: &before[..grid.points() * inner * stride],
                b: &self.weights[n],
                c: after,
                rows: stride,
                used: rows.len() / grid.cells() * grid.tiles(),
                inner,
                outer,
            });
            for block in 0..outer {
                let z = z.part_mut(block, rows.clone());
                z.fill(Row::ZERO);
                grid.output(&after[block * stride..], outer * stride, z);
                let minus_centre = &norm.minus_mean[block];
                sums.add(block, grid.instructions.run(Moments { z, minus_centre }));
            }
        }
        sums
    }

    /// Adds the gradients of the weights of layer `n`, by tap, to those of all parameters.
    pub fn add(&self, n: usize, taps: &[Row], gradients: &mut [f32]) {
        let shape = &self.layers[n].shape;
        add_taps(taps, &mut gradients[shape.weight.clone()], shape.inputs);
    }

    /// Turns the gradients of the last layer's activations into gradients of the input of its ReLU,
    /// and returns their sums.
    pub fn gate(&self, slice: &mut TowerSlice, norm: &Norm) -> Sums {
        let mut sums = Sums::new(norm.blocks());
        let rows = slice.boards * self.grid.cells();
        for block in 0..norm.blocks() {
            sums.add(block, slice.last_mut().gate(self.grid, block, 0..rows, norm));
        }
        sums
    }

    /// The backward pass of layer `n`: computes the gradients of its weights, by tap, and those of the
    /// layer below, whose norm is given, with their sums.
    pub fn back(
        &self,
        n: usize,
        slice: &mut TowerSlice,
        back: &Back,
        below_norm: Option<&Norm>,
        scratch: &mut Scratch,
        taps: &mut Vec<Row>,
    ) -> Option<Sums> {
        let (grid, stride) = (self.grid, self.room * self.grid.tiles());
        let Layer { inner, outer, .. } = self.layers[n];
        // The residual block that begins with this layer also passes its gradients on to its input.
        let is_skipped = n > 0 && self.skip(n + 1) == Some(n - 1) && n + 1 < self.layers.len();
        let tiles = self.tiles(slice.boards).enumerate();
        let (below, rest) = slice.layers.split_at_mut(n);
        let (layer, above) = rest.split_first_mut().expect("this layer");
        let mut below = below.last_mut().zip(below_norm);
        let mut sums = below.as_ref().map(|_| Sums::new(inner));
        let Scratch { points: [of_x, of_z], weight_gradients, block } = scratch;
        weight_gradients.resize(self.weights[n].len(), Row::ZERO);
        for (number, rows) in tiles {
            let used = rows.len() / grid.cells() * grid.tiles();
            self.spread_gradients(n, layer, rows.clone(), back, block, of_z);
            let x = below.as_ref().map_or(&slice.input, |(below, _)| &below.a);
            for block in 0..inner {
                let cells = x.part(block, rows.clone());
                grid.input(cells, &mut of_x[block * stride..], inner * stride);
            }
            let of_z = &of_z[..grid.points() * outer * stride];
            grid.instructions.run(SumOfProducts {
                a: &of_x[..grid.points() * inner * stride],
                b: of_z,
                c: weight_gradients,
                rows: stride,
                used,
                left: inner,
                right: outer,
                add: number > 0,
            });
            let Some(((below, norm), sums)) = below.as_mut().zip(sums.as_mut()) else { continue };
            grid.instructions.run(Product {
                a: of_z,
                b: &self.weights_transposed[n],
                c: of_x,
                rows: stride,
                used,
                inner: outer,
                outer: inner,
            });
            for block in 0..inner {
                let g = below.g.part_mut(block, rows.clone());
                if is_skipped {
                    g.copy_from_slice(above[0].g.part(block, rows.clone()));
                } else {
                    g.fill(Row::ZERO);
                }
                grid.input_gradients(&of_x[block * stride..], inner * stride, g);
                sums.add(block, below.gate(grid, block, rows.clone(), norm));
            }
        }
        grid.weight_gradients(weight_gradients, taps);
        sums
    }

    /// The gradients of z of layer `n` for some rows, by point; `out` has room for one block of them.
    fn spread_gradients(
        &self,
        n: usize,
        layer: &Activations,
        rows: Range<usize>,
        back: &Back,
        out: &mut [Row],
        of_z: &mut [Row],
    ) {
        let (grid, stride) = (self.grid, self.room * self.grid.tiles());
        let (outer, out) = (self.layers[n].outer, &mut out[..rows.len()]);
        for block in 0..outer {
            grid.instructions.run(NormGradients {
                g: layer.g.part(block, rows.clone()),
                z: layer.z.part(block, rows.clone()),
                of_gradient: &back.of_gradient[block],
                of_sum: &back.of_sum[block],
                constant: &back.constant[block],
                out,
            });
            grid.output_gradients(out, &mut of_z[block * stride..], outer * stride);
        }
    }
}

impl TowerSlice {
    /// The last layer, whose activations the heads read, and to which they write gradients.
    pub fn last_mut(&mut self) -> &mut Activations {
        self.layers.last_mut().expect("at least one layer")
    }
}

impl Activations {
    /// Turns the gradients of activations into gradients of the input of the ReLU, for one block.
    fn gate(&mut self, grid: Grid, block: usize, rows: Range<usize>, norm: &Norm) -> [Row; 2] {
        grid.instructions.run(Gate {
            g: self.g.part_mut(block, rows.clone()),
            activation: self.a.part(block, rows.clone()),
            z: self.z.part(block, rows),
            minus_mean: &norm.minus_mean[block],
        })
    }
}
