//! The report as a single page of HTML that contains everything.

use std::fmt::Write;

use super::papers::{Paper, SURENESS, heading, papers};
use super::{Entry, INTRODUCTION, capital, counted, ours};
use crate::checks::{CheckVerdict, counts};
use crate::results::number;

/// The styles. They are part of the page and also a file beside it, for sites that forbid styles
/// inside pages.
pub(super) const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(entries: &[Entry<'_>]) -> String {
    let mut text =
        String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    text.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // Writing to a string cannot fail.
    let sheet = "<link rel=\"stylesheet\" href=\"report.css\">";
    let title = "<title>The papers, repeated</title>";
    let _ = writeln!(text, "{title}\n{sheet}\n<style>\n{STYLE}</style>\n</head>\n<body>");
    let _ =
        writeln!(text, "<main>\n<h1>The papers, repeated</h1>\n<p>{}</p>", escaped(INTRODUCTION));
    let _ = writeln!(text, "<p><strong>{}.</strong></p>", escaped(&counted(entries)));
    first_page(&mut text, entries);
    overview(&mut text, entries);
    for entry in entries {
        section(&mut text, entry);
    }
    text.push_str("</main>\n</body>\n</html>\n");
    text
}

fn escaped(text: &str) -> String {
    let text = text.trim().replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Adds what holds of each paper.
fn first_page(text: &mut String, entries: &[Entry<'_>]) {
    let papers = papers(entries);
    if papers.is_empty() {
        return;
    }
    let _ = writeln!(text, "<h2>In short</h2>\n<p>{}</p>", escaped(SURENESS));
    for Paper { name, counts, sentences } in papers {
        let _ = writeln!(text, "<h3>{}</h3>\n<p>{}.</p>", escaped(name), capital(&counts));
        for (verdict, all) in sentences {
            paragraphs(text, heading(verdict), &all.join(" "));
        }
    }
    let _ = writeln!(text, "<h2>All experiments</h2>");
}

/// Adds the paragraphs of a text, the first one after a word that says what the text is.
fn paragraphs(text: &mut String, word: &str, of: &str) {
    for (number, part) in of.trim().split("\n\n").enumerate() {
        let word = if number == 0 { format!("<strong>{word}.</strong> ") } else { String::new() };
        let _ = writeln!(text, "<p>{word}{}</p>", escaped(part));
    }
}

fn class(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Holds => "holds",
        CheckVerdict::Fails => "fails",
        CheckVerdict::Equal => "equal",
        CheckVerdict::Undecided => "undecided",
        CheckVerdict::NotAtThisScale | CheckVerdict::CannotBeDecided => "cannot",
    }
}

fn overview(text: &mut String, entries: &[Entry<'_>]) {
    let verdicts =
        CheckVerdict::ALL.map(|verdict| format!("<th>{}</th>", verdict.words())).join("");
    let heads = "<th>experiment</th><th>section</th><th>title</th>";
    let _ =
        writeln!(text, "<div class=\"wide\"><table>\n<tr>{heads}{verdicts}<th>result</th></tr>");
    for entry in entries {
        let definition = &entry.experiment.definition;
        let name = escaped(&entry.experiment.name);
        let (section, title) = (escaped(&definition.section), escaped(&definition.title));
        let _ = write!(
            text,
            "<tr><td><a href=\"#{name}\">{name}</a></td><td>{section}</td><td>{title}</td>"
        );
        for (verdict, count) in CheckVerdict::ALL.into_iter().zip(counts(entry.checks())) {
            let class = if count > 0 { class(verdict) } else { "none" };
            let _ = write!(text, "<td class=\"number {class}\">{count}</td>");
        }
        let _ = writeln!(
            text,
            "<td>{}</td></tr>",
            escaped(&entry.state.word(entry.experiment, "no result"))
        );
    }
    text.push_str("</table></div>\n");
}

fn section(text: &mut String, entry: &Entry<'_>) {
    let name = escaped(&entry.experiment.name);
    let definition = &entry.experiment.definition;
    let (title, section) = (escaped(&definition.title), escaped(&definition.section));
    let _ = writeln!(text, "<section id=\"{name}\">\n<h2>{title}</h2>");
    let origin = definition.kind.word();
    let _ = writeln!(text, "<p class=\"under\"><code>{name}</code> · {section} · {origin}</p>");
    if let Some(why) = entry.stale() {
        let _ = writeln!(text, "<p class=\"stale\">This result is stale: {why}.</p>");
    }
    paragraphs(text, "Claim", &definition.claim);
    paragraphs(text, "Reading", &definition.reading);
    verdicts(text, entry);
    if let Some(picture) = &entry.picture {
        let _ = writeln!(text, "<figure>{picture}</figure>");
    }
    figures(text, entry);
    let departures = definition.departure.iter().map(|departure| {
        let ours = departure.ours.as_ref();
        let ours = ours.map_or(String::new(), |path| format!(" (<code>{}</code>)", escaped(path)));
        let words = escaped(&departure.text);
        format!("<li>Departure from {}: {words}{ours}</li>\n", escaped(&departure.section))
    });
    let contradictions = (definition.contradiction.iter())
        .map(|one| format!("<li>The paper contradicts itself: {}</li>\n", escaped(&one.text)));
    let list: String = departures.chain(contradictions).collect();
    if !list.is_empty() {
        let _ = writeln!(text, "<ul>\n{list}</ul>");
    }
    let (made, command) = (escaped(&entry.made()), escaped(&entry.command()));
    let _ =
        writeln!(text, "<p class=\"under\">{made} Again: <code>{command}</code></p>\n</section>");
}

fn verdicts(text: &mut String, entry: &Entry<'_>) {
    let Some(record) = entry.record().filter(|record| !record.checks.is_empty()) else { return };
    let heads = "<th>claim</th><th>verdict</th><th>criterion</th><th>because</th>";
    let _ = writeln!(text, "<div class=\"wide\"><table>\n<tr>{heads}</tr>");
    for check in &record.checks {
        let note = if check.note.is_empty() {
            String::new()
        } else {
            format!(" <small>{}</small>", escaped(&check.note))
        };
        let _ = writeln!(
            text,
            "<tr><td>{}{note}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&check.claim),
            class(check.verdict),
            check.verdict.words(),
            escaped(&check.criterion),
            escaped(&check.because)
        );
    }
    text.push_str("</table></div>\n");
}

fn figures(text: &mut String, entry: &Entry<'_>) {
    let (rows, columns) = entry.labels();
    if rows.is_empty() {
        return;
    }
    let heads: Vec<String> = columns.iter().map(|column| escaped(column)).collect();
    let heads = heads.join("</th><th>");
    let _ = writeln!(text, "<div class=\"wide\"><table>\n<tr><th></th><th>{heads}</th></tr>");
    for row in rows {
        let _ = write!(text, "<tr><td>{}</td>", escaped(row));
        for column in &columns {
            let (cell, figure) = entry.both(row, column);
            let own = cell.map_or(String::new(), |cell| escaped(&ours(cell)));
            let paper = figure.map_or(String::new(), |figure| {
                let note = if figure.note.is_empty() {
                    String::new()
                } else {
                    format!(" title=\"{}\"", escaped(&figure.note))
                };
                format!("<br><span class=\"paper\"{note}>paper {}</span>", number(figure.value))
            });
            let _ = write!(text, "<td>{own}{paper}</td>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table></div>\n");
}
