//! Between boards as games write them and the matrices of the layers.

use crate::rows::Matrix;

/// Writes planes (board by board, plane by plane, cell by cell) into a matrix with a row a
/// cell.
pub(crate) fn read_planes(planes: &[f32], cells: usize, count: usize, matrix: &mut Matrix) {
    for (board, planes) in planes.chunks_exact(count * cells).enumerate() {
        for (plane, numbers) in planes.chunks_exact(cells).enumerate() {
            for (cell, number) in numbers.iter().enumerate() {
                *matrix.at_mut(board * cells + cell, plane) = *number;
            }
        }
    }
}

/// Some channels of a matrix with a row a cell, as one with a row a board: channel by
/// channel, cell by cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    pub cells: usize,
    pub first: usize,
    pub channels: usize,
}

impl Flat {
    pub fn flatten(&self, boards: usize, from: &Matrix, to: &mut Matrix) {
        for board in 0..boards {
            for channel in 0..self.channels {
                for cell in 0..self.cells {
                    *to.at_mut(board, channel * self.cells + cell) =
                        from.at(board * self.cells + cell, self.first + channel);
                }
            }
        }
    }

    /// The way back.
    pub fn unflatten(&self, boards: usize, from: &Matrix, to: &mut Matrix) {
        for board in 0..boards {
            for channel in 0..self.channels {
                for cell in 0..self.cells {
                    *to.at_mut(board * self.cells + cell, self.first + channel) =
                        from.at(board, channel * self.cells + cell);
                }
            }
        }
    }
}
