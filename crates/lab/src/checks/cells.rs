//! The cells that a claim is about: patterns of rows and columns, and the cells that fit them.

use serde::Deserialize;

use super::definition::{CheckDefinition, Criterion};
use crate::results::{ResultCell, ResultTable};

/// A pattern for cells of the table; a row may contain one `*`, which stands for any text.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellPattern {
    /// The row. In a cell that others are compared with, a `*` stands for the same text as in the
    /// first pattern, and a missing row stands for the same row.
    #[serde(default = "same")]
    pub row: String,
    /// The label of the cell's column.
    pub column: String,
}

fn same() -> String {
    "*".into()
}

/// A pattern for cells that others are compared with, and the smallest difference that counts.
///
/// Of two equal cells neither can be shown to be above the other, so a claim that one of them is not
/// the better one needs a margin within which they count as equal.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarginPattern {
    /// The row, as in [`CellPattern`].
    #[serde(default = "same")]
    pub row: String,
    /// The label of the cell's column.
    pub column: String,
    /// The margin, in the unit of the column.
    pub by: f64,
}

/// A number and a tolerance.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// The expected value of the cell, in the unit of its column.
    pub value: f64,
    /// The largest difference.
    pub within: f64,
}

impl CheckDefinition {
    /// Whether the claim is about the cell of this row and column, or compares another one with it.
    pub(crate) fn is_about(&self, row: &str, column: &str) -> bool {
        let Some(CellPattern { row: own, column: of }) = &self.cell else { return false };
        let other = self.criterion().ok().and_then(Criterion::other);
        let own = own.as_str();
        [Some((own, of.as_str())), other].into_iter().flatten().any(|(rows, columns)| {
            // A `*` alone in another cell stands for the same row.
            let rows = if rows == "*" { own } else { rows };
            fits(columns, column).is_some() && fits(rows, row).is_some()
        })
    }

    /// The cells that the claim is about, each with the one that it is compared with.
    pub(crate) fn cells<'a>(
        &self,
        table: &'a ResultTable,
    ) -> Vec<(&'a ResultCell, Option<&'a ResultCell>)> {
        let Some(pattern) = &self.cell else { return vec![] };
        let pairs = self.compared_pairs(table);
        let with = |cell| pairs.iter().find(|(one, _)| std::ptr::eq(*one, cell)).map(|pair| pair.1);
        fitting(pattern, table).into_iter().map(|(cell, _)| (cell, with(cell))).collect()
    }

    /// The pairs of cells that the claim compares with each other.
    pub(crate) fn compared_pairs<'a>(
        &self,
        table: &'a ResultTable,
    ) -> Vec<(&'a ResultCell, &'a ResultCell)> {
        let Some(pattern) = &self.cell else { return vec![] };
        let cells = fitting(pattern, table);
        let Ok(criterion) = self.criterion() else { return vec![] };
        if matches!(criterion, Criterion::Rising | Criterion::Falling) {
            return cells.windows(2).map(|pair| (pair[1].0, pair[0].0)).collect();
        }
        let Some((row, column)) = criterion.other() else { return vec![] };
        let pair = |&(cell, star): &(&'a ResultCell, &str)| {
            Some((cell, table.cell(&other_row(row, cell, star), column)?))
        };
        cells.iter().filter_map(pair).collect()
    }
}

/// The text that the `*` of a pattern stands for in a row; `None` if the row does not fit.
pub fn fits<'a>(pattern: &str, row: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        None => (pattern == row).then_some(""),
        Some((before, after)) => row.strip_prefix(before)?.strip_suffix(after),
    }
}

/// The cells that fit a pattern, each with the text that its `*` stands for.
pub(super) fn fitting<'a>(
    pattern: &CellPattern,
    table: &'a ResultTable,
) -> Vec<(&'a ResultCell, &'a str)> {
    (table.cells().iter())
        .filter(|cell| fits(&pattern.column, &cell.column).is_some())
        .filter_map(|cell| fits(&pattern.row, &cell.row).map(|star| (cell, star)))
        .collect()
}

/// The row that a cell is compared with. A `*` alone stands for the same row, whatever the first
/// pattern was.
pub(super) fn other_row(row: &str, cell: &ResultCell, star: &str) -> String {
    if row == "*" { cell.row.clone() } else { row.replace('*', star) }
}
