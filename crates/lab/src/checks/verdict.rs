//! The verdict on a check: what all of its cells say together, in words, and how many games more
//! would decide it.

use serde::{Deserialize, Serialize};

use super::cells::{CellPattern, fitting};
use super::compare::{describe, describe_difference, over, single};
use super::definition::{CheckDefinition, Criterion};
use crate::results::{Figures, ResultTable};

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// The whole interval satisfies the criterion.
    Holds,
    /// The whole interval violates the criterion.
    Fails,
    /// The interval reaches both sides, and all of it is within the margin of equality.
    Equal,
    /// The interval reaches both sides.
    Undecided,
    /// The cells of the claim were not measured at this scale.
    #[serde(rename = "not at this scale")]
    NotAtThisScale,
    /// Nothing that is measured here could decide it.
    #[serde(rename = "cannot be decided")]
    CannotBeDecided,
}

impl CheckVerdict {
    /// Every verdict in this order, the favourable one first.
    pub const ALL: [Self; 6] = [
        Self::Holds,
        Self::Fails,
        Self::Equal,
        Self::Undecided,
        Self::NotAtThisScale,
        Self::CannotBeDecided,
    ];

    /// The verdict in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Equal => "equal",
            Self::Undecided => "undecided",
            Self::NotAtThisScale => "not at this scale",
            Self::CannotBeDecided => "cannot be decided",
        }
    }

    /// The verdict on several cells, all of which must satisfy their criterion: one that violates it
    /// is enough to fail, and more games do not help where one is missing.
    pub(super) fn all(verdicts: &[Self]) -> Self {
        let first = [Self::Fails, Self::NotAtThisScale, Self::Undecided, Self::Equal];
        first.into_iter().find(|one| verdicts.contains(one)).unwrap_or(Self::Holds)
    }
}

/// The number of claims with each verdict, in the order of [`CheckVerdict::ALL`].
pub(crate) fn counts<'a>(
    checks: impl IntoIterator<Item = &'a CheckResult>,
) -> [usize; CheckVerdict::ALL.len()] {
    let mut counts = [0; CheckVerdict::ALL.len()];
    for check in checks {
        counts[check.verdict as usize] += 1;
    }
    counts
}

/// The number of claims with each verdict, in words.
pub fn counted<'a>(checks: impl IntoIterator<Item = &'a CheckResult>) -> String {
    let words = |(verdict, count)| match verdict {
        CheckVerdict::Holds => format!("{count} hold"),
        CheckVerdict::Fails => format!("{count} fail"),
        CheckVerdict::Equal => format!("{count} are equal"),
        other => format!("{count} {}", other.words()),
    };
    let each = CheckVerdict::ALL.into_iter().zip(counts(checks)).map(words);
    format!("claims: {}", each.collect::<Vec<_>>().join(", "))
}

/// The result of a check of an experiment.
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
    /// Decides the check from the cells of a table, which took `seconds` seconds to measure.
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
            (Ok(criterion), Some(pattern)) => self.verdict_on(criterion, pattern, table, paper),
            (Err(problem), _) => (CheckVerdict::CannotBeDecided, problem),
            (Ok(_), None) => (CheckVerdict::CannotBeDecided, "no cell is named".to_owned()),
        }
    }

    /// The verdict on all cells that fit, and the cells that decided it.
    fn verdict_on(
        &self,
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
                let text = format!("{} after {}", describe(after), describe(before));
                verdicts.push((
                    over(upper, lower, table),
                    text + &describe_difference(after, before, table),
                ));
            }
        } else {
            for (cell, star) in cells {
                verdicts.push(single(criterion, self.equal_within, cell, star, table, paper));
            }
        }
        let each: Vec<CheckVerdict> = verdicts.iter().map(|(verdict, _)| *verdict).collect();
        let verdict = CheckVerdict::all(&each);
        let deciding =
            verdicts.into_iter().filter(|(own, _)| *own == verdict).map(|(_, words)| words);
        (verdict, deciding.collect::<Vec<_>>().join("; "))
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
