//! `wurfel reproduce`: a run that is killed ends with the results of one that was not.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Run, command, ended, wait_until, wurfel};
use serde_json::Value;

const EXPERIMENT: &str = r#"
title = "Greedy against random"
paper = "none"
section = "§1"
kind = "replicated"
game = "einstein"
claim = "Greedy play wins."
reading = "None was needed."
full_hours = 0.01

[over]
depth = [1, 2]

[[match]]
row = "depth {depth}"
a = "expecti:depth={depth}"
b = "random"
pairs = { tiny = 2, quick = 200, full = 64 }
columns = { "win rate" = "score", "won" = "won", "without luck" = "luck_adjusted", "depth" = "a.depth" }

[[tournament]]
row = "{agent}, all"
agents = { "greedy" = "greedy", "random" = "random", "basic" = "flat:playouts=20" }
pairs = { tiny = 1, quick = 100, full = 64 }
columns = { "win rate" = "score", "rank" = "rank", "against {agent}" = "against" }

[[position]]
row = "an end"
position = "5/5/2C2/5/2cba r"
columns = { "exact" = "exact", "estimate" = "value:zweistein" }

[[training]]
config = "training.toml"
rows_every = 2
pairs = 2
evaluation_simulations = 2
opponents = { "random" = "random" }
columns = { "loss" = "loss", "against {opponent}" = "score", "against itself" = "score_first" }

[[summary]]
row = "all depths"
column = "win rate"
mean = { row = "depth *", column = "win rate" }

[[check]]
claim = "It wins more than half of its games at every depth."
cell = { row = "depth *", column = "win rate" }
above = 0.5

[[check]]
claim = "The paper's figure is met."
cell = { row = "depth 1", column = "win rate" }
near_paper = 0.01

[[check]]
claim = "Random play is the better one."
cell = { row = "random, all", column = "win rate" }
above_cell = { row = "greedy, all", column = "win rate" }

[plot]
kind = "lines"
x = "depth"
columns = ["win rate"]
rows = "depth *"
"#;

const TRAINING: &str = r#"
game = "einstein"
encoding = "ewn-v1"
seed = 1
rounds = 3

[network]
filters = 4
convolutions = 1

[self_play]
games = 2
parallel_games = 2
simulations = 2
c = 0.75
fpu = 0.15
noise_alpha = 1.0
noise_share = 0.0
temperature = 1.0
temperature_turns = 1000
outcome_share = 1.0

[learning]
buffer = 1000
batch = 8
accumulate = 1
steps = 1
learning_rate = 2e-3
decay = 0.9
period = 500.0
clip = 1.0
l2 = 1e-4
augment = true
"#;

/// A folder with the experiment `own/test` and a place for results.
struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own/test");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("experiment.toml"), EXPERIMENT).unwrap();
        fs::write(own.join("training.toml"), TRAINING).unwrap();
        fs::write(own.join("paper.csv"), "row,column,value\ndepth 1,win rate,0.1\n").unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn arguments(&self, out: &str, more: &[&str]) -> Vec<String> {
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let mut words = vec!["reproduce".to_owned(), text(self.path("own/test"))];
        words.extend(["--out".to_owned(), text(self.path(out))]);
        words.extend(more.iter().map(|word| (*word).to_owned()));
        words
    }

    fn run(&self, out: &str, more: &[&str]) -> Run {
        let words = self.arguments(out, more);
        wurfel(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The table and the checks of a result.
    fn result(&self, out: &str) -> (String, Value) {
        let folder = self.path(out).join("own/test");
        let record = fs::read_to_string(folder.join("run.json")).unwrap();
        let record: Value = serde_json::from_str(&record).unwrap();
        (fs::read_to_string(folder.join("result.csv")).unwrap(), record["checks"].clone())
    }
}

fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| String::from_utf8_lossy(&bytes).matches('\n').count())
}

