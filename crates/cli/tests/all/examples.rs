//! The examples in the help of every command, run as they stand there, but for less work.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::site::{Site, against, id};
use crate::program::{command, send, wurfel};
use serde_json::json;

/// What takes long in examples, and what replaces it here.
const SHORTER: [(&str, &str); 21] = [
    ("--simulate 10000", "--simulate 20"),
    ("--pairs 500", "--pairs 5"),
    ("--pairs 100", "--pairs 1"),
    ("--seed 7", "--seed 7 --pairs 1"),
    ("--nodes 100000", "--nodes 1000 --pairs 1"),
    ("--games 20000", "--games 60"),
    ("--games 1200", "--games 60"),
    ("--se 0.002", "--se 0.05"),
    ("--positions 200", "--positions 20"),
    ("--rolls 200000", "--rolls 50"),
    ("--count 100", "--count 2"),
    ("--time 10s", "--time 20ms"),
    ("--pieces 5", "--pieces 3"),
    ("review games.jsonl --depth 4", "review games.jsonl --depth 1"),
    ("--out first.weights", "--out first.weights --epochs 2"),
    ("--port 8080", "--port 0"),
    ("perft 6", "perft 3"),
    ("--scale quick", "--scale tiny"),
    ("--out mcts.weights", "--out mcts.weights --epochs 2"),
    ("match mcts mcts", "match mcts:playouts=10 mcts:playouts=10"),
    ("--labels mcts", "--labels mcts:playouts=10"),
];

/// The part of an example that shows which file it needs, and that file.
const NEEDS: [(&str, &str); 34] = [
    ("--from games.jsonl", "games.jsonl"),
    ("ratings games.jsonl", "games.jsonl"),
    ("table.jsonl", "table.jsonl"),
    ("review games.jsonl", "games.jsonl"),
    ("convert games.jsonl", "games.jsonl"),
    ("replay games.jsonl", "games.jsonl"),
    ("review record.txt", "record.txt"),
    ("replay record.txt", "record.txt"),
    ("convert record.txt", "record.txt"),
    ("fit first.tsv", "first.tsv"),
    ("mlp mcts.jsonl", "mcts.jsonl"),
    ("weights=first.weights", "first.weights"),
    ("replies-file=first.replies", "first.replies"),
    ("network configs/einstein-tiny.toml", "configs/einstein-tiny.toml"),
    ("check configs/einstein-tiny.toml", "configs/einstein-tiny.toml"),
    ("status run", "run"),
    ("onnx run/", "run"),
    ("quantise run/", "run"),
    ("info run/", "run"),
    ("seal run/", "run"),
    ("curve run", "run"),
    ("--runs results", "results"),
    ("reproduce report", "reproduced"),
    ("verify-dice", "wurfel-5f0c1d2e3a4b5c6d.json"),
    ("tables verify", "tables"),
    ("tournament examples/", "examples/tournaments/swiss.toml"),
    ("standings cup.jsonl", "cup.jsonl"),
    ("referee --out", "table-1"),
    ("work plan examples/", "examples/clusters/match.toml"),
    ("work run plan", "plan"),
    ("work status plan", "plan"),
    ("work merge plan", "plan"),
    ("export-site", "target/engine"),
    ("--docs target/book", "target/book"),
];

