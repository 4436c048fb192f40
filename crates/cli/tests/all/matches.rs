//! `match` and `tournament`, run as processes: they can be repeated, stopped and resumed, and they
//! write their games down.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{command, ended, send, wait_until, wurfel};
use serde_json::Value;

/// The parts of a match's answer that may differ between two runs.
fn timeless(mut answer: Value) -> Value {
    for field in ["seconds", "games_per_second"] {
        answer[field] = Value::Null;
    }
    for agent in answer["agents"].as_array_mut().unwrap() {
        agent["mean_seconds"] = Value::Null;
        agent["max_seconds"] = Value::Null;
    }
    answer
}

fn played(args: &[&str]) -> Value {
    let run = wurfel(&[&["match", "--json"], args].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    timeless(run.json()[0].clone())
}

#[test]
fn the_same_seed_gives_the_same_match_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let mut answers = vec![];
    let mut files = vec![];
    for jobs in ["1", "2", "8"] {
        let path = dir.path().join(format!("{jobs}.jsonl"));
        let agents = ["expecti:depth=2", "expecti:nodes=500"];
        let options = ["--pairs", "300", "--seed", "5", "--jobs", jobs, "--out"];
        answers.push(played(&[&agents[..], &options, &[path.to_str().unwrap()]].concat()));
        files.push(fs::read_to_string(path).unwrap());
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert!(files.iter().all(|file| *file == files[0]));
    assert_ne!(
        answers[0],
        played(&["expecti:depth=2", "expecti:nodes=500", "--pairs", "300", "--seed", "6"])
    );
}

#[test]
fn an_agent_and_itself_split_every_pair() {
    // Without chance of their own, the same agent on the same dice plays the
    // same game twice: each pair is one win and one loss.
    let answer = played(&["expecti:depth=1", "expecti:depth=1", "--pairs", "200"]);
    assert_eq!(answer["pair_points"], serde_json::json!([0, 0, 200, 0, 0]));
    assert_eq!(answer["win_rate"], 0.5);
}

#[test]
fn strength_shows_and_luck_does_not() {
    let answer = played(&["expecti:depth=3", "random", "--pairs", "300"]);
    assert!(answer["interval"][0].as_f64().unwrap() > 0.75, "{answer}");
    assert!(answer["los"].as_f64().unwrap() > 0.999);
    let answer = played(&["random", "random", "--pairs", "20000"]);
    let interval: Vec<f64> =
        answer["interval"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
    assert!(interval[1] - interval[0] < 0.02, "{answer}");
    // Five standard errors: not one seed in a million misses.
    assert!((answer["win_rate"].as_f64().unwrap() - 0.5).abs() < 0.0125, "{answer}");
}

#[test]
fn the_files_tell_the_same_games() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    let answer = played(&[
        "greedy",
        "expecti:depth=1,eval=zweistein",
        "--pairs",
        "50",
        "--csv",
        "--out",
        path,
    ]);
    let lines: Vec<Value> = fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["format"], "wurfel-games");
    assert_eq!(lines[0]["agents"], serde_json::json!(["greedy", "expecti:depth=1,eval=zweistein"]));
    assert_eq!(lines.len(), 101);
    let wins =
        lines[1..].iter().filter(|game| (game["result"] == "1-0") == (game["first"] == 0)).count();
    assert_eq!(answer["wins"], wins);
    // Both games of a pair have the same set-ups and dice.
    for pair in lines[1..].chunks(2) {
        assert_eq!(pair[0]["start"], pair[1]["start"]);
        let dice = |game: &Value| -> Vec<String> {
            let moves = game["moves"].as_str().unwrap();
            moves.split(' ').filter(|token| token.starts_with('@')).map(str::to_owned).collect()
        };
        assert!(dice(&pair[0]).iter().zip(dice(&pair[1])).all(|(one, other)| *one == other));
    }
    // Every recorded move is legal.
    let game = &lines[1];
    let first = format!("{} ", game["moves"].as_str().unwrap());
    let (roll, mv) = first[1..].split_once(' ').unwrap();
    let start = game["start"].as_str().unwrap().replace(" - ", &format!(" {roll} "));
    assert!(wurfel(&["moves", &start]).out.contains(mv.split(' ').next().unwrap()));

    let rows = |name: &str| -> Vec<Vec<String>> {
        let file = fs::read(dir.path().join(name)).unwrap();
        csv_rows(&String::from_utf8(file).unwrap())
    };
    let games = rows("games.games.csv");
    assert_eq!(games.len(), 101);
    assert_eq!(games[0][0..4], ["pair", "game", "first_agent", "second_agent"]);
    assert_eq!(games[1][3], "expecti:depth=1,eval=zweistein");
    let plies: u64 = lines[1..].iter().map(|game| game["plies"].as_u64().unwrap()).sum();
    assert_eq!(rows("games.moves.csv").len() as u64, plies + 1);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3, "no part is left");
}

