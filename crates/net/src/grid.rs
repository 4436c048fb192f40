//! Winograd's maps for the boards that there are, chosen by the length of a side.

use crate::kernels::{Direct, Gather, Instructions, Remap, Spread, TAPS};
use crate::rows::Row;
use crate::winograd::{EIGHT, FIVE};

/// A square board, and the instructions to work on it with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// 5 or 8.
    side: usize,
    pub instructions: Instructions,
}

/// Does the same for the maps of either board.
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
    /// For a side that [`Architecture::check`](crate::Architecture::check) has let through.
    pub fn new(side: usize, instructions: Instructions) -> Self {
        debug_assert!(side == 5 || side == 8);
        Self { side, instructions }
    }

    pub const fn cells(self) -> usize {
        self.side * self.side
    }

    /// Tiles of a board.
    pub const fn tiles(self) -> usize {
        if self.side == 5 { 1 } else { 4 }
    }

    /// Points of a tile.
    pub const fn points(self) -> usize {
        if self.side == 5 { 49 } else { 36 }
    }

    /// The least number of boards, at least `boards`, whose tiles are whole tiles of a
    /// matrix product.
    pub fn whole(self, boards: usize) -> usize {
        let fits =
            |boards: &usize| (boards * self.tiles()).is_multiple_of(self.instructions.tile_rows());
        (boards..boards + self.instructions.tile_rows()).find(fits).expect("a multiple of both")
    }

    /// From cells to points; see [`Spread`].
    pub fn input(self, cells: &[Row], points: &mut [Row], stride: usize) {
        with_maps!(self.side, maps => self.instructions.run(Spread {
            axis: &maps.input, side: self.side, cells, points, stride
        }));
    }

    /// Adds what comes from points to cells; see [`Gather`].
    pub fn output(self, points: &[Row], stride: usize, cells: &mut [Row]) {
        with_maps!(self.side, maps => self.instructions.run(Gather {
            axis: &maps.output, side: self.side, points, stride, cells
        }));
    }

    /// From the gradients of a convolution's results to those of points.
    pub fn output_gradients(self, cells: &[Row], points: &mut [Row], stride: usize) {
        with_maps!(self.side, maps => self.instructions.run(Spread {
            axis: &maps.output_gradients, side: self.side, cells, points, stride
        }));
    }

    /// Adds the gradients of a convolution's inputs, from those of points.
    pub fn input_gradients(self, points: &[Row], stride: usize, cells: &mut [Row]) {
        with_maps!(self.side, maps => self.instructions.run(Gather {
            axis: &maps.input_gradients, side: self.side, points, stride, cells
        }));
    }

    /// From weights by tap to weights by point.
    pub fn weights(self, taps: &[Row]) -> Vec<Row> {
        let mut points = vec![Row::ZERO; taps.len() / TAPS * self.points()];
        with_maps!(self.side, maps => self.instructions.run(Remap {
            map: &maps.weights, from: taps, to: &mut points
        }));
        points
    }

    /// From the gradients of weights by point to those by tap.
    pub fn weight_gradients(self, points: &[Row]) -> Vec<Row> {
        let mut taps = vec![Row::ZERO; points.len() / self.points() * TAPS];
        with_maps!(self.side, maps => self.instructions.run(Remap {
            map: &maps.weight_gradients, from: points, to: &mut taps
        }));
        taps
    }

    /// Adds the convolution of one board, cell by cell; see [`Direct`].
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
