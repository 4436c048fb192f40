//! `sprt`, run as a process: it decides by the pairs in their order, however many threads play them, and
//! a test that was stopped is inconclusive until it is resumed.

use std::fs;
use std::path::Path;

use crate::program::{command, ended, send, wait_until, wurfel};
use serde_json::{Value, json};

/// The answer of a test without its times.
fn tested(args: &[&str]) -> Value {
    let run = wurfel(&[&["sprt", "--json"], args].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let mut answer = run.json()[0].clone();
    answer["seconds"] = Value::Null;
    for agent in answer["agents"].as_array_mut().unwrap() {
        agent["mean_seconds"] = Value::Null;
        agent["max_seconds"] = Value::Null;
    }
    answer
}

#[test]
fn the_verdict_depends_on_the_order_of_pairs_only() {
    let dir = tempfile::tempdir().unwrap();
    let mut answers = vec![];
    let mut files = vec![];
    for jobs in ["1", "8"] {
        let path = dir.path().join(format!("{jobs}.jsonl"));
        let args = ["expecti:depth=2", "greedy", "--elo1", "40", "--luck", "--jobs", jobs, "--out"];
        answers.push(tested(&[&args[..], &[path.to_str().unwrap()]].concat()));
        files.push(fs::read_to_string(path).unwrap());
    }
    assert_eq!(answers[0], answers[1]);
    assert!(files[0] == files[1]);
    let answer = &answers[0];
    assert_eq!(answer["verdict"], "H1 accepted", "{answer}");
    assert!(answer["llr"].as_f64().unwrap() >= answer["bounds"][1].as_f64().unwrap());
    assert_eq!(answer["complete"], true);
    // The file ends with the pair that decided.
    let lines = files[0].lines().count() as u64;
    assert_eq!(Some(lines - 1), answer["games"].as_u64());
    let header: Value = serde_json::from_str(files[0].lines().next().unwrap()).unwrap();
    assert_eq!(
        header["sprt"],
        json!({"elo0": 0.0, "elo1": 40.0, "alpha": 0.05, "beta": 0.05, "model": "logistic", "luck": true})
    );
}

#[test]
fn equal_agents_are_not_stronger_and_luck_makes_that_clear_sooner() {
    // The same agent on the same dice splits every pair.
    let answer = tested(&["expecti:depth=1", "expecti:depth=1", "--elo1", "20"]);
    assert_eq!(answer["verdict"], "H0 accepted", "{answer}");
    let agents = ["expecti:depth=2,eval=zweistein", "greedy", "--elo0", "20", "--elo1", "60"];
    let plain = tested(&agents);
    let without = tested(&[&agents[..], &["--luck"]].concat());
    assert_eq!(without["verdict"], plain["verdict"]);
    let pairs = |answer: &Value| answer["pairs"].as_u64().unwrap();
    assert!(pairs(&without) < pairs(&plain), "{without} {plain}");
    assert!(without["luck_adjusted"]["gain"].as_f64().unwrap() > 1.5, "{without}");
    assert_eq!(plain["luck_adjusted"], Value::Null);
}

#[test]
fn a_cap_is_no_verdict() {
    let answer = tested(&["random", "random", "--max-pairs", "30"]);
    assert_eq!((&answer["verdict"], &answer["pairs"]), (&json!("inconclusive"), &json!(30)));
    assert_eq!(answer["complete"], true);
    let [low, high] = [0, 1].map(|end| answer["stopping_adjusted_elo_interval"][end].as_f64());
    let elo = answer["stopping_adjusted_elo"].as_f64();
    assert!(low < elo && elo < high, "{answer}");
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

#[test]
fn a_test_that_was_stopped_is_inconclusive_until_it_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let args = |name: &str| {
        let path = dir.path().join(name).to_str().unwrap().to_owned();
        let words = "random random --elo0 0 --elo1 2.5 --max-pairs 30000 --out";
        words.split(' ').map(str::to_owned).chain([path]).collect::<Vec<String>>()
    };
    let whole = args("whole.jsonl");
    let wanted = tested(&whole.iter().map(String::as_str).collect::<Vec<_>>());
    let again = args("parts.jsonl");
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let part = dir.path().join("parts.jsonl.part");
    let stopped = [&["sprt", "--json"], &again[..]].concat();
    // The test may end before the signal comes; then it is tried again.
    let run = loop {
        let mut child = command(&stopped).spawn().unwrap();
        wait_until(|| size(&part) >= 1 << 20 || child.try_wait().unwrap().is_some());
        if child.try_wait().unwrap().is_none() {
            send(&child, "INT");
        }
        let run = ended(child.wait_with_output().unwrap());
        if run.code != 0 {
            break run;
        }
        fs::remove_file(dir.path().join("parts.jsonl")).unwrap();
    };
    assert_eq!((run.code, &run.json()[0]["verdict"]), (130, &json!("inconclusive")), "{}", run.err);
    assert!(run.err.contains("the same command resumes it"), "{}", run.err);
    assert_eq!(tested(&again), wanted);
    let same = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert!(same("whole.jsonl") == same("parts.jsonl"));
}

/// A kill between the pair that decides and the end leaves nothing to play.
#[test]
fn a_test_that_was_decided_before_it_was_killed_plays_no_further_pair() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("test.jsonl");
    let args = ["greedy", "random", "--elo1", "50", "--out", path.to_str().unwrap()];
    let before = tested(&args);
    fs::rename(&path, path.with_added_extension("part")).unwrap();
    assert_eq!(tested(&args), before);
    fs::remove_file(&path).unwrap();
}

