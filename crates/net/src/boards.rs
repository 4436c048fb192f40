//! Conversion between the planes of boards and the matrices of the layers.

use crate::architecture::{Architecture, NetworkShape};
use crate::rows::Matrix;

/// Writes planes (board by board, plane by plane, cell by cell) into a matrix with a row for each
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

/// The unit that a row of a head's matrix stands for.
#[derive(Clone, Copy, Debug)]
enum Rows {
    /// A board, with its numbers ordered by channel and then by cell.
    Boards,
    /// A cell, with its channels.
    Cells,
}

/// Some channels of a matrix with a row for each cell, which become a head's own matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    cells: usize,
    first: usize,
    channels: usize,
    rows: Rows,
}

impl Part {
    /// The channels of the policy head, which come first, and those of the value head.
    pub const fn heads(architecture: &Architecture) -> [Self; 2] {
        let NetworkShape { policy_channels, value_channels, spatial_policy, .. } =
            architecture.shape;
        let cells = architecture.cells();
        let rows = if spatial_policy { Rows::Cells } else { Rows::Boards };
        [
            Self { cells, first: 0, channels: policy_channels, rows },
            Self { cells, first: policy_channels, channels: value_channels, rows: Rows::Boards },
        ]
    }

    /// How many rows `boards` boards take.
    pub const fn rows(&self, boards: usize) -> usize {
        match self.rows {
            Rows::Boards => boards,
            Rows::Cells => boards * self.cells,
        }
    }

    /// The row and the column of one number of a board: the one with index channel · cells + cell.
    pub const fn place(&self, board: usize, channel: usize, cell: usize) -> (usize, usize) {
        match self.rows {
            Rows::Boards => (board, channel * self.cells + cell),
            Rows::Cells => (board * self.cells + cell, channel),
        }
    }

    pub fn take(&self, boards: usize, from: &Matrix, to: &mut Matrix) {
        for board in 0..boards {
            for channel in 0..self.channels {
                for cell in 0..self.cells {
                    let (row, column) = self.place(board, channel, cell);
                    *to.at_mut(row, column) =
                        from.at(board * self.cells + cell, self.first + channel);
                }
            }
        }
    }

    /// Copies the head's matrix `from` back to its channels in `to`.
    pub fn put_back(&self, boards: usize, from: &Matrix, to: &mut Matrix) {
        for board in 0..boards {
            for channel in 0..self.channels {
                for cell in 0..self.cells {
                    let (row, column) = self.place(board, channel, cell);
                    *to.at_mut(board * self.cells + cell, self.first + channel) =
                        from.at(row, column);
                }
            }
        }
    }
}
