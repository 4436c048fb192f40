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

/// What a head's matrices have in their rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Rows {
    /// A board: channel by channel, cell by cell.
    Boards,
    /// A cell with its channels.
    Cells,
}

impl Rows {
    /// Those of a policy head.
    pub const fn of_policy(spatial: bool) -> Self {
        if spatial { Self::Cells } else { Self::Boards }
    }

    /// How many so many boards take.
    pub const fn count(self, boards: usize, cells: usize) -> usize {
        match self {
            Self::Boards => boards,
            Self::Cells => boards * cells,
        }
    }

    /// Row and column of a channel of a board's cell.
    pub const fn place(
        self,
        board: usize,
        channel: usize,
        cell: usize,
        cells: usize,
    ) -> (usize, usize) {
        match self {
            Self::Boards => (board, channel * cells + cell),
            Self::Cells => (board * cells + cell, channel),
        }
    }
}

/// Some channels of a matrix with a row a cell, as a head's own matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub cells: usize,
    pub first: usize,
    pub channels: usize,
    pub rows: Rows,
}

impl Part {
    pub fn take(&self, boards: usize, from: &Matrix, to: &mut Matrix) {
        for board in 0..boards {
            for channel in 0..self.channels {
                for cell in 0..self.cells {
                    let (row, column) = self.rows.place(board, channel, cell, self.cells);
                    *to.at_mut(row, column) =
                        from.at(board * self.cells + cell, self.first + channel);
                }
            }
        }
    }

    /// The way back.
    pub fn put_back(&self, boards: usize, from: &Matrix, to: &mut Matrix) {
        for board in 0..boards {
            for channel in 0..self.channels {
                for cell in 0..self.cells {
                    let (row, column) = self.rows.place(board, channel, cell, self.cells);
                    *to.at_mut(board * self.cells + cell, self.first + channel) =
                        from.at(row, column);
                }
            }
        }
    }
}
