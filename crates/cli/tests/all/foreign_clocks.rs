//! What a program of others hears of a match's clocks, and that it thinks on its opponent's time. The program is
//! the engine itself, behind a `tee` that notes every line it is sent.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::wurfel;

/// A spec of the engine with an agent; what it hears is added to a file.
fn noted(agent: &str, heard: &Path, more: &str) -> String {
    let (program, heard) = (env!("CARGO_BIN_EXE_wurfel"), heard.display());
    format!("cmd:\"sh -c 'tee -a {heard} | {program} engine {agent}'\",start=100s{more}")
}

#[test]
fn a_program_hears_both_clocks_of_its_match() {
    let folder = tempfile::tempdir().unwrap();
    let [heard, file, out] =
        ["heard", "cup.toml", "cup.jsonl"].map(|name| folder.path().join(name));
    let text = format!(
        "format = 'round-robin'\npairs = 2\njobs = 1\n\
         clock = {{ total = '50s', inc = '2s', margin = '100s' }}\n\
         [[participant]]\nname = 'engine'\nagent = '''{}'''\n\
         [[participant]]\nname = 'slow'\nagent = 'uct:time=20ms'\n",
        noted("greedy", &heard, "")
    );
    fs::write(&file, text).unwrap();
    let run = wurfel(&["tournament", file.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!fs::read_to_string(out).unwrap().contains("\"fault\""));
    let heard = fs::read_to_string(heard).unwrap();
    // Before the games a program is started to see whether it does, and ended. What it hears last
    // may come too late for `tee`, so only what the second one hears counts.
    let heard = heard.rsplit("\nugi\n").next().unwrap();
    let (mut games, mut turn, mut before) = (0, 0, [0; 2]);
    let mut sides = vec![];
    let mut differ = 0;
    for line in heard.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["uginewgame"] => (games, turn) = (games + 1, 0),
            ["position", "fen", _, side, ..] => sides.push(usize::from(side == "b")),
            ["go", "p1time", one, "p2time", other, "p1inc", "2000", "p2inc", "2000"] => {
                let left: [u64; 2] = [one, other].map(|left| left.parse().unwrap());
                let own = *sides.last().unwrap();
                // Each turn adds its increment and nothing else.
                if turn == 0 {
                    assert_eq!(left[own], 50_000, "{line}");
                } else {
                    let gained = |side: usize| left[side] <= before[side] + 2_000;
                    assert!(gained(0) && gained(1), "{line} after {before:?}");
                    assert!(left[own] > before[own] || left[own] < 50_000, "{line}");
                }
                differ += u32::from(left[0] != left[1]);
                (turn, before) = (turn + 1, left);
            }
            ["go", ..] => panic!("{line}"),
            _ => {}
        }
    }
    // The engine begins half of the games.
    assert_eq!(games, 4, "{heard}");
    assert!(sides.contains(&0) && sides.contains(&1) && differ > 0);
}

/// The games of a match against `expecti`, without what takes time, and what the engine heard.
fn played(folder: &Path, more: &str) -> (Vec<[String; 3]>, String) {
    let folder = folder.join(more.len().to_string());
    fs::create_dir(&folder).unwrap();
    let [heard, out] = ["heard", "games.jsonl"].map(|name| folder.join(name));
    let engine = noted("expecti", &heard, more);
    let out_text = out.to_str().unwrap();
    let limits = ["--pairs", "5", "--depth", "2", "--jobs", "1", "--out", out_text];
    let run = wurfel(&[&["match", &engine, "expecti"][..], &limits].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let text = fs::read_to_string(&out).unwrap();
    let records = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games = records.map(|record| {
        assert_eq!(record["fault"], Value::Null, "{record}");
        ["start", "moves", "result"].map(|field| record[field].as_str().unwrap().to_owned())
    });
    (games.collect(), fs::read_to_string(heard).unwrap())
}

/// It plays the same moves as one that waits; only when it thinks is different.
#[test]
fn a_program_thinks_on_its_opponents_time_and_plays_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let (waiting, heard) = played(folder.path(), "");
    for word in ["ponder", "infinite", "stop"] {
        assert!(!heard.contains(word), "{word}");
    }
    // An engine that does not tell what it expects thinks about its opponent's roll.
    let (games, heard) = played(folder.path(), ",ponder=yes");
    assert_eq!(games, waiting);
    let count =
        |heard: &str, begin: &str| heard.lines().filter(|line| line.starts_with(begin)).count();
    assert!(count(&heard, "go infinite") > 30 && !heard.contains("ponderhit"), "{heard}");
    assert_eq!(count(&heard, "stop"), count(&heard, "go infinite"));
    // One that does is asked about that, and hears when it was right.
    let (games, heard) = played(folder.path(), ",ponder=yes,option.MultiPV=2");
    assert_eq!(games, waiting);
    let hits = count(&heard, "ponderhit @");
    assert!(hits > 0 && count(&heard, "go ponder depth 2") > hits, "{heard}");
    let ended = count(&heard, "stop") + hits;
    assert_eq!(ended, count(&heard, "go ponder") + count(&heard, "go infinite"));
}

/// What is lost by the decisions of `expecti`, and what it heard.
fn regretted(folder: &Path, more: &str) -> (Value, String) {
    let heard = folder.join(more.len().to_string());
    let engine = noted("expecti", &heard, more);
    let limits = ["--pieces", "3", "--positions", "6", "--depth", "1", "--jobs", "1", "--json"];
    let run = wurfel(&[&["regret", &engine][..], &limits].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let found = &run.json()[0];
    let same = ["decisions", "regret", "optimal", "worst"].map(|name| found[name].clone());
    (same.to_vec().into(), fs::read_to_string(heard).unwrap())
}

/// Nobody answers its moves there, so it is told to stop after each of them.
#[test]
fn a_program_that_ponders_is_measured_as_one_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let (waiting, heard) = regretted(folder.path(), "");
    assert!(!heard.contains("infinite"), "{heard}");
    let (pondering, heard) = regretted(folder.path(), ",ponder=yes");
    assert_eq!(pondering, waiting);
    let lines: Vec<&str> = heard.lines().collect();
    let infinite = lines.iter().zip(&lines[1..]).filter(|(line, _)| **line == "go infinite");
    let followed: Vec<&str> = infinite.map(|(_, next)| *next).collect();
    assert!(!followed.is_empty() && followed.iter().all(|next| *next == "stop"), "{heard}");
}

#[test]
fn a_protocol_that_knows_no_pondering_refuses_it() {
    for (spec, said) in [
        ("cmd:\"x\",protocol=course,ponder=yes", "expected no, because the course protocol"),
        ("cmd:\"x\",ponder=maybe", "expected yes or no"),
    ] {
        wurfel(&["match", spec, "random", "--pairs", "1"]).refused(said);
    }
}
