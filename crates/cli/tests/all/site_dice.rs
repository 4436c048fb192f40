//! The site commits itself to its dice: no message of a game reveals the seed early, and three
//! programs find every forgery in a record.

#![allow(clippy::print_stdout, reason = "what is left out is said")]

use std::path::Path;
use std::process::{Command, Output};

use crate::program::site::{Site, agent, id, person};
use crate::program::wurfel;
use serde_json::{Value, json};

/// A finished game, with every message and every answer that the site sent before its end.
struct Played {
    record: Value,
    commitment: String,
    views: Vec<String>,
}

fn play(site: &Site, game: &str, opponent: &Value, take_back: bool) -> Played {
    let request = json!({ "game": game, "players": [person(), opponent] });
    let opened = site.post("/api/rooms", &request);
    let mut views = vec![format!("{}{}", opened.head, opened.body)];
    let (room, id) = (opened.json(), id(&opened.json()));
    let (path, token) = (format!("/api/rooms/{id}"), room["token"].clone());
    let commitment = room["dice"]["commitment"].as_str().unwrap().to_owned();
    let mut socket = site.socket(&format!("{path}/live"), None).unwrap();
    let mut backs = if take_back { 3 } else { 0 };
    loop {
        let room = socket.hear().expect("a view");
        assert_eq!(room["error"], Value::Null, "{room}");
        let mut send = |mut action: Value| {
            (action["token"], action["version"]) = (token.clone(), room["version"].clone());
            socket.send(&action);
        };
        if room["end"] != Value::Null {
            break;
        }
        views.push(room.to_string());
        if views.len() % 7 == 0 {
            for path in ["/api/rooms", &path, &format!("{path}/record"), "/api/games"] {
                let answer = site.get(path);
                // The last move may have been made meanwhile.
                if !answer.body.contains("\"end\":{") {
                    views.push(format!("{}{}", answer.head, answer.body));
                }
            }
        }
        let side = room["scene"]["side"].as_u64().unwrap() as usize;
        let moves = room["scene"]["moves"].as_array().unwrap();
        let own = room["players"][side]["kind"] == "person";
        if room["begun"] == false {
            send(json!({ "do": "begin", "salt": "pepper" }));
        } else if own && backs > 0 && room["steps"].as_array().unwrap().len() > 5 {
            backs -= 1;
            send(json!({ "do": "undo" }));
        } else if own && !moves.is_empty() {
            let mv = &moves[views.len() % moves.len()]["text"];
            send(json!({ "do": "move", "move": mv }));
        }
    }
    let record = site.get(&format!("{path}/record")).json();
    Played { record, commitment, views }
}

/// Runs the page's own check of records, each with its commitment.
const PAGE: &str = concat!(
    "import { check } from '",
    env!("CARGO_MANIFEST_DIR"),
    "/../site/web/fair.js'; import { readFileSync } from 'node:fs';
    const words = process.argv.slice(1);
    for (let place = 0; place < words.length; place += 2) {
        const record = JSON.parse(readFileSync(words[place], 'utf8'));
        const { forged } = await check(record, { commitment: words[place + 1], salt: 'pepper' });
        console.log(forged ? 'forged' : 'fair');
    }"
);

/// A record with the commitment that was shown before it, and whether its dice are fair.
struct Case {
    what: &'static str,
    record: Value,
    commitment: String,
    fair: bool,
}

