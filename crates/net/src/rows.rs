//! The only layout of numbers that the kernels use: matrices in blocks of sixteen columns.
//!
//! A matrix of r × c numbers is stored as ⌈c / 16⌉ blocks of r [`Row`]s. So a row is one cache line
//! and one vector register; the rows that a kernel needs together lie at fixed distances, whatever
//! the number of columns; and the same array can be read along its rows (as the channels of a
//! board) and along its columns (as weights). Columns beyond c hold zeros.

use std::ops::Range;

/// How many columns a block has.
pub(crate) const LANES: usize = 16;

/// Sixteen columns of one row of a matrix.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Row(pub [f32; LANES]);

impl Row {
    pub const ZERO: Row = Row([0.0; LANES]);

    /// Adds the numbers of another row.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, number)| *sum += number);
    }
}

/// How many blocks `columns` columns take.
pub(crate) const fn blocks(columns: usize) -> usize {
    columns.div_ceil(LANES)
}

/// `columns` numbers as rows; the last row is filled up with zeros.
pub(crate) fn row_list(columns: usize, mut number: impl FnMut(usize) -> f32) -> Vec<Row> {
    let mut lanes = |block: usize| {
        Row(std::array::from_fn(|lane| {
            let column = block * LANES + lane;
            if column < columns { number(column) } else { 0.0 }
        }))
    };
    (0..blocks(columns)).map(&mut lanes).collect()
}

/// A matrix in blocks of sixteen columns.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Matrix {
    rows: usize,
    data: Vec<Row>,
}

impl Matrix {
    pub fn new(rows: usize, columns: usize) -> Self {
        Self { rows, data: vec![Row::ZERO; rows * blocks(columns)] }
    }

    /// All rows, block after block.
    pub fn all(&self) -> &[Row] {
        &self.data
    }

    /// All rows, block after block.
    pub fn all_mut(&mut self) -> &mut [Row] {
        &mut self.data
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn blocks(&self) -> usize {
        self.data.len() / self.rows
    }

    /// Some rows of one block.
    pub fn part(&self, block: usize, rows: Range<usize>) -> &[Row] {
        &self.data[block * self.rows..][rows]
    }

    /// Some rows of one block.
    pub fn part_mut(&mut self, block: usize, rows: Range<usize>) -> &mut [Row] {
        &mut self.data[block * self.rows..][rows]
    }

    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.data[column / LANES * self.rows + row].0[column % LANES]
    }

    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut f32 {
        &mut self.data[column / LANES * self.rows + row].0[column % LANES]
    }
}
