//! What a program of others hears of a match's clocks, and that it thinks on its opponent's time. The program is
//! the engine itself, behind a filter that notes every line it is sent.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{noting, wurfel};

/// A spec of the engine with an agent; what it hears is added to a file.
fn noted(agent: &str, heard: &Path, more: &str) -> String {
    let (program, note) = (env!("CARGO_BIN_EXE_wurfel"), noting(heard));
    format!("cmd:\"sh -c '{note} | {program} engine {agent}'\",start=100s{more}")
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

/// A spec of the engine that speaks the course protocol; what it hears is added to a file.
fn noted_course(heard: &Path, more: &str) -> String {
    let (program, note) = (env!("CARGO_BIN_EXE_wurfel"), noting(heard));
    let engine = format!("{note} | {program} engine greedy --protocol course");
    format!("cmd:\"sh -c '{engine}'\",protocol=course,start=100s{more}")
}

/// Without `total=` it was given 100 ms for each move, of which the protocol cannot tell, and lost every game
/// on time.
#[test]
fn a_program_of_course_cups_has_the_time_of_the_course_and_is_told_of_it() {
    let folder = tempfile::tempdir().unwrap();
    for (more, limits, told) in [
        ("", &[][..], "time_setting 240"),
        ("", &["--time", "0.001ms"], "time_setting 240"),
        (",total=90s", &["--depth", "1"], "time_setting 90"),
    ] {
        let heard = folder.path().join(told.replace(' ', "-"));
        let match_of = ["match", &noted_course(&heard, more), "random", "--pairs", "1"];
        let run = wurfel(&[&match_of[..], limits, &["--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.json()[0]["lost_by_fault"], 0, "{}", run.out);
        let heard = fs::read_to_string(heard).unwrap();
        let times = heard.lines().filter(|line| line.starts_with("time_setting"));
        assert!(times.clone().count() >= 2 && times.clone().all(|line| line == told), "{heard}");
    }
}

/// The clock of a tournament goes before the usual one.
#[test]
fn a_program_of_course_cups_is_told_the_clock_of_a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let [heard, file] = ["heard", "cup.toml"].map(|name| folder.path().join(name));
    let cup = |total: &str, more: &str| {
        let text = format!(
            "format = 'round-robin'\npairs = 1\nclock = {{ total = '{total}', margin = '100s' }}\n\
             [[participant]]\nname = 'engine'\nagent = '''{}'''\n\
             [[participant]]\nagent = 'random'\n",
            noted_course(&heard, more)
        );
        fs::write(&file, text).unwrap();
        wurfel(&["tournament", file.to_str().unwrap()])
    };
    cup("90500ms", "").refused(
        "protocol=course: expected a clock of whole seconds, because the course protocol tells no others, \
         or total= beside it",
    );
    let run = cup("90s", "");
    assert_eq!(run.code, 0, "{}", run.err);
    let heard = fs::read_to_string(&heard).unwrap();
    let times: Vec<&str> = heard.lines().filter(|line| line.starts_with("time_setting")).collect();
    assert_eq!(times, ["time_setting 90"; 2]);
}

#[test]
fn limits_that_the_course_protocol_cannot_tell_are_refused() {
    for (limit, expected) in [
        ("total=500ms", "expected whole seconds, because the course protocol tells no others"),
        ("total=2500ms", "expected whole seconds"),
        (
            "time=1s",
            "expected none, because the course protocol tells nothing but the time for a game (total=)",
        ),
        ("depth=3", "expected none"),
        ("nodes=100", "expected none"),
        ("total=60s,inc=1s", "expected none"),
        ("history=yes", "expected no, because the course protocol knows no moves"),
    ] {
        let spec = format!("cmd:\"x\",protocol=course,{limit}");
        wurfel(&["match", &spec, "random", "--pairs", "1"]).refused(expected);
    }
}

/// The games of a match of a command, without what takes time, and what it heard.
fn games_of(folder: &Path, command: &str, more: &str) -> (Vec<[String; 3]>, String) {
    let [heard, out] = ["heard", "games.jsonl"].map(|name| folder.join(name));
    for name in [&heard, &out, &folder.join("games.games.csv"), &folder.join("games.moves.csv")] {
        let _ = fs::remove_file(name);
    }
    let command = command.replace("NOTE", &noting(&heard));
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
    (games.collect(), fs::read_to_string(heard).unwrap())
}

/// It was told positions only, and had to guess the moves between them.
#[test]
fn a_program_that_wants_the_moves_of_its_games_is_told_them() {
    let folder = tempfile::tempdir().unwrap();
    let told = |heard: &str| {
        let positions = heard.lines().filter(|line| line.starts_with("position"));
        let count = positions.clone().filter(|line| line.contains(" moves @")).count();
        (count, positions.count())
    };
    let plain = "NOTE | ENGINE";
    let wants = "echo option name History type check default false; NOTE | ENGINE";
    let (games, heard) = games_of(folder.path(), plain, "");
    let (none, positions) = told(&heard);
    assert_eq!(none, 0, "{heard}");
    for (command, more) in [(plain, ",history=yes"), (wants, "")] {
        let (same, heard) = games_of(folder.path(), command, more);
        assert_eq!(same, games, "{command}{more}");
        // Before the first move of a game there is nothing to tell.
        assert_eq!(told(&heard), (positions - 4, positions), "{heard}");
        assert_eq!(heard.contains("setoption name History value true"), command == wants);
    }
    let (same, heard) = games_of(folder.path(), wants, ",history=no");
    assert_eq!((same, told(&heard).0), (games.clone(), 0), "{heard}");
    // One that refuses them is asked as before, at once and for the rest of the match.
    let refuses = "NOTE | sed -u \"s/^position.* moves .*/position fen nonsense/\" | ENGINE";
    let (same, heard) = games_of(folder.path(), &refuses.replace('"', "\\\""), ",history=yes");
    assert_eq!((same, told(&heard)), (games, (1, positions + 1)), "{heard}");
}
