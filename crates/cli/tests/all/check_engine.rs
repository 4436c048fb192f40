//! `wurfel check-engine` passes engines that follow the protocol, and fails every other one at the step
//! that it breaks.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::program::{Run, wurfel};
use serde_json::Value;

const WURFEL: &str = env!("CARGO_BIN_EXE_wurfel");

/// The report on the engine that this shell script runs.
fn checked(script: &str, args: &[&str]) -> (Run, Value) {
    let script = script.replace("WURFEL", WURFEL);
    let command = format!("sh -c '{script}'");
    let run = wurfel(&[&["check-engine", &command, "--json"], args].concat());
    let report = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    (run, report)
}

/// The names of the steps with this result.
fn steps<'a>(report: &'a Value, result: &str) -> Vec<&'a str> {
    let steps = report["steps"].as_array().unwrap().iter();
    steps.filter(|s| s["result"] == *result).map(|s| s["step"].as_str().unwrap()).collect()
}

/// An engine that receives each line as `change` leaves it. Unlike `sed`, which would wait for one more line, this
/// filter ends with the engine.
fn hearing(change: &str, engine: &str) -> String {
    let ends = "case $line in quit|exit) break;; esac";
    let reads = "while read -r line || [ -n \"$line\" ]";
    format!("{reads}; do {change}; printf \"%s\\n\" \"$line\"; {ends}; done | {engine}")
}

/// Asserts that an engine passes all steps.
fn passes(script: &str, args: &[&str]) -> Value {
    let (run, report) = checked(script, &[&["--level", "robust"], args].concat());
    let failed = report["steps"].as_array().unwrap().iter().filter(|s| s["result"] == "failed");
    assert_eq!(run.code, 0, "{script}: {:#?}", failed.collect::<Vec<_>>());
    report
}

/// Asserts that each of these engines fails its step. They wait most of the time, so all are checked at
/// once.
fn fail(engines: &[(String, &str)], args: &[&str]) {
    std::thread::scope(|threads| {
        for (script, step) in engines {
            threads.spawn(|| fails(script, step, args));
        }
    });
}

/// Asserts that an engine fails this step; it may fail others, too.
fn fails(script: &str, step: &str, args: &[&str]) {
    let options = ["--patience", "2s", "--level", "robust"];
    let (run, report) = checked(script, &[&options, args].concat());
    let failed = steps(&report, "failed");
    assert!(failed.contains(&step), "{script}: '{step}' is not among {failed:?}");
    assert_eq!(run.code, 1);
    assert_eq!(report["failed"], failed.len());
    assert_eq!(report["not_tried"], steps(&report, "not_tried").len());
}

#[test]
fn our_own_engine_passes_and_offers_everything() {
    let report = passes("WURFEL engine star2", &[]);
    assert!(report["steps"].as_array().unwrap().len() > 90, "{report}");
    assert_eq!(steps(&report, "not_offered"), [""; 0]);
    assert_eq!(steps(&report, "not_in_this_game"), [""; 0]);
    passes("WURFEL engine random", &[]);
}

/// An engine without queries failed four steps, and the rest was not tried. Here it gets only the commands that the
/// table of docs/bring-your-own-engine.md lists, besides invalid lines.
#[test]
fn an_engine_without_queries_passes() {
    let deaf = hearing("case $line in query*) continue;; esac", "WURFEL engine greedy");
    let report = passes(&deaf, &["--patience", "60s"]);
    let lacks = steps(&report, "not_offered");
    for query in ["p1turn", "p1turn before the roll", "gameover", "result"] {
        assert!(lacks.contains(&&*format!("query {query}")), "{lacks:?}");
    }
    assert_eq!(steps(&report, "not_tried"), [""; 0]);
}

#[test]
fn it_passes_in_other_games() {
    for game in ["einstein-nearest", "dicechess", "dicechess3"] {
        let report = passes(&format!("WURFEL engine greedy --game {game}"), &["--game", game]);
        // No piece of chess captures its own.
        let chess = game.starts_with("dice");
        let own = steps(&report, "not_in_this_game").contains(&"captures of own pieces");
        assert_eq!(own, chess, "{game}");
    }
}

#[test]
fn it_passes_by_the_course_protocol() {
    let report = passes("WURFEL engine greedy --protocol course", &["--protocol", "course"]);
    assert!(steps(&report, "passed").len() > 25, "{report}");
}

/// An engine that offers everything, like `star2`, and never searches for long.
const SEARCHING: &str = "WURFEL engine dfs";

