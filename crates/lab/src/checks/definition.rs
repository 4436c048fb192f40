//! A check as it stands in a definition: a claim, and the one criterion that decides it.

use serde::Deserialize;

use super::cells::{CellPattern, MarginPattern, Tolerance};

/// A check as it is written in a definition: a claim, and exactly one criterion.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckDefinition {
    /// The claim, in plain words.
    pub claim: String,
    /// The cells that the claim is about.
    pub cell: Option<CellPattern>,
    /// The cells are above this number.
    pub above: Option<f64>,
    /// The cells are below this number.
    pub below: Option<f64>,
    /// The cells are above this other cell.
    pub above_cell: Option<CellPattern>,
    /// The cells are below this other cell.
    pub below_cell: Option<CellPattern>,
    /// The margin within which what is above or below counts as equal, in the unit of the cells.
    pub equal_within: Option<f64>,
    /// The cells are not above this other cell by a margin.
    pub not_above_cell: Option<MarginPattern>,
    /// The cells differ from this other cell by less than a margin.
    pub near_cell: Option<MarginPattern>,
    /// The cells are within a tolerance of a number.
    pub near: Option<Tolerance>,
    /// The cells are within this tolerance of the paper's figures.
    pub near_paper: Option<f64>,
    /// The paper's figures lie in the intervals of the cells.
    #[serde(default)]
    pub within_paper: bool,
    /// The cells rise from row to row.
    #[serde(default)]
    pub rising: bool,
    /// The cells fall from row to row.
    #[serde(default)]
    pub falling: bool,
    /// Why the claim cannot be decided.
    pub cannot: Option<String>,
    /// A remark that is shown beside the verdict.
    #[serde(default)]
    pub note: String,
    /// The sentence about it on the first page of the report.
    pub sentence: Option<Sentence>,
}

/// The sentence about a claim on the first page of the report.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// The paper's claim, in words that suit every verdict.
    pub paper: String,
    /// Our result; `{ours}` stands for the figures of the check's cells, `{other}` for those of
    /// the cells that they are compared with.
    #[serde(default)]
    pub ours: String,
}

/// The condition that cells must satisfy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Criterion<'a> {
    /// Above a number.
    Above(f64),
    /// Below a number.
    Below(f64),
    /// Above another cell.
    AboveCell(&'a CellPattern),
    /// Below another cell.
    BelowCell(&'a CellPattern),
    /// Not above another cell by a margin.
    NotAboveCell(&'a MarginPattern),
    /// Less than a margin away from another cell.
    NearCell(&'a MarginPattern),
    /// Near a number.
    Near(Tolerance),
    /// Within this tolerance of the paper's figure.
    NearPaper(f64),
    /// Not distinguishable from the paper's figure.
    WithinPaper,
    /// Above the cell in the row before.
    Rising,
    /// Below the cell in the row before.
    Falling,
    /// Nothing that could be decided, with the reason.
    Cannot(&'a str),
}

impl<'a> Criterion<'a> {
    /// Whether cells are compared without a margin, so that equal ones are never told apart.
    const fn is_strict(self) -> bool {
        matches!(self, Self::Above(_) | Self::Below(_) | Self::AboveCell(_) | Self::BelowCell(_))
    }

    /// The row and the column of the cell that another one is compared with.
    pub(super) fn other(self) -> Option<(&'a str, &'a str)> {
        match self {
            Self::AboveCell(CellPattern { row, column })
            | Self::BelowCell(CellPattern { row, column })
            | Self::NotAboveCell(MarginPattern { row, column, .. })
            | Self::NearCell(MarginPattern { row, column, .. }) => Some((row, column)),
            _ => None,
        }
    }
}

impl CheckDefinition {
    /// The criterion of the check.
    ///
    /// # Errors
    /// When there is no criterion, more than one, or no cell to which it applies.
    pub fn criterion(&self) -> Result<Criterion<'_>, String> {
        let stated = [
            self.above.map(Criterion::Above),
            self.below.map(Criterion::Below),
            self.above_cell.as_ref().map(Criterion::AboveCell),
            self.below_cell.as_ref().map(Criterion::BelowCell),
            self.not_above_cell.as_ref().map(Criterion::NotAboveCell),
            self.near_cell.as_ref().map(Criterion::NearCell),
            self.near.map(Criterion::Near),
            self.near_paper.map(Criterion::NearPaper),
            self.within_paper.then_some(Criterion::WithinPaper),
            self.rising.then_some(Criterion::Rising),
            self.falling.then_some(Criterion::Falling),
            self.cannot.as_deref().map(Criterion::Cannot),
        ];
        let names = "above, below, above_cell, below_cell, not_above_cell, near_cell, near, \
                     near_paper, within_paper, rising, falling and cannot";
        let mut stated = stated.into_iter().flatten();
        match (stated.next(), stated.next()) {
            (None, _) => Err(format!("expected one of {names}")),
            (Some(_), Some(_)) => Err(format!("expected only one of {names}")),
            (Some(Criterion::Cannot(why)), None) => Ok(Criterion::Cannot(why)),
            (Some(_), None) if self.cell.is_none() => {
                Err("expected cell, which the claim is about".to_owned())
            }
            (Some(criterion), None) if self.equal_within.is_some() && !criterion.is_strict() => {
                Err("expected equal_within beside above, below, above_cell or below_cell"
                    .to_owned())
            }
            (Some(criterion), None) => Ok(criterion),
        }
    }

    /// The criterion in words.
    pub(super) fn words(&self) -> String {
        let Some(cell) = &self.cell else { return String::new() };
        let of = |cell: &CellPattern| match cell.row.as_str() {
            "*" => format!("“{}” of every row", cell.column),
            row => format!("“{}” of “{row}”", cell.column),
        };
        let named = |row: &str, column: &str| match row {
            "*" => format!("“{column}” of the same row"),
            row => format!("“{column}” of “{row}”"),
        };
        let other = |cell: &CellPattern| named(&cell.row, &cell.column);
        let cell = of(cell);
        let or_equal =
            self.equal_within.map_or_else(String::new, |by| format!(", or equal within {by}"));
        match self.criterion() {
            Ok(Criterion::Above(bound)) => format!("{cell} is above {bound}{or_equal}"),
            Ok(Criterion::Below(bound)) => format!("{cell} is below {bound}{or_equal}"),
            Ok(Criterion::AboveCell(than)) => format!("{cell} is above {}{or_equal}", other(than)),
            Ok(Criterion::BelowCell(than)) => format!("{cell} is below {}{or_equal}", other(than)),
            Ok(Criterion::NotAboveCell(MarginPattern { row, column, by })) => {
                format!("{cell} is less than {by} above {}", named(row, column))
            }
            Ok(Criterion::NearCell(MarginPattern { row, column, by })) => {
                format!("{cell} differs from {} by less than {by}", named(row, column))
            }
            Ok(Criterion::Near(Tolerance { value, within })) => {
                format!("{cell} differs from {value} by {within} at most")
            }
            Ok(Criterion::NearPaper(within)) => {
                format!("{cell} differs from the paper by {within} at most")
            }
            Ok(Criterion::WithinPaper) => {
                format!("the paper's figure lies in the interval of {cell}")
            }
            Ok(Criterion::Rising) => format!("{cell} is above that of the row before"),
            Ok(Criterion::Falling) => format!("{cell} is below that of the row before"),
            Ok(Criterion::Cannot(_)) | Err(_) => cell,
        }
    }
}
