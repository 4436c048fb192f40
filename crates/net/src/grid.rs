//! Winograd's maps for the two sizes of boards, chosen by the length of a side.

use crate::kernels::{Direct, Gather, Instructions, Remap, Spread, TAPS};
use crate::rows::Row;
use crate::winograd::{EIGHT, FIVE};

/// A square board, and the instructions with which it is processed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The length of a side: 5 or 8.
    side: usize,
    pub instructions: Instructions,
}

/// Runs the same code with the maps for either size of board.
macro_rules! with_maps {
    ($side:expr, $maps:ident => $work:expr) => {
        if $side == 5 {
            let $maps = &FIVE;
            $work
        } else {
            let $maps = &EIGHT;
            $work
        }
    };
}

impl Grid {
    /// The grid for a length that [`Architecture::check`](crate::Architecture::check) has accepted.
    pub fn new(side: usize, instructions: Instructions) -> Self {
        debug_assert!(side == 5 || side == 8);
        Self { side, instructions }
    }

    pub const fn cells(self) -> usize {
        self.side * self.side
    }

    /// How many tiles a board has.
    pub const fn tiles(self) -> usize {
        if self.side == 5 { 1 } else { 4 }
    }

    /// How many points a tile has.
    pub const fn points(self) -> usize {
        if self.side == 5 { 49 } else { 36 }
    }

    /// The smallest number of boards, at least `boards`, whose tiles fill the tiles of a matrix
    /// product completely.
    pub fn whole(self, boards: usize) -> usize {
        let fits =
            |boards: &usize| (boards * self.tiles()).is_multiple_of(self.instructions.tile_rows());
        (boards..boards + self.instructions.tile_rows()).find(fits).expect("a multiple of both")
    }

    /// Maps cells to points; see [`Spread`].
    pub fn input(self, cells: &[Row], points: &mut [Row], stride: usize) {
        with_maps!(self.side, maps => self.instructions.run(Spread {
            axis: &maps.input, side: self.side, cells, points, stride
        }));
    }

    /// Maps points to cells and adds the results to them; see [`Gather`].
    pub fn output(self, points: &[Row], stride: usize, cells: &mut [Row]) {
        with_maps!(self.side, maps => self.instructions.run(Gather {
            axis: &maps.output, side: self.side, points, stride, cells
        }));
    }

    /// Maps the gradients of a convolution's outputs to gradients of points.
    pub fn output_gradients(self, cells: &[Row], points: &mut [Row], stride: usize) {
        with_maps!(self.side, maps => self.instructions.run(Spread {
            axis: &maps.output_gradients, side: self.side, cells, points, stride
        }));
    }

    /// Maps the gradients of points to gradients of a convolution's inputs, and adds them.
    pub fn input_gradients(self, points: &[Row], stride: usize, cells: &mut [Row]) {
        with_maps!(self.side, maps => self.instructions.run(Gather {
            axis: &maps.input_gradients, side: self.side, points, stride, cells
        }));
    }

    /// Maps weights by tap to weights by point.
    pub fn weights(self, taps: &[Row], points: &mut Vec<Row>) {
        points.resize(taps.len() / TAPS * self.points(), Row::ZERO);
        with_maps!(self.side, maps => self.instructions.run(Remap {
            map: &maps.weights, from: taps, to: points
        }));
    }

    /// Maps the gradients of weights by point to gradients by tap.
    pub fn weight_gradients(self, points: &[Row], taps: &mut Vec<Row>) {
        taps.resize(points.len() / self.points() * TAPS, Row::ZERO);
        with_maps!(self.side, maps => self.instructions.run(Remap {
            map: &maps.weight_gradients, from: points, to: taps
        }));
    }

    /// Adds the convolution of one board, computed cell by cell; see [`Direct`].
    pub fn direct(
        self,
        cells: &[Row],
        taps: &[Row],
        out: &mut [Row],
        stride: usize,
        [inner, outer]: [usize; 2],
    ) {
        if self.side == 5 {
            self.instructions.run(Direct::<5> { cells, stride, taps, out, inner, outer });
        } else {
            self.instructions.run(Direct::<8> { cells, stride, taps, out, inner, outer });
        }
    }
}