/// Each of these engines is ours with one thing spoilt on its way in or out.
#[test]
fn every_wrong_engine_fails_the_step_that_it_breaks() {
    let spoilt = [
        ("\"s/^bestmove [a-e].*/bestmove c3c3/\"", "the start, each roll"),
        ("\"/readyok/d\"", "isready"),
        ("\"s/^bestmove [a-e].*/&\\n&/\"", "one answer to each go"),
        ("\"s/^bestmove [a-e].*/& a1a2/\"", "the start, each roll"),
        ("\"s/value 0/value 7/\"", "values"),
        ("\"s/weight 1/weight 2/\"", "weights of a report"),
        ("\"s/ weight 1 pv @3.*/ weight 1 pv @2 a1a2/\"", "a report has every roll once"),
        ("\"s/value 1/value x/;s/value 0/value 1/;s/value x/value 0/\"", "whose value it is"),
        ("\"/multipv 2/d\"", "MultiPV"),
        ("\"s/multipv 2/multipv 1/\"", "the order of MultiPV"),
        ("\"/info string error/d\"", "a move for another roll"),
        ("\"s/response true/response false/\"", "query p1turn"),
        ("\"s/^readyok/&\\nhello/\"", "nothing but lines of the protocol"),
        ("\"s/^option name Hash.*/option Hash 16/\"", "its options"),
        ("\"s/^bestmove 0000/bestmove a4b4/\"", "go ponder, stop"),
    ];
    let engine = |(filter, step)| (format!("{SEARCHING} | sed -u {filter}"), step);
    fail(&spoilt.map(engine), &[]);
}

#[test]
fn every_engine_that_hears_something_else_fails_the_step_that_it_breaks() {
    let engines = [
        // Another roll is played.
        (format!("sed -u \"s/ r 4 / r 1 /\" | {SEARCHING}"), "the start, each roll"),
        (format!("sed -u s/@4/@1/ | {SEARCHING}"), "rolls and moves after a position"),
        (format!("sed -u s/ponderhit.*/ponderhit\\ @6/ | {SEARCHING}"), "go ponder, ponderhit"),
        (format!("sed -u /^stop/d | {SEARCHING}"), "go infinite, stop"),
        (format!("sed -u /^hello/q | {SEARCHING}"), "an unknown command"),
        (format!("sed -u /^uginewgame/d | {SEARCHING}"), "uginewgame after a game"),
        // Longer lines than it can take.
        (format!("sed -u \"/x\\{{30000\\}}/q\" | {SEARCHING}"), "a line of 65536 bytes"),
        (format!("sed -u s/depth.1/depth\\ 3/ | {SEARCHING}"), "depth 1 looks no further"),
        ("sed -u /Seed/d | WURFEL engine random".to_owned(), "a seed"),
        // It goes on when its input has ended.
        (format!("{SEARCHING}; sleep 100"), "the end of its input"),
        (format!("sed -u s/^quit/stop/ | {SEARCHING}"), "quit"),
        ("exit 3".to_owned(), "ugi"),
        ("sleep 100".to_owned(), "ugi"),
        ("yes".to_owned(), "ugi"),
    ];
    fail(&engines, &[]);
}

#[test]
fn wrong_engines_of_the_course_protocol_are_found_out() {
    let course = "WURFEL engine greedy --protocol course";
    let engines = [
        (format!("{course} | sed -u \"s/ [A-E][1-5]$/ C3/\""), "the start, each roll"),
        (format!("sed -u \"s/^get R 4/get R 1/\" | {course}"), "the start, each roll"),
        (format!("{course} | sed -u \"s/^1$/0/\""), "the answer to board_setting 5 6"),
        (format!("{course} | sed -u \"s/A1/C3/\""), "ini R"),
        (format!("sed -u /^hello/q | {course}"), "an unknown command"),
        (format!("{course} | sed -u \"s/^wurfel$/&\\n&/\""), "one line for one line"),
    ];
    fail(&engines, &["--protocol", "course"]);
}

