//! The tower of 3 × 3 convolutions, forward and backward.

use std::ops::Range;

use super::norm::Norm;
use crate::architecture::{Architecture, Convolution, Layout};
use crate::boards::read_planes;
use crate::grid::Grid;
use crate::kernels::{Gate, Moments, NormGradients, Normalise, Product, SumOfProducts};
use crate::rows::{Matrix, Row, blocks};
use crate::weights::{add_taps, taps, taps_transposed};

/// How many tiles go through a layer together. In the backward pass the gradients of all weights
/// are read and written once for each group, so larger groups cost less.
const TILES_AT_ONCE: usize = 56;

#[derive(Clone, Debug)]
pub(super) struct Tower {
    grid: Grid,
    /// How many boards go through a layer together.
    room: usize,
    /// How many plain convolutions stand before the residual blocks.
    plain: usize,
    input: Matrix,
    layers: Vec<Layer>,
    /// Values by point: those spread from cells, and those that a product has computed.
    points: [Vec<Row>; 2],
    /// The gradients of the weights, by point.
    weight_gradients: Vec<Row>,
    /// One block of gradients for the boards that go through a layer together.
    block: Vec<Row>,
}

/// One convolution with its norm and ReLU, for a whole batch, with a row for each cell.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    shape: Convolution,
    inner: usize,
    outer: usize,
    weight: Vec<Row>,
    weight_transposed: Vec<Row>,
    pub norm: Norm,
    /// The outputs of the convolution.
    pub z: Matrix,
    /// The activations: ReLU of the norm of z, after the block's input was added.
    pub a: Matrix,
    /// The gradients of the input of the ReLU.
    pub g: Matrix,
}

impl Tower {
    pub fn new(architecture: &Architecture, layout: &Layout, grid: Grid, most: usize) -> Self {
        let room = grid.whole(TILES_AT_ONCE / grid.tiles());
        let rows = (most * grid.cells()).next_multiple_of(grid.instructions.tile_rows());
        let layer = |layer: &Convolution| {
            let matrix = Matrix::new(rows, layer.outputs);
            Layer {
                shape: layer.clone(),
                inner: blocks(layer.inputs),
                outer: blocks(layer.outputs),
                weight: vec![],
                weight_transposed: vec![],
                norm: Norm::new(&[layer]),
                z: matrix.clone(),
                a: matrix.clone(),
                g: matrix,
            }
        };
        let layers: Vec<Layer> = layout.tower.iter().map(layer).collect();
        let widest = layers.iter().map(|layer| layer.inner.max(layer.outer)).max();
        let points = vec![Row::ZERO; grid.points() * widest.unwrap_or(0) * room * grid.tiles()];
        Self {
            grid,
            room,
            plain: architecture.shape.convolutions,
            input: Matrix::new(rows, architecture.planes),
            layers,
            points: [points.clone(), points],
            weight_gradients: vec![],
            block: vec![Row::ZERO; room * grid.cells()],
        }
    }

    pub fn pack(&mut self, parameters: &[f32]) {
        for (n, layer) in self.layers.iter_mut().enumerate() {
            let weight = &parameters[layer.shape.weight.clone()];
            layer.weight = self.grid.weights(&taps(weight, layer.shape.inputs, |_| 1.0));
            if n > 0 {
                let taps = taps_transposed(weight, layer.shape.inputs);
                layer.weight_transposed = self.grid.weights(&taps);
            }
        }
    }

    /// The last layer's activations, which the heads read.
    pub fn result(&self) -> &Matrix {
        &self.layers.last().expect("at least one layer").a
    }

    /// The last layer, into whose gradients the heads write.
    pub fn result_mut(&mut self) -> &mut Layer {
        self.layers.last_mut().expect("at least one layer")
    }

    /// The layer whose activations are added to the output of layer `n`, if there is a skip
    /// connection.
    fn skip(&self, n: usize) -> Option<usize> {
        (n >= self.plain && (n - self.plain) % 2 == 1).then(|| n - 2)
    }

    /// Groups of boards that go through a layer together, as ranges of rows.
    fn tiles(&self, boards: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let (room, cells) = (self.room, self.grid.cells());
        (0..boards).step_by(room).map(move |first| first * cells..boards.min(first + room) * cells)
    }

    pub fn forward(&mut self, planes: &[f32], boards: usize, parameters: &mut [f32]) {
        let count = planes.len() / (boards * self.grid.cells());
        read_planes(planes, self.grid.cells(), count, &mut self.input);
        for n in 0..self.layers.len() {
            self.layers[n].norm.begin(parameters);
            for rows in self.tiles(boards) {
                if n > 0 {
                    self.activate(n - 1, rows.clone());
                }
                self.convolve(n, rows);
            }
            self.layers[n].norm.measured(boards * self.grid.cells(), parameters);
        }
        for rows in self.tiles(boards) {
            self.activate(self.layers.len() - 1, rows);
        }
    }