/// Asserts that `wurfel verify-dice`, the Python script and the page tell which dice are fair.
fn all(folder: &Path, cases: &[Case]) {
    let mut words = vec!["--input-type=module".to_owned(), "-e".to_owned(), PAGE.to_owned()];
    for (place, Case { what, record, commitment, fair }) in cases.iter().enumerate() {
        let file = written(folder, &format!("game-{place}"), record);
        assert_eq!(verified(&file, commitment), *fair, "verify-dice, {what}: {record}");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verify_dice.py");
        if let Some(run) = another("python3", &[script, &file, commitment, "pepper"]) {
            // Python also exits with 1 for an error of its own, which must not pass for a verdict; 2 is the
            // script's word for dice that cannot be checked.
            assert!([Some(0), Some(1), Some(2)].contains(&run.status.code()), "{run:?}");
            assert_eq!(run.status.success(), *fair, "python3, {what}: {record}");
        }
        words.extend([file, commitment.clone()]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some(run) = another("node", &words) {
        let verdicts = String::from_utf8(run.stdout).unwrap();
        let expected =
            cases.iter().map(|case| (case.what, if case.fair { "fair" } else { "forged" }));
        let verdicts: Vec<_> = cases.iter().map(|case| case.what).zip(verdicts.lines()).collect();
        assert_eq!(verdicts, expected.collect::<Vec<_>>());
    }
}

/// The path of a new file with this record.
fn written(folder: &Path, name: &str, record: &Value) -> String {
    let file = folder.join(name).with_extension("json");
    std::fs::write(&file, record.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Whether `wurfel verify-dice` finds the dice fair.
fn verified(file: &str, commitment: &str) -> bool {
    let run = wurfel(&["verify-dice", file, "--commitment", commitment, "--salt", "pepper"]);
    assert!([0, 2].contains(&run.code) && run.err.lines().count() < 2, "{}", run.err);
    run.code == 0
}

/// Runs another program, where there is one.
fn another(program: &str, words: &[&str]) -> Option<Output> {
    let Ok(run) = Command::new(program).args(words).output() else {
        println!("there is no {program}: its verdict is not compared");
        return None;
    };
    assert!(run.stderr.is_empty(), "{program}: {run:?}");
    Some(run)
}

/// Records that are not what was played, each with what was done to it.
fn forgeries(record: &Value) -> Vec<(&'static str, Value)> {
    let mut verdicts = vec![];
    let mut forge = |what, change: &dyn Fn(&mut Value)| {
        let mut forged = record.clone();
        change(&mut forged);
        assert_ne!(forged, *record, "{what}");
        verdicts.push((what, forged));
    };
    let other = |face: &Value| json!(if face == "1" || face == "P" { "2" } else { "1" });
    forge("another seed", &|game| game["dice"]["seed"] = json!("0".repeat(64)));
    forge("another commitment", &|game| game["dice"]["commitment"] = json!("0".repeat(64)));
    forge("another salt", &|game| game["dice"]["salt"] = json!("salt"));
    forge("typed dice", &|game| game["dice"]["kind"] = json!("typed"));
    forge("another roll", &|game| game["steps"][2]["roll"] = other(&game["steps"][2]["roll"]));
    forge("a ply left out", &|game| {
        game["steps"].as_array_mut().unwrap().remove(1);
    });
    forge("the last ply left out", &|game| {
        game["steps"].as_array_mut().unwrap().pop();
    });
    forge("shifted numbers", &|game| {
        for step in game["steps"].as_array_mut().unwrap() {
            step["number"] = json!(step["number"].as_u64().unwrap() + 1);
        }
    });
    forge("another count", &|game| game["dice"]["rolls"] = json!(1));
    forge("a roll that allows a move, passed over", &|game| {
        let first = game["steps"][0]["roll"].clone();
        let void = game["steps"][1]["void"].as_array().cloned().unwrap_or_default();
        game["steps"][1]["void"] = json!([[first].as_slice(), void.as_slice()].concat());
        game["steps"].as_array_mut().unwrap().remove(0);
    });
    if record["taken_back"].is_array() {
        forge("take-backs that are not told", &|game| game["taken_back"] = json!([]));
        forge("another roll that was taken back", &|game| {
            let roll = &mut game["taken_back"][0]["steps"][1]["roll"];
            *roll = other(roll);
        });
    }
    verdicts
}

#[test]
fn three_programs_give_one_verdict_and_no_seed_is_told_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &["--rate", "1000"]);
    let (person, random) = (person(), agent("random"));
    // A game with take-backs can be forged in all ways in which one without can, but no forgery
    // handles dice that are left over in a turn.
    for (game, opponent, take_back, is_forged) in [
        ("einstein", &random, false, false),
        ("einstein", &random, true, true),
        ("dicechess", &random, true, true),
        ("dicechess-promotion", &random, false, true),
        ("dicechess3", &person, true, false),
    ] {
        let Played { record, commitment, views } = play(&site, game, opponent, take_back);
        let seed = record["dice"]["seed"].as_str().unwrap();
        assert_eq!((seed.len(), record["taken_back"].is_array()), (64, take_back), "{game}");
        assert!(views.len() > 5 && views.iter().all(|text| !text.contains(seed)), "{game}");
        let case = |what, record, commitment: &str, fair| Case {
            what,
            record,
            commitment: commitment.to_owned(),
            fair,
        };
        let mut cases = vec![
            case(game, record.clone(), &commitment, true),
            // The record is consistent, but is not what was shown before the game.
            case("made up afterwards", record.clone(), &"0".repeat(64), false),
        ];
        if is_forged {
            let forgeries = forgeries(&record).into_iter();
            cases.extend(forgeries.map(|(what, forged)| case(what, forged, &commitment, false)));
        }
        all(folder.path(), &cases);
        // Whoever knows the rules knows who has won.
        assert_eq!(record["end"]["reason"], "rules", "{game}");
        let mut forged = record;
        let won = forged["end"]["result"] == "1-0";
        forged["end"]["result"] = json!(if won { "0-1" } else { "1-0" });
        let file = written(folder.path(), "forged", &forged);
        assert!(!verified(&file, &commitment), "{game}");
    }
}

/// A file that is no record of fair dice must not pass for a forgery, whose exit code is 1.
#[test]
fn the_script_says_what_it_cannot_check() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verify_dice.py");
    let check = || Command::new("python3").arg(script).arg(&file).output();
    if check().is_err() {
        println!("there is no python3: its verdict is not compared");
        return;
    }
    for text in [None, Some("nonsense"), Some("[]"), Some(r#"{"version":2}"#)] {
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let run = check().unwrap();
        let views = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.code() == Some(2) && run.stderr.is_empty(), "{text:?}: {run:?}");
        assert!(views.starts_with("this cannot be checked here") && views.lines().count() == 1);
    }
}

/// Somebody chose the rolls of this record and made its seed afterwards, and must be found out.
#[test]
fn a_game_with_rolls_of_ones_and_sixes_is_forged() {
    let folder = tempfile::tempdir().unwrap();
    let steps: Vec<Value> = ["c3c4", "c3c2", "a5b5", "e1d1", "b5c5", "d1c1"]
        .iter()
        .zip(1..)
        .map(|(mv, number)| {
            let roll = if number % 2 == 1 { "1" } else { "6" };
            json!({ "roll": roll, "number": number, "move": mv })
        })
        .collect();
    let seed = "5eed".repeat(16);
    // The SHA-256 hash of the seed.
    let commitment = "9619e2c3275e1e8be9ca29f0d7e0668cfdc675efcac99dbfa3ed48872c69809f";
    let record = json!({
        "format": "wurfel-room", "version": 2, "id": "0", "game": "einstein",
        "start": "ABC2/DE3/F3f/3ed/2cba r - 1", "players": [person(), person()],
        "dice": { "kind": "fair", "commitment": commitment, "seed": seed, "salt": "pepper", "rolls": 6 },
        "begun": true, "steps": steps, "end": { "result": "1-0", "reason": "resigned" },
    });
    let commitment = commitment.to_owned();
    all(folder.path(), &[Case { what: "ones and sixes", record, commitment, fair: false }]);
}