#[test]
fn the_report_for_people_says_what_was_found_in_place_of_what() {
    let engine = format!("sh -c '{WURFEL} engine greedy | sed -u s/^readyok/ready/'");
    let run = wurfel(&["check-engine", &engine, "--patience", "300ms"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.out.contains("  FAILED           isready\n      expected: readyok\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("found:    no answer within 300ms"), "{}", run.out);
    assert!(run.out.contains("  not tried        uginewgame (needs 'isready')\n"), "{}", run.out);
    assert!(run.out.contains(" steps: 1 FAILED, "), "{}", run.out);
    for verdict in ["plays a match  no: 1 failed, ", "complete       no: 1", "robust         no: 1"]
    {
        assert!(run.out.contains(verdict), "{}", run.out);
    }
    let last: Vec<&str> = run.out.lines().rev().take(2).collect();
    assert!(last[1].starts_with("to add: isready (") && last[0] == "      expected: readyok");
}

/// Asserts which levels an engine reaches, which decides about the exit code for each level; returns its failed steps.
fn reaches(levels: [bool; 3], script: &str, levels_asked: &[&str], args: &[&str]) -> Vec<String> {
    let mut failed = vec![];
    for level in levels_asked {
        let (run, report) =
            checked(script, &[&["--level", level, "--patience", "60s"], args].concat());
        let verdicts = report["levels"].as_array().unwrap();
        failed = steps(&report, "failed").into_iter().map(str::to_owned).collect();
        let reached: Vec<&Value> = verdicts.iter().map(|verdict| &verdict["reached"]).collect();
        assert_eq!(reached, levels, "{failed:?}");
        let own = verdicts.iter().find(|verdict| verdict["level"] == *level).unwrap();
        assert_eq!((&report["level"], &report["reached"]), (&own["level"], &own["reached"]));
        assert_eq!(run.code == 0, report["reached"] == true, "{level}");
    }
    failed
}

/// An engine that knows all that a match needs failed half of the steps, nearly all of them for want of one command.
#[test]
fn an_engine_for_matches_only_passes_for_matches_and_learns_once_what_it_lacks() {
    let moveless = hearing("line=${line%% moves*}", SEARCHING);
    let failed = reaches([true, false, false], &moveless, &["match", "complete"], &[]);
    assert_eq!(failed, ["rolls and moves after a position"]);
    let (course, args) = ("WURFEL engine greedy --protocol course", ["--protocol", "course"]);
    let ends = hearing("[ \"$line\" = \"hello engine\" ] && exit", course);
    let failed = reaches([true, true, false], &ends, &["complete", "robust"], &args);
    assert_eq!(failed, ["an unknown command"]);
    let odd = format!("{course} | sed -u s/^1$/ok/");
    let failed = reaches([true, false, false], &odd, &["match"], &args);
    assert_eq!(failed.len(), 5, "{failed:?}");
}

/// The report said only what had become of the position, or nothing.
#[test]
fn it_is_told_what_became_of_an_engine_after_a_long_line() {
    for (becomes, message) in [
        ("line=uginewgame", "nothing, then bestmove '0000' after position fen "),
        ("exit", "nothing, then it ended with exit code 0"),
        ("line=hello", ""),
    ] {
        let change = format!("[ ${{#line}} -gt 30000 ] && {becomes}");
        let script = hearing(&change, "WURFEL engine greedy");
        let (_, report) = checked(&script, &["--patience", "60s"]);
        let entries = report["steps"].as_array().unwrap();
        let long = entries.iter().find(|entry| entry["step"] == "a line of 65536 bytes").unwrap();
        assert!(long["found"].as_str().unwrap_or_default().starts_with(message), "{long}");
        assert_eq!(long["result"] == "passed", message.is_empty(), "{long}");
    }
}

#[test]
fn what_cannot_be_checked_is_refused() {
    wurfel(&["check-engine", "/no/such/engine"]).refused("'/no/such/engine' cannot be started");
    wurfel(&["check-engine", "cat", "--game", "chess"]).refused("unknown game 'chess'");
    let course = ["check-engine", "cat", "--protocol", "course", "--game", "dicechess"];
    wurfel(&course).refused("--protocol course: expected --game einstein");
}

/// The engines from which others begin pass, but for what a small engine need not have.
#[test]
#[ignore = "needs Python and a C++ compiler"]
fn the_starter_engines_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engines");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checked-ewn");
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O2", "-o"]).arg(&program);
    assert!(compiler.arg(folder.join("ewn.cpp")).status().expect("a compiler").success());
    for script in
        [format!("python3 {}", folder.join("ewn.py").display()), program.display().to_string()]
    {
        let report = passes(&script, &[]);
        assert!(steps(&report, "not_offered").contains(&"MultiPV"));
        assert!(steps(&report, "passed").contains(&"query result"));
    }
}