#[test]
fn a_tournament_shows_games_won_sums_and_ranks() {
    let args = ["tournament", "random", "greedy", "expecti:depth=2", "--pairs", "10"];
    let answer = &wurfel(&[&args[..], &["--json"]].concat()).json()[0];
    let won = |agent: &Value| agent["won"].as_u64().unwrap();
    let agents = answer["standings"].as_array().unwrap();
    assert_eq!(agents.iter().map(won).sum::<u64>(), 60, "every game of EWN is won by somebody");
    assert!(agents[0]["turns_to_win"].as_f64().unwrap() > 3.0, "{answer}");
    let run = wurfel(&[&args[..], &["--show", "games"]].concat());
    let table: Vec<&str> = run.out.lines().take(5).collect();
    assert_eq!(table[0], "| | agent | 1 | 2 | 3 | sum | rank |");
    for agent in agents {
        let name = format!("| `{}` | ", agent["agent"].as_str().unwrap());
        let end = format!(" | {} | {} |", won(agent), agent["rank"]);
        let row = table.iter().find(|row| row.contains(&name)).unwrap();
        assert!(row.ends_with(&end), "{row} {end}");
    }
}

#[test]
fn agents_choose_their_set_ups() {
    let args = ["expecti:depth=2", "random", "--pairs", "4", "--setups", "chosen"];
    let answer = played(&args);
    assert_eq!(answer["setups"], "chosen");
    let chosen = &answer["agents"][0]["setups"];
    assert!(chosen["first"].as_str().is_some_and(|text| text.starts_with('S')), "{chosen}");
    assert_eq!(answer["agents"][1]["setups"]["second"], Value::Null);
    let chess = ["match", "greedy", "random", "--game", "dicechess", "--setups", "chosen"];
    wurfel(&chess).refused("which dicechess is not");
}

/// Fields of CSV lines, with quotes.
fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let fields = |line: &str| {
        let mut fields = vec![String::new()];
        let mut quoted = false;
        for character in line.chars() {
            match character {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                _ => fields.last_mut().unwrap().push(character),
            }
        }
        fields
    };
    text.lines().map(fields).collect()
}

#[test]
fn files_that_are_there_are_not_lost() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let name = path.to_str().unwrap();
    let args = ["match", "random", "random", "--pairs", "5", "--out", name];
    assert_eq!(wurfel(&args).code, 0);
    let before = fs::read(&path).unwrap();
    wurfel(&args).refused("already exists");
    assert!(fs::read(&path).unwrap() == before);
    fs::rename(&path, dir.path().join("games.jsonl.part")).unwrap();
    let other = ["match", "random", "greedy", "--pairs", "5", "--out", name];
    wurfel(&other).refused("is an unfinished file of other work");
    assert!(fs::read(dir.path().join("games.jsonl.part")).unwrap() == before);
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

