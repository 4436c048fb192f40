//! `convert`, `review` and `rollout`, run as processes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::program::{command, ended, has_worked, send, wurfel, wurfel_with};
use serde_json::Value;

/// A file with the games of a short match.
fn games(folder: &Path, name: &str, pairs: &str) -> String {
    let path = folder.join(name);
    let path = path.to_str().unwrap();
    let run = wurfel(&["match", "greedy", "random", "--pairs", pairs, "--out", path]);
    assert_eq!(run.code, 0, "{}", run.err);
    path.to_owned()
}

#[test]
fn games_go_into_every_form_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(folder.path(), "games.jsonl", "2");
    let records = folder.path().join("records");
    let run = wurfel(&["convert", &path, "--to", "wtn", "--out", records.to_str().unwrap()]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let names: Vec<_> = fs::read_dir(&records).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(names.len(), 4);
    assert!(names.iter().all(|name| name.to_string_lossy().contains("WTN-")), "{names:?}");
    let moves = wurfel(&["convert", &path, "--to", "moves"]).out;
    let lines = |text: &str| -> Vec<Value> {
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let before = lines(&fs::read_to_string(&path).unwrap());
    // Move lists lose the names of the players and the pairs.
    let again = lines(&wurfel_with(&["convert", "-", "--to", "jsonl"], &moves).out);
    for (one, other) in before.iter().zip(&again) {
        for field in ["start", "moves", "result", "plies"] {
            assert_eq!(one[field], other[field], "{field}");
        }
        assert_eq!(other["game"], 0);
    }
    // WTN keeps the names, too.
    let one = names.iter().map(|name| name.to_str().unwrap()).min().unwrap();
    let again = lines(&wurfel(&["convert", one, "--to", "jsonl"]).out);
    assert!(before.iter().any(|game| game["moves"] == again[0]["moves"]));
    let out = folder.path().join("again.txt");
    let out = out.to_str().unwrap();
    assert_eq!(wurfel(&["convert", &path, "--to", "moves", "--out", out]).code, 0);
    assert_eq!(fs::read_to_string(out).unwrap(), moves);
    wurfel(&["convert", &path, "--to", "moves", "--out", out]).refused("already exists");
}

#[test]
fn names_of_files_are_cut_off_where_they_are_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let name = "队".repeat(300);
    let record = format!(
        "#[WTN][{name} R][蓝队 B][后手胜][][];\n\
        R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6\nB:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1\n1:5;(R5,B3)\n"
    );
    let out = folder.path().join("records");
    let args = ["convert", "-", "--to", "wtn", "--out", out.to_str().unwrap()];
    let run = wurfel_with(&args, &record);
    assert_eq!(run.code, 0, "{}", run.err);
    let written = fs::read_dir(&out).unwrap().next().unwrap().unwrap().path();
    assert!(written.to_string_lossy().ends_with("队.txt"), "{written:?}");
    assert_eq!(fs::read_to_string(written).unwrap().replace('\n', ""), record.replace('\n', ""));
}

#[test]
fn a_conversion_tells_what_is_lost_and_gbk_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let record = "#[WTN][红队 R][蓝队 B][后手胜][2026.08.01 14:00 Beijing][2026 CCGC];\n\
        R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6\nB:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1\n1:5;(R5,B3)\n";
    let run = wurfel_with(&["convert", "-", "--to", "jsonl"], record);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines = run.out;
    let run = wurfel_with(&["convert", "-", "--to", "moves"], record);
    let lost = "moves does not hold the players (1 game), the time (1 game), the place (1 game), \
        the event (1 game)\n";
    assert_eq!((run.code, run.err.as_str()), (0, lost));
    let out = folder.path().join("record.txt");
    let gbk = ["convert", "-", "--to", "wtn", "--encoding", "gbk"];
    let run = wurfel_with(&[&gbk[..], &["--out", out.to_str().unwrap()]].concat(), &lines);
    assert_eq!(run.code, 0, "{}", run.err);
    let name = out.join("WTN-红队 vs 蓝队-后手胜-Beijing 2026.08.01 14_00-2026 CCGC.txt");
    assert!(std::str::from_utf8(&fs::read(&name).unwrap()).is_err());
    // Strictly as it was, to the byte.
    let again = wurfel(&["convert", name.to_str().unwrap(), "--to", "wtn"]);
    assert_eq!((again.out.as_str(), again.code), (record, 0), "{}", again.err);
    let strange = lines.replace("红队", "红🎲");
    wurfel_with(&gbk, &strange).refused("'🎲' is not in GBK");
}

