//! The report as Markdown.

use std::fmt::Write;

use super::papers::{Paper, SURENESS, heading, papers};
use super::{Entry, INTRODUCTION, capital, counted, ours};
use crate::checks::{CheckVerdict, counts};
use crate::results::number;

/// The whole page.
pub(super) fn page(entries: &[Entry<'_>]) -> String {
    let mut text = String::from("# The papers, repeated\n\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{INTRODUCTION}\n\n{}.\n", counted(entries));
    first_page(&mut text, entries);
    let verdicts = CheckVerdict::ALL.map(CheckVerdict::words).join(" | ");
    let _ = writeln!(text, "| experiment | section | title | {verdicts} | result |");
    let _ = writeln!(text, "|{}", "---|".repeat(9));
    for entry in entries {
        let definition = &entry.experiment.definition;
        let name = &entry.experiment.name;
        let _ = writeln!(
            text,
            "| [{name}](#{}) | {} | {} | {} | {} |",
            anchor(name),
            cell(&definition.section),
            cell(&definition.title),
            counts(entry.checks()).map(|count| count.to_string()).join(" | "),
            entry.state.word(entry.experiment, "no result")
        );
    }
    for entry in entries {
        section(&mut text, entry);
    }
    text
}

/// Adds what holds of each paper.
fn first_page(text: &mut String, entries: &[Entry<'_>]) {
    let papers = papers(entries);
    if papers.is_empty() {
        return;
    }
    let _ = writeln!(text, "## In short\n\n{SURENESS}\n");
    for Paper { name, counts, sentences } in papers {
        let _ = writeln!(text, "### {name}\n\n{}.\n", capital(&counts));
        for (verdict, all) in sentences {
            let _ = writeln!(text, "*{}.* {}\n", heading(verdict), cell(&all.join(" ")));
        }
    }
    let _ = writeln!(text, "## All experiments\n");
}

/// The anchor that renderers give to a heading with this text.
fn anchor(name: &str) -> String {
    name.chars()
        .filter(|character| !['/', '.'].contains(character))
        .collect::<String>()
        .to_lowercase()
}

/// A text that is safe in a cell of a table and on a single line.
fn cell(text: &str) -> String {
    text.trim().replace('\n', " ").replace('|', "\\|").replace('<', "&lt;")
}

fn section(text: &mut String, entry: &Entry<'_>) {
    let name = &entry.experiment.name;
    let definition = &entry.experiment.definition;
    let _ = writeln!(text, "\n## {name}\n");
    let (title, section) = (cell(&definition.title), cell(&definition.section));
    let _ = writeln!(text, "**{title}** ({section}; {})\n", definition.kind.word());
    if let Some(why) = entry.stale() {
        let _ = writeln!(text, "*This result is stale: {why}.*\n");
    }
    let _ = writeln!(text, "*Claim.* {}\n", definition.claim.trim().replace('<', "&lt;"));
    let _ = writeln!(text, "*Reading.* {}\n", definition.reading.trim().replace('<', "&lt;"));
    verdicts(text, entry);
    figures(text, entry);
    if entry.picture.is_some() {
        let _ = writeln!(text, "![{title}]({name}/plot.svg)\n");
    }
    for departure in &definition.departure {
        let ours = departure.ours.as_ref().map_or(String::new(), |path| format!(" (`{path}`)"));
        let (section, words) = (cell(&departure.section), cell(&departure.text));
        let _ = writeln!(text, "* Departure from {section}: {words}{ours}");
    }
    for contradiction in &definition.contradiction {
        let _ = writeln!(text, "* The paper contradicts itself: {}", cell(&contradiction.text));
    }
    if !definition.departure.is_empty() || !definition.contradiction.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "{} Again: `{}`.", entry.made(), entry.command());
}

fn verdicts(text: &mut String, entry: &Entry<'_>) {
    let Some(record) = entry.record().filter(|record| !record.checks.is_empty()) else { return };
    let _ = writeln!(text, "| claim | verdict | criterion | because |\n|---|---|---|---|");
    for check in &record.checks {
        let note = if check.note.is_empty() { String::new() } else { format!(" {}", check.note) };
        let _ = writeln!(
            text,
            "| {}{} | **{}** | {} | {} |",
            cell(&check.claim),
            cell(&note),
            check.verdict.words(),
            cell(&check.criterion),
            cell(&check.because)
        );
    }
    text.push('\n');
}

fn figures(text: &mut String, entry: &Entry<'_>) {
    let (rows, columns) = entry.labels();
    if rows.is_empty() {
        return;
    }
    let heads: Vec<String> = columns.iter().map(|column| cell(column)).collect();
    let _ = writeln!(text, "| | {} |", heads.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(1 + columns.len()));
    for row in rows {
        let _ = write!(text, "| {} |", cell(row));
        for column in &columns {
            let shown = match entry.both(row, column) {
                (None, None) => String::new(),
                (Some(cell), None) => ours(cell),
                (None, Some(figure)) => format!("– (paper: {})", number(figure.value)),
                (Some(cell), Some(figure)) => {
                    format!("{} (paper: {})", ours(cell), number(figure.value))
                }
            };
            let _ = write!(text, " {shown} |");
        }
        text.push('\n');
    }
    text.push('\n');
}
