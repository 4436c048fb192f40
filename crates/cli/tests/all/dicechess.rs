//! Dice Chess on the command line, in processes of its own.

use crate::program::{wurfel, wurfel_with};
use serde_json::json;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn moves_are_counted_and_listed_by_kind() {
    let run = wurfel(&["perft", "--game", "dicechess", KIWIPETE, "3", "--json"]);
    assert_eq!(run.json()[0]["counts"], json!([48, 2049, 98_903]), "{}", run.err);
    let run = wurfel(&["moves", "--game", "dicechess", "--json", KIWIPETE]);
    let rolls = run.json()[0]["rolls"].clone();
    let counted = rolls.as_array().unwrap().iter().map(|roll| {
        let moves = roll["moves"].as_array().unwrap().len();
        (roll["roll"].as_str().unwrap().to_owned(), moves)
    });
    let counted: Vec<_> = counted.collect();
    let expected = [("P", 8), ("N", 11), ("B", 11), ("R", 5), ("Q", 9), ("K", 4)];
    assert_eq!(counted, expected.map(|(roll, moves)| (roll.to_owned(), moves)));
}

/// Collections of positions have castling rights of kings and rooks that are no longer in their places.
#[test]
fn castling_rights_that_the_board_rules_out_are_dropped_everywhere_on_request() {
    let stale = "r3k3/8/8/8/8/8/8/R4K1R w KQkq - 0 1";
    let normal = "r3k3/8/8/8/8/8/8/R4K1R w q - 0 1";
    let message = "character 26 is 'K', expected a king on e1 and a rook on h1 for this right";
    for command in ["moves", "render", "analyse", "rollout", "perft", "network planes"] {
        let words: Vec<&str> = command.split(' ').collect();
        let args = |more: &[&'static str]| {
            let own: &[&str] = match command {
                "perft" => &["1"],
                "analyse" => &["--depth", "1"],
                "rollout" => &["--games", "1", "--agent", "random"],
                _ => &[],
            };
            [&words[..], &["-"][..], own, &["--game", "dicechess", "--json"][..], more].concat()
        };
        let run = wurfel_with(&args(&[]), stale);
        assert!(run.code == 2 && run.out.contains(message), "{command}: {} {}", run.out, run.err);
        let run = wurfel_with(&args(&["--drop-castling"]), stale);
        assert_eq!(run.code, 0, "{command}: {}", run.err);
        assert_eq!(run.json()[0]["position"], normal, "{command}");
    }
    let typed = ["play", "--game", "dicechess", "--side", "both", "--position", stale];
    wurfel(&typed).refused(message);
    let run = wurfel_with(&[&typed[..], &["--drop-castling"]].concat(), "");
    assert!(!run.err.contains("expected a king"), "{}", run.err);
    // In UGI it is an option, in JSON a field.
    let engine = ["engine", "random", "--game", "dicechess"];
    let lines = format!(
        "position fen {stale}\nsetoption name DropCastling value yes\n\
         setoption name DropCastling value true\nposition fen {stale} moves @K\ngo depth 1\nquit\n"
    );
    let run = wurfel_with(&engine, &lines);
    assert!(run.out.contains(message), "{}", run.out);
    assert!(run.out.contains("option DropCastling: 'yes': expected true or false"), "{}", run.out);
    assert!(run.out.contains("bestmove f1"), "{}", run.out);
    let query = |drop: bool| {
        let query = json!({ "id": "1", "position": stale, "depth": 1, "dropCastling": drop });
        let json = [&engine[..], &["--protocol", "json"]].concat();
        wurfel_with(&json, format!("{query}\n")).json()[0].clone()
    };
    assert_eq!(query(false)["field"], "position");
    assert_eq!(query(true)["position"], normal);
}

/// The opening book of another program, and a capture as it writes it.
#[test]
fn positions_and_moves_of_other_programs_are_read() {
    let book = "r3k3/3P4/8/8/8/8/8/4K3 w q - BPR";
    let listed = wurfel(&["moves", book, "--game", "dicechess3", "--json"]);
    assert_eq!(listed.json()[0]["roll"], "PBR", "{}", listed.err);
    let run = wurfel(&["moves", book, "--game", "dicechess3", "--play", "d7e8"]);
    let written = wurfel(&["moves", book, "--game", "dicechess3", "--play", "d7e8q"]);
    assert!(run.code == 0 && run.out == written.out, "{} {}", run.out, run.err);
    // A move list begins with the position.
    let game = format!("{book} d7e8 1-0");
    let run = wurfel_with(&["convert", "-", "--game", "dicechess3", "--to", "moves"], &game);
    assert!(run.out.trim_end().ends_with("d7e8q 1-0"), "{} {}", run.out, run.err);
}

/// Only with this move can the rook capture the king; every other way takes one more die.
#[test]
fn moves_that_prepare_the_capture_of_the_king_are_listed() {
    let position = "1k6/8/8/8/N7/p7/1P6/1R4K1 w - - 0 30 PPR";
    let run = wurfel(&["moves", "--game", "dicechess3", "--json", position]);
    let moves = run.json()[0]["moves"].clone();
    assert!(moves.as_array().unwrap().contains(&json!("b2a3")), "{moves} {}", run.err);
}

