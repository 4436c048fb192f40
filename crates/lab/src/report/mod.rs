//! The report on all results: one page of Markdown and one of HTML that needs no other file.
//!
//! Both pages are generated from the definitions and the results in the folder; nothing is written
//! by hand. Experiments without a result are included, because it matters what is missing.

mod html;
mod markdown;
mod papers;

use std::fs;
use std::path::Path;

use wurfel_core::files::write_whole;

use crate::LabError;
use crate::checks::{self, CheckResult};
use crate::experiment::{Experiment, Library};
use crate::results::{Figure, ResultCell, ResultTable, once};
use crate::run::{PLOT, ResultState, RunRecord, folder};

/// The file names of the pages.
const MARKDOWN: &str = "report.md";
const HTML: &str = "index.html";
const SHEET: &str = "report.css";

/// The part of the report on one experiment.
struct Entry<'a> {
    experiment: &'a Experiment,
    state: ResultState,
    /// The plot, if there is one.
    picture: Option<String>,
}

impl Entry<'_> {
    fn record(&self) -> Option<&RunRecord> {
        self.state.result().map(|(_, record)| record)
    }

    fn table(&self) -> Option<&ResultTable> {
        self.state.result().map(|(table, _)| table)
    }

    /// Why the result is stale; `None` when it is not, or when there is none.
    fn stale(&self) -> Option<&'static str> {
        self.record()?.stale(self.experiment)
    }

    /// The verdicts on its claims.
    fn checks(&self) -> &[CheckResult] {
        self.record().map_or(&[], |record| &record.checks)
    }

    /// The command that makes the result again.
    fn command(&self) -> String {
        let name = &self.experiment.name;
        match self.record() {
            Some(record) => {
                format!("wurfel reproduce {name} --scale {} --seed {}", record.scale, record.seed)
            }
            None => format!("wurfel reproduce {name}"),
        }
    }

    /// How, when and where the result was made, in a sentence.
    fn made(&self) -> String {
        let Some(record) = self.record() else {
            return "There is no result in this folder yet.".to_owned();
        };
        let RunRecord { version, scale, seed, machine, started, seconds, .. } = record;
        let commit = record.commit.as_deref().map_or(String::new(), |commit| {
            let short: String = commit.chars().take(10).collect();
            let changed = if commit.ends_with('+') { " with changes" } else { "" };
            format!(", commit {short}{changed}")
        });
        let cpu = machine.cpu.as_deref().unwrap_or(&machine.architecture);
        let minutes = seconds / 60.0;
        format!(
            "Scale {scale}, seed {seed}, begun {started} UTC, {minutes:.1} minutes of all threads together; \
             wurfel {version}{commit}; {} × {cpu}, {}.",
            machine.cpus, machine.system
        )
    }

    /// The labels of rows and columns: ours first, then those that only the paper has.
    fn labels(&self) -> (Vec<&str>, Vec<&str>) {
        let ours = self.table().map_or(&[][..], ResultTable::cells).iter();
        let ours = ours.map(|cell| (&*cell.row, &*cell.column));
        let papers = self.experiment.figures.0.iter();
        let all = ours.chain(papers.map(|figure| (&*figure.row, &*figure.column)));
        (once(all.clone().map(|(row, _)| row)), once(all.map(|(_, column)| column)))
    }

    /// Our figure and the paper's in one row and column.
    fn both(&self, row: &str, column: &str) -> (Option<&ResultCell>, Option<&Figure>) {
        let ours = self.table().and_then(|table| table.cell(row, column));
        (ours, self.experiment.figures.get(row, column))
    }
}

/// The text of our figure with its interval and its number of cases.
fn ours(cell: &ResultCell) -> String {
    let unit = match cell.unit.as_str() {
        "ns" => " ns",
        _ => "",
    };
    let shown = cell.text();
    if cell.n > 1 { format!("{shown}{unit}, n = {}", cell.n) } else { format!("{shown}{unit}") }
}

/// Writes the report on the results in a folder, after deciding every check again from the stored
/// figures. Returns a summary in words.
///
/// # Errors
/// When a result is damaged or the system refuses.
pub fn write_report(library: &Library, out: &Path) -> Result<String, LabError> {
    let mut entries = vec![];
    for experiment in library.all() {
        let state = ResultState::renewed(experiment, out)?;
        let picture = fs::read_to_string(folder(out, &experiment.name).join(PLOT)).ok();
        entries.push(Entry { experiment, state, picture });
    }
    let pages = [
        (MARKDOWN, markdown::page(&entries)),
        (SHEET, html::STYLE.to_owned()),
        (HTML, html::page(&entries)),
    ];
    for (name, text) in pages {
        write_whole(&out.join(name), text)?;
    }
    let there = entries.iter().filter(|entry| entry.record().is_some()).count();
    let stale = entries.iter().filter(|entry| entry.stale().is_some()).count();
    Ok(format!("{there} of {} experiments; {}; {stale} stale", entries.len(), counted(&entries)))
}

