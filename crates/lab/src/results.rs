//! Tables of figures: ours with their intervals, and the paper's.
//!
//! `result.csv` has a line for each cell: `row,column,value,low,high,n,unit`. It has no times of
//! day, so that two runs of the same work give the same file. `paper.csv` has `row,column,value`
//! and, optionally, a note.

use std::collections::BTreeMap;

use wurfel_arena::Decimal;

use crate::grid::GridPoint;
use crate::{LabError, difference};

/// A measured figure.
#[derive(Clone, PartialEq, Debug)]
pub struct ResultCell {
    /// The label of its row.
    pub row: String,
    /// The label of its column.
    pub column: String,
    /// What was measured, in `unit`.
    pub value: f64,
    /// Its 95 % interval, if it is an estimate that has one.
    pub interval: Option<(f64, f64)>,
    /// The number of games, turns or positions behind it.
    pub n: u64,
    /// Its unit; a `share` lies between 0 and 1.
    pub unit: String,
    /// The settings of the grid that it belongs to, known only while the experiment runs.
    pub at: BTreeMap<String, String>,
}

impl ResultCell {
    /// A figure without an interval.
    pub fn new(row: &str, column: &str, value: f64) -> Self {
        Self {
            row: row.to_owned(),
            column: column.to_owned(),
            value,
            interval: None,
            n: 0,
            unit: String::new(),
            at: BTreeMap::new(),
        }
    }

    /// The same figure with an interval.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { interval: Some((low, high)), ..self }
    }

    /// The same figure at a point of the grid.
    #[must_use]
    pub fn at(self, point: &GridPoint) -> Self {
        Self { at: point.settings(), ..self }
    }

    /// Whether it has the same place in the table.
    pub(crate) fn is_at(&self, other: &Self) -> bool {
        self.row == other.row && self.column == other.column
    }

    /// The interval, or the figure twice where there is none.
    pub fn bounds(&self) -> (f64, f64) {
        self.interval.unwrap_or((self.value, self.value))
    }

    /// Whether it is a time, or follows from times, whose interval is unknown. Other work of the
    /// machine changes a time by any factor, so such a figure decides nothing.
    pub fn is_bare_time(&self) -> bool {
        self.interval.is_none() && self.unit.split(' ').any(|word| word == "ns")
    }

    /// The figure with its interval, for people.
    pub fn text(&self) -> String {
        let value = number(self.value);
        match self.interval {
            Some((low, high)) => format!("{value} ({} to {})", number(low), number(high)),
            None => value,
        }
    }
}

/// A single-precision number, converted so that it is written with the same digits.
pub fn single(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::NAN)
}

/// A number for people: four digits, or all digits of a larger integer.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let places = match size {
        _ if size.fract() <= 0.0 || size >= 1000.0 => 0,
        _ if size >= 100.0 => 1,
        _ if size >= 10.0 => 2,
        _ if size >= 1.0 => 3,
        _ if size >= 0.001 => 4,
        _ => return format!("{value:.2e}"),
    };
    let text = format!("{:.places$}", Decimal(value));
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The cells of an experiment, in the order in which they were defined.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ResultTable(Vec<ResultCell>);

const HEAD: [&str; 7] = ["row", "column", "value", "low", "high", "n", "unit"];

impl ResultTable {
    /// A table of these cells.
    pub const fn new(cells: Vec<ResultCell>) -> Self {
        Self(cells)
    }

    /// The cells in the order of the table's rows.
    pub fn cells(&self) -> &[ResultCell] {
        &self.0
    }

    /// The table with the intervals that `times` times the games would give to some cells, if their
    /// figures stayed where they are.
    pub(crate) fn narrowed(&self, times: f64, cells: impl Fn(&ResultCell) -> bool) -> Self {
        let narrowed = |cell: &ResultCell| {
            let Some((low, high)) = cell.interval.filter(|_| cells(cell)) else {
                return cell.clone();
            };
            let end = |end: f64| cell.value + (end - cell.value) / times.sqrt();
            ResultCell { interval: Some((end(low), end(high))), ..cell.clone() }
        };
        Self(self.0.iter().map(narrowed).collect())
    }