#[test]
fn a_run_that_is_killed_ten_times_ends_like_one_that_is_not() {
    let lab = Lab::new();
    let whole = lab.run("whole", &["--scale", "quick", "--jobs", "2"]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    let (table, checks) = lab.result("whole");
    let verdicts: Vec<&str> =
        checks.as_array().unwrap().iter().map(|check| check["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["holds", "fails", "fails"], "{table}");
    assert!(lab.path("whole/own/test/plot.svg").exists());

    let progress = lab.path("killed/own/test/progress.jsonl");
    for _ in 0..10 {
        let there = lines(&progress);
        let words = lab.arguments("killed", &["--scale", "quick", "--jobs", "2"]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = command(&words).spawn().unwrap();
        wait_until(|| lines(&progress) > there || child.try_wait().unwrap().is_some());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(!lab.path("killed/own/test/result.csv").exists(), "it was killed too late");
    // A kill in the middle of a line.
    let mut text = fs::read_to_string(&progress).unwrap();
    text.truncate(text.len() - 3);
    fs::write(&progress, text).unwrap();
    let last = lab.run("killed", &["--scale", "quick", "--jobs", "1"]);
    assert_eq!(last.code, 0, "{}", last.err);
    assert_eq!(lab.result("killed"), (table, checks));
}

#[test]
fn results_do_not_depend_on_threads_but_on_the_seed() {
    let lab = Lab::new();
    for (out, more) in [("one", ["1", "7"]), ("many", ["8", "7"]), ("other", ["8", "8"])] {
        let [jobs, seed] = more;
        let run = lab.run(out, &["--scale", "tiny", "--jobs", jobs, "--seed", seed]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains("Greedy against random"), "{}", run.out);
    }
    assert_eq!(lab.result("one"), lab.result("many"));
    assert_ne!(lab.result("one"), lab.result("other"));
}

#[cfg(unix)]
#[test]
fn a_run_that_is_told_to_stop_says_what_resumes_it() {
    let lab = Lab::new();
    let words = lab.arguments("out", &["--scale", "quick", "--jobs", "1"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let child = command(&words).spawn().unwrap();
    let progress = lab.path("out/own/test/progress.jsonl");
    wait_until(|| lines(&progress) > 1);
    crate::program::send(&child, "INT");
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{}{}", run.out, run.err);
    let command = run.err.split('`').nth(1).unwrap().to_owned();
    let again: Vec<&str> = command.split(' ').skip(1).collect();
    let before = lines(&progress);
    let run = wurfel(&again);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(lines(&progress) > before);
}

#[test]
fn what_cannot_be_run_is_refused_in_one_line() {
    let lab = Lab::new();
    assert_eq!(lab.run("out", &["--scale", "tiny"]).code, 0);
    lab.run("out", &["--scale", "quick"]).refused("its scale is tiny, not quick: remove it");
    lab.run("out", &["--scale", "tiny", "--seed", "2"]).refused("its seed is 1, not 2");
    lab.run("out", &["--scale", "small"]).refused("expected tiny, quick, full, decide or a factor");
    let progress = lab.path("out/own/test/progress.jsonl");
    let text = fs::read_to_string(&progress).unwrap();
    for (from, to) in [("\"unit\"", "\"ynit\""), ("\"wins\":", "\"wins\":9")] {
        fs::write(&progress, text.replacen(from, to, 1)).unwrap();
        lab.run("out", &["--scale", "tiny"]).refused("expected the line as it was written");
    }

    let definition = lab.path("own/test/experiment.toml");
    for (from, to, message) in [
        ("above = 0.5", "abuve = 0.5", "test/experiment.toml', line 48: unknown field `abuve`"),
        ("b = \"random\"", "b = \"randm\"", "unknown agent 'randm': did you mean 'random'?"),
        ("\"a.depth\"", "\"a.dept\"", "unknown measure 'dept': did you mean 'depth'?"),
        ("value:zweistein", "value:zweistien", "did you mean 'zweistein'?"),
        ("5/5/2C2", "5/5/2C3", "position 'an end': "),
        ("\"{agent}, all\"", "\"all\"", "“win rate” of “all” is given twice"),
        ("training.toml", "none.toml", "no file 'none.toml' beside it"),
    ] {
        assert!(EXPERIMENT.contains(from), "{from}");
        fs::write(&definition, EXPERIMENT.replace(from, to)).unwrap();
        lab.run("new", &["--scale", "tiny"]).refused(message);
    }
    wurfel(&["reproduce", "zweistien"]).refused("unknown experiment 'zweistien': did you mean");
    wurfel(&["reproduce", "./nowhere"]).refused_by_system("nowhere");
    wurfel(&["reproduce", "report", "--out", "nowhere"]).refused("expected a folder with results");
}

#[test]
fn a_result_of_other_searches_is_listed_and_reported_as_stale() {
    let listed = wurfel(&["reproduce", "list", "--json", "--out", "nowhere"]).json();
    // The cheapest experiment of the program is run as it is.
    let name = listed[0]["experiment"].as_str().unwrap();
    assert!(listed.iter().all(|row| row["state"] == "–" && row["stale"].is_null()));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let run = wurfel(&["reproduce", name, "--scale", "tiny", "--out", out]);
    assert_eq!(run.code, 0, "{}", run.err);
    let state =
        || wurfel(&["reproduce", "list", "--json", "--out", out]).json()[0]["state"].clone();
    assert_eq!(state(), "tiny");
    // A table that was edited was reported.
    let table = folder.path().join(name).join("result.csv");
    let figures = fs::read_to_string(&table).unwrap();
    let value = figures.lines().nth(1).and_then(|line| line.split(',').nth(2)).unwrap();
    fs::write(&table, figures.replacen(&format!(",{value},"), ",0.75,", 1)).unwrap();
    wurfel(&["reproduce", "report", "--out", out]).refused("result.csv': expected the table of");
    fs::write(&table, figures).unwrap();

    let record = folder.path().join(name).join("run.json");
    let text = fs::read_to_string(&record).unwrap();
    let signature = text.lines().find(|line| line.contains("\"signature\"")).unwrap();
    fs::write(&record, text.replace(signature, "  \"signature\": \"0\",")).unwrap();
    assert_eq!(state(), "tiny, stale");
    let run = wurfel(&["reproduce", "report", "--out", out]);
    assert!(run.out.contains("1 of ") && run.out.contains("1 stale"), "{}{}", run.out, run.err);
    let page = fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(page.contains("This result is stale") && page.contains(name));
}