/// The number of claims with each verdict, in words.
fn counted(entries: &[Entry<'_>]) -> String {
    checks::counted(entries.iter().flat_map(Entry::checks))
}

/// A text as the beginning of a sentence.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// The introduction: what the report is, and how to read it.
const INTRODUCTION: &str = "Each experiment repeats a table or figure of a paper. Our figures stand with their \
    95 % intervals and the number of games, turns or positions behind them, beside the paper's. A verdict is \
    computed from the intervals by the criterion that is stated: a claim holds when the whole interval satisfies the \
    criterion, fails when the whole interval violates it, is equal when it does neither and lies within a margin that is \
    stated, and is undecided otherwise. A claim about a setting that the \
    scale of the run does not reach, such as a longer time, is not at this scale. Replicated means that our own implementation was run, reproduced that the authors' \
    program was.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::CheckVerdict;
    use crate::machine::{Machine, signature};

    fn example(folder: &Path) -> Experiment {
        let text = "title = 'A | B <1 s>'\npaper = 'p'\nsection = '§1'\nkind = 'replicated'\n\
            game = 'einstein'\nclaim = 'A wins.'\nreading = 'r'\nfull_hours = 0.5\n\
            [[departure]]\nsection = '§2'\nours = 'crates/x.rs'\ntext = 'other dice'\n\
            [[contradiction]]\ntext = 'one and two'\n\
            [[check]]\nclaim = 'A is better.'\ncell = { row = 'a', column = 'rate' }\nabove = 0.5\n\
            sentence = { paper = 'A is said to be better;', ours = 'here it wins {ours}.' }\n\
            [[check]]\nclaim = 'B is better.'\ncell = { row = 'b', column = 'rate' }\nabove = 0.5\n\
            sentence = { paper = 'B is best;', ours = 'here it wins {ours}.' }\n";
        let folder = folder.join("p/t");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("experiment.toml"), text).unwrap();
        fs::write(folder.join("paper.csv"), "row,column,value\na,rate,0.6\nlater,rate,0.7\n")
            .unwrap();
        Experiment::in_folder(&folder).unwrap()
    }

    fn record(experiment: &Experiment) -> RunRecord {
        RunRecord {
            experiment: "p/t".into(),
            version: "0.1.0".into(),
            commit: None,
            scale: "quick".into(),
            seed: 7,
            definition: experiment.checksum.clone(),
            table: String::new(),
            measured: 1,
            signature: signature(),
            machine: Machine {
                system: "linux".into(),
                architecture: "x".into(),
                cpu: None,
                cpus: 2,
            },
            started: "2026-01-31 14:05".into(),
            seconds: 90.0,
            checks: vec![
                CheckResult {
                    claim: "A is better.".into(),
                    criterion: "“rate” of “a” is above 0.5".into(),
                    verdict: CheckVerdict::Undecided,
                    because: "a: 0.52 (0.48 to 0.56)".into(),
                    note: String::new(),
                },
                CheckResult {
                    claim: "B is better.".into(),
                    criterion: "“rate” of “b” is above 0.5".into(),
                    verdict: CheckVerdict::NotAtThisScale,
                    because: "no row “b”".into(),
                    note: String::new(),
                },
            ],
        }
    }

    #[test]
    fn both_pages_have_figures_verdicts_and_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let experiment = example(folder.path());
        let mut cell = ResultCell::new("a", "rate", 0.52).within(0.48, 0.56);
        cell.n = 600;
        cell.unit = "share".into();
        let state =
            ResultState::Complete(Box::new((ResultTable::new(vec![cell]), record(&experiment))));
        let picture = Some("<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>".to_owned());
        let entries = [Entry { experiment: &experiment, state, picture }];
        let (markdown, html) = (markdown::page(&entries), html::page(&entries));
        for page in [&markdown, &html] {
            for part in [
                "A wins.",
                "0.52 (0.48 to 0.56), n = 600",
                "0.6",
                "0.7",
                "later",
                "undecided",
                "“rate” of “a” is above 0.5",
                "one and two",
                "crates/x.rs",
                "wurfel reproduce p/t --scale quick --seed 7",
                "0 hold, 0 fail, 0 are equal, 1 undecided, 1 not at this scale, 0 cannot be decided",
                // The first page.
                "Open: more games would decide it",
                "A is said to be better; here it wins 52 % (48 to 56).",
                "B is best.",
            ] {
                assert!(page.contains(part), "{part} is missing in\n{page}");
            }
            assert!(!page.contains("is stale"), "{page}");
        }
        assert!(markdown.contains("A \\| B &lt;1 s>") && html.contains("A | B &lt;1 s&gt;"));
        assert!(html.contains("<svg") && markdown.contains("](p/t/plot.svg)"));
    }

    #[test]
    fn a_result_of_other_searches_is_marked_stale() {
        let folder = tempfile::tempdir().unwrap();
        let experiment = example(folder.path());
        let old = RunRecord { signature: "0".into(), ..record(&experiment) };
        let state = ResultState::Complete(Box::new((ResultTable::default(), old)));
        let entries = [Entry { experiment: &experiment, state, picture: None }];
        for page in [markdown::page(&entries), html::page(&entries)] {
            assert!(page.contains("quick, stale") && page.contains("searches have been changed"));
        }
    }
}
