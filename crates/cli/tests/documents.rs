//! The examples of the documents, run: each `console` block of the README and
//! of docs/cli.md shows what the program prints, but for the time it takes. Those of a
//! document run in one folder, in order.

mod program;

use std::path::{Path, PathBuf};

use program::{command, ended};
use serde_json::Value;

/// Splits a command line as a shell would, with single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    for (n, part) in line.split('\'').enumerate() {
        if n % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// A line of output without what tells time or speed.
fn timeless(line: &str) -> String {
    if let Ok(mut answer) = serde_json::from_str::<Value>(line) {
        blot(&mut answer);
        return answer.to_string();
    }
    if let Some((rest, _)) = line.rsplit_once(" games, ").filter(|_| line.ends_with(" s")) {
        return format!("{rest} games");
    }
    if ["nodes/s", "games/s", " ms a move"].iter().any(|unit| line.contains(unit)) {
        return line.replace(|sign: char| sign.is_ascii_digit() || ".,".contains(sign), "");
    }
    line.to_owned()
}

fn blot(answer: &mut Value) {
    match answer {
        Value::Object(fields) => {
            for (name, value) in fields {
                if ["seconds", "games_per_second", "mean_ms", "max_ms"].contains(&name.as_str()) {
                    *value = Value::Null;
                }
                blot(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(blot),
        _ => {}
    }
}

/// The document with what the program prints now in its `console` blocks.
fn with_output(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut renewed = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        renewed.extend([line, "\n"]);
        if line != "```console" {
            continue;
        }
        let command = lines.next().expect("a command after ```console");
        let typed = command.strip_prefix("$ wurfel").expect("a command of wurfel");
        let args = words(typed);
        let mut run = self::command(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let run = ended(run.current_dir(folder.path()).output().expect("the program runs"));
        assert_eq!(run.code, 0, "{command}: {}", run.err);
        renewed.extend([command, "\n", &run.out, "```\n"]);
        lines.find(|line| *line == "```").expect("the end of the block");
    }
    renewed
}

fn check(document: &str) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    let text = std::fs::read_to_string(&path).expect("the document");
    let renewed = with_output(&text);
    if std::env::var_os("RENEW_DOCUMENTS").is_some() {
        std::fs::write(&path, renewed).expect("the document can be written");
        return;
    }
    assert_eq!(text.lines().count(), renewed.lines().count(), "{document}");
    for (written, now) in text.lines().zip(renewed.lines()) {
        let hint = "RENEW_DOCUMENTS=1 brings it up to date";
        assert_eq!(timeless(written), timeless(now), "{document} ({hint})");
    }
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    check("README.md");
}

#[test]
fn the_page_on_commands_shows_what_the_program_prints() {
    check("docs/cli.md");
}
