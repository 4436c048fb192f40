//! What the interval of one cell says about a criterion.

use super::cells::{CellPattern, MarginPattern, Tolerance, other_row};
use super::definition::Criterion;
use super::verdict::CheckVerdict;
use crate::results::{Figures, ResultCell, ResultTable, number};

/// The verdict on one cell, with the margin within which it counts as equal to what it should be above or
/// below.
pub(super) fn single(
    criterion: Criterion<'_>,
    equal_within: Option<f64>,
    cell: &ResultCell,
    star: &str,
    table: &ResultTable,
    paper: &Figures,
) -> (CheckVerdict, String) {
    let (low, high) = bounds(cell);
    let against = |row: &str, column: &str, verdict: &dyn Fn(&ResultCell) -> CheckVerdict| {
        let row = other_row(row, cell, star);
        match table.cell(&row, column) {
            Some(other) => {
                let text = format!("{} against {}", describe(cell), describe(other));
                (verdict(other), text + &describe_difference(cell, other, table))
            }
            None => (CheckVerdict::NotAtThisScale, format!("no row “{row}”")),
        }
    };
    let or_equal = |verdict, near: &dyn Fn(f64) -> CheckVerdict| {
        let open = verdict == CheckVerdict::Undecided;
        let is_equal = open && equal_within.is_some_and(|by| near(by) == CheckVerdict::Holds);
        if is_equal { CheckVerdict::Equal } else { verdict }
    };
    let of_number =
        |bound, verdict| (or_equal(verdict, &|by| near(cell, bound, by)), describe(cell));
    let of_cell =
        |other: &ResultCell, verdict| or_equal(verdict, &|by| near_cell(cell, other, by, table));
    match criterion {
        Criterion::Above(bound) => of_number(bound, decided(low > bound, high <= bound)),
        Criterion::Below(bound) => of_number(bound, decided(high < bound, low >= bound)),
        Criterion::AboveCell(CellPattern { row, column }) => {
            against(row, column, &|other| of_cell(other, over(cell, other, table)))
        }
        Criterion::BelowCell(CellPattern { row, column }) => {
            against(row, column, &|other| of_cell(other, over(other, cell, table)))
        }
        Criterion::NotAboveCell(MarginPattern { row, column, by }) => {
            against(row, column, &|other| less_above(cell, other, *by, table))
        }
        Criterion::NearCell(MarginPattern { row, column, by }) => {
            against(row, column, &|other| near_cell(cell, other, *by, table))
        }
        Criterion::Near(Tolerance { value, within }) => (near(cell, value, within), describe(cell)),
        Criterion::NearPaper(_) | Criterion::WithinPaper => {
            let Some(figure) = paper.value(&cell.row, &cell.column) else {
                return (
                    CheckVerdict::NotAtThisScale,
                    format!("the paper has no figure for “{}”", cell.row),
                );
            };
            let verdict = match criterion {
                Criterion::NearPaper(within) => near(cell, figure, within),
                _ => decided(low <= figure && figure <= high, figure < low || high < figure),
            };
            (verdict, format!("{}, the paper {}", describe(cell), number(figure)))
        }
        Criterion::Rising | Criterion::Falling | Criterion::Cannot(_) => {
            (CheckVerdict::Undecided, String::new())
        }
    }
}

/// Whether a cell differs from a number by no more than `within`.
fn near(cell: &ResultCell, value: f64, within: f64) -> CheckVerdict {
    let ((low, high), (least, most)) = (bounds(cell), (value - within, value + within));
    decided(least <= low && high <= most, high < least || most < low)
}

/// Whether two cells differ by less than a margin.
fn near_cell(cell: &ResultCell, other: &ResultCell, by: f64, table: &ResultTable) -> CheckVerdict {
    CheckVerdict::all(&[less_above(cell, other, by, table), less_above(other, cell, by, table)])
}

/// Whether one cell is above another.
pub(super) fn over(upper: &ResultCell, lower: &ResultCell, table: &ResultTable) -> CheckVerdict {
    less_above(lower, upper, 0.0, table)
}

/// Whether a cell is less than a margin above another, by the interval of their difference. Where they
/// were not played on the same dice, the squares of their errors add up.
fn less_above(cell: &ResultCell, other: &ResultCell, by: f64, table: &ResultTable) -> CheckVerdict {
    if let Some((low, high)) = table.difference(cell, other) {
        return decided(high < by, low >= by);
    }
    let ((low, high), (other_low, other_high)) = (bounds(cell), bounds(other));
    let difference = cell.value - other.value;
    let below = (cell.value - low).hypot(other_high - other.value);
    let above = (high - cell.value).hypot(other.value - other_low);
    decided(difference + above < by, difference - below >= by)
}

/// The text of a difference on the same dice.
pub(super) fn describe_difference(
    cell: &ResultCell,
    other: &ResultCell,
    table: &ResultTable,
) -> String {
    let Some((low, high)) = table.difference(cell, other) else { return String::new() };
    let [value, low, high] = [cell.value - other.value, low, high].map(number);
    format!(", on the same dice {value} above ({low} to {high})")
}

const fn decided(holds: bool, fails: bool) -> CheckVerdict {
    match (holds, fails) {
        (true, _) => CheckVerdict::Holds,
        (false, true) => CheckVerdict::Fails,
        (false, false) => CheckVerdict::Undecided,
    }
}

/// The interval of a cell as far as it is known.
fn bounds(cell: &ResultCell) -> (f64, f64) {
    if cell.is_bare_time() { (f64::NEG_INFINITY, f64::INFINITY) } else { cell.bounds() }
}

/// The text of a cell with its interval.
pub(super) fn describe(cell: &ResultCell) -> String {
    let bare = if cell.is_bare_time() { ", a time without an interval" } else { "" };
    format!("{}: {}{bare}", cell.row, cell.text())
}