    /// The cell in a row and column.
    pub fn cell(&self, row: &str, column: &str) -> Option<&ResultCell> {
        self.0.iter().find(|cell| cell.row == row && cell.column == column)
    }

    /// The interval of how far one cell is above another, if they were played on the same dice.
    pub(crate) fn difference(&self, one: &ResultCell, other: &ResultCell) -> Option<(f64, f64)> {
        let find = |one, other| {
            let (row, column) = difference::labels(one, other);
            self.cell(&row, &column).map(ResultCell::bounds)
        };
        let turned = || find(other, one).map(|(low, high)| (-high, -low));
        find(one, other).or_else(turned)
    }

    /// The table without the differences of cells that were played on the same dice.
    pub(crate) fn without_differences(&self) -> Self {
        let others = |cell: &&ResultCell| !difference::is_of_differences(&cell.column);
        Self(self.0.iter().filter(others).cloned().collect())
    }

    /// The labels of the rows, each once.
    pub fn rows(&self) -> Vec<&str> {
        once(self.0.iter().map(|cell| cell.row.as_str()))
    }

    /// The labels of the columns, each once.
    pub fn columns(&self) -> Vec<&str> {
        once(self.0.iter().map(|cell| cell.column.as_str()))
    }

    /// The text of `result.csv`.
    pub fn csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new();
        let mut writer = writer.terminator(csv::Terminator::Any(b'\n')).from_writer(vec![]);
        // Writing into memory cannot fail.
        let _ = writer.write_record(HEAD);
        for cell in &self.0 {
            let end = |end: fn((f64, f64)) -> f64| {
                cell.interval.map_or(String::new(), |interval| end(interval).to_string())
            };
            let (value, n) = (cell.value.to_string(), cell.n.to_string());
            let (low, high) = (end(|(low, _)| low), end(|(_, high)| high));
            let fields = [&cell.row, &cell.column, &value, &low, &high, &n, &cell.unit];
            let _ = writer.write_record(fields);
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// Reads `result.csv`; `file` is the name that errors give it.
    ///
    /// # Errors
    /// Names the file, the line and what was expected.
    pub fn read(file: &str, text: &str) -> Result<Self, LabError> {
        let read = |line: u64, record: &csv::StringRecord| {
            let field = |n: usize| record.get(n).unwrap_or_default();
            let value = |n: usize| float(file, line, field(n));
            let interval = match (field(3), field(4)) {
                ("", "") => None,
                _ => Some((value(3)?, value(4)?)),
            };
            let n = field(5).parse().map_err(|_| wrong(file, line, field(5), "a count"))?;
            let cell = ResultCell::new(field(0), field(1), value(2)?);
            Ok(ResultCell { interval, n, unit: field(6).to_owned(), ..cell })
        };
        records(file, text, &HEAD, &HEAD, read).map(Self)
    }
}

pub(crate) fn once<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = vec![];
    for label in labels {
        if !seen.contains(&label) {
            seen.push(label);
        }
    }
    seen
}

/// A figure of the paper.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The label of its row.
    pub row: String,
    /// The label of its column.
    pub column: String,
    /// What the paper states, in the unit of the column.
    pub value: f64,
    /// A remark about it.
    pub note: String,
}

/// The figures of the paper.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures(pub Vec<Figure>);