/// Games that were stored decide as they did when they were played.
#[test]
fn games_of_a_file_are_tested_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    let agents = ["expecti:depth=2", "greedy", "--seed", "4"];
    let run = wurfel(&[&["match"], &agents[..], &["--pairs", "400", "--out", path]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let played = tested(&[&agents[..], &["--elo1", "60"]].concat());
    let stored = tested(&["--from", path, "--elo1", "60"]);
    assert_eq!(played["verdict"], "H1 accepted");
    for field in ["verdict", "llr", "pairs", "pair_points", "stopping_adjusted_elo"] {
        assert_eq!(stored[field], played[field], "{field}");
    }
    let names = |answer: &Value| [0, 1].map(|agent| answer["agents"][agent]["agent"].clone());
    assert_eq!(names(&stored), names(&played));
    let narrow = tested(&["--from", path, "--elo0", "80", "--elo1", "80.5"]);
    assert_eq!((&narrow["verdict"], &narrow["pairs"]), (&json!("inconclusive"), &json!(400)));
    // A single pair does not show how much pairs vary.
    let path = dir.path().join("one.jsonl");
    let path = path.to_str().unwrap();
    assert_eq!(wurfel(&["match", "greedy", "random", "--pairs", "1", "--out", path]).code, 0);
    let output = wurfel(&["sprt", "--from", path]).out;
    assert!(
        output.contains("stopping-adjusted Elo none: pairs that all end alike show"),
        "{output}"
    );
    let one = tested(&["--from", path]);
    assert_eq!(one["stopping_adjusted_elo_interval"], json!([null, null]));
    wurfel(&["sprt", "--from", "nowhere.jsonl"]).refused_by_system("nowhere.jsonl");
    wurfel(&["sprt", "--from", path, "--luck", "--trust"]).refused("cannot be used");
    wurfel(&["sprt", "greedy", "random", "--trust"]).refused("cannot be used");
}

#[test]
fn games_of_a_file_are_tested_without_their_luck_as_when_they_were_played() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    let agents = ["expecti:depth=2", "greedy", "--seed", "4"];
    let run = wurfel(&[&["match"], &agents[..], &["--pairs", "300", "--out", path]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let played = tested(&[&agents[..], &["--elo1", "60", "--luck"]].concat());
    let stored = tested(&["--from", path, "--elo1", "60", "--luck", "--jobs", "3"]);
    assert_eq!(played["verdict"], "H1 accepted");
    for field in ["verdict", "llr", "pairs", "luck_adjusted", "stopping_adjusted_elo"] {
        assert_eq!(stored[field], played[field], "{field}");
    }
}

#[test]
fn what_is_no_test_is_refused() {
    let agents = ["sprt", "random", "greedy"];
    for (more, message) in [
        (&["--elo0", "5"][..], "expected elo0 below elo1"),
        (&["--alpha", "0"], "expected a number from 0.000000001 to 1"),
        (&["--elo1", "2000"], "from -1,000 to 1,000"),
        (&["--model", "bayes"], "expected logistic or normalised"),
        (&["--elo1", "inf"], "from -1,000 to 1,000"),
        (&["--simulate", "5"], "cannot be used"),
        (&["--max-pairs", "0"], "0"),
    ] {
        wurfel(&[&agents[..], more].concat()).refused(message);
    }
    wurfel(&["sprt", "random"]).refused("missing <OPPONENT>");
    wurfel(&["sprt", "--simulate", "5", "--shares", "1,2,3"]).refused("expected five numbers");
    wurfel(&["sprt", "--simulate", "5", "--gain", "0"]).refused("from 1 to 1,000");
    wurfel(&["sprt", "--simulate", "5", "--true-elo", "-5000"]).refused("from -1,000 to 1,000");
}

#[test]
fn simulated_tests_tell_how_often_they_err() {
    let args = ["sprt", "--simulate", "400", "--elo1", "80", "--json"];
    let answer = &wurfel(&args).json()[0];
    let rows = answer["simulated"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    let share = |row: usize, name: &str| rows[row][name].as_f64().unwrap();
    assert!(share(0, "h1_accepted") < 0.1 && share(0, "h0_accepted") > 0.9, "{answer}");
    assert!(share(2, "h0_accepted") < 0.1 && share(2, "h1_accepted") > 0.9, "{answer}");
    assert!(share(1, "inconclusive") < 1e-9);
    assert_eq!(*answer, wurfel(&[&args[..], &["--jobs", "3"]].concat()).json()[0]);
    let capped = wurfel(&[&args[..], &["--max-pairs", "20", "--true-elo", "40"]].concat());
    let capped = &capped.json()[0]["simulated"];
    assert_eq!(capped.as_array().unwrap().len(), 1);
    assert!(capped[0]["inconclusive"].as_f64().unwrap() > 0.3, "{capped}");
    assert!(capped[0]["pairs_95"].as_u64().unwrap() <= 20);
}