#[test]
fn a_match_writes_its_games_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let out = path.to_str().unwrap();
    let game = ["--game", "dicechess3"];
    let args =
        [&["match", "greedy", "random", "--pairs", "3", "--csv", "--out", out], &game[..]].concat();
    let run = wurfel(&args);
    assert_eq!(run.code, 0, "{}", run.err);
    let moves = std::fs::read_to_string(folder.path().join("games.moves.csv")).unwrap();
    let column = moves.lines().next().unwrap().split(',').position(|name| name == "captured");
    let column = column.unwrap();
    let taken = moves.lines().filter(|line| matches!(line.split(',').nth(column), Some("k" | "K")));
    let games = std::fs::read_to_string(&path).unwrap();
    let won = games.lines().skip(1).filter(|line| !line.contains("1/2-1/2"));
    assert_eq!(taken.count(), won.count(), "every win is the capture of a king");
    // Several moves of one turn after a single roll of three dice.
    let first = games.lines().nth(1).unwrap();
    let record: serde_json::Value = serde_json::from_str(first).unwrap();
    let words: Vec<&str> = record["moves"].as_str().unwrap().split(' ').collect();
    assert!(words.iter().filter(|word| word.starts_with('@')).all(|roll| roll.len() == 4));
    assert!(words.windows(2).any(|pair| pair.iter().all(|word| !word.starts_with('@'))));
}

#[test]
fn an_analysis_of_three_dice_ends_however_short_its_time_is() {
    let sampling = "positions --game dicechess3 --from games --pieces 28 --count 20 --seed 5";
    let positions = wurfel(&sampling.split(' ').collect::<Vec<_>>()).out;
    assert_eq!(positions.lines().count(), 20);
    let analyse = "analyse - --game dicechess3 --agent champion --time 1ms --json";
    let run = wurfel_with(&analyse.split(' ').collect::<Vec<_>>(), &positions);
    assert_eq!((run.code, run.out.lines().count()), (0, 20), "{}", run.err);
}

#[test]
fn a_game_is_played_with_typed_dice() {
    let position = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1 -";
    let typed =
        ["--game", "dicechess3", "--side", "both", "--dice", "typed", "--position", position];
    let run = wurfel_with(&[&["play"], &typed[..]].concat(), "QQ\nkqp\ne2e4\ne2d2\nundo\ne2e8\n");
    assert!(run.out.contains("roll 'QQ': expected one of"), "{}", run.out);
    assert!(run.out.contains("move 'e2d2': expected one of"), "{}", run.out);
    assert!(run.out.trim_end().ends_with("white has won"), "{}", run.out);
    // A roll is corrected before the first move with it. Later that would give dice for nothing.
    let lines = "kqp\ne2e4\ndie\nundo\ndie\nkqp\ne2e8\n";
    let run = wurfel_with(&[&["play"], &typed[..]].concat(), lines);
    assert!(run.out.contains("die: expected before the first move of a turn"), "{}", run.out);
    assert_eq!(run.out.matches("white rolls: ").count(), 2, "{}", run.out);
    assert!(run.out.trim_end().ends_with("white has won"), "{}", run.out);
}

#[test]
fn a_game_of_a_person_is_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let position = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1 -";
    let typed = ["--game", "dicechess", "--side", "white", "--dice", "typed", "--agent", "random"];
    let files = ["--out", path.to_str().unwrap(), "--csv", "--position", position];
    let args = [&["play"], &typed[..], &files[..]].concat();
    let run = wurfel_with(&args, "k\ne1d1\nk\nk\nundo\ne1f1\n");
    assert!(!path.exists(), "the game is not over: {}", run.out);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    let run = wurfel_with(&args, "q\nundo\ne2e8\n");
    assert!(run.out.trim_end().ends_with("white has won"), "{} {}", run.out, run.err);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let games = read("game.games.csv");
    assert!(games.lines().nth(1).unwrap().contains(",person,random,"), "{games}");
    assert_eq!((games.lines().count(), read("game.moves.csv").lines().count()), (2, 2));
    assert!(read("game.jsonl").contains("\"moves\":\"@Q e2e8\""));
}

#[test]
fn an_error_rate_is_measured_where_nobody_knows_perfect_play() {
    let of = |agent: &str, analyser: &str| {
        let game = ["--game", "dicechess3", "--positions", "20", "--json"];
        wurfel(&[&["regret", agent, "--analyser", analyser][..], &game].concat())
    };
    let answer = &of("random", "champion:depth=1").json()[0];
    assert_eq!(
        (&answer["decisions"], &answer["analyser"]),
        (&20.into(), &"champion:depth=1".into())
    );
    assert!(answer["interval"][0].as_f64().unwrap() > 0.0, "{answer}");
    assert!(answer["worst"][0]["move"].as_str().unwrap().contains(' '), "whole turns: {answer}");
    let own = &of("champion:depth=1", "champion:depth=1").json()[0];
    assert_eq!((&own["regret"], &own["optimal"]), (&0.0.into(), &1.0.into()));
    of("random", "greedy").refused("the analyser gives no value");
    of("nobody", "greedy").refused("unknown agent 'nobody'");
    let args = ["regret", "greedy", "--analyser", "champion:depth=1", "--pieces", "4"];
    wurfel(&args).refused("cannot be used with");
}

#[test]
fn what_is_wrong_is_named() {
    wurfel(&["moves", "--game", "dicechess", "4k3/8 w"]).refused("expected eight ranks");
    wurfel(&["regret", "random", "--game", "dicechess"]).refused("searched to its end");
    wurfel(&["play", "--game", "dicechess", "--side", "red"]).refused("white");
}
