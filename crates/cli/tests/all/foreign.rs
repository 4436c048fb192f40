//! Other programs as agents: the engine, driven over its pipes, plays what its agent plays in this
//! process, and the reasons given for its losses are its own words.

use std::fs;
use std::path::Path;

use crate::program::{Run, wurfel};
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
/// The reason that is given for its loss.
const WHY: &str = "it ended with exit code 7; its last words: no memory";

#[test]
fn a_match_tells_why_an_engine_lost() {
    let run = wurfel(&["match", CRASHES, "random", "--pairs", "2", "--seed", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("lost by crash 4, illegal move 0, time 0"), "{}", run.out);
    assert!(run.out.contains(&format!("  lost because {WHY}")), "{}", run.out);
}

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
        let message =
            "agent 'cmd:\"/no/such/engine\"' did not start: '/no/such/engine' cannot be started";
        wurfel(command).refused(message);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "a file was begun");
}

/// An engine whose starts fail from the fourth on, unless there is a file `well` beside its script. It
/// ends in each game.
fn fails_to_start(folder: &Path) -> String {
    let [script, starts, well] = ["engine", "starts", "well"].map(|name| folder.join(name));
    let (starts, well) = (starts.display(), well.display());
    let text = format!(
        "echo >>{starts}\nif [ $(wc -l <{starts}) -ge 4 ] && [ ! -e {well} ]\n\
         then echo no memory >&2; exit 1; fi\n\
         while read word rest; do case $word in\nugi) echo ugiok;;\nisready) echo readyok;;\n\
         go) exit 7;;\nesac; done"
    );
    fs::write(&script, text).expect("written");
    format!("cmd:\"sh {}\",start=100s,retry=1ms", script.display())
}

/// Asserts that a run ended because that engine was given up, and says so before anything else.
fn is_given_up(run: &Run) {
    assert_eq!(run.code, 1, "{}", run.err);
    let first = run.out.lines().next().unwrap_or_default();
    let reason = "did not start: it ended with exit code 1; its last words: no memory";
    assert!(first.starts_with("given up") && first.contains(reason), "{}", run.out);
    assert!(run.err.contains("given up after") && run.err.contains("resumes it"), "{}", run.err);
}

/// The games after an engine had failed to start were lost, and the report was believed. The first of
/// the starts is a trial before the match.
#[test]
fn a_match_whose_engine_is_given_up_says_so_first_and_goes_on_later() {
    for (command, more) in [("match", &["--pairs"][..]), ("sprt", &["--elo1", "50", "--max-pairs"])]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = fails_to_start(folder.path());
        let out = folder.path().join("games.jsonl");
        let out = ["--jobs", "1", "--out", out.to_str().expect("UTF-8")];
        let play = |last: &[&str]| {
            wurfel(&[&[command, &engine, "random"][..], more, &["3"], &out, last].concat())
        };
        let run = play(&[]);
        is_given_up(&run);
        let warning = "warning          2 of 2 games (100.0 %) were lost by faults: win rates say";
        assert!(run.out.contains(warning), "{}", run.out);
        fs::write(folder.path().join("well"), "").expect("written");
        let run = play(&["--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let answer = &run.json()[0];
        assert_eq!((&answer["complete"], &answer["games"]), (&true.into(), &6.into()), "{answer}");
        assert_eq!((&answer["lost_by_fault"], &answer["played"]), (&6.into(), &Value::Null));
        let warning = answer["warning"].as_str().expect("a warning");
        assert!(warning.starts_with("6 of 6 games (100.0 %) were lost by faults"), "{warning}");
    }
}

#[test]
fn a_tournament_whose_engine_is_given_up_says_so_first_and_goes_on_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = fails_to_start(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let cup = format!(
        "format = 'round-robin'\npairs = 2\njobs = 1\n[[participant]]\nagent = '''{engine}'''\n\
         [[participant]]\nagent = 'random'\n"
    );
    let (file, table, games) = (path("cup.toml"), path("table.jsonl"), path("games.jsonl"));
    fs::write(&file, cup).expect("written");
    let agents = ["tournament", &engine, "random", "greedy", "--pairs", "1", "--jobs", "1"];
    for arguments in
        [[&agents[..], &["--out", &table]].concat(), vec!["tournament", &file, "--out", &games]]
    {
        is_given_up(&wurfel(&arguments));
        fs::write(path("well"), "").expect("written");
        let run = wurfel(&arguments);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains("were lost by faults: win rates say little"), "{}", run.out);
        for name in ["well", "starts"] {
            fs::remove_file(path(name)).expect("there");
        }
    }
    // The games that no fault decided are rated, and those of the engine left out.
    let answer = &wurfel(&["ratings", &table, "--faults", "skip", "--json"]).json()[0];
    let agents = answer["agents"].as_array().expect("agents");
    let mut rated: Vec<_> = agents.iter().map(|agent| agent["games"].as_u64()).collect();
    rated.sort_unstable();
    assert_eq!((&answer["lost_by_fault"], rated), (&4.into(), vec![Some(0), Some(2), Some(2)]));
}

/// Where the protocol had been forgotten, the error named only the time within which the program was not ready.
#[test]
fn a_protocol_that_was_mistaken_is_named() {
    let shell = "cmd:\"sh -c 'read line; echo what is $line; exit 1'\"";
    let program = env!("CARGO_BIN_EXE_wurfel");
    let other = format!("cmd:\"{program} engine greedy\",protocol=course,start=100s");
    for (game, spec, message) in [
        (
            "einstein",
            shell,
            "code 1; it answered 'what is ugi', which is not UGI: did you mean protocol=course?",
        ),
        ("dicechess", shell, "it answered 'what is ugi', which is not UGI"),
        ("einstein", &other, "which is not the course protocol: did you mean protocol=ugi?"),
    ] {
        let run = wurfel(&["match", spec, "random", "--pairs", "1", "--game", game]);
        run.refused(message);
        assert!(run.err.trim_end().ends_with(message), "{}", run.err);
    }
}

/// A program in another folder, or with other options, was another player of the ratings.
#[test]
fn a_program_is_called_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let files = [path("one.jsonl"), path("two.jsonl")];
    for (agent, seed, file) in [("greedy", "1", &files[0]), ("random", "2", &files[1])] {
        let spec = format!("{},name=Bot 2", engine(agent, "ugi", "einstein"));
        let run =
            wurfel(&["match", &spec, "expecti", "--pairs", "2", "--seed", seed, "--out", file]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(
            run.out.starts_with("Bot 2 against expecti: ") && !run.out.contains("cmd:"),
            "{}",
            run.out
        );
    }
    let run = wurfel(&["ratings", &files[0], &files[1], "--anchor", "Bot 2", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let agents = run.json()[0]["agents"].clone();
    assert_eq!(agents.as_array().expect("agents").len(), 2, "{agents}");
    let spec = "cmd:\"x\",name=\"a\nb\"";
    wurfel(&["match", spec, "random", "--pairs", "1"])
        .refused("expected a name of at most 80 letters");
    let same = ["cmd:\"x\",name=A", "cmd:\"y\",name=A"];
    wurfel(&["tournament", same[0], same[1]]).refused("agent 'A' is named twice");
}

#[test]
fn tests_and_tournaments_tell_whose_faults_they_were_and_why() {
    let lost = format!("lost 4 games by crash 4, illegal move 0, time 0; the first because {WHY}");
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
        let listed = report["moves"].as_array().expect("moves").clone();
        listed.into_iter().map(|listed| {
            let value = listed["value"].as_f64().expect("a value");
            (listed["move"].as_str().expect("a move").to_owned(), value)
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
