//! Cells that follow from other cells: means, differences, ratios and doubles.
//!
//! The cells come from different games, so their errors are independent and their squares add up. A
//! cell without an interval counts as exact.

use crate::LabError;
use crate::checks::{CellPattern, fits};
use crate::definition::SummaryDefinition;
use crate::results::ResultCell;

/// The cells that fit a pattern.
fn fitting<'a>(cells: &'a [ResultCell], pattern: &CellPattern) -> Vec<&'a ResultCell> {
    let fit = |cell: &&ResultCell| {
        fits(&pattern.row, &cell.row).is_some() && fits(&pattern.column, &cell.column).is_some()
    };
    cells.iter().filter(fit).collect()
}

/// The cell of a summary; `None` where a cell that it needs was not measured at this scale. Fails
/// when the definition does not say how to compute it.
pub(crate) fn summary(
    definition: &SummaryDefinition,
    cells: &[ResultCell],
) -> Result<Option<ResultCell>, LabError> {
    let SummaryDefinition { row, column, mean, difference, ratio, double } = definition;
    match (mean, difference, ratio, double) {
        (Some(pattern), None, None, None) => Ok(mean_of(row, column, &fitting(cells, pattern))),
        (None, Some(patterns), None, None) => Ok(two(row, column, cells, patterns, minus)),
        (None, None, Some(patterns), None) => Ok(two(row, column, cells, patterns, over)),
        (None, None, None, Some(pattern)) => {
            Ok(fitting(cells, pattern).first().map(|cell| doubled(row, column, cell)))
        }
        _ => Err(LabError::Input(format!(
            "summary '{row}', '{column}': expected one of mean, difference, ratio and double"
        ))),
    }
}

fn doubled(row: &str, column: &str, cell: &ResultCell) -> ResultCell {
    ResultCell {
        row: row.to_owned(),
        column: column.to_owned(),
        value: 2.0 * cell.value,
        interval: cell.interval.map(|(low, high)| (2.0 * low, 2.0 * high)),
        ..cell.clone()
    }
}

/// Whether what follows from these cells has an interval: if one of them has one, and no other is a
/// time of unknown precision.
fn estimated(cells: &[&ResultCell]) -> bool {
    let known = cells.iter().all(|cell| !cell.is_bare_time());
    known && cells.iter().any(|cell| cell.interval.is_some())
}

fn mean_of(row: &str, column: &str, cells: &[&ResultCell]) -> Option<ResultCell> {
    let first = cells.first()?;
    let count = cells.len() as f64;
    let value = cells.iter().map(|cell| cell.value).sum::<f64>() / count;
    let root = |part: fn(&ResultCell) -> f64| {
        cells.iter().map(|cell| part(cell).powi(2)).sum::<f64>().sqrt() / count
    };
    let (below, above) =
        (root(|cell| cell.value - cell.bounds().0), root(|cell| cell.bounds().1 - cell.value));
    let n = cells.iter().fold(0, |sum: u64, cell| sum.saturating_add(cell.n));
    let cell = ResultCell { n, unit: first.unit.clone(), ..ResultCell::new(row, column, value) };
    Some(if estimated(cells) { cell.within(value - below, value + above) } else { cell })
}

/// A value with the ends of its interval.
type Spread = (f64, f64, f64);

fn minus(one: Spread, other: Spread) -> Spread {
    let value = one.0 - other.0;
    let below = (one.0 - one.1).hypot(other.2 - other.0);
    let above = (one.2 - one.0).hypot(other.0 - other.1);
    (value, value - below, value + above)
}

/// A ratio with its interval, to the first order in the errors.
fn over(one: Spread, other: Spread) -> Spread {
    let value = one.0 / other.0;
    let relative = |part: f64, of: f64| if of == 0.0 { 0.0 } else { part / of };
    let below = relative(one.0 - one.1, one.0).hypot(relative(other.2 - other.0, other.0));
    let above = relative(one.2 - one.0, one.0).hypot(relative(other.0 - other.1, other.0));
    (value, value - value.abs() * below, value + value.abs() * above)
}