#[test]
fn tables_that_lag_behind_are_caught_up() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let out = path.to_str().unwrap();
    let args = ["match", "random", "random", "--pairs", "40", "--csv", "--out", out];
    assert_eq!(wurfel(&args).code, 0);
    let files = ["games.jsonl", "games.games.csv", "games.moves.csv"];
    let lines = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap().lines().count();
    let whole = files.map(lines);
    let records = fs::read(&path).unwrap();
    // A kill may leave each file cut off at another place, and one within a line.
    for (name, share) in files.iter().zip([100, 60, 35]) {
        let bytes = fs::read(dir.path().join(name)).unwrap();
        let part = dir.path().join(format!("{name}.part"));
        fs::write(part, &bytes[..bytes.len() * share / 100]).unwrap();
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    assert_eq!(wurfel(&args).code, 0);
    assert_eq!(files.map(lines), whole);
    assert!(fs::read(&path).unwrap() == records);
}

/// A row that was missing in the middle of a table used to stay missing after a resume, and behind a damaged line
/// all games were played again.
#[test]
fn a_line_that_is_missing_or_damaged_is_named_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    // A name with a comma in it is quoted in the tables.
    let agents = ["random", "expecti:depth=1,eval=zweistein"];
    let out = ["--pairs", "20", "--csv", "--out", path.to_str().unwrap()];
    let args = [&["match"], &agents[..], &out].concat();
    assert_eq!(wurfel(&args).code, 0);
    let files = ["games.jsonl", "games.games.csv", "games.moves.csv"];
    let whole = files.map(|name| fs::read_to_string(dir.path().join(name)).unwrap());
    // Only the times may differ.
    let keys = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(dir.path().join(name)).unwrap();
        let columns = if name.ends_with("games.csv") { 2 } else { 7 };
        let key = |line: &str| line.split(',').take(columns).collect::<Vec<_>>().join(",");
        text.lines().map(key).collect()
    };
    let tables = files.map(keys);
    let part = |name: &str| dir.path().join(format!("{name}.part"));
    for name in files {
        fs::rename(dir.path().join(name), part(name)).unwrap();
    }
    let cases = [
        (0, 8, "", "game 0 of pair 4: expected game 1 of pair 3"),
        (0, 8, "{}\n", "expected a game: missing field"),
        (1, 7, "", "expected a row of game 0 of pair 3, as the records have it"),
        (2, 5, "", "expected a row of game 0 of pair 0"),
        (2, 100, "1,2\n", "expected a row of game"),
        (2, 0, "pair,game\n", "expected the columns pair,game,"),
    ];
    for (damaged, line, instead, message) in cases {
        let lines = whole[damaged].split_inclusive('\n').enumerate();
        let text: String =
            lines.map(|(number, text)| if number == line { instead } else { text }).collect();
        fs::write(part(files[damaged]), &text).unwrap();
        let run = wurfel(&args);
        run.refused(&format!("{}.part', line {}: {message}", files[damaged], line + 1));
        for (name, whole) in files.iter().zip(&whole) {
            let wanted = if *name == files[damaged] { &text } else { whole };
            assert!(fs::read_to_string(part(name)).unwrap() == *wanted, "{message}: {name}");
        }
        fs::write(part(files[damaged]), &whole[damaged]).unwrap();
    }
    // A table without a line end was emptied.
    fs::write(part(files[2]), "notes").unwrap();
    wurfel(&args).refused("games.moves.csv.part' is an unfinished file of other work");
    assert_eq!(fs::read_to_string(part(files[2])).unwrap(), "notes");
    fs::write(part(files[2]), &whole[2]).unwrap();
    // A table that has more than the records, as a kill may leave it.
    let records: String = whole[0].split_inclusive('\n').take(20).collect();
    fs::write(part(files[0]), records).unwrap();
    assert_eq!(wurfel(&args).code, 0);
    assert!(fs::read_to_string(&path).unwrap() == whole[0]);
    assert!(files.map(keys) == tables);
}

