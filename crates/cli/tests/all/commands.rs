//! The commands as a user or a script runs them: as processes.

use std::io::Write;

use crate::program::{command, ended, has_worked, hears, send, wurfel, wurfel_with};
use serde_json::{Value, json};

const START: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1";

#[test]
fn moves_of_a_roll_and_of_all_rolls() {
    let run = wurfel(&["moves", START, "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        run.json(),
        [json!({"position": START, "roll": "4", "moves": ["a4b4", "a4a3", "a4b3"]})]
    );
    // Blue has cubes 1 and 6: 2 to 5 let it choose.
    let run = wurfel(&["moves", "A4/5/2a2/5/4f b - 7", "--json"]);
    let rolls = run.json()[0]["rolls"].clone();
    let weights: Vec<&Value> =
        rolls.as_array().unwrap().iter().map(|roll| &roll["weight"]).collect();
    assert_eq!(weights, [1, 4, 1]);
    assert_eq!(rolls[0]["moves"], json!(["c3b3", "c3c4", "c3b4"]));
}

#[test]
fn moves_are_played_in_every_game() {
    for (game, start, words, reached) in [
        ("einstein", "2B2/F4/5/3f1/4a r 2 1", "c5d4 @1 e1d1 @6", "5/F2B1/5/3f1/3a1 r 6 3"),
        ("einstein", "5/1a3/5/3A1/5 r 1 1", "", "5/1a3/5/3A1/5 r 1 1"),
        (
            "dicechess",
            "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
            "@P a2a4 @K e8e7",
            "8/4k3/8/8/P7/8/8/4K3 w - - 1 2",
        ),
    ] {
        let run = wurfel(&["moves", start, "--game", game, "--play", words]);
        assert_eq!((run.code, run.out.trim_end()), (0, reached), "{}", run.err);
        let run = wurfel(&["moves", start, "--game", game, "--play", words, "--json"]);
        let answer = &run.json()[0];
        assert_eq!(answer["position"], reached);
        assert_eq!(answer["moves"].is_array(), words.ends_with("@6") || words.is_empty());
    }
    let over = wurfel(&["moves", "A4/5/5/5/4F b - 9"]);
    assert_eq!((over.code, over.out.as_str()), (0, "the game is over: 1-0\n"), "{}", over.err);
    let over = wurfel(&["moves", "5/1a3/5/3A1/5 r 1 1", "--play", "d2e1", "--json"]);
    assert_eq!((&over.json()[0]["outcome"], over.code), (&json!("1-0"), 0), "{}", over.err);
    for (words, expected) in [
        ("c5d4 e1d1", "move 'e1d1': expected a roll, as in @4"),
        ("@3 c5d4", "roll '3': expected 2, which has not been played yet"),
        ("c5c6", "move 'c5c6'"),
    ] {
        let run = wurfel(&["moves", "2B2/F4/5/3f1/4a r 2 1", "--play", words]);
        assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
        assert!(run.err.contains(expected), "{}", run.err);
    }
}

/// The file that the page shows, written by hand, is read.
#[test]
fn the_file_of_games_in_the_documents_is_read() {
    let page = include_str!("../../../../docs/games-format.md");
    let file = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    std::fs::write(&path, file).unwrap();
    let path = path.to_str().unwrap();
    let run = wurfel(&["convert", path, "--to", "moves"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("@4 c2b2") && run.out.contains("@1 d3e2"), "{}", run.out);
    let run = wurfel(&["review", path, "--number", "1", "--depth", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn many_positions_are_answered_in_order_and_mistakes_lose_nothing() {
    let input = format!("{START}\n\nnonsense\n5/5/2C2/5/2cba r - 3\n");
    let run = wurfel_with(&["moves", "-", "--json"], &input);
    assert_eq!(run.code, 2);
    let answers = run.json();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["position"], START);
    assert_eq!(answers[1]["position"], "nonsense");
    assert!(answers[1]["error"].as_str().unwrap().contains("character 1 is 'n'"));
    assert_eq!(answers[2]["rolls"][0]["weight"], 6);
    assert!(run.err.contains("1 of 4 lines could not be answered"), "{}", run.err);
}

#[test]
fn thousands_of_positions_pass_through_one_process() {
    let input = format!("{START}\n").repeat(5000);
    for (args, field) in [
        (&["moves", "-", "--json"][..], "moves"),
        (&["perft", "-", "1", "--json"], "counts"),
        (&["analyse", "-", "--depth", "1", "--json"], "value"),
    ] {
        let run = wurfel_with(args, &input);
        let answers = run.json();
        assert_eq!((run.code, answers.len()), (0, 5000), "{}", run.err);
        assert!(
            answers
                .iter()
                .all(|answer| answer[field] == answers[0][field] && !answer[field].is_null())
        );
    }
}

#[test]
fn analyse_scores_every_move_for_the_side_to_move() {
    // Red wins immediately with e2e1; otherwise blue could capture the cube or reach its goal.
    let run = wurfel(&["analyse", "5/5/4a/4A/5 r 1 9", "--depth", "4", "--json"]);
    let answer = &run.json()[0];
    assert_eq!(answer["moves"], json!([{"move": "e2e1", "value": 1.0, "exact": true}]));
    assert_eq!(answer["value"], 1.0);
    for field in ["nodes", "depth", "seconds", "line"] {
        assert!(!answer[field].is_null(), "{field}");
    }
}

/// `alphazero` was said to visit `0.0 M nodes/s`, however many simulations it made.
#[test]
fn an_agent_that_counts_something_else_than_positions_says_so() {
    for (agent, counted) in [
        ("alphazero:simulations=50", "51 simulations"),
        ("uct:playouts=50", "50 playouts"),
        ("uct:playouts=50,total=1m", "50 playouts"),
        ("star2:depth=1", "3 nodes"),
    ] {
        let (number, unit) = counted.split_once(' ').unwrap();
        let run = wurfel(&["analyse", START, "--agent", agent]);
        let effort = run.out.lines().find(|line| line.starts_with(agent)).unwrap();
        let rate = effort.strip_suffix(&format!(" {unit}/s")).unwrap_or_else(|| panic!("{effort}"));
        assert!(effort.contains(&format!(", {counted}, ")) && !rate.ends_with(" 0"), "{effort}");
        let reply = wurfel(&["analyse", START, "--agent", agent, "--json"]).json().remove(0);
        assert_eq!(reply["nodes"].to_string(), number);
        assert_eq!(reply["counted"].as_str().unwrap_or("nodes"), unit);
    }
}

#[test]
fn analyse_reaches_the_exact_value_of_an_ending() {
    // 95/108 and 68/81 (rules page).
    for (side, value) in [("r", 95.0 / 108.0), ("b", 1.0 - 68.0 / 81.0)] {
        let position = format!("5/5/2C2/5/2cba {side} - 1");
        let run = wurfel(&["analyse", &position, "--depth", "30", "--json"]);
        let answer = &run.json()[0];
        // Tables round their values.
        assert!((answer["value"].as_f64().unwrap() - value).abs() < 5e-5, "{answer}");
        let moves = answer["rolls"][0]["moves"].as_array().unwrap();
        assert!(moves.iter().all(|scored| scored["exact"] == true));
    }
}

#[test]
fn perft_counts_from_the_start_from_a_position_and_from_a_roll() {
    assert_eq!(
        wurfel(&["perft", "4", "--json"]).json()[0]["counts"],
        json!([18, 324, 6162, 117_369])
    );
    assert_eq!(wurfel(&["perft", START, "2", "--json"]).json()[0]["counts"], json!([3, 54]));
    let nearest = wurfel(&["perft", "4", "--json", "--game", "einstein-nearest"]);
    assert_eq!(nearest.json()[0]["counts"], json!([18, 324, 6162, 117_339]));
}

#[test]
fn render_draws_text_and_svg() {
    let run = wurfel(&["render", START]);
    assert_eq!(
        run.out,
        "5  A  B  C  .  .\n4 (D) E  .  .  .\n3  F  .  .  .  f\n2  .  .  .  e  d\n\
         1  .  .  c  b  a\n   a  b  c  d  e\nply 1: red has rolled 4\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.svg");
    let run = wurfel(&["render", START, "-o", file.to_str().unwrap()]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // Only a picture is overwritten.
    assert_eq!(wurfel(&["render", START, "-o", file.to_str().unwrap()]).code, 0);
    let games = folder.path().join("games.jsonl");
    std::fs::write(&games, "games").unwrap();
    for ask in [&["render", START, "-o"][..], &["review", "@4 a4b4", "--depth", "1", "--svg"]] {
        wurfel(&[ask, &[games.to_str().unwrap()]].concat()).refused("exists");
        assert_eq!(std::fs::read_to_string(&games).unwrap(), "games");
    }
    let run = wurfel(&["render", START, "-o", folder.path().join("no/x.svg").to_str().unwrap()]);
    assert!(run.code != 0 && run.err.contains("cannot write"), "{}", run.err);
}

#[test]
fn the_lists_name_what_the_other_commands_take() {
    let games = wurfel(&["games", "--json"]).json();
    for game in games[0].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert_eq!(wurfel(&["perft", "1", "--game", name]).code, 0);
        let agents = wurfel(&["agents", "--json", "--game", name]).json();
        for agent in agents[0]["agents"].as_array().unwrap() {
            let name_of_agent = agent["name"].as_str().unwrap();
            // Agents that learn anew at every position are told to learn little.
            let options = agent["options"].as_array().unwrap();
            let learns = options.iter().any(|option| option["name"] == "episodes");
            let engine = format!("{} engine random --game {name}", env!("CARGO_BIN_EXE_wurfel"));
            let spec = match name_of_agent {
                "cmd" => &format!("cmd:\"{engine}\""),
                _ if learns => &format!("{name_of_agent}:episodes=1"),
                _ => name_of_agent,
            };
            let bounds = ["--pairs", "1", "--nodes", "20", "--luck", "off"];
            let args = [&["match", spec, "random", "--game", name, "--json"], &bounds[..]].concat();
            let run = wurfel(&args);
            assert_eq!(run.json()[0]["games"], 2, "{}", run.err);
        }
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    wurfel(&["moves", "ABC2/DE3/F3f/3ed/2cba x"]).refused("character 23 is 'x', expected the side");
    wurfel(&["analyse", "5/5/5/5/4A b - 9"]).refused("the game is over: red has won");
    wurfel(&["analyse", START, "--agent", "expecty"]).refused("did you mean 'expecti'?");
    wurfel(&["analyse", START, "--agent", "expecti:dpeth=3"]).refused("did you mean 'depth'?");
    wurfel(&["perft", "3", "--game", "einstien"]).refused("did you mean 'einstein'?");
    wurfel(&["perft", START]).refused("expected a whole number from 1 to 14");
    wurfel(&["perft", "21"]).refused("depth '21': expected a whole number from 1 to 14");
    wurfel(&["play", "--side", "rde"]).refused("did you mean 'red'?");
    wurfel(&["render", "-", "-o", "x.svg"]).refused("-o takes one position");
    wurfel(&["match", "random", "random", "--out", "/"]).refused("expected the name of a file");
    wurfel(&["play", "--position", "?"]).refused("character 1 is '?'");
    for args in [
        &["analyse", START, "--time", "soon"][..],
        &["analyse", START, "--depth", "0"],
        &["match", "random", "random", "--pairs", "0"],
        &["match", "random"],
        &["perft"],
        &["nonsense"],
    ] {
        let run = wurfel(args);
        assert!(run.err.starts_with("error: "), "{}", run.err);
        run.refused("expected");
    }
}

#[test]
fn what_the_system_refuses_is_not_the_users_mistake() {
    for args in [
        &["match", "random", "random", "--out", "/nowhere/at/all/x.jsonl"][..],
        &["render", START, "-o", "/nowhere/at/all/x.svg"],
    ] {
        let run = wurfel(args);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

#[test]
fn a_picture_goes_through_links_and_into_pipes_and_is_readable() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink(at("file.svg"), at("link.svg")).unwrap();
    std::fs::write(at("file.svg"), "<svg before").unwrap();
    assert_eq!(wurfel(&["render", START, "-o", at("link.svg").to_str().unwrap()]).code, 0);
    assert!(at("link.svg").is_symlink());
    assert!(std::fs::read_to_string(at("file.svg")).unwrap().starts_with("<svg "));
    wurfel(&["render", START, "-o", at("new.svg").to_str().unwrap()]);
    let mode = std::fs::metadata(at("new.svg")).unwrap().permissions().mode();
    assert_eq!(mode & 0o400, 0o400);
    assert!(!at("new.svg.part").exists());

    let pipe = at("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = command(&["render", START, "-o", pipe.to_str().unwrap()]).spawn().unwrap();
    assert!(std::fs::read_to_string(&pipe).unwrap().ends_with("</svg>\n"));
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn an_answer_comes_before_the_next_question() {
    use std::io::{BufRead, BufReader};
    let mut child =
        command(&["moves", "-", "--json"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        questions.write_all(format!("{START}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains("a4b4"), "{answer}");
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn bytes_that_are_no_text_are_one_mistake_like_others() {
    let mut child =
        command(&["moves", "-", "--json"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    questions.write_all(b"a\xff\xfe\n").unwrap();
    questions.write_all(START.as_bytes()).unwrap();
    drop(questions);
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.json().len()), (2, 2), "{}", run.err);
    assert!(run.json()[0]["error"].is_string() && run.json()[1]["moves"].is_array());
}

#[test]
fn an_answer_does_not_depend_on_the_questions_before() {
    let input = format!("{START}\n").repeat(3);
    let run = wurfel_with(&["analyse", "-", "--nodes", "50000", "--json"], &input);
    let answers: Vec<Value> = run
        .json()
        .into_iter()
        .map(|mut answer| {
            answer["seconds"] = Value::Null;
            answer
        })
        .collect();
    assert!(
        answers.len() == 3 && answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
    // A bounded analysis still shows a principal variation.
    assert!(answers[0]["line"].as_array().unwrap().len() > 1, "{}", answers[0]);
    assert!(answers[0]["nodes"].as_u64().unwrap() < 51_000, "{}", answers[0]);
}

/// Starts a command and sends it SIGINT once it has worked for a while or waits for input.
fn interrupted(args: &[&str], input: &str) -> crate::program::Run {
    let mut child = command(args).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    hears(&child);
    if args.len() > 2 {
        has_worked(&child, std::time::Duration::from_secs(1));
    }
    send(&child, "INT");
    let run = ended(child.wait_with_output().unwrap());
    drop(stdin);
    run
}

#[test]
fn a_stopped_analysis_shows_what_it_has_and_says_so() {
    let run = interrupted(&["analyse", START, "--depth", "40", "--json"], "");
    assert_eq!(run.code, 130, "{}", run.err);
    assert!(run.json()[0]["depth"].as_u64().unwrap() > 4, "{}", run.out);
    // Rolls that were searched to different depths have no common mean.
    let open = START.replace(" 4 ", " - ");
    let run = interrupted(&["analyse", &open, "--depth", "40", "--json"], "");
    assert_eq!((run.code, run.out.as_str()), (130, ""), "{}", run.err);
    // A position that was not searched has no answer either.
    let run =
        interrupted(&["analyse", "-", "--depth", "40", "--json"], &format!("{START}\n").repeat(9));
    assert_eq!((run.code, run.json().len()), (130, 1), "{}", run.err);
    // A command that waits for input has no results to keep.
    assert_eq!(interrupted(&["analyse", "-"], "").code, 130);
}

#[test]
fn a_stopped_solution_says_what_is_known() {
    // Building tables must not use up the time of the search.
    assert_eq!(wurfel(&["tables", "probe", "5/5/2C2/5/4a r"]).code, 0);
    let open = START.replace(" 4 ", " - ");
    let run = interrupted(&["solve", &open, "--json", "--jobs", "1", "--memory", "1"], "");
    assert_eq!(run.code, 130, "{}", run.err);
    let answer = &run.json()[0];
    assert!(answer["value"].is_null() && answer["low"].as_f64() < answer["high"].as_f64());
    assert_eq!(answer["rolls"].as_array().unwrap().len(), 6);
}

#[test]
fn positions_are_solved_and_looked_up() {
    let position = "5/1B3/5/5/2cba r";
    let solved = wurfel(&["solve", position, "--json"]).json().remove(0);
    let probe = wurfel(&["tables", "probe", position, "--json"]).json().remove(0);
    let (value, mean) = (probe["value"].as_f64().unwrap(), solved["value"].as_f64().unwrap());
    assert!((value - mean).abs() < 1e-4, "{probe} {solved}");
    assert_eq!(solved["rolls"].as_array().unwrap().len(), 1);

    // Five cubes are not in the tables of the tests: the search goes down to them.
    let analysed = ["analyse", "5/1B3/5/1d3/2cba r 2 1", "--agent", "star2:depth=64", "--json"];
    let analysed = wurfel(&analysed).json().remove(0);
    let solved = wurfel(&["solve", "5/1B3/5/1d3/2cba r 2 1", "--json"]).json().remove(0);
    for (one, other) in analysed["moves"]
        .as_array()
        .unwrap()
        .iter()
        .zip(solved["rolls"][0]["moves"].as_array().unwrap())
    {
        let difference = one["value"].as_f64().unwrap() - other["value"].as_f64().unwrap();
        assert!(difference.abs() < 1e-4, "{one} {other}");
    }

    // With tables an agent sees further than it searches, and says so.
    let spec = "star2:depth=1,tables=4";
    let near = wurfel(&["analyse", "5/1B3/5/5/2cba r 2 1", "--agent", spec, "--json"]);
    let moves = near.json()[0]["moves"].clone();
    assert!(moves.as_array().unwrap().iter().all(|of| of["exact"] == true), "{moves}");
}

#[test]
fn what_cannot_be_looked_up_is_refused() {
    let start = START.replace(" 4 ", " - ");
    wurfel(&["tables", "probe", START]).refused("expected one before the roll, found roll 4");
    wurfel(&["tables", "probe", &start]).refused("expected at most 4 pieces");
    wurfel(&["tables", "probe", "5/5/2C2/5/5 r"]).refused("the game is over");
    wurfel(&["solve", "5/5/2C2/5/5 r"]).refused("nothing to solve, the game is over");
    wurfel(&["tables", "build", "--pieces", "9", "--game", "einstein"])
        .refused("tables of einstein go up to 7 pieces, not 9");
    let agent = |spec| wurfel(&["analyse", START, "--agent", spec]);
    agent("star2:tables=8").refused("tables=8: expected none or a whole number from 2 to 7");
    agent("star2:tables=7").refused("`wurfel tables build --pieces 7` makes them");

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    wurfel(&["tables", "verify", "--dir", folder]).refused("no tables of einstein in");
    assert_eq!(wurfel(&["tables", "build", "--pieces", "3", "--dir", folder]).code, 0);
    let run = wurfel(&["tables", "info", "--dir", folder, "--json"]);
    assert_eq!(run.json()[1]["positions"], 91_770);
    assert!(wurfel(&["tables", "verify", "--dir", folder]).out.ends_with("no errors found\n"));
    let table = std::path::Path::new(folder).join("einstein-3.table");
    let mut bytes = std::fs::read(&table).unwrap();
    bytes[100_000] ^= 1;
    std::fs::write(&table, bytes).unwrap();
    wurfel(&["tables", "verify", "--dir", folder]).refused("is damaged near byte");
    wurfel(&["tables", "probe", "5/5/2C2/5/4a r", "--dir", folder]).refused("is damaged");
}

#[test]
fn positions_are_drawn_with_as_many_pieces_as_asked_for() {
    for from in ["random", "games"] {
        let ask = ["positions", "--pieces", "6", "--count", "5", "--from", from];
        let run = wurfel(&ask);
        assert_eq!((run.code, run.out.lines().count()), (0, 5), "{}", run.err);
        for line in run.out.lines() {
            let board = line.split(' ').next().unwrap();
            assert_eq!(board.chars().filter(char::is_ascii_alphabetic).count(), 6, "{line}");
        }
        assert_eq!(wurfel(&ask).out, run.out);
    }
    let refused = |words: &[&str], why: &str| wurfel(words).refused(why);
    let none = "--from random: expected --from games, the only source in dicechess";
    refused(&["positions", "--pieces", "5", "--game", "dicechess"], none);
    for from in ["random", "games"] {
        let none = "--pieces 13: expected a number of pieces that positions of einstein can have";
        refused(&["positions", "--pieces", "13", "--from", from], none);
    }
}

#[test]
fn solving_ends_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let run = wurfel(&["solve", START, "--time", "1ms", "--dir", folder, "--json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, answer["value"].as_f64()), (0, None), "{}", run.err);
    assert!(answer["low"].as_f64() < answer["high"].as_f64());
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = command(&["moves", "-"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..2000 {
        if stdin.write_all(format!("{START}\n").as_bytes()).is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}

/// Results of experiments are compared with this file: those of other searches are stale.
#[test]
fn the_signature_of_the_searches_is_the_one_that_is_known() {
    let lines = wurfel(&["bench", "--seconds", "0", "--json"]).json();
    let reply = |line: &Value| {
        let word = |key: &str| line[key].as_str().unwrap().to_owned();
        format!("{} {} {}\n", word("game"), word("agent"), word("signature"))
    };
    let reply: String = lines.iter().map(reply).collect();
    let known = include_str!("../../../lab/signature.txt");
    assert_eq!(reply, known, "if this was meant, crates/lab/signature.txt must be:\n{reply}");
    let games = wurfel(&["games", "--json"]).json();
    for game in games[0].as_array().unwrap() {
        let searches = lines.iter().filter(|line| line["game"] == game["name"]).count();
        assert!(searches >= 2, "{game}");
    }
}

#[test]
fn the_tour_shows_an_analysis_and_a_match() {
    let run = wurfel(&["tour"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for part in ["red has rolled 4", "a4b4", "win rate", "95 % interval"] {
        assert!(run.out.contains(part), "{part} is missing in\n{}", run.out);
    }
}