/// A shell in a folder, in which `wurfel` is this program and has its own data.
fn shell(folder: &Path, line: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_wurfel")).parent().unwrap().to_owned();
    let paths = std::env::var_os("PATH").unwrap();
    let paths = std::iter::once(program).chain(std::env::split_paths(&paths));
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", line]).current_dir(folder);
    shell.env("PATH", std::env::join_paths(paths).unwrap());
    shell.env("XDG_DATA_HOME", folder).env("WURFEL_TABLES", folder.join("tables"));
    shell.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// What examples read. Each is made once, when the first of them needs it, and lies in a folder of its
/// own with all that it was made of.
struct Store(tempfile::TempDir);

impl Store {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Puts the file or folder of this name into a folder.
    fn provide(&self, folder: &Path, name: &str) {
        let made = self.0.path().join(name.replace('/', "-"));
        if !made.exists() {
            fs::create_dir(&made).unwrap();
            self.make(&made, name);
        }
        run(folder, &format!("cp -R {}/. .", made.display()));
    }

    fn make(&self, folder: &Path, name: &str) {
        let provide = |name: &str| self.provide(folder, name);
        let run = |line: &str| run(folder, line);
        match name {
            "games.jsonl" => run("wurfel match random greedy --pairs 1 --out games.jsonl"),
            "table.jsonl" => run("wurfel tournament random greedy --pairs 1 --out table.jsonl"),
            "record.txt" => {
                run("wurfel convert 'S654321 S123456 @3 a4b4 @1 e1e2' --to wtn > record.txt");
            }
            "first.tsv" => run("wurfel train positions first.tsv --games 60 --depth 1"),
            "mcts.jsonl" => {
                run("wurfel match random random --game dicechess --pairs 2 --out mcts.jsonl");
            }
            "first.weights" => {
                provide("first.tsv");
                run("wurfel train fit first.tsv --out first.weights --epochs 1");
            }
            "first.replies" => run("wurfel train replies --out first.replies --rolls 50"),
            "configs/einstein-tiny.toml" => {
                let config = include_str!("../../../../configs/einstein-tiny.toml");
                let number = |name: &str| {
                    let line = config.lines().find(|line| line.starts_with(&format!("{name} = ")));
                    line.unwrap_or_else(|| panic!("{name} in the configuration")).to_owned()
                };
                let less = [("rounds", 1), ("filters", 16), ("games", 2), ("simulations", 2)];
                let less = less.iter().chain(&[("steps", 1), ("batch", 8), ("pairs", 1)]);
                let config = less.fold(config.to_owned(), |config, (name, less)| {
                    config.replace(&number(name), &format!("{name} = {less}"))
                });
                fs::create_dir(folder.join("configs")).unwrap();
                fs::write(folder.join(name), config).unwrap();
            }
            "examples/tournaments/swiss.toml" => {
                let text = include_str!("../../../../examples/tournaments/swiss.toml");
                fs::create_dir_all(folder.join("examples/tournaments")).unwrap();
                fs::write(folder.join(name), text.replace("pairs = 10", "pairs = 1")).unwrap();
            }
            "cup.jsonl" => {
                provide("examples/tournaments/swiss.toml");
                run("wurfel tournament examples/tournaments/swiss.toml --out cup.jsonl");
            }
            "run" => {
                provide("configs/einstein-tiny.toml");
                run("wurfel train network configs/einstein-tiny.toml --out run");
            }
            "examples/clusters/match.toml" => {
                let text = include_str!("../../../../examples/clusters/match.toml");
                // Each process would prepare to measure luck for seconds.
                let text = text.replace("50_000", "8").replace("500", "4");
                let text = text.replace("luck = true", "luck = false");
                fs::create_dir_all(folder.join("examples/clusters")).unwrap();
                fs::write(folder.join(name), text).unwrap();
            }
            "plan" => {
                provide("examples/clusters/match.toml");
                run("wurfel work plan examples/clusters/match.toml --out plan");
                run("wurfel work run plan --missing");
            }
            "table-1" => run("wurfel referee Ada Blaise --out table-1"),
            "target/engine" | "target/book" => {
                let first = if name == "target/engine" { "wurfel.js" } else { "index.html" };
                fs::create_dir_all(folder.join(name)).unwrap();
                fs::write(folder.join(name).join(first), "").unwrap();
            }
            "results" | "reproduced" => fs::create_dir(folder.join(name)).unwrap(),
            "tables" => run("wurfel tables build --pieces 3"),
            _ => {
                let site = Site::serve(folder, &[]);
                let (room, token) = site.open(&against("random"));
                let over = site.act(&id(&room), &token, &json!({ "do": "resign" }));
                assert_eq!(over.status, 200, "{over:?}");
                let record = site.get(&format!("/api/rooms/{}/record", id(&room)));
                fs::write(folder.join(name), record.body).unwrap();
                site.kill();
            }
        }
    }
}

fn run(folder: &Path, line: &str) {
    let output = shell(folder, line).output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
}

/// The commands that a help lists, but for `help`.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    // What goes on in the next line is indented further.
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split_once(' '));
    let names = names.map(|(name, _)| name.to_owned());
    names.filter(|name| !name.is_empty() && name != "help").collect()
}

