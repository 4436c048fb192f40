//! Runs the examples of the documents: each `console` block of the README and of the pages
//! under docs/ must show what the program prints, except for times. The blocks of a document run in
//! one folder, in order. Also checks that the pages on methods describe every agent.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::program::{command, ended};
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

/// A line of output without its times and speeds.
fn timeless(line: &str) -> String {
    if let Ok(mut answer) = serde_json::from_str::<Value>(line) {
        blot(&mut answer);
        return answer.to_string();
    }
    if let Some((rest, _)) = line.rsplit_once(" games, ").filter(|_| line.ends_with(" s")) {
        return format!("{rest} games");
    }
    if ["nodes/s", "games/s", " ms a move"].iter().any(|unit| line.contains(unit)) {
        let figure = |character: char| character.is_ascii_digit() || ".,".contains(character);
        // Whether a rate is told in millions or thousands depends on the machine, too.
        return line.replace(figure, "").replace(" M ", " ").replace(" k ", " ");
    }
    line.to_owned()
}

fn blot(answer: &mut Value) {
    match answer {
        Value::Object(fields) => {
            for (name, value) in fields {
                let times =
                    ["seconds", "games_per_second", "mean_seconds", "max_seconds", "mean_ms"];
                if times.contains(&name.as_str()) {
                    *value = Value::Null;
                }
                blot(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(blot),
        _ => {}
    }
}

/// Where programs are found: this one before all others.
fn path() -> OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_wurfel")).parent().expect("a folder").to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own).chain(std::env::split_paths(&others));
    std::env::join_paths(all).expect("folders")
}

/// The document, with its `console` blocks filled with what the program prints now.
fn with_output(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    copy_tournaments(folder.path());
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
        run.current_dir(folder.path()).env("PATH", path());
        let run = ended(run.output().expect("the program runs"));
        assert_eq!(run.code, 0, "{command}: {}", run.err);
        renewed.extend([command, "\n", &run.out, "```\n"]);
        lines.find(|line| *line == "```").expect("the end of the block");
    }
    renewed
}

/// Copies the examples that documents play.
fn copy_tournaments(folder: &Path) {
    const EXAMPLES: &str = "examples/tournaments";
    std::fs::create_dir_all(folder.join(EXAMPLES)).expect("a folder");
    for entry in std::fs::read_dir(root().join(EXAMPLES)).expect("examples") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        std::fs::copy(&path, folder.join(EXAMPLES).join(name)).expect("a copy");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(path: &Path) {
    let document = path.display();
    let text = std::fs::read_to_string(path).expect("the document");
    let renewed = with_output(&text);
    if std::env::var_os("RENEW_DOCUMENTS").is_some() {
        if renewed != text {
            std::fs::write(path, renewed).expect("the document can be written");
        }
        return;
    }
    assert_eq!(text.lines().count(), renewed.lines().count(), "{document}");
    for (written, now) in text.lines().zip(renewed.lines()) {
        let hint = "RENEW_DOCUMENTS=1 brings it up to date";
        assert_eq!(timeless(written), timeless(now), "{document} ({hint})");
    }
}

/// The README and every page under `docs/`.
fn documents() -> Vec<PathBuf> {
    let mut paths = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of documents") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "md") {
                paths.push(path);
            }
        }
    }
    paths
}

#[test]
fn documents_show_what_the_program_prints() {
    let all = documents();
    for known in ["README.md", "docs/cli.md", "docs/methods/README.md"] {
        assert!(all.contains(&root().join(known)), "{known} was not found");
    }
    std::thread::scope(|threads| {
        for document in &all {
            threads.spawn(move || check(document));
        }
    });
}

/// What `wurfel LIST --json` answers.
fn list(args: &[&str]) -> Value {
    let run = ended(command(args).output().expect("the program runs"));
    serde_json::from_str(&run.out).expect("JSON")
}

/// The values of `name` in a list of objects.
fn each<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item[name].as_str().expect("a text")).collect()
}

/// The pages on methods whose title has `name` as code.
fn pages_on(name: &str) -> Vec<String> {
    let folder = root().join("docs/methods");
    let about = |text: &String| {
        text.lines().next().is_some_and(|title| title.contains(&format!("`{name}`")))
    };
    let pages = documents().into_iter().filter(|path| path.starts_with(&folder));
    pages.map(|path| std::fs::read_to_string(path).expect("the page")).filter(about).collect()
}

#[test]
fn every_agent_and_evaluation_has_a_page_with_its_options() {
    let listed = list(&["agents", "--json"]);
    for agent in listed["agents"].as_array().expect("a list") {
        let name = agent["name"].as_str().expect("a name");
        let pages = pages_on(name);
        assert_eq!(pages.len(), 1, "pages in docs/methods with `{name}` in their title");
        for option in each(&agent["options"], "name") {
            assert!(pages[0].contains(&format!("`{option}=")), "{name}: {option}= is not there");
        }
    }
    for game in each(&list(&["games", "--json"]), "name") {
        let listed = list(&["agents", "--game", game, "--json"]);
        for evaluation in each(&listed["evaluations"], "name") {
            assert!(!pages_on(evaluation).is_empty(), "{evaluation} of {game} has no page");
        }
    }
}
