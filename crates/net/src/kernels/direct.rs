//! Convolution cell by cell. It is faster for few boards, where reading Winograd's larger weights
//! takes more time than its fewer products save.

use super::lanes::{Lanes, Tile, Work};
use crate::rows::{LANES, Row};

/// How many weights a 3 × 3 window has, row by row.
pub(crate) const TAPS: usize = 9;

/// Adds the 3 × 3 convolution of one board, with zeros around the board, to `out`.
pub(crate) struct Direct<'a, const SIDE: usize> {
    /// The board's cells, as `inner` blocks at a distance of `stride` rows.
    pub cells: &'a [Row],
    pub stride: usize,
    /// A matrix of 16 · `inner` rows and `outer` blocks for each tap.
    pub taps: &'a [Row],
    /// The results, as `outer` blocks at a distance of `stride` rows.
    pub out: &'a mut [Row],
    pub inner: usize,
    pub outer: usize,
}

impl<const SIDE: usize> Work for Direct<'_, SIDE> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        for block in 0..self.outer {
            // A small board fits into the registers as a whole, so that the weights are read only
            // once.
            if L::TILE == Tile::Wide && SIDE * SIDE <= 25 {
                self.lines::<L, SIDE>(block, 0);
            } else {
                for line in 0..SIDE {
                    self.lines::<L, 1>(block, line);
                }
            }
        }
    }
}

impl<const SIDE: usize> Direct<'_, SIDE> {
    /// Computes `LINES` lines of the board, from line `top` on.
    #[inline(always)]
    fn lines<L: Lanes, const LINES: usize>(&mut self, block: usize, top: usize) {
        let Self { cells, stride, taps, inner, outer, .. } = *self;
        let mut sums = [[L::splat(0.0); SIDE]; LINES];
        for k in 0..inner {
            let cells = &cells[k * stride..][..SIDE * SIDE];
            for tap in 0..TAPS {
                let (down, across) = (tap / 3, tap % 3);
                let weights = &taps[((tap * outer + block) * inner + k) * LANES..][..LANES];
                for (lane, weight) in weights.iter().enumerate() {
                    let weight = L::load(weight);
                    for (line, sums) in sums.iter_mut().enumerate() {
                        // For the line above the board this wraps round to a large number.
                        let from = (top + line + down).wrapping_sub(1);
                        if from < SIDE {
                            for (column, sum) in sums.iter_mut().enumerate() {
                                let from_column = (column + across).wrapping_sub(1);
                                if from_column < SIDE {
                                    let cell = &cells[from * SIDE + from_column];
                                    *sum = L::splat(cell.0[lane]).mul_add(weight, *sum);
                                }
                            }
                        }
                    }
                }
            }
        }
        let out = &mut self.out[block * stride + top * SIDE..][..LINES * SIDE];
        for (cell, sum) in out.iter_mut().zip(sums.as_flattened()) {
            L::load(cell).add(*sum).store(cell);
        }
    }
}
