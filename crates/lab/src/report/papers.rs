//! The first page: for each paper what holds and what does not, in a few sentences.
//!
//! The words of a sentence are beside its check in the definition. Where it stands, with what holds or
//! with what does not, follows from the verdict, and its figures are those of the table, so that no run
//! can contradict it.

use super::Entry;
use crate::checks::{CheckDefinition, CheckVerdict, Sentence};
use crate::results::{ResultCell, number};

/// The sentences about one paper.
pub(super) struct Paper<'a> {
    /// Its short name.
    pub name: &'a str,
    /// How many of its claims have which verdict, in words.
    pub counts: String,
    /// The sentences for each verdict that has any.
    pub sentences: Vec<(CheckVerdict, Vec<String>)>,
}

/// How sure the verdicts are.
pub(super) const SURENESS: &str = "How sure this is: a verdict rests on intervals that miss the truth in one case of \
    twenty, or where games were added until it was clear, of a hundred; with so many claims, a few of the verdicts are \
    wrong. Where the figures of one of ours stand for a program or a setting that nobody has published, the sentence \
    says so, and a claim that fails for ours may hold for theirs.";

/// The heading of the sentences with a verdict.
pub(super) const fn heading(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Holds => "Holds",
        CheckVerdict::Fails => "Does not hold here",
        CheckVerdict::Equal => "Makes no difference that counts",
        CheckVerdict::Undecided => "Open: more games would decide it",
        CheckVerdict::NotAtThisScale => "Not tried: these runs do not reach its setting",
        CheckVerdict::CannotBeDecided => "Cannot be decided",
    }
}

/// The sentences about each paper whose claims have any.
pub(super) fn papers<'a>(entries: &'a [Entry<'_>]) -> Vec<Paper<'a>> {
    let of = |entry: &Entry<'a>| entry.experiment.definition.paper.as_str();
    let by_paper = entries.chunk_by(|one, next| of(one) == of(next));
    let paper = |entries: &'a [Entry<'_>]| {
        let all: Vec<_> = entries.iter().flat_map(sentences).collect();
        let with = |verdict| {
            let words = all.iter().filter(|(own, _)| *own == verdict);
            (verdict, words.map(|(_, words)| words.clone()).collect::<Vec<_>>())
        };
        let sentences = CheckVerdict::ALL.map(with).into_iter();
        let sentences: Vec<_> = sentences.filter(|(_, words)| !words.is_empty()).collect();
        let name = entries[0].experiment.definition.paper.as_str();
        Paper { name, counts: super::counted(entries), sentences }
    };
    by_paper.map(paper).filter(|paper| !paper.sentences.is_empty()).collect()
}

/// The sentences on an experiment, each with the verdict on its claim.
fn sentences(entry: &Entry<'_>) -> Vec<(CheckVerdict, String)> {
    let Some(record) = entry.record() else { return vec![] };
    let sentence = |check: &CheckDefinition| {
        let result = record.checks.iter().find(|result| result.claim == check.claim)?;
        Some((result.verdict, words(entry, check, check.sentence.as_ref()?)))
    };
    entry.experiment.definition.checks.iter().filter_map(sentence).collect()
}

/// A sentence with its figures. Our result is left out where it was not measured, and with it the
/// semicolon before it.
fn words(entry: &Entry<'_>, check: &CheckDefinition, sentence: &Sentence) -> String {
    let Sentence { paper, ours } = sentence;
    let cells = entry.table().map_or(vec![], |table| check.cells(table));
    if ours.is_empty() || cells.is_empty() {
        return paper.strip_suffix(';').map_or_else(|| paper.clone(), |whole| format!("{whole}."));
    }
    let figures: Vec<String> = cells.iter().map(|(cell, _)| figure(cell)).collect();
    let mut others: Vec<String> = cells.iter().filter_map(|(_, other)| other.map(figure)).collect();
    // Cells may all be compared with the same one.
    others.dedup();
    let ours = ours.replace("{ours}", &figures.join(", "));
    format!("{paper} {}", ours.replace("{other}", &others.join(", ")))
}

/// A figure with its interval: a share in per cent.
fn figure(cell: &ResultCell) -> String {
    if !cell.unit.starts_with("share") {
        return cell.text();
    }
    let per_cent = |share: f64| number(100.0 * share);
    match cell.interval {
        Some((low, high)) => {
            format!("{} % ({} to {})", per_cent(cell.value), per_cent(low), per_cent(high))
        }
        None => format!("{} %", per_cent(cell.value)),
    }
}
