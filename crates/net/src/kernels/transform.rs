//! The linear maps between the cells of boards and Winograd's points.

use super::lanes::{Lanes, Work};
use crate::rows::Row;
use crate::winograd::Axis;

/// Rows · X · columnsᵀ.
#[inline(always)]
fn both_sides<L: Lanes, const I: usize, const O: usize>(
    rows: &[[f32; I]; O],
    columns: &[[f32; I]; O],
    x: &[[L; I]; I],
) -> [[L; O]; O] {
    let zero = L::splat(0.0);
    let mut half = [[zero; I]; O];
    for (half, map) in half.iter_mut().zip(rows) {
        for (column, sum) in half.iter_mut().enumerate() {
            *sum = L::splat(map[0]).mul(x[0][column]);
            for i in 1..I {
                *sum = L::splat(map[i]).mul_add(x[i][column], *sum);
            }
        }
    }
    let mut whole = [[zero; O]; O];
    for (whole, half) in whole.iter_mut().zip(&half) {
        for (sum, map) in whole.iter_mut().zip(columns) {
            *sum = L::splat(map[0]).mul(half[0]);
            for i in 1..I {
                *sum = L::splat(map[i]).mul_add(half[i], *sum);
            }
        }
    }
    whole
}

/// Maps cells to points: each tile of I × I cells becomes N × N points.
pub(crate) struct Spread<'a, const I: usize, const N: usize, const TILES: usize> {
    pub axis: &'a Axis<I, N, TILES>,
    pub side: usize,
    /// Whole boards of side · side cells.
    pub cells: &'a [Row],
    /// A row for each tile of each board. The rows of a point begin `stride` rows after those of
    /// the point before it.
    pub points: &'a mut [Row],
    pub stride: usize,
}

impl<const I: usize, const N: usize, const TILES: usize> Work for Spread<'_, I, N, TILES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { axis, side, cells, points, stride } = self;
        let mut place = 0;
        for board in cells.chunks_exact(side * side) {
            for down in 0..TILES {
                for across in 0..TILES {
                    let corner = axis.starts[down] * side + axis.starts[across];
                    let mut x = [[L::splat(0.0); I]; I];
                    for (line, x) in x.iter_mut().enumerate() {
                        let cells = &board[corner + line * side..][..I];
                        for (cell, x) in cells.iter().zip(x) {
                            *x = L::load(cell);
                        }
                    }
                    let whole = both_sides(&axis.maps[down], &axis.maps[across], &x);
                    for (point, number) in whole.as_flattened().iter().enumerate() {
                        number.store(&mut points[place + point * stride]);
                    }
                    place += 1;
                }
            }
        }
    }
}

/// Maps points to cells: the N × N points of each tile become O × O cells, which are **added** to
/// `cells`. Tiles may overlap.
pub(crate) struct Gather<'a, const N: usize, const O: usize, const TILES: usize> {
    pub axis: &'a Axis<N, O, TILES>,
    pub side: usize,
    /// As in [`Spread`].
    pub points: &'a [Row],
    pub stride: usize,
    /// Whole boards of side · side cells.
    pub cells: &'a mut [Row],
}

impl<const N: usize, const O: usize, const TILES: usize> Work for Gather<'_, N, O, TILES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { axis, side, points, stride, cells } = self;
        let mut place = 0;
        for board in cells.chunks_exact_mut(side * side) {
            for down in 0..TILES {
                for across in 0..TILES {
                    let mut x = [[L::splat(0.0); N]; N];
                    for (point, x) in x.as_flattened_mut().iter_mut().enumerate() {
                        *x = L::load(&points[place + point * stride]);
                    }
                    let whole = both_sides(&axis.maps[down], &axis.maps[across], &x);
                    let corner = axis.starts[down] * side + axis.starts[across];
                    for (line, whole) in whole.iter().enumerate() {
                        let cells = &mut board[corner + line * side..][..O];
                        for (cell, number) in cells.iter_mut().zip(whole) {
                            L::load(cell).add(*number).store(cell);
                        }
                    }
                    place += 1;
                }
            }
        }
    }
}

/// How many rows of each entry are read and written at a time.
const STAGED: usize = 16;

/// Rows · X · columnsᵀ with the same map for both axes, for each of `len` rows. Entry i of X lies
/// `len` · i rows after the first entry, and so do the results.
pub(crate) struct Remap<'a, const I: usize, const O: usize> {
    pub map: &'a [[f32; I]; O],
    pub from: &'a [Row],
    pub to: &'a mut [Row],
}

impl<const I: usize, const O: usize> Work for Remap<'_, I, O> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { map, from, to } = self;
        let len = from.len() / (I * I);
        let mut staged = [[[Row::ZERO; STAGED]; I]; I];
        let mut done = [[[Row::ZERO; STAGED]; O]; O];
        for first in (0..len).step_by(STAGED) {
            let count = STAGED.min(len - first);
            for (number, rows) in staged.as_flattened_mut().iter_mut().enumerate() {
                rows[..count].copy_from_slice(&from[first + number * len..][..count]);
            }
            for place in 0..count {
                let mut x = [[L::splat(0.0); I]; I];
                for (x, rows) in x.as_flattened_mut().iter_mut().zip(staged.as_flattened()) {
                    *x = L::load(&rows[place]);
                }
                let whole = both_sides(map, map, &x);
                for (x, rows) in whole.as_flattened().iter().zip(done.as_flattened_mut()) {
                    x.store(&mut rows[place]);
                }
            }
            for (number, rows) in done.as_flattened().iter().enumerate() {
                to[first + number * len..][..count].copy_from_slice(&rows[..count]);
            }
        }
    }
}