fn two(
    row: &str,
    column: &str,
    cells: &[ResultCell],
    patterns: &[CellPattern; 2],
    combine: fn(Spread, Spread) -> Spread,
) -> Option<ResultCell> {
    let [one, other] = patterns.each_ref().map(|pattern| fitting(cells, pattern));
    let (one, other) = (one.first()?, other.first()?);
    let spread = |cell: &ResultCell| (cell.value, cell.bounds().0, cell.bounds().1);
    let (value, low, high) = combine(spread(one), spread(other));
    if !value.is_finite() {
        return None;
    }
    // A ratio has no unit, but that of times keeps their word, because it is as precise as they are.
    let unit = if one.is_bare_time() || other.is_bare_time() { "ratio of ns" } else { "" };
    let n = one.n.min(other.n);
    let cell = ResultCell { n, unit: unit.to_owned(), ..ResultCell::new(row, column, value) };
    Some(if estimated(&[one, other]) { cell.within(low, high) } else { cell })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<ResultCell> {
        let cells = [
            ResultCell::new("1 s", "rate", 0.5).within(0.47, 0.53),
            ResultCell::new("4 s", "rate", 0.7).within(0.66, 0.74),
            ResultCell::new("4 s", "exact", 2.0),
        ];
        let definition = toml::from_str(&format!("row = 'all'\ncolumn = 'rate'\n{text}")).unwrap();
        summary(&definition, &cells).unwrap()
    }

    #[test]
    fn errors_of_independent_cells_add_up_as_squares() {
        // Half-widths of 0.03 and 0.04 combine to 0.05.
        let near = |cell: ResultCell, value: f64, half: f64| {
            let (low, high) = cell.interval.unwrap();
            assert!((cell.value - value).abs() < 1e-12, "{cell:?}");
            assert!((low - (value - half)).abs() < 1e-12 && (high - (value + half)).abs() < 1e-12);
        };
        near(of("mean = { row = '* s', column = 'rate' }").unwrap(), 0.6, 0.025);
        let cells = "[{ row = '4 s', column = 'rate' }, { row = '1 s', column = 'rate' }]";
        near(of(&format!("difference = {cells}")).unwrap(), 0.2, 0.05);
        let exact = "[{ row = '4 s', column = 'rate' }, { row = '4 s', column = 'exact' }]";
        near(of(&format!("ratio = {exact}")).unwrap(), 0.35, 0.02);
        near(of("double = { row = '1 s', column = 'rate' }").unwrap(), 1.0, 0.06);
        for none in ["mean", "double"] {
            assert_eq!(of(&format!("{none} = {{ row = '8 s', column = 'rate' }}")), None);
        }
    }

    #[test]
    fn what_follows_from_a_time_without_an_interval_has_none() {
        let time = |row: &str| {
            let cell = ResultCell::new(row, "time", 5.0);
            ResultCell { unit: "ns".into(), ..cell }
        };
        let cells = [time("a"), time("b").within(4.0, 6.0)];
        for text in [
            "mean = { row = '*', column = 'time' }",
            "difference = [{ row = 'a', column = 'time' }, { row = 'b', column = 'time' }]",
            "ratio = [{ row = 'b', column = 'time' }, { row = 'a', column = 'time' }]",
            "double = { row = 'a', column = 'time' }",
        ] {
            let definition = toml::from_str(&format!("row = 'r'\ncolumn = 'c'\n{text}")).unwrap();
            assert!(summary(&definition, &cells).unwrap().unwrap().is_bare_time(), "{text}");
        }
    }

    /// Found by fuzzing: the counts of a damaged result overflowed when they were added up.
    #[test]
    fn counts_that_are_too_large_to_be_added_stay_at_the_limit() {
        let cell = |row: &str| ResultCell { n: u64::MAX, ..ResultCell::new(row, "rate", 0.5) };
        let definition = "row = 'all'\ncolumn = 'rate'\nmean = { row = '*', column = 'rate' }";
        let mean = summary(&toml::from_str(definition).unwrap(), &[cell("a"), cell("b")]);
        assert_eq!(mean.unwrap().unwrap().n, u64::MAX);
    }
}
