//! Runs that add games until their claims are decided.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::path::Path;
use std::time::Instant;

use wurfel_lab::{CheckVerdict, Experiment, Library, RunRecord, RunSettings, Scale, run};

/// A match that is decided at once, one that needs some more games, and a claim whose bound lies
/// where the truth is, between two equal players.
const DEFINITION: &str = r#"
title = "t"
paper = "p"
section = "§1"
kind = "replicated"
game = "einstein"
claim = "c"
reading = "r"
full_hours = 0.1

[[match]]
row = "unequal"
a = "greedy"
b = "random"
pairs = { tiny = 1, full = 20 }
columns = { "win rate" = "score" }

[[match]]
row = "equal"
a = "random"
b = "random"
pairs = { tiny = 1, full = 20 }
columns = { "win rate" = "score" }

[[check]]
claim = "Greedy is better."
cell = { row = "unequal", column = "win rate" }
above = 0.5

[[check]]
claim = "Random scores more than 46 % against itself."
cell = { row = "equal", column = "win rate" }
above = 0.46

[[check]]
claim = "Random scores more than 54 % against itself."
cell = { row = "equal", column = "win rate" }
above = 0.54
"#;

/// A claim about two rows.
const COMPARED: &str = r#"
[[check]]
claim = "Greedy scores more than random."
cell = { row = "unequal", column = "win rate" }
above_cell = { row = "equal", column = "win rate" }
"#;

/// A mean of both rows.
const AVERAGED: &str = r#"
[[summary]]
row = "both"
column = "win rate"
mean = { row = "*", column = "win rate" }
"#;

const OPEN: &str = r#"
[[check]]
claim = "Random scores more than half against itself."
cell = { row = "equal", column = "win rate" }
above = 0.5
"#;

/// Decisions in positions instead of games.
const REGRETS: &str = r#"
[[regret]]
cubes = 3
positions = { tiny = 1, full = 100 }
agents = { "greedy" = "greedy", "random" = "random" }
columns = { "win rate" = "regret" }

[[check]]
claim = "Greedy loses less than random."
cell = { row = "greedy", column = "win rate" }
below_cell = { row = "random", column = "win rate" }

[[check]]
claim = "Greedy loses more than 1 %."
cell = { row = "greedy", column = "win rate" }
above = 0.01
"#;

fn experiment(folder: &Path, definition: &str) -> Experiment {
    fs::write(folder.join("experiment.toml"), definition).unwrap();
    Experiment::in_folder(folder).unwrap()
}

/// The record of a run, and the number of games in each row.
fn decided(
    experiment: &Experiment,
    out: &Path,
    until: Option<Instant>,
) -> Option<(RunRecord, Vec<u64>)> {
    let library = Library::new().unwrap();
    let out = out.to_owned();
    let settings =
        RunSettings { scale: Scale::Decide, seed: 1, out: out.clone(), jobs: 2, stop: None, until };
    let record = run(experiment, &library, &settings, &mut |_, _| ()).unwrap()?;
    let table = fs::read_to_string(out.join(&experiment.name).join("result.csv")).unwrap();
    let games = table.lines().skip(1).map(|line| line.rsplit(',').nth(1).unwrap().parse().unwrap());
    Some((record, games.collect()))
}

#[test]
fn games_are_added_where_a_claim_is_open_until_all_are_decided() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let experiment = experiment(folder.path(), DEFINITION);
    let (record, games) = decided(&experiment, out.path(), None).unwrap();
    let verdicts: Vec<CheckVerdict> = record.checks.iter().map(|check| check.verdict).collect();
    assert_eq!(verdicts, [CheckVerdict::Holds, CheckVerdict::Holds, CheckVerdict::Fails]);
    assert_eq!(games[0], 200, "decided with the games with which it begins");
    assert!(games[1] > 400, "{games:?}");
    // Nothing is left to do, and what has been played counts.
    let (again, same) = decided(&experiment, out.path(), None).unwrap();
    assert_eq!((again.table, same), (record.table, games));
}

#[test]
fn a_claim_that_stays_open_ends_with_the_time_and_without_time_there_is_no_result() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let now = Some(Instant::now());
    let mut experiment = experiment(folder.path(), DEFINITION);
    assert!(decided(&experiment, out.path(), now).is_none());
    let (_, games) = decided(&experiment, out.path(), None).unwrap();
    // A check may be added to games that were played.
    fs::write(folder.path().join("experiment.toml"), format!("{DEFINITION}{OPEN}")).unwrap();
    experiment = Experiment::in_folder(folder.path()).unwrap();
    let (record, same) = decided(&experiment, out.path(), now).unwrap();
    assert_eq!((record.checks[3].verdict, same), (CheckVerdict::Undecided, games));
}

#[test]
fn rows_that_a_claim_compares_have_the_same_dice_unless_their_mean_is_taken() {
    let because = |definition: &str| {
        let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let experiment = experiment(folder.path(), definition);
        let (record, _) = decided(&experiment, out.path(), None).unwrap();
        record.checks.last().unwrap().because.clone()
    };
    let definition = format!("{DEFINITION}{COMPARED}");
    assert!(because(&definition).contains(", on the same dice 0."));
    assert!(!because(&format!("{definition}{AVERAGED}")).contains("on the same dice"));
}

#[test]
fn decisions_are_added_like_games_and_compared_in_the_same_positions() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let head = DEFINITION.split_once("[[match]]").unwrap().0;
    let experiment = experiment(folder.path(), &format!("{head}{REGRETS}"));
    let (record, decisions) = decided(&experiment, out.path(), None).unwrap();
    let verdicts: Vec<CheckVerdict> = record.checks.iter().map(|check| check.verdict).collect();
    assert_eq!(verdicts, [CheckVerdict::Holds, CheckVerdict::Holds]);
    assert!(record.checks[0].because.contains("on the same dice"), "{}", record.checks[0].because);
    assert!(decisions[0] > 100, "{decisions:?}");
}