/// Most forms have no place for the reason of a game that a fault decided, and `convert` says so. Files of
/// several games may have more than two players, which JSON lines cannot hold.
#[test]
fn a_conversion_tells_of_faults_that_are_lost_and_of_players_that_are_too_many() {
    let header = r#"{"format":"wurfel-games","version":1,"program":"test","game":"einstein","agents":["A","B"],"pairs":1,"seed":1,"depth":null,"nodes":null,"time_us":null}"#;
    let lost = r#"{"pair":0,"game":0,"first":0,"start":"5/1a3/5/3A1/5 r - 1","moves":"@1 d2d1","result":"1-0","fault":[1,"crash"],"reason":"it ended with exit code 7","plies":1}"#;
    let games = format!("{header}\n{lost}\n");
    let run = wurfel_with(&["convert", "-", "--to", "moves"], &games);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("the faults with their reasons (1 game)"), "{}", run.err);
    let run = wurfel_with(&["convert", "-", "--to", "jsonl"], &games);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("it ended with exit code 7"), "{}", run.out);
    assert!(run.out.contains("\"pairs\":1,\"seed\":1,"), "{}", run.out);

    let head = r#"{"format":"wurfel-tournament","version":1,"program":"test","tournament":{"game":"einstein","format":"round-robin","participant":[{"name":"A","agent":"uct"},{"name":"B","agent":"star2"},{"name":"C","agent":"greedy"}]}}"#;
    let game = |number: u32, players: &str| {
        let meeting =
            format!(r#"{{"number":{number},"round":1,"players":{players},"mean_ms":[0,0],"#);
        meeting + &lost[1..]
    };
    let setups = r#"{"setups":[[null,null],[null,null],[null,null]]}"#;
    let cup = [head, setups, &game(0, "[0,1]"), &game(1, "[1,2]")].join("\n") + "\n";
    let run = wurfel_with(&["convert", "-", "--to", "jsonl"], &cup);
    run.refused("game 2 is of B and C, the first of A and B: expected the same two players");
    // In a folder each two have a file.
    let cup = cup + &game(2, "[1,0]") + "\n";
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games");
    let run = wurfel_with(&["convert", "-", "--to", "jsonl", "--out", out.to_str().unwrap()], &cup);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let players = |name: &str| -> Vec<String> {
        let run =
            wurfel(&["replay", out.join(name).to_str().unwrap(), "--number", "1", "--ply", "1"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let text = fs::read_to_string(out.join(name)).unwrap();
        let first = |line: &str| serde_json::from_str::<Value>(line).unwrap()["first"].to_string();
        text.lines().skip(1).map(first).collect()
    };
    assert_eq!(players("A - B.jsonl"), ["0", "1"]);
    assert_eq!(players("B - C.jsonl"), ["0"]);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
}

#[test]
fn a_game_is_replayed_forward_and_back() {
    let game = "5/1A3/2B2/2c1a/5 b 4 1 c2b2 @1 b4c4 @3 b2a2 1-0";
    let all = wurfel(&["replay", game, "--all"]);
    assert_eq!(all.code, 0, "{}", all.err);
    assert!(all.out.starts_with("red against blue: 1-0, 3 turns\n"), "{}", all.out);
    for part in ["blue plays c2b2", "red plays b4c4", "blue plays b2a2", "red has won"] {
        assert_eq!(all.out.matches(part).count(), 1, "'{part}' in\n{}", all.out);
    }
    let second = wurfel(&["replay", game, "--ply", "2"]).out;
    assert!(second.ends_with("red plays b4c4\n") && all.out.contains(&second), "{second}");
    let steps = wurfel_with(&["replay", "-"], game);
    assert!(steps.out.trim_end().ends_with("blue plays c2b2\n>"), "{}", steps.out);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    fs::write(&path, game).unwrap();
    let typed = "n\n\nb\n4\nn\n9\nfirst\nb\nback to the start\nhelp\nlast\nq\nn\n";
    let run = wurfel_with(&["replay", path.to_str().unwrap()], typed);
    let shown: Vec<&str> =
        run.out.lines().filter(|line| line.contains(" plays ") || *line == "red has won").collect();
    let (one, two, three) = ("blue plays c2b2", "red plays b4c4", "blue plays b2a2");
    assert_eq!(shown, [one, two, three, two, "red has won", one, "red has won"]);
    let nothing = "> there is nothing more: expected a ply from 1 to 4";
    assert_eq!(run.out.matches(nothing).count(), 3, "{}", run.out);
    assert!(run.out.contains("'back to the start': expected n or Enter"), "{}", run.out);
    wurfel(&["replay", game, "--ply", "5"]).refused("--ply 5: expected a ply from 1 to 4");
    let two = games(folder.path(), "games.jsonl", "1");
    wurfel(&["replay", &two]).refused("2 games: expected --number with one from 1 to 2");
}

#[test]
fn what_is_no_game_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(folder.path(), "games.jsonl", "1");
    let broken = folder.path().join("broken.jsonl");
    let text = fs::read_to_string(&path).unwrap().replace("\"result\":\"", "\"result\":\"7");
    fs::write(&broken, text).unwrap();
    let broken = broken.to_str().unwrap();
    for (args, message) in [
        (
            &["convert", "@4 a4b5", "--to", "wtn"][..],
            "line 1, column 4: move 'a4b5': expected one of a4b4",
        ),
        (
            &["convert", "@4 a4b4", "--to", "pgn"],
            "unknown form 'pgn': expected one of jsonl, moves, wtn",
        ),
        (&["convert", &path, "--to", "wtn"], "2 games: wtn has a file for each"),
        (
            &["convert", &path, "--to", "moves", "--game", "einstein-nearest"],
            "line 1, column 1: expected games of einstein-nearest",
        ),
        (
            &["convert", "A4/5/5/5/4a r @1 a5b4", "--to", "wtn"],
            "expected both set-ups before ply 1",
        ),
        (&["review", broken], "line 2, column 1: result '7"),
        (&["review", &path, "--svg", "x.svg"], "--svg draws one game, but there are 2"),
        (&["review", &path, "--agent", "greedy"], "expected an agent that scores every move"),
        (&["review", &path, "--agent", "champignon"], "did you mean 'champion'?"),
        (&["rollout", "5/5/5/3a1/4A r - 1"], "the game is over"),
        (&["rollout", "nonsense"], "character 1 is 'n'"),
        (&["rollout", "5/5/2C2/5/2cba r - 1", "--se", "0"], "--se '0': expected a number"),
        (
            &["rollout", "5/5/2C2/5/2cba r - 1", "--games", "0"],
            "--games '0': expected a whole number",
        ),
    ] {
        wurfel(args).refused(message);
    }
    let run = wurfel(&["review", "no-such-file"]);
    assert_eq!((run.code, run.err.lines().count()), (1, 1), "{}", run.err);
    let run = wurfel_with(&["review", "-"], "");
    run.refused("standard input: line 1, column 1: expected a game");
}

#[test]
fn a_review_in_json_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(folder.path(), "games.jsonl", "3");
    let run = wurfel(&["review", &path, "--depth", "2", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let answers = run.json();
    assert_eq!(answers.len(), 7);
    let number = |value: &Value| value.as_f64().unwrap();
    for answer in &answers[..6] {
        let change = number(&answer["final"]) - number(&answer["initial"]);
        let sum = number(&answer["luck"]) - number(&answer["lost"]) + number(&answer["residual"]);
        assert!((sum - change).abs() < 1e-9, "{answer}");
        for decided in answer["moves"].as_array().unwrap() {
            let (best, rolled) = (number(&decided["best"]), number(&decided["rolled"]));
            assert!((rolled - number(&decided["before"]) - number(&decided["luck"])).abs() < 1e-9);
            assert!((best - number(&decided["value"]) - number(&decided["lost"])).abs() < 1e-9);
        }
    }
    assert_eq!(answers[6]["games"], 6);
    assert_eq!(answers[6]["players"][0]["player"], "greedy");
    // One thread gives the same answer, byte for byte.
    assert_eq!(wurfel(&["review", &path, "--depth", "2", "--json", "--jobs", "1"]).out, run.out);
}

#[test]
fn games_are_listed_and_one_of_them_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(folder.path(), "games.jsonl", "2");
    let run = wurfel(&["review", &path, "--list"]);
    assert_eq!((run.code, run.out.lines().count()), (0, 4), "{}", run.err);
    assert!(run.out.starts_with("   1  greedy against random: "), "{}", run.out);
    assert!(run.out.contains("   2  random against greedy: "), "{}", run.out);
    let listed = wurfel(&["review", &path, "--list", "--json"]).json();
    assert_eq!((&listed[3]["number"], &listed[3]["players"][0]), (&4.into(), &"random".into()));
    let all = wurfel(&["convert", &path, "--to", "moves"]).out;
    let third = wurfel(&["convert", &path, "--number", "3", "--to", "moves"]).out;
    assert_eq!(third.trim(), all.split("\n\n").nth(2).unwrap().trim());
    let review = wurfel(&["review", &path, "--number", "3", "--depth", "1", "--json"]).json();
    assert_eq!((review.len(), &review[0]["players"][0]["player"]), (2, &"greedy".into()));
    wurfel(&["review", &path, "--number", "5"])
        .refused("--number 5: expected a number from 1 to 4");
}

/// A match wrote what was left of a roll before each further move of a turn, and `convert` did not.
#[test]
fn a_roll_is_written_once_for_all_moves_that_are_made_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").to_str().unwrap().to_owned();
    let game = ["--game", "dicechess3", "--pairs", "1", "--out", &path];
    let run = wurfel(&[&["match", "random", "random"][..], &game].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let moves = |text: &str| -> Vec<Value> {
        let records = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.map(|record| record["moves"].clone()).collect()
    };
    let converted = wurfel(&["convert", &path, "--to", "jsonl"]).out;
    assert_eq!(moves(&fs::read_to_string(&path).unwrap()), moves(&converted));
}

#[test]
fn what_the_site_saves_is_read_and_what_holds_no_game_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let room = r#"{"format":"wurfel-room","version":2,"id":"1","game":"dicechess3",
        "start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -",
        "players":[{"kind":"person"},{"kind":"agent","spec":"random"}],"dice":{"kind":"typed"},
        "pace_ms":0,"begun":true,"steps":[{"roll":"PNB","move":"e2e4"},
        {"roll":"NB","move":"f1c4","rest":true},{"roll":"N","move":"g1f3","rest":true},
        {"roll":"RRR","move":"0000"}],"end":{"result":"1-0","reason":"time"}}"#;
    let path = file("saved.json", room);
    let run = wurfel(&["convert", &path, "--to", "jsonl"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let [header, record] = <[Value; 2]>::try_from(run.json()).unwrap();
    assert_eq!((&header["game"], &header["agents"][1]), (&"dicechess3".into(), &"random".into()));
    assert_eq!(record["moves"], "@PNB e2e4 f1c4 g1f3 @RRR 0000");
    assert_eq!(
        (&record["result"], &record["fault"]),
        (&"1-0".into(), &serde_json::json!([1, "time"]))
    );
    // The site writes the same record on one line.
    let line = room.replace('\n', " ");
    assert_eq!(wurfel(&["convert", &file("line.json", &line), "--to", "jsonl"]).out, run.out);
    let review = wurfel(&["review", &path, "--depth", "1", "--json"]);
    assert_eq!(review.code, 0, "{}", review.err);
    let out = folder.path().join("all.jsonl");
    let all = out.to_str().unwrap();
    let run = wurfel(&["tournament", "random", "greedy", "--pairs", "1", "--out", all]);
    assert_eq!(run.code, 0, "{}", run.err);
    let played = folder.path().join("games.jsonl");
    let played = played.to_str().unwrap();
    let args = ["match", "greedy", "random", "--pairs", "1", "--csv", "--out", played];
    assert_eq!(wurfel(&args).code, 0);
    let tables = [".games.csv", ".moves.csv"].map(|end| played.replace(".jsonl", end));
    let broken = file("broken.json", &room.replace("f1c4", "f1c5"));
    for (path, message) in [
        (all, "a tournament's file holds results, no games"),
        (&tables[0], "a table holds no positions"),
        (&tables[1], "a table holds no positions"),
        (&file("samples.jsonl", "{\"turn\":\"5/5/5/5/5 r\",\"value\":0.5}\n"), "not games"),
        (&file("metrics.jsonl", "{\"round\":1,\"games\":9}\n"), "not games"),
        (&broken, "line 1, column 1: move 'f1c5'"),
        (&file("new.json", &room.replace("\"version\":2", "\"version\":9")), "expected version 2"),
        (&file("cut.json", &line[..200]), "expected a header of wurfel-games"),
    ] {
        wurfel(&["review", path]).refused(message);
    }
    wurfel(&["review", &path, "--game", "einstein"])
        .refused("expected games of einstein, found dicechess3");
}

/// The champion alone takes the best move for a blunder.
#[test]
fn a_review_solves_endings_unless_it_is_told_not_to() {
    let game = "5/1A3/2B2/2c1a/5 b - 1 @4 c2b2";
    let reviewed = |options: &[&str]| {
        let run = wurfel(&[&["review", game, "--json"], options].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.json()[0]["moves"][0].clone()
    };
    let solved = reviewed(&[]);
    assert_eq!(
        (&solved["exact"], &solved["lost"], &solved["again"]),
        (&true.into(), &0.0.into(), &0.into())
    );
    let alone = reviewed(&["--no-exact"]);
    assert_eq!(alone["exact"], false);
    assert!(alone["again"].as_u64().unwrap() > 0, "{alone}");
}

#[test]
fn a_review_draws_its_graph() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("game.svg");
    let args = ["review", "@4 a4b4 @1 e1e2 @3 c5d4", "--depth", "2", "--svg"];
    let run = wurfel(&[&args[..], &[svg.to_str().unwrap()]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("red's win probability") && run.out.contains(" 50 % |"),
        "{}",
        run.out
    );
    let svg = fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
}

#[test]
fn many_positions_are_rolled_out_in_one_process() {
    let input = "5/5/2C2/5/2cba r - 1\nnonsense\n5/5/2C2/5/2cba b - 1\n";
    let args = ["rollout", "-", "--games", "60", "--depth", "3", "--json"];
    let run = wurfel_with(&args, input);
    let answers = run.json();
    assert_eq!((run.code, answers.len()), (2, 3), "{}", run.err);
    assert_eq!((&answers[0]["games"], &answers[2]["games"]), (&60.into(), &60.into()));
    assert!(answers[1]["error"].as_str().unwrap().contains("character 1 is 'n'"));
    assert_eq!(
        wurfel_with(&[&args[..], &["--jobs", "1"]].concat(), input).json()[0]["value"],
        answers[0]["value"]
    );
}

#[test]
fn ctrl_c_shows_what_a_rollout_has_found() {
    let args = ["rollout", "ABC2/DE3/F3f/3ed/2cba r - 1", "--se", "0.00001", "--json"];
    let child = command(&args).spawn().unwrap();
    has_worked(&child, Duration::from_secs(3));
    send(&child, "INT");
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{}", run.err);
    let answer = &run.json()[0];
    assert_eq!(answer["complete"], false);
    assert!(
        answer["games"].as_u64().unwrap() > 0 && answer["standard_error"].as_f64().unwrap() > 0.0
    );
}

#[test]
fn a_match_takes_its_luck_off_when_an_agent_searches_or_it_is_asked() {
    let played = |args: &[&str]| {
        wurfel(&[&["match", "--json", "--pairs", "100"], args].concat()).json()[0].clone()
    };
    let answer = played(&["expecti:depth=2", "greedy"]);
    let adjusted = &answer["luck_adjusted"];
    let width = |interval: &Value| interval[1].as_f64().unwrap() - interval[0].as_f64().unwrap();
    assert!(width(&adjusted["interval"]) < width(&answer["interval"]), "{answer}");
    assert!(adjusted["gain"].as_f64().unwrap() > 1.2, "{answer}");
    assert_eq!(
        played(&["expecti:depth=2", "greedy", "--luck", "off"])["luck_adjusted"],
        Value::Null
    );
    assert_eq!(played(&["greedy", "random"])["luck_adjusted"], Value::Null);
    assert!(played(&["greedy", "random", "--luck", "on"])["luck_adjusted"].is_object());
}
