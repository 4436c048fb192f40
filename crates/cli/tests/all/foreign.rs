//! Other programs as agents: the engine, driven over its pipes, plays what its agent plays in this
//! process, and what is said of it is what it said.

use std::fs;
use std::path::Path;

use crate::program::wurfel;
use serde_json::Value;

/// A spec of the engine with an agent.
fn engine(agent: &str, protocol: &str, game: &str) -> String {
    let program = env!("CARGO_BIN_EXE_wurfel");
    let more = if protocol == "course" { " --protocol course" } else { "" };
    format!("cmd:\"{program} engine {agent} --game {game}{more}\",protocol={protocol}")
}

/// The starts and moves of all games of a match.
fn games(one: &str, game: &str, more: &[&str], file: &Path) -> Vec<[String; 2]> {
    let file = file.to_str().expect("a name in UTF-8");
    let arguments = ["match", one, "random", "--pairs", "5", "--game", game, "--out", file];
    let run = wurfel(&[&arguments, more].concat());
    assert_eq!(run.code, 0, "{one}: {}", run.err);
    let text = fs::read_to_string(file).expect("records");
    let records =
        text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let field = |record: &Value, name: &str| record[name].as_str().expect("a text").to_owned();
    records
        .map(|record| {
            assert_eq!(record["fault"], Value::Null, "{record}");
            [field(&record, "start"), field(&record, "moves")]
        })
        .collect()
}

#[test]
fn an_engine_plays_as_its_agent_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    for (game, agent) in [
        ("einstein", "star2:depth=2,eval=schwarz"),
        ("einstein-nearest", "expecti"),
        ("dicechess", "expecti"),
        ("dicechess3", "expecti"),
    ] {
        let depth = ["--depth", "1"];
        let own = games(agent, game, &depth, &file(&format!("{game}-own.jsonl")));
        let other = engine(agent, "ugi", game);
        let other = games(&other, game, &depth, &file(&format!("{game}-other.jsonl")));
        assert_eq!(own, other, "{game}");
    }
    for game in ["einstein", "einstein-nearest"] {
        let own = games("star2:depth=1", game, &[], &file(&format!("{game}-course.jsonl")));
        let other = engine("star2:depth=1", "course", game);
        let other = games(&other, game, &[], &file(&format!("{game}-asked.jsonl")));
        assert_eq!(own, other, "{game}");
    }
}

/// An engine that ends when it is asked for a move.
const CRASHES: &str = "cmd:\"sh -c 'while read word rest; do case $word in ugi) echo ugiok;; \
                       isready) echo readyok;; go) echo no memory >&2; exit 7;; esac; done'\"";
/// What is said of it.
const WHY: &str = "it ended with exit code 7; its last words: no memory";

#[test]
fn a_match_tells_why_an_engine_lost() {
    let run = wurfel(&["match", CRASHES, "random", "--pairs", "2", "--seed", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("lost by crash 4, illegal move 0, time 0"), "{}", run.out);
    assert!(run.out.contains(&format!("  lost since {WHY}")), "{}", run.out);
}

/// What an engine would have decided is not known where it fails, and nothing else is told instead.
/// Such a program lost every game, and the test was decided against it with exit code 0.
#[test]
fn a_program_that_does_not_start_is_bad_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (cup, out) = (path("cup.toml"), path("games.jsonl"));
    let text = "format = 'tcga'\npairs = 1\n[[participant]]\nagent = 'random'\n\
        [[participant]]\nagent = 'cmd:\"/no/such/engine\"'\n";
    fs::write(&cup, text).expect("written");
    let engine = "cmd:\"/no/such/engine\"";
    for command in [
        &["match", engine, "random", "--pairs", "1", "--out", &out][..],
        &["match", "random", engine, "--pairs", "1", "--setups", "chosen"],
        &["sprt", engine, "random", "--out", &out],
        &["tournament", "greedy", "random", engine, "--pairs", "1", "--out", &out],
        &["tournament", &cup],
    ] {
        let said =
            "agent 'cmd:\"/no/such/engine\"' did not start: '/no/such/engine' cannot be started";
        wurfel(command).refused(said);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "a file was begun");
}

#[test]
fn tests_and_tournaments_tell_whose_faults_they_were_and_why() {
    let lost = format!("lost 4 games by crash 4, illegal move 0, time 0; the first since {WHY}");
    let sprt = wurfel(&["sprt", CRASHES, "random", "--max-pairs", "2", "--elo1", "50"]);
    assert!(sprt.out.contains(&lost), "{}", sprt.out);
    assert!(!sprt.out.contains("random lost"), "{}", sprt.out);
    let table = wurfel(&["tournament", "greedy", CRASHES, "random", "--pairs", "1"]);
    assert!(table.out.contains(&lost), "{}", table.out);
    assert!(!table.out.contains("* `random` lost"), "{}", table.out);
}

#[test]
fn an_engine_that_fails_gives_no_answer() {
    let position = "5/1A3/2B2/2c1a/5 b 4 1";
    for arguments in [
        vec!["regret", CRASHES, "--positions", "3", "--pieces", "3"],
        vec!["analyse", position, "--agent", CRASHES],
        vec!["analyse", "5/1A3/2B2/2c1a/5 b - 1", "--agent", CRASHES],
    ] {
        let run = wurfel(&arguments);
        assert_ne!(run.code, 0, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(WHY) && run.err.trim_end().lines().count() == 1, "{}", run.err);
        assert_eq!(run.out, "", "{arguments:?}");
    }
}

#[test]
fn an_engine_analyses_as_its_agent_does() {
    let position = "5/1A3/2B2/2c1a/5 b 4 1";
    let moves = |agent: &str| {
        let run = wurfel(&["analyse", position, "--agent", agent, "--depth", "2", "--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let report: Value = serde_json::from_str(&run.out).expect("JSON");
        let told = report["moves"].as_array().expect("moves").clone();
        told.into_iter().map(|told| {
            let value = told["value"].as_f64().expect("a value");
            (told["move"].as_str().expect("a move").to_owned(), value)
        })
    };
    let agent = "star2:eval=schwarz";
    let other: Vec<(String, f64)> = moves(&engine(agent, "ugi", "einstein")).collect();
    assert_eq!(other.len(), 3);
    for ((mv, value), (own, exactly)) in other.into_iter().zip(moves(agent)) {
        assert_eq!(mv, own);
        // The protocol has six digits.
        assert!((value - exactly).abs() < 1e-6, "{mv}: {value} {exactly}");
    }
}
