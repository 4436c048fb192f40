//! Criteria and their verdicts.
//!
//! A verdict is never written by hand: it is computed from intervals. A criterion *holds* when the
//! whole interval satisfies it, *fails* when the whole interval violates it, and is *undecided*
//! otherwise; deciding it then takes more games. A figure without an interval, such as an exact
//! value or a sum of games, is compared as it is, but for a time, which depends on what else the
//! machine does and decides nothing without an interval. A row is named after the settings that a scale
//! changes, so a claim about a setting finds no row at a scale that does not reach it, and is then
//! *not at this scale*, however many games are played.

use serde::{Deserialize, Serialize};

use crate::results::{Figures, ResultCell, ResultTable, number};

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
    /// What the first page of the report says of it.
    pub sentence: Option<Sentence>,
}

/// What the first page of the report says of a claim.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// What the paper says, in words that suit every verdict.
    pub paper: String,
    /// What was found here; `{ours}` stands for the figures of the check's cells, `{other}` for those of
    /// the cells that they are compared with.
    #[serde(default)]
    pub ours: String,
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
    /// What the cell should be, in the unit of its column.
    pub value: f64,
    /// The largest difference.
    pub within: f64,
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
    /// The row and the column of the cell that another one is compared with.
    fn other(self) -> Option<(&'a str, &'a str)> {
        match self {
            Self::AboveCell(CellPattern { row, column })
            | Self::BelowCell(CellPattern { row, column })
            | Self::NotAboveCell(MarginPattern { row, column, .. })
            | Self::NearCell(MarginPattern { row, column, .. }) => Some((row, column)),
            _ => None,
        }
    }
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// The whole interval satisfies the criterion.
    Holds,
    /// The whole interval violates the criterion.
    Fails,
    /// The interval reaches both sides.
    Undecided,
    /// What the claim is about was not measured at this scale.
    #[serde(rename = "not at this scale")]
    NotAtThisScale,
    /// Nothing that is measured here could decide it.
    #[serde(rename = "cannot be decided")]
    CannotBeDecided,
}

impl CheckVerdict {
    /// Every verdict, the favourable one first.
    pub const ALL: [Self; 5] =
        [Self::Holds, Self::Fails, Self::Undecided, Self::NotAtThisScale, Self::CannotBeDecided];

    /// The verdict in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "undecided",
            Self::NotAtThisScale => "not at this scale",
            Self::CannotBeDecided => "cannot be decided",
        }
    }

    /// The verdict on several cells, all of which must satisfy their criterion: one that violates it
    /// is enough to fail, and more games do not help where one is missing.
    fn all(verdicts: &[Self]) -> Self {
        let first = [Self::Fails, Self::NotAtThisScale, Self::Undecided];
        first.into_iter().find(|one| verdicts.contains(one)).unwrap_or(Self::Holds)
    }
}