/// Tables cannot be made up for, and without `--csv` they would stop growing beside the games.
#[test]
fn a_match_is_resumed_with_the_tables_that_it_was_begun_with() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let plain = ["match", "random", "greedy", "--pairs", "20", "--out", path.to_str().unwrap()];
    let tables = [&plain[..], &["--csv"]].concat();
    let files =
        ["games.jsonl", "games.games.csv", "games.moves.csv"].map(|name| dir.path().join(name));
    let cut = |of: &[PathBuf]| {
        for file in of {
            let text = fs::read(file).unwrap();
            fs::write(file.with_added_extension("part"), &text[..text.len() / 2]).unwrap();
            fs::remove_file(file).unwrap();
        }
    };
    assert_eq!(wurfel(&plain).code, 0);
    let games = fs::read(&path).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    cut(&files[..1]);
    let part = fs::read(dir.path().join("games.jsonl.part")).unwrap();
    wurfel(&tables).refused("games.jsonl.part' was begun without tables: run without them,");
    assert_eq!(fs::read(dir.path().join("games.jsonl.part")).unwrap(), part, "nothing is lost");
    let run = wurfel(&plain);
    assert!(run.out.contains("times leave out the"), "{}", run.out);
    assert!(fs::read(&path).unwrap() == games);

    fs::remove_file(&path).unwrap();
    assert_eq!(wurfel(&tables).code, 0);
    cut(&files);
    wurfel(&plain).refused("games.games.csv.part' is an unfinished table: run with tables again,");
    let run = wurfel(&tables);
    assert!(run.code == 0 && !run.out.contains("times leave out"), "{}", run.out);
    assert!(fs::read(&path).unwrap() == games);
}

/// Starts a match and sends it a signal once it has written something. Returns the exit code,
/// which is 0 if the match ended first.
fn broken_off(args: &[&str], part: &Path, signal: &str) -> i32 {
    let mut child = command(args).spawn().unwrap();
    wait_until(|| size(part) >= 1 << 18 || child.try_wait().unwrap().is_some());
    if child.try_wait().unwrap().is_none() {
        send(&child, signal);
    }
    ended(child.wait_with_output().unwrap()).code
}

fn borrowed(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

#[test]
fn a_match_that_was_broken_off_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.jsonl");
    let parts = dir.path().join("parts.jsonl");
    let args = |path: &Path| {
        let path = path.to_str().unwrap().to_owned();
        let words = "match random greedy --pairs 6000 --seed 3 --json --csv --out";
        words.split(' ').map(str::to_owned).chain([path]).collect::<Vec<String>>()
    };
    let wanted = timeless(wurfel(&borrowed(&args(&whole))).json()[0].clone());

    let part = dir.path().join("parts.jsonl.part");
    let again = args(&parts);
    let again = borrowed(&again);
    // After Ctrl-C the result so far is shown; a killed match says nothing.
    for (signal, code) in [("INT", 130), ("KILL", -1)] {
        let ended = loop {
            match broken_off(&again, &part, signal) {
                0 => {
                    for kind in ["jsonl", "games.csv", "moves.csv"] {
                        fs::remove_file(parts.with_extension(kind)).unwrap();
                    }
                }
                code => break code,
            }
        };
        assert_eq!(ended, code);
        assert!(!parts.exists());
    }
    let run = wurfel(&again);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(timeless(run.json()[0].clone()), wanted);
    assert!(fs::read(&parts).unwrap() == fs::read(&whole).unwrap());
    let rows = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap().lines().count();
    assert_eq!(rows("parts.games.csv"), rows("whole.games.csv"));
    assert_eq!(rows("parts.moves.csv"), rows("whole.moves.csv"));
}

#[test]
fn time_bounds_are_kept() {
    let args = ["match", "expecti", "greedy", "--pairs", "2", "--time", "5ms", "--json"];
    // On a busy machine an agent may be late now and then, but not on every move.
    let resumed = || {
        let answer = &wurfel(&args).json()[0];
        let agent = &answer["agents"][0];
        agent["time_losses"] == 0 && agent["mean_seconds"].as_f64().unwrap() < 0.1
    };
    assert!((0..20).any(|_| resumed()));
}