impl Figures {
    /// Reads `paper.csv`; `file` is the name that errors give it. An empty text has no figures.
    ///
    /// # Errors
    /// Names the file, the line and what was expected.
    pub fn read(file: &str, text: &str) -> Result<Self, LabError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let read = |line: u64, record: &csv::StringRecord| {
            let field = |n: usize| record.get(n).unwrap_or_default().to_owned();
            let value = float(file, line, &field(2))?;
            Ok(Figure { row: field(0), column: field(1), value, note: field(3) })
        };
        let figures = records(file, text, &HEAD[..3], &["row", "column", "value", "note"], read)?;
        for (place, figure) in figures.iter().enumerate() {
            let same = |other: &Figure| other.row == figure.row && other.column == figure.column;
            if figures[..place].iter().any(same) {
                let Figure { row, column, .. } = figure;
                return Err(LabError::Input(format!(
                    "'{file}': “{row}”, “{column}” is given twice"
                )));
            }
        }
        Ok(Self(figures))
    }

    /// The figure in a row and column.
    pub fn get(&self, row: &str, column: &str) -> Option<&Figure> {
        self.0.iter().find(|figure| figure.row == row && figure.column == column)
    }

    /// The value in a row and column.
    pub fn value(&self, row: &str, column: &str) -> Option<f64> {
        self.get(row, column).map(|figure| figure.value)
    }
}

fn wrong(file: &str, line: u64, text: &str, expected: &str) -> LabError {
    LabError::Input(format!("'{file}', line {line}: '{text}': expected {expected}"))
}

fn float(file: &str, line: u64, text: &str) -> Result<f64, LabError> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| wrong(file, line, text, "a number"))
}

/// Reads the records of a table with one of two possible headings.
fn records<T>(
    file: &str,
    text: &str,
    head: &[&str],
    longer: &[&str],
    read: impl Fn(u64, &csv::StringRecord) -> Result<T, LabError>,
) -> Result<Vec<T>, LabError> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.flexible(true).from_reader(text.as_bytes());
    let bad = |error: csv::Error| LabError::Input(format!("'{file}': {error}"));
    let names: Vec<String> = reader.headers().map_err(bad)?.iter().map(str::to_owned).collect();
    if names != head && names != longer {
        return Err(wrong(file, 1, &names.join(","), &longer.join(",")));
    }
    let mut rows = vec![];
    for record in reader.records() {
        let record = record.map_err(bad)?;
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() < head.len() || record.len() > longer.len() {
            let fields: Vec<&str> = record.iter().collect();
            return Err(wrong(file, line, &fields.join(","), &longer.join(",")));
        }
        rows.push(read(line, &record)?);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let mut exact = ResultCell::new("figure 9, \"left\"", "exact", 0.564_142_f32.into());
        exact.unit = "share".into();
        let table = ResultTable::new(vec![
            ResultCell::new("a", "won", 0.1 + 0.2).within(-1e-9, 0.5),
            exact,
        ]);
        let text = table.csv();
        assert!(text.starts_with("row,column,value,low,high,n,unit\na,won,0.30000000000000004,"));
        assert_eq!(ResultTable::read("result.csv", &text).unwrap(), table);
    }

    #[test]
    fn what_is_no_table_of_figures_is_refused_with_its_line() {
        let refused = |text: &str| Figures::read("paper.csv", text).unwrap_err().to_string();
        assert_eq!(
            refused("row,column,value\na,b,1\na,c,one\n"),
            "'paper.csv', line 3: 'one': expected a number"
        );
        assert_eq!(
            refused("row,value\na,1\n"),
            "'paper.csv', line 1: 'row,value': expected row,column,value,note"
        );
        assert!(refused("row,column,value\na,b\n").starts_with("'paper.csv', line 2"));
        assert!(refused("row,column,value\na,b,inf\n").contains("expected a number"));
        assert!(refused("row,column,value\na,b,1\na,b,2\n").contains("is given twice"));
        assert_eq!(Figures::read("paper.csv", "").unwrap(), Figures::default());
    }

    #[test]
    fn numbers_for_people_are_short() {
        for (value, text) in [
            (0.564_142, "0.5641"),
            (0.5, "0.5"),
            (12.345, "12.35"),
            (45_210.4, "45210"),
            (123.45, "123.5"),
            (7.0, "7"),
            (0.000_123, "1.23e-4"),
            (-0.25, "-0.25"),
            (0.0, "0"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