/// What became of a check of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    /// What the paper claims, in a sentence.
    pub claim: String,
    /// The criterion in words.
    pub criterion: String,
    /// What the intervals of the cells say about the claim.
    pub verdict: CheckVerdict,
    /// The cells that decided it, or why it is not decided.
    pub because: String,
    /// The definition's remark beside the verdict.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
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
            (Some(criterion), None) => Ok(criterion),
        }
    }

    /// Decides the check from the cells of a table, which took so many seconds to measure.
    pub fn decide(&self, table: &ResultTable, paper: &Figures, seconds: f64) -> CheckResult {
        let (verdict, mut because) = self.verdict(table, paper);
        if verdict == CheckVerdict::Undecided {
            let more = self.times_the_games(table, paper).map_or_else(
                || "no number of games would decide it if the figures stay".to_owned(),
                |times| {
                    let cost = duration(seconds * (times - 1.0));
                    format!("some {} times the games would decide it, {cost} at most", times.ceil())
                },
            );
            because = format!("{because}; {more}");
        }
        let (claim, note) = (self.claim.clone(), self.note.clone());
        CheckResult { claim, criterion: self.words(), verdict, because, note }
    }

    /// The verdict, and the cells that decided it or why it is not decided.
    pub(crate) fn verdict(&self, table: &ResultTable, paper: &Figures) -> (CheckVerdict, String) {
        match (self.criterion(), &self.cell) {
            (Ok(Criterion::Cannot(why)), _) => (CheckVerdict::CannotBeDecided, why.to_owned()),
            (Ok(criterion), Some(pattern)) => verdict_on(criterion, pattern, table, paper),
            (Err(problem), _) => (CheckVerdict::CannotBeDecided, problem),
            (Ok(_), None) => (CheckVerdict::CannotBeDecided, "no cell is named".to_owned()),
        }
    }

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
        let compared = self.compared(table);
        let with =
            |cell| compared.iter().find(|(one, _)| std::ptr::eq(*one, cell)).map(|pair| pair.1);
        fitting(pattern, table).into_iter().map(|(cell, _)| (cell, with(cell))).collect()
    }

    /// The pairs of cells that the claim compares with each other.
    pub(crate) fn compared<'a>(
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

    /// How many times as many games would decide an open claim if every figure stayed where it is;
    /// `None` if ten thousand times as many would not.
    pub(crate) fn times_the_games(&self, table: &ResultTable, paper: &Figures) -> Option<f64> {
        let times = (1..).map(|step| 1.25_f64.powi(step)).take_while(|&times| times < 1e4);
        times.into_iter().find(|&times| {
            let narrowed = table.narrowed(times, |_| true);
            self.verdict(&narrowed, paper).0 != CheckVerdict::Undecided
        })
    }

    /// The criterion in words.
    fn words(&self) -> String {
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
        match self.criterion() {
            Ok(Criterion::Above(bound)) => format!("{cell} is above {bound}"),
            Ok(Criterion::Below(bound)) => format!("{cell} is below {bound}"),
            Ok(Criterion::AboveCell(than)) => format!("{cell} is above {}", other(than)),
            Ok(Criterion::BelowCell(than)) => format!("{cell} is below {}", other(than)),
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

/// A time on one thread, in words, rounded up.
fn duration(seconds: f64) -> String {
    let (count, unit) = if seconds < 3600.0 {
        (seconds / 60.0, "minute")
    } else {
        (seconds / 3600.0, "machine-hour")
    };
    let count = count.ceil().max(1.0);
    format!("{count} {unit}{}", if count > 1.0 { "s" } else { "" })
}

/// The text that the `*` of a pattern stands for in a row; `None` if the row does not fit.
pub fn fits<'a>(pattern: &str, row: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        None => (pattern == row).then_some(""),
        Some((before, after)) => row.strip_prefix(before)?.strip_suffix(after),
    }
}

/// The cells that fit a pattern, each with the text that its `*` stands for.
fn fitting<'a>(pattern: &CellPattern, table: &'a ResultTable) -> Vec<(&'a ResultCell, &'a str)> {
    (table.cells().iter())
        .filter(|cell| fits(&pattern.column, &cell.column).is_some())
        .filter_map(|cell| fits(&pattern.row, &cell.row).map(|star| (cell, star)))
        .collect()
}

/// The row that a cell is compared with. A `*` alone stands for the same row, whatever the first
/// pattern was.
fn other_row(row: &str, cell: &ResultCell, star: &str) -> String {
    if row == "*" { cell.row.clone() } else { row.replace('*', star) }
}

/// The verdict on all cells that fit, and the cells that decided it.
fn verdict_on(
    criterion: Criterion<'_>,
    pattern: &CellPattern,
    table: &ResultTable,
    paper: &Figures,
) -> (CheckVerdict, String) {
    let cells = fitting(pattern, table);
    if cells.is_empty() {
        let CellPattern { row, column } = pattern;
        return (CheckVerdict::NotAtThisScale, format!("no row “{row}” with “{column}”"));
    }
    let mut verdicts: Vec<(CheckVerdict, String)> = vec![];
    if matches!(criterion, Criterion::Rising | Criterion::Falling) {
        if cells.len() < 2 {
            return (CheckVerdict::NotAtThisScale, "one row alone".to_owned());
        }
        for pair in cells.windows(2) {
            let [(before, _), (after, _)] = [pair[0], pair[1]];
            let (lower, upper) =
                if criterion == Criterion::Rising { (before, after) } else { (after, before) };
            let told = format!("{} after {}", told(after), told(before));
            verdicts
                .push((over(upper, lower, table), told + &told_difference(after, before, table)));
        }
    } else {
        for (cell, star) in cells {
            verdicts.push(single(criterion, cell, star, table, paper));
        }
    }
    let each: Vec<CheckVerdict> = verdicts.iter().map(|(verdict, _)| *verdict).collect();
    let verdict = CheckVerdict::all(&each);
    let deciding = verdicts.into_iter().filter(|(own, _)| *own == verdict).map(|(_, words)| words);
    (verdict, deciding.collect::<Vec<_>>().join("; "))
}

