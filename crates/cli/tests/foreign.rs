//! Other programs as agents: the engine, driven over its pipes, plays what its agent plays in this
//! process, and what is said of it is what it said.

mod program;

use std::fs;
use std::path::Path;

use program::wurfel;
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