    /// Applies the norm, adds the block's input and applies ReLU, for some rows.
    fn activate(&mut self, n: usize, rows: Range<usize>) {
        let skip = self.skip(n);
        let (below, rest) = self.layers.split_at_mut(n);
        let Layer { outer, norm, z, a, .. } = &mut rest[0];
        for block in 0..*outer {
            self.grid.instructions.run(Normalise {
                z: z.part(block, rows.clone()),
                scale: &norm.scale[block],
                shift: &norm.shift[block],
                skip: skip.map(|n| below[n].a.part(block, rows.clone())),
                y: a.part_mut(block, rows.clone()),
            });
        }
    }

    /// Computes z for some rows, and adds their moments to the sums of the norm.
    fn convolve(&mut self, n: usize, rows: Range<usize>) {
        let (grid, stride) = (self.grid, self.room * self.grid.tiles());
        let (below, rest) = self.layers.split_at_mut(n);
        let x = below.last().map_or(&self.input, |layer| &layer.a);
        let Layer { inner, outer, weight, norm, z, .. } = &mut rest[0];
        let (inner, outer) = (*inner, *outer);
        let [before, after] = &mut self.points;
        for block in 0..inner {
            let cells = x.part(block, rows.clone());
            grid.input(cells, &mut before[block * stride..], inner * stride);
        }
        grid.instructions.run(Product {
            a: &before[..grid.points() * inner * stride],
            b: weight,
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
            let moments = grid.instructions.run(Moments { z, minus_centre });
            norm.sums.add(block, moments);
        }
    }

    /// The backward pass, from the gradients of the tower's output before its ReLU to those of all
    /// its parameters.
    pub fn back(&mut self, boards: usize, parameters: &[f32], gradients: &mut [f32]) {
        for n in (0..self.layers.len()).rev() {
            self.back_through(n, boards, parameters, gradients);
        }
    }

    /// The backward pass of one layer: the gradients of its weights and of the layer below.
    fn back_through(&mut self, n: usize, boards: usize, parameters: &[f32], gradients: &mut [f32]) {
        let (grid, stride) = (self.grid, self.room * self.grid.tiles());
        // The residual block that begins with this layer also passes its gradients on to its input.
        let is_skipped = n > 0 && self.skip(n + 1) == Some(n - 1) && n + 1 < self.layers.len();
        let tiles = self.tiles(boards);
        let (below, rest) = self.layers.split_at_mut(n);
        let (layer, above) = rest.split_first_mut().expect("this layer");
        let mut below = below.last_mut();
        if let Some(below) = &mut below {
            below.norm.sums.clear();
        }
        let Layer { inner, outer, .. } = *layer;
        let back = layer.norm.back(boards * grid.cells(), parameters, gradients);
        self.weight_gradients.clear();
        self.weight_gradients.resize(layer.weight.len(), Row::ZERO);
        let [of_x, of_z] = &mut self.points;
        for rows in tiles {
            let used = rows.len() / grid.cells() * grid.tiles();
            for block in 0..outer {
                let out = &mut self.block[..rows.len()];
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
            let x = below.as_ref().map_or(&self.input, |below| &below.a);
            for block in 0..inner {
                let cells = x.part(block, rows.clone());
                grid.input(cells, &mut of_x[block * stride..], inner * stride);
            }
            let of_z = &of_z[..grid.points() * outer * stride];
            grid.instructions.run(SumOfProducts {
                a: &of_x[..grid.points() * inner * stride],
                b: of_z,
                c: &mut self.weight_gradients,
                rows: stride,
                used,
                left: inner,
                right: outer,
            });
            let Some(below) = &mut below else { continue };
            grid.instructions.run(Product {
                a: of_z,
                b: &layer.weight_transposed,
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
                below.gate(grid, block, rows.clone());
            }
        }
        let taps = grid.weight_gradients(&self.weight_gradients);
        add_taps(&taps, &mut gradients[layer.shape.weight.clone()], layer.shape.inputs);
    }
}

impl Layer {
    /// Turns the gradients of activations into gradients of the input of the ReLU.
    pub fn gate(&mut self, grid: Grid, block: usize, rows: Range<usize>) {
        let sums = grid.instructions.run(Gate {
            g: self.g.part_mut(block, rows.clone()),
            activation: self.a.part(block, rows.clone()),
            z: self.z.part(block, rows),
            minus_mean: &self.norm.minus_mean[block],
        });
        self.norm.sums.add(block, sums);
    }
}
