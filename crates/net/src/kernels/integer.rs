//! Convolutions in eight bits: bytes in, bytes out. The sums, their scaling and the ReLU in between
//! stay in registers.
//!
//! They work cell by cell. Winograd's method would need fewer products, but its points have far
//! larger values than the cells and would lose too much precision in eight bits. The weights take
//! an eighth to a twentieth of the space of Winograd's in floating point, so a single board takes
//! hardly more time than its share of a large batch.

use super::bytes::{Block, ByteWork, Line, Sums};
use super::lanes::Lanes;
use crate::rows::{LANES, Row};

/// Four lines for each block of sixteen inputs.
const PARTS: usize = LANES / 4;

/// to ← max(0, from ∗ weights · scale + bias + skip · factor), truncated to integers of at most
/// 255: a 3 × 3 convolution with zeros around the boards.
pub(crate) struct Convolution<'a, const SIDE: usize> {
    /// `inner` blocks for each cell of each board.
    pub from: &'a [Block],
    /// For each block of outputs, for each row of the window, and for each group of four inputs: a
    /// line for each column of the window.
    pub lines: &'a [[Line; 3]],
    pub scale: &'a [Row],
    pub bias: &'a [Row],
    /// As many blocks as `to` has, and the factor for their bytes; `None` adds nothing.
    pub skip: Option<(&'a [Block], f32)>,
    /// `outer` blocks for each cell of each board.
    pub to: &'a mut [Block],
    pub boards: usize,
    pub inner: usize,
    pub outer: usize,
}

impl<const SIDE: usize> ByteWork for Convolution<'_, SIDE> {
    #[inline(always)]
    fn run<S: Sums>(mut self) {
        let mut block = 0;
        while block < self.outer {
            if S::WIDE && block + 2 <= self.outer {
                self.blocks::<S, 2>(block);
                block += 2;
            } else {
                self.blocks::<S, 1>(block);
                block += 1;
            }
        }
    }
}

impl<const SIDE: usize> Convolution<'_, SIDE> {
    /// Computes `N` blocks of all boards, one row of a board at a time. Doing two boards at a time
    /// took twice as long, because the compiler did not keep their sums in registers.
    #[inline(always)]
    fn blocks<S: Sums, const N: usize>(&mut self, block: usize) {
        for board in 0..self.boards {
            for row in 0..SIDE {
                if S::WIDE || SIDE == 5 {
                    self.cells::<S, N, SIDE, 0>(board, block, row);
                } else {
                    self.cells::<S, N, 4, 0>(board, block, row);
                    self.cells::<S, N, 4, 4>(board, block, row);
                }
            }
        }
    }

    /// Computes `N` blocks of `CELLS` cells of a row, from column `LEFT` on.
    #[inline(always)]
    fn cells<S: Sums, const N: usize, const CELLS: usize, const LEFT: usize>(
        &mut self,
        board: usize,
        block: usize,
        row: usize,
    ) {
        let Self { from, lines, inner, .. } = *self;
        let mut sums = [[S::zero(); CELLS]; N];
        for down in 0..3 {
            // For the row above the board this wraps round to a large number.
            let above = (row + down).wrapping_sub(1);
            if above >= SIDE {
                continue;
            }
            let lines: [&[[Line; 3]]; N] = std::array::from_fn(|n| {
                &lines[((block + n) * 3 + down) * inner * PARTS..][..inner * PARTS]
            });
            let from = &from[(board * SIDE + above) * SIDE * inner..][..SIDE * inner];
            for k in 0..inner {
                let from: [&Block; SIDE] = std::array::from_fn(|column| &from[column * inner + k]);
                for part in 0..PARTS {
                    let lines: [&[Line; 3]; N] =
                        std::array::from_fn(|n| &lines[n][k * PARTS + part]);
                    add_part::<S, SIDE, N, CELLS, LEFT>(&mut sums, &from, &lines, part);
                }
            }
        }
        for (n, sums) in sums.iter().enumerate() {
            self.finish(sums, (board * SIDE + row) * SIDE + LEFT, block + n);
        }
    }

    /// Scales the sums of neighbouring cells and writes them, beginning with cell number `cell`.
    #[inline(always)]
    fn finish<S: Sums, const CELLS: usize>(
        &mut self,
        sums: &[S; CELLS],
        cell: usize,
        block: usize,
    ) {
        let [scale, bias] = [&self.scale[block], &self.bias[block]].map(S::Floats::load);
        for (column, sums) in sums.iter().enumerate() {
            let mut floats = sums.floats().mul(scale).add(bias);
            let place = (cell + column) * self.outer + block;
            if let Some((skip, factor)) = self.skip {
                floats = floats.add(S::read(&skip[place]).mul(S::Floats::splat(factor)));
            }
            self.to[place] = S::bytes(floats.max(S::Floats::splat(0.0)));
        }
    }
}