/// The verdict on one cell.
fn single(
    criterion: Criterion<'_>,
    cell: &ResultCell,
    star: &str,
    table: &ResultTable,
    paper: &Figures,
) -> (CheckVerdict, String) {
    let (low, high) = bounds(cell);
    let compared = |row: &str, column: &str, verdict: &dyn Fn(&ResultCell) -> CheckVerdict| {
        let row = other_row(row, cell, star);
        match table.cell(&row, column) {
            Some(other) => {
                let told = format!("{} against {}", told(cell), told(other));
                (verdict(other), told + &told_difference(cell, other, table))
            }
            None => (CheckVerdict::NotAtThisScale, format!("no row “{row}”")),
        }
    };
    match criterion {
        Criterion::Above(bound) => (decided(low > bound, high <= bound), told(cell)),
        Criterion::Below(bound) => (decided(high < bound, low >= bound), told(cell)),
        Criterion::AboveCell(CellPattern { row, column }) => {
            compared(row, column, &|other| over(cell, other, table))
        }
        Criterion::BelowCell(CellPattern { row, column }) => {
            compared(row, column, &|other| over(other, cell, table))
        }
        Criterion::NotAboveCell(MarginPattern { row, column, by }) => {
            compared(row, column, &|other| less_above(cell, other, *by, table))
        }
        Criterion::NearCell(MarginPattern { row, column, by }) => compared(row, column, &|other| {
            CheckVerdict::all(&[
                less_above(cell, other, *by, table),
                less_above(other, cell, *by, table),
            ])
        }),
        Criterion::Near(Tolerance { value, within }) => (near(cell, value, within), told(cell)),
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
            (verdict, format!("{}, the paper {}", told(cell), number(figure)))
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

/// Whether one cell is above another: by their difference where both were played on the same dice.
/// Otherwise only intervals that do not overlap decide.
fn over(upper: &ResultCell, lower: &ResultCell, table: &ResultTable) -> CheckVerdict {
    if let Some((low, high)) = table.difference(upper, lower) {
        return decided(low > 0.0, high <= 0.0);
    }
    let ((low, high), (other_low, other_high)) = (bounds(upper), bounds(lower));
    decided(low > other_high, high <= other_low)
}

/// Whether a cell is less than a margin above another. Where the cells come from different games, the
/// squares of their errors add up.
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
fn told_difference(cell: &ResultCell, other: &ResultCell, table: &ResultTable) -> String {
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
fn told(cell: &ResultCell) -> String {
    let bare = if cell.is_bare_time() { ", a time without an interval" } else { "" };
    format!("{}: {}{bare}", cell.row, cell.shown())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(row: &str, value: f64, half: f64) -> ResultCell {
        ResultCell::new(row, "rate", value).within(value - half, value + half)
    }

    fn verdict(check: &str, cells: Vec<ResultCell>) -> CheckVerdict {
        let check: CheckDefinition = toml::from_str(&format!("claim = 'c'\n{check}")).unwrap();
        check.criterion().unwrap();
        let paper = Figures::read("paper.csv", "row,column,value\na,rate,0.5\n").unwrap();
        check.decide(&ResultTable::new(cells), &paper, 1.0).verdict
    }

    use CheckVerdict::{CannotBeDecided, Fails, Holds, NotAtThisScale, Undecided};

    #[test]
    fn cells_on_the_same_dice_are_compared_by_their_difference() {
        // Both intervals overlap, and as independent ones they would leave every claim open.
        let rows = || vec![cell("a", 0.52, 0.03), cell("b", 0.5, 0.03)];
        let with = |row: &str, value: f64| {
            let cell = ResultCell::new(row, "rate on the same dice", value);
            [rows(), vec![cell.within(value - 0.01, value + 0.01)]].concat()
        };
        let of = |criterion: &str, cells| {
            let check = format!("cell = {{ row = 'a', column = 'rate' }}\n{criterion}");
            verdict(&check, cells)
        };
        let b = "{ row = 'b', column = 'rate' }";
        for (criterion, expected) in [
            (format!("above_cell = {b}"), Holds),
            (format!("below_cell = {b}"), Fails),
            ("not_above_cell = { row = 'b', column = 'rate', by = 0.04 }".to_owned(), Holds),
            ("near_cell = { row = 'b', column = 'rate', by = 0.005 }".to_owned(), Fails),
        ] {
            assert_eq!(of(&criterion, rows()), Undecided, "{criterion}");
            assert_eq!(of(&criterion, with("a less b", 0.02)), expected, "{criterion}");
            assert_eq!(of(&criterion, with("b less a", -0.02)), expected, "{criterion}");
        }
        let falling = "cell = { row = '*', column = 'rate' }\nfalling = true";
        assert_eq!(verdict(falling, rows()), Undecided);
        assert_eq!(verdict(falling, with("b less a", -0.02)), Holds);
    }

    #[test]
    fn only_a_whole_interval_decides() {
        let of = |criterion: &str, value, half| {
            let check = format!("cell = {{ row = 'a', column = 'rate' }}\n{criterion}");
            verdict(&check, vec![cell("a", value, half)])
        };
        for (criterion, value, half, expected) in [
            ("above = 0.5", 0.6, 0.05, Holds),
            ("above = 0.5", 0.6, 0.1, Undecided),
            ("above = 0.5", 0.54, 0.05, Undecided),
            ("above = 0.5", 0.4, 0.05, Fails),
            // A value exactly at the bound is not above it.
            ("above = 0.5", 0.5, 0.0, Fails),
            ("below = 0.5", 0.4, 0.05, Holds),
            ("below = 0.5", 0.46, 0.05, Undecided),
            ("below = 0.5", 0.6, 0.05, Fails),
            ("below = 0.5", 0.5, 0.0, Fails),
            ("near_paper = 0.1", 0.55, 0.04, Holds),
            ("near_paper = 0.1", 0.55, 0.06, Undecided),
            ("near_paper = 0.1", 0.65, 0.04, Fails),
            ("near_paper = 0.1", 0.3, 0.05, Fails),
            // An interval that is wider than the tolerance proves nothing, wherever it lies.
            ("near_paper = 0.1", 0.5, 0.3, Undecided),
            ("near = { value = 0.6, within = 0.1 }", 0.55, 0.04, Holds),
            ("near = { value = 0.6, within = 0.1 }", 0.45, 0.04, Fails),
            ("within_paper = true", 0.55, 0.06, Holds),
            ("within_paper = true", 0.55, 0.04, Fails),
            ("cannot = 'no times'", 0.5, 0.3, CannotBeDecided),
        ] {
            assert_eq!(of(criterion, value, half), expected, "{criterion}: {value} ± {half}");
        }
    }

    #[test]
    fn all_rows_that_fit_must_satisfy_it() {
        let check = "cell = { row = '* ms', column = 'rate' }\nabove = 0.5";
        let of = |rates: [f64; 3]| {
            let rows = ["1 ms", "4 ms", "other"];
            verdict(
                check,
                rows.iter().zip(rates).map(|(row, rate)| cell(row, rate, 0.05)).collect(),
            )
        };
        assert_eq!(of([0.6, 0.7, 0.1]), Holds);
        assert_eq!(of([0.6, 0.52, 0.9]), Undecided);
        assert_eq!(of([0.52, 0.3, 0.9]), Fails);
        assert_eq!(verdict(check, vec![cell("other", 0.9, 0.0)]), NotAtThisScale);
        assert_eq!(verdict(check, vec![]), NotAtThisScale);
    }

    #[test]
    fn a_claim_about_a_setting_that_was_not_reached_is_not_at_this_scale() {
        // The games had milliseconds, and what they show says nothing about seconds.
        for (rate, criterion) in [
            (0.9, "above = 0.5"),
            (0.1, "above = 0.5"),
            (0.9, "near_paper = 0.1"),
            (0.9, "below_cell = { row = '8 s', column = 'rate' }"),
        ] {
            let check = format!("cell = {{ row = '1 s', column = 'rate' }}\n{criterion}");
            let cells = vec![cell("1 ms", rate, 0.05), cell("8 ms", 0.5, 0.05)];
            assert_eq!(verdict(&check, cells), NotAtThisScale, "{criterion}");
            // The same check at the scale that has both rows.
            let cells = vec![cell("1 s", rate, 0.05), cell("8 s", 0.5, 0.05)];
            let reached = verdict(&check.replace("near_paper", "above"), cells);
            assert!(matches!(reached, Holds | Fails), "{criterion}");
        }
        // Where one of two rows is missing, more games of the other do not help, but a violation
        // remains one.
        let check = "cell = { row = '* s', column = 'rate' }\n\
                     above_cell = { row = 'other, * s', column = 'rate' }";
        let of = |rate| {
            verdict(
                check,
                vec![cell("1 s", rate, 0.05), cell("4 s", 0.9, 0.0), cell("other, 1 s", 0.5, 0.05)],
            )
        };
        assert_eq!((of(0.9), of(0.5), of(0.1)), (NotAtThisScale, NotAtThisScale, Fails));
    }

    #[test]
    fn cells_are_compared_by_intervals_that_do_not_meet() {
        let check = "cell = { row = 'with *', column = 'rate' }\n\
                     above_cell = { row = 'without *', column = 'rate' }";
        let of = |one, other| {
            verdict(check, vec![cell("with a", one, 0.05), cell("without a", other, 0.05)])
        };
        assert_eq!(of(0.7, 0.5), Holds);
        assert_eq!(of(0.58, 0.5), Undecided);
        assert_eq!(of(0.5, 0.7), Fails);
        assert_eq!(verdict(check, vec![cell("with a", 0.7, 0.05)]), NotAtThisScale);
        let below = check.replace("above_cell", "below_cell");
        let cells = vec![cell("with a", 0.7, 0.05), cell("without a", 0.5, 0.05)];
        assert_eq!(verdict(&below, cells), Fails);
    }

    #[test]
    fn what_is_equal_within_a_margin_is_not_above() {
        let check = "cell = { row = 'K = *', column = 'rate' }\n\
                     not_above_cell = { row = 'tuned', column = 'rate', by = 0.01 }";
        let of =
            |rate, half| verdict(check, vec![cell("tuned", 0.5, half), cell("K = 1", rate, half)]);
        // Two equal ones, which intervals that must not meet can never tell apart.
        assert_eq!(of(0.5, 0.006), Holds);
        assert_eq!(
            verdict(
                &check.replace("not_above", "below").replace(", by = 0.01", ""),
                vec![cell("tuned", 0.5, 0.006), cell("K = 1", 0.5, 0.006)]
            ),
            Undecided
        );
        // The errors of 0.006 combine to 0.0085.
        assert_eq!((of(0.501, 0.006), of(0.502, 0.006)), (Holds, Undecided));
        assert_eq!((of(0.4, 0.006), of(0.5, 0.008)), (Holds, Undecided));
        assert_eq!((of(0.518, 0.006), of(0.519, 0.006)), (Undecided, Fails));
        // A difference of exactly the margin is one.
        assert_eq!(
            verdict(
                "cell = { row = 'a', column = 'rate' }\n\
             not_above_cell = { row = 'b', column = 'rate', by = 1.0 }",
                vec![ResultCell::new("a", "rate", 9.0), ResultCell::new("b", "rate", 8.0)]
            ),
            Fails
        );
        assert_eq!(verdict(check, vec![cell("K = 1", 0.5, 0.0)]), NotAtThisScale);
        let near = check.replace("not_above_cell", "near_cell");
        for (rate, expected) in [(0.5, Holds), (0.49, Undecided), (0.4, Fails), (0.6, Fails)] {
            let cells = vec![cell("tuned", 0.5, 0.006), cell("K = 1", rate, 0.006)];
            assert_eq!(verdict(&near, cells), expected, "{rate}");
        }
    }

    #[test]
    fn a_time_without_an_interval_decides_nothing() {
        let time = |row: &str, ns: f64| {
            let cell = ResultCell::new(row, "rate", ns);
            ResultCell { unit: "ns".into(), ..cell }
        };
        for criterion in [
            "cell = { row = 'a', column = 'rate' }\nbelow = 100",
            "cell = { row = 'a', column = 'rate' }\nnear = { value = 10, within = 5 }",
            "cell = { row = 'b', column = 'rate' }\nabove_cell = { row = 'a', column = 'rate' }",
            "cell = { row = '*', column = 'rate' }\nrising = true",
        ] {
            assert_eq!(verdict(criterion, vec![time("a", 10.0), time("b", 1e9)]), Undecided);
            let within = vec![time("a", 10.0).within(9.0, 11.0), time("b", 1e9).within(9e8, 2e9)];
            assert_eq!(verdict(criterion, within), Holds, "{criterion}");
        }
    }

    #[test]
    fn a_rise_must_be_proven_at_every_step() {
        let of = |word: &str, rates: &[f64]| {
            let check = format!("cell = {{ row = '*', column = 'rate' }}\n{word} = true");
            let rows = ["1", "2", "3"];
            verdict(
                &check,
                rows.iter().zip(rates).map(|(row, rate)| cell(row, *rate, 0.05)).collect(),
            )
        };
        assert_eq!(of("rising", &[0.1, 0.3, 0.5]), Holds);
        assert_eq!(of("rising", &[0.1, 0.3, 0.35]), Undecided);
        assert_eq!(of("rising", &[0.1, 0.5, 0.3]), Fails);
        assert_eq!(of("rising", &[0.1]), NotAtThisScale);
        assert_eq!(of("falling", &[0.5, 0.3, 0.1]), Holds);
        assert_eq!(of("falling", &[0.1, 0.3, 0.5]), Fails);
    }

    #[test]
    fn a_claim_is_about_its_cells_and_those_that_they_are_compared_with() {
        let about = |criterion: &str| {
            let text =
                format!("claim = 'c'\ncell = {{ row = 'with *', column = 'rate' }}\n{criterion}");
            let check: CheckDefinition = toml::from_str(&text).unwrap();
            [("with a", "rate"), ("tuned", "rate"), ("with a", "luck"), ("other", "rate")]
                .map(|(row, column)| check.is_about(row, column))
        };
        for other in ["above_cell = { ", "below_cell = { ", "not_above_cell = { by = 0.1, "] {
            let tuned = format!("{other}row = 'tuned', column = 'rate' }}");
            assert_eq!(about(&tuned), [true, true, false, false], "{other}");
        }
        assert_eq!(about("above_cell = { column = 'luck' }"), [true, false, true, false]);
        assert_eq!(about("near_cell = { by = 0.1, column = 'luck' }"), [true, false, true, false]);
        assert_eq!(about("above = 0.5"), [true, false, false, false]);
    }

    #[test]
    fn an_open_claim_says_how_many_more_games_would_decide_it() {
        let check: CheckDefinition =
            toml::from_str("claim = 'c'\ncell = { row = '*', column = 'rate' }\nabove = 0.5")
                .unwrap();
        let because = |value, half| {
            let table = ResultTable::new(vec![cell("a", value, half)]);
            check.decide(&table, &Figures::default(), 60.0).because
        };
        // An interval that is twice as wide as it may be needs four times the games; the estimate goes in steps of a quarter.
        let told = "a: 0.52 (0.48 to 0.56); some 5 times the games would decide it, \
                    4 minutes at most";
        assert_eq!(because(0.52, 0.04), told);
        assert!(
            because(0.5, 0.04).ends_with("no number of games would decide it if the figures stay")
        );
        assert_eq!(because(0.6, 0.04), "a: 0.6 (0.56 to 0.64)");
    }

    #[test]
    fn the_cells_that_decided_are_told() {
        let check: CheckDefinition =
            toml::from_str("claim = 'c'\ncell = { row = '*', column = 'rate' }\nabove = 0.5")
                .unwrap();
        let table = ResultTable::new(vec![cell("a", 0.6, 0.05), cell("b", 0.4, 0.05)]);
        let result = check.decide(&table, &Figures::default(), 60.0);
        assert_eq!(result.criterion, "“rate” of every row is above 0.5");
        assert_eq!((result.verdict, result.because.as_str()), (Fails, "b: 0.4 (0.35 to 0.45)"));
    }
}
