//! What an external program is told about a match's clocks, and that it thinks on its opponent's time. The program is
//! the engine itself, behind a filter that notes every line it is sent.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{noting, wurfel};

/// A spec of the engine with an agent; what it hears is added to a file.
fn noted(agent: &str, log: &Path, more: &str) -> String {
    let (program, note) = (env!("CARGO_BIN_EXE_wurfel"), noting(log));
    format!("cmd:\"sh -c '{note} | {program} engine {agent}'\",start=100s{more}")
}

#[test]
fn a_program_hears_both_clocks_of_its_match() {
    let folder = tempfile::tempdir().unwrap();
    let [log, file, out] = ["heard", "cup.toml", "cup.jsonl"].map(|name| folder.path().join(name));
    let text = format!(
        "format = 'round-robin'\npairs = 2\njobs = 1\n\
         clock = {{ total = '50s', inc = '2s', margin = '100s' }}\n\
         [[participant]]\nname = 'engine'\nagent = '''{}'''\n\
         [[participant]]\nname = 'slow'\nagent = 'uct:time=20ms'\n",
        noted("greedy", &log, "")
    );
    fs::write(&file, text).unwrap();
    let run = wurfel(&["tournament", file.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!fs::read_to_string(out).unwrap().contains("\"fault\""));
    let log = fs::read_to_string(log).unwrap();
    // Before the games a program is started to see whether it does, and ended. What it hears last
    // may come too late for `tee`, so only what the second one hears counts.
    let log = log.rsplit("\nugi\n").next().unwrap();
    let (mut games, mut turn, mut before) = (0, 0, [0; 2]);
    let mut sides = vec![];
    let mut differ = 0;
    for line in log.lines() {
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
    assert_eq!(games, 4, "{log}");
    assert!(sides.contains(&0) && sides.contains(&1) && differ > 0);
}

/// The games of a match against `expecti`, without what takes time, and what the engine heard.
fn played(folder: &Path, more: &str) -> (Vec<[String; 3]>, String) {
    let folder = folder.join(more.len().to_string());
    fs::create_dir(&folder).unwrap();
    let [log, out] = ["heard", "games.jsonl"].map(|name| folder.join(name));
    let engine = noted("expecti", &log, more);
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
    (games.collect(), fs::read_to_string(log).unwrap())
}

/// It plays the same moves as one that waits; only when it thinks is different.
#[test]
fn a_program_thinks_on_its_opponents_time_and_plays_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let (waiting, log) = played(folder.path(), "");
    for word in ["ponder", "infinite", "stop"] {
        assert!(!log.contains(word), "{word}");
    }
    // An engine that does not tell what it expects thinks about its opponent's roll.
    let (games, log) = played(folder.path(), ",ponder=yes");
    assert_eq!(games, waiting);
    let count = |log: &str, begin: &str| log.lines().filter(|line| line.starts_with(begin)).count();
    assert!(count(&log, "go infinite") > 30 && !log.contains("ponderhit"), "{log}");
    assert_eq!(count(&log, "stop"), count(&log, "go infinite"));
    // One that does is asked about that, and hears when it was right.
    let (games, log) = played(folder.path(), ",ponder=yes,option.MultiPV=2");
    assert_eq!(games, waiting);
    let hits = count(&log, "ponderhit @");
    assert!(hits > 0 && count(&log, "go ponder depth 2") > hits, "{log}");
    let ended = count(&log, "stop") + hits;
    assert_eq!(ended, count(&log, "go ponder") + count(&log, "go infinite"));
}

/// What is lost by the decisions of `expecti`, and what it heard.
fn regretted(folder: &Path, more: &str) -> (Value, String) {
    let log = folder.join(more.len().to_string());
    let engine = noted("expecti", &log, more);
    let limits = ["--pieces", "3", "--positions", "6", "--depth", "1", "--jobs", "1", "--json"];
    let run = wurfel(&[&["regret", &engine][..], &limits].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let answer = &run.json()[0];
    let same = ["decisions", "regret", "optimal", "worst"].map(|name| answer[name].clone());
    (same.to_vec().into(), fs::read_to_string(log).unwrap())
}

/// Nobody answers its moves there, so it is told to stop after each of them.
#[test]
fn a_program_that_ponders_is_measured_as_one_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let (waiting, log) = regretted(folder.path(), "");
    assert!(!log.contains("infinite"), "{log}");
    let (pondering, log) = regretted(folder.path(), ",ponder=yes");
    assert_eq!(pondering, waiting);
    let lines: Vec<&str> = log.lines().collect();
    let infinite = lines.iter().zip(&lines[1..]).filter(|(line, _)| **line == "go infinite");
    let followed: Vec<&str> = infinite.map(|(_, next)| *next).collect();
    assert!(!followed.is_empty() && followed.iter().all(|next| *next == "stop"), "{log}");
}

#[test]
fn a_protocol_that_knows_no_pondering_refuses_it() {
    for (spec, message) in [
        ("cmd:\"x\",protocol=course,ponder=yes", "expected no, because the course protocol"),
        ("cmd:\"x\",ponder=maybe", "expected yes or no"),
    ] {
        wurfel(&["match", spec, "random", "--pairs", "1"]).refused(message);
    }
}

/// A spec of the engine that speaks the course protocol; what it hears is added to a file.
fn noted_course(log: &Path, more: &str) -> String {
    let (program, note) = (env!("CARGO_BIN_EXE_wurfel"), noting(log));
    let engine = format!("{note} | {program} engine greedy --protocol course");
    format!("cmd:\"sh -c '{engine}'\",protocol=course,start=100s{more}")
}

/// Without `total=` it was given 100 ms for each move, which the protocol cannot say, and lost every game
/// on time.
#[test]
fn a_program_with_the_course_protocol_is_told_the_time_of_the_course() {
    let folder = tempfile::tempdir().unwrap();
    for (more, limits, commands) in [
        ("", &[][..], "time_setting 240"),
        ("", &["--time", "0.001ms"], "time_setting 240"),
        (",total=90s", &["--depth", "1"], "time_setting 90"),
    ] {
        let log = folder.path().join(commands.replace(' ', "-"));
        let match_of = ["match", &noted_course(&log, more), "random", "--pairs", "1"];
        let run = wurfel(&[&match_of[..], limits, &["--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.json()[0]["lost_by_fault"], 0, "{}", run.out);
        let log = fs::read_to_string(log).unwrap();
        let times = log.lines().filter(|line| line.starts_with("time_setting"));
        assert!(times.clone().count() >= 2 && times.clone().all(|line| line == commands), "{log}");
    }
}

/// The clock of a tournament takes precedence over the default one.
#[test]
fn a_program_with_the_course_protocol_is_told_the_clock_of_a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let [log, file] = ["heard", "cup.toml"].map(|name| folder.path().join(name));
    let cup = |total: &str, more: &str| {
        let text = format!(
            "format = 'round-robin'\npairs = 1\nclock = {{ total = '{total}', margin = '100s' }}\n\
             [[participant]]\nname = 'engine'\nagent = '''{}'''\n\
             [[participant]]\nagent = 'random'\n",
            noted_course(&log, more)
        );
        fs::write(&file, text).unwrap();
        wurfel(&["tournament", file.to_str().unwrap()])
    };
    cup("90500ms", "").refused(
        "protocol=course: expected a clock of whole seconds, because the course protocol has no smaller unit, \
         or total= beside it",
    );
    let run = cup("90s", "");
    assert_eq!(run.code, 0, "{}", run.err);
    let log = fs::read_to_string(&log).unwrap();
    let times: Vec<&str> = log.lines().filter(|line| line.starts_with("time_setting")).collect();
    assert_eq!(times, ["time_setting 90"; 2]);
}

#[test]
fn limits_that_the_course_protocol_cannot_tell_are_refused() {
    for (limit, expected) in [
        ("total=500ms", "expected whole seconds, because the course protocol has no smaller unit"),
        ("total=2500ms", "expected whole seconds"),
        (
            "time=1s",
            "expected none, because the course protocol only has the time for a game (total=)",
        ),
        ("depth=3", "expected none"),
        ("nodes=100", "expected none"),
        ("total=60s,inc=1s", "expected none"),
        ("history=yes", "expected no, because the course protocol does not send moves"),
    ] {
        let spec = format!("cmd:\"x\",protocol=course,{limit}");
        wurfel(&["match", &spec, "random", "--pairs", "1"]).refused(expected);
    }
}

/// The games of a match of a command, without what takes time, and what it heard.
fn games_of(folder: &Path, command: &str, more: &str) -> (Vec<[String; 3]>, String) {
    let [log, out] = ["heard", "games.jsonl"].map(|name| folder.join(name));
    for name in [&log, &out, &folder.join("games.games.csv"), &folder.join("games.moves.csv")] {
        let _ = fs::remove_file(name);
    }
    let command = command.replace("NOTE", &noting(&log));
    let command =
        command.replace("ENGINE", &format!("{} engine expecti", env!("CARGO_BIN_EXE_wurfel")));
    let spec = format!("cmd:\"sh -c '{command}'\",start=100s{more}");
    let limits = ["--pairs", "4", "--depth", "1", "--jobs", "1", "--out", out.to_str().unwrap()];
    let run = wurfel(&[&["match", &spec, "expecti"][..], &limits].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let text = fs::read_to_string(&out).unwrap();
    let records = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games = records.map(|record| {
        assert_eq!(record["fault"], Value::Null, "{record}");
        ["start", "moves", "result"].map(|field| record[field].as_str().unwrap().to_owned())
    });
    (games.collect(), fs::read_to_string(log).unwrap())
}

/// It was told positions only, and had to guess the moves between them.
#[test]
fn a_program_that_wants_the_moves_of_its_games_is_told_them() {
    let folder = tempfile::tempdir().unwrap();
    let commands = |log: &str| {
        let positions = log.lines().filter(|line| line.starts_with("position"));
        let count = positions.clone().filter(|line| line.contains(" moves @")).count();
        (count, positions.count())
    };
    let plain = "NOTE | ENGINE";
    let wants = "echo option name History type check default false; NOTE | ENGINE";
    let (games, log) = games_of(folder.path(), plain, "");
    let (none, positions) = commands(&log);
    assert_eq!(none, 0, "{log}");
    for (command, more) in [(plain, ",history=yes"), (wants, "")] {
        let (same, log) = games_of(folder.path(), command, more);
        assert_eq!(same, games, "{command}{more}");
        // Before the first move of a game there is nothing to tell.
        assert_eq!(commands(&log), (positions - 4, positions), "{log}");
        assert_eq!(log.contains("setoption name History value true"), command == wants);
    }
    let (same, log) = games_of(folder.path(), wants, ",history=no");
    assert_eq!((same, commands(&log).0), (games.clone(), 0), "{log}");
    // One that refuses them is asked as before, at once and for the rest of the match.
    let refuses = "NOTE | sed -u \"s/^position.* moves .*/position fen nonsense/\" | ENGINE";
    let (same, log) = games_of(folder.path(), &refuses.replace('"', "\\\""), ",history=yes");
    assert_eq!((same, commands(&log)), (games, (1, positions + 1)), "{log}");
}