/// Adds the products of four inputs of a row of cells with one row of the window. The loops are short and their bounds
/// are constants, so that the compiler unrolls them and the sums stay in registers.
#[inline(always)]
fn add_part<S: Sums, const SIDE: usize, const N: usize, const CELLS: usize, const LEFT: usize>(
    sums: &mut [[S; CELLS]; N],
    from: &[&Block; SIDE],
    lines: &[&[Line; 3]; N],
    part: usize,
) {
    let columns: [[&Line; N]; 3] =
        std::array::from_fn(|across| std::array::from_fn(|n| &lines[n][across]));
    for (across, lines) in columns.into_iter().enumerate() {
        let weights = lines.map(S::weights);
        for column in 0..CELLS {
            // Beside the left edge this wraps round to a large number.
            let beside = (LEFT + column + across).wrapping_sub(1);
            if beside < SIDE {
                let inputs = S::inputs(from[beside].part(part));
                for (sums, weights) in sums.iter_mut().zip(weights) {
                    sums[column] = sums[column].add_products(inputs, weights);
                }
            }
        }
    }
}

/// to ← max(0, from · weights · scale + bias), in floating point: a 1 × 1 convolution.
pub(crate) struct Pointwise<'a> {
    /// `inner` blocks for each cell.
    pub from: &'a [Block],
    /// For each block of outputs, a line for each group of four inputs.
    pub lines: &'a [Line],
    pub scale: &'a [Row],
    pub bias: &'a [Row],
    /// A row for each cell, as `outer` blocks of `stride` rows.
    pub to: &'a mut [Row],
    pub stride: usize,
    pub cells: usize,
    pub inner: usize,
    pub outer: usize,
}

/// How many cells of a 1 × 1 convolution are computed together.
const TOGETHER: usize = 5;

impl ByteWork for Pointwise<'_> {
    #[inline(always)]
    fn run<S: Sums>(mut self) {
        for block in 0..self.outer {
            let mut cell = 0;
            while cell + TOGETHER <= self.cells {
                self.some::<S, TOGETHER>(block, cell);
                cell += TOGETHER;
            }
            for cell in cell..self.cells {
                self.some::<S, 1>(block, cell);
            }
        }
    }
}

impl Pointwise<'_> {
    #[inline(always)]
    fn some<S: Sums, const M: usize>(&mut self, block: usize, cell: usize) {
        let Self { from, lines, inner, .. } = *self;
        let from = &from[cell * inner..][..M * inner];
        let lines = &lines[block * inner * PARTS..][..inner * PARTS];
        let mut sums = [S::zero(); M];
        for k in 0..inner {
            let from: [&Block; M] = std::array::from_fn(|m| &from[m * inner + k]);
            for part in 0..PARTS {
                let weights = S::weights(&lines[k * PARTS + part]);
                for (sum, from) in sums.iter_mut().zip(from) {
                    *sum = sum.add_products(S::inputs(from.part(part)), weights);
                }
            }
        }
        let [scale, bias] = [&self.scale[block], &self.bias[block]].map(S::Floats::load);
        let to = &mut self.to[block * self.stride + cell..][..M];
        for (sum, to) in sums.iter().zip(to) {
            sum.floats().mul(scale).add(bias).max(S::Floats::splat(0.0)).store(to);
        }
    }
}