/// All examples in the help of this command and of those below it.
fn examples(words: &[&str]) -> Vec<String> {
    let run = wurfel(&[words, &["--help"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = run.out.lines().skip_while(|line| !line.starts_with("Example"));
    let own = lines.filter(|line| line.starts_with("  wurfel")).map(|line| line.trim().to_owned());
    let mut own: Vec<String> = own.collect();
    let name = [&["wurfel"], words].concat().join(" ");
    let is_shown = own.iter().any(|line| line.starts_with(&name));
    assert!(words.is_empty() || is_shown, "no example of {name}: {}", run.out);
    for below in listed(&run.out) {
        own.extend(examples(&[words, &[below.as_str()]].concat()));
    }
    own
}

/// An example for less work.
fn shortened(example: &str) -> String {
    if example == "wurfel bench" {
        return "wurfel bench --seconds 0".into();
    }
    let shorter = |line: String, (long, short): &(&str, &str)| line.replace(long, short);
    SHORTER.iter().fold(example.into(), shorter)
}

/// Runs an example to its end or, if it is a server, until it serves.
fn try_out(example: &str, store: &Store) {
    let folder = tempfile::tempdir().unwrap();
    let needed = NEEDS.iter().filter(|(part, _)| example.contains(part));
    needed.for_each(|(_, file)| store.provide(folder.path(), file));
    // The shell's place is the program's, so that a signal finds it.
    let line = if example.contains('|') { example.into() } else { format!("exec {example}") };
    let mut child = shell(folder.path(), &line).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"quit\n");
    let wanted = if example.starts_with("wurfel serve") {
        let mut first_line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first_line).unwrap();
        assert!(first_line.contains("http://"), "{example}: {first_line}");
        send(&child, "TERM");
        130
    } else {
        0
    };
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(wanted), "{example}: {output:?}");
}

#[test]
fn every_command_has_an_example_and_each_runs() {
    let mut all = examples(&[]);
    all.sort();
    all.dedup();
    assert!(all.len() > 30, "{all:?}");
    for (long, _) in SHORTER {
        assert!(all.iter().any(|example| example.contains(long)), "nothing is shorter by {long}");
    }
    let store = Store::new();
    let mut shortened: BTreeSet<String> = all.iter().map(|example| shortened(example)).collect();
    // It takes seconds, and the test of the signatures runs it.
    assert!(shortened.remove("wurfel bench --seconds 0"), "{shortened:?}");
    for example in &shortened {
        try_out(example, &store);
    }
}

/// What takes long in the commands of the README, and what replaces it here.
const SHORTER_IN_README: [(&str, &str); 6] = [
    ("--time 5ms --pairs 100", "--time 1ms --pairs 1"),
    ("star2 uct --time 1ms", "star2 uct --time 1ms --pairs 1"),
    ("--luck", "--luck --max-pairs 20"),
    ("regret champion --time 1ms", "regret champion --time 1ms --positions 20"),
    ("--se 0.002", "--se 0.05"),
    ("table-2", "table-2 --scale tiny"),
];

/// Somebody who types the README's list of commands in a fresh clone, one after the other, sees each
/// of them work: a file that one reads was written by one before, or is in the repository.
#[test]
#[expect(clippy::print_stderr, reason = "says what it does not run")]
fn the_commands_of_the_readme_run_in_their_order() {
    let readme = include_str!("../../../../README.md");
    let (_, use_it) = readme.split_once("\n## Use\n").expect("the section");
    let list = use_it.split("```").nth(1).and_then(|block| block.strip_prefix("sh\n"));
    let list: Vec<&str> = list.expect("the list of commands").lines().collect();
    assert!(list.len() > 15, "{list:?}");
    for (long, _) in SHORTER_IN_README {
        assert!(list.iter().any(|line| line.contains(long)), "nothing is shorter by {long}");
    }
    let folder = tempfile::tempdir().unwrap();
    Store::new().provide(folder.path(), "examples/tournaments/swiss.toml");
    fs::create_dir(folder.path().join("examples/engines")).unwrap();
    let engine = include_str!("../../../../examples/engines/ewn.py");
    fs::write(folder.path().join("examples/engines/ewn.py"), engine).unwrap();
    let has_python = shell(folder.path(), "python3 --version").output().unwrap().status.success();
    for typed in list {
        // The site, which serves until it is stopped, has tests of its own.
        if typed.split('#').next().map(str::trim) == Some("wurfel") {
            continue;
        }
        if typed.contains("python3") && !has_python {
            eprintln!("skipped, as there is no python3: {typed}");
            continue;
        }
        let shorter = |line: String, (long, short): &(&str, &str)| line.replace(long, short);
        let line = SHORTER_IN_README.iter().fold(typed.to_owned(), shorter);
        let mut child = shell(folder.path(), &line).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(b"quit\n");
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{typed}: {output:?}");
    }
}

/// The parser takes `--help` after `help` for the name of a command.
#[test]
fn help_after_help_is_no_mistake() {
    for (words, plain) in [
        (&["help", "--help"][..], &["help"][..]),
        (&["help", "match", "-h"], &["help", "match"]),
        (&["train", "help", "--help"], &["train", "help"]),
    ] {
        let [actual, expected] = [words, plain].map(wurfel);
        assert_eq!((actual.code, actual.out), (0, expected.out), "{words:?}: {}", actual.err);
    }
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    if let Ok(full) = fs::File::options().write(true).open("/dev/full") {
        let output = command(&["--help"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}
