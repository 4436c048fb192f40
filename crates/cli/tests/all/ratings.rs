//! `ratings`, run as a process on files that matches and tournaments have written.

use std::fs;

use crate::program::{wurfel, wurfel_with};
use serde_json::Value;

/// A folder with a tournament of three agents and a match of a fourth one, and the paths of both files.
fn played() -> (tempfile::TempDir, [String; 2]) {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let files = [path("table.jsonl"), path("match.jsonl")];
    let agents = ["tournament", "random", "greedy", "expecti:depth=1", "--pairs", "100"];
    assert_eq!(wurfel(&[&agents[..], &["--out", &files[0]]].concat()).code, 0);
    let agents = ["match", "expecti:depth=2", "greedy", "--pairs", "100"];
    assert_eq!(wurfel(&[&agents[..], &["--out", &files[1]]].concat()).code, 0);
    (dir, files)
}

fn numbers(agents: &Value, name: &str) -> Vec<f64> {
    agents.as_array().unwrap().iter().map(|agent| agent[name].as_f64().unwrap()).collect()
}

#[test]
fn agents_of_several_files_are_rated_together() {
    let (_dir, [table, games]) = played();
    let answer = &wurfel(&["ratings", &table, &games, "--json"]).json()[0];
    let agents = &answer["agents"];
    let names: Vec<&str> =
        agents.as_array().unwrap().iter().map(|agent| agent["agent"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names[3]), (4, "random"), "{answer}");
    let elos = numbers(agents, "elo");
    assert!(elos.iter().sum::<f64>().abs() < 1e-6 && elos.is_sorted_by(|one, other| one >= other));
    for (agent, elo) in agents.as_array().unwrap().iter().zip(&elos) {
        let [low, high] = ["low", "high"].map(|end| agent["interval"][end].as_f64().unwrap());
        assert!(low < *elo && *elo < high && high - low < 120.0, "{agent}");
    }
    // Everybody met in the tournament, and two in the match.
    let games: f64 = numbers(agents, "games").iter().sum();
    assert_eq!(games as u64, 2 * (3 * 200 + 200));
    assert_eq!(answer["virtual_draws"], 0);
    assert_eq!(agents[0]["los"][0], 0.5);
    assert!(agents[0]["los"][3].as_f64().unwrap() > 0.999);
}

#[test]
fn an_anchor_has_rating_0_and_the_table_says_so() {
    let (_dir, [table, games]) = played();
    let args = ["ratings", &table, "-", "--anchor", "greedy", "--los"];
    let text = fs::read_to_string(&games).unwrap();
    let run = wurfel_with(&args, &text);
    assert_eq!(run.code, 0, "{}", run.err);
    let row =
        run.out.lines().find(|line| line.contains("| `greedy` | +0.0 | +0.0 to +0.0 | 0.0 |"));
    assert!(row.is_some() && run.out.contains("`greedy` is 0"), "{}", run.out);
    assert!(run.out.contains("Likelihood of superiority of the row"), "{}", run.out);
    // The same results give the same intervals.
    assert_eq!(wurfel_with(&args, &text).out, run.out);
    wurfel(&["ratings", &table, "--anchor", "gredy"])
        .refused("--anchor 'gredy': expected one of 'random', 'greedy', 'expecti:depth=1'");
}

/// A crash at every turn made a program of unknown strength 800 Elo weaker than its opponent.
#[test]
fn games_that_a_fault_decided_are_told_and_can_be_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let played = path("games.jsonl");
    assert_eq!(wurfel(&["match", "greedy", "random", "--pairs", "10", "--out", &played]).code, 0);
    let text = fs::read_to_string(&played).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Six games of the first agent end by a fault of it, as its opponent sees from the records.
    for line in &mut lines[1..7] {
        line["result"] = if line["first"] == 0 { "0-1" } else { "1-0" }.into();
        line["fault"] = serde_json::json!([0, "crash"]);
        // It fails before the last move, which would have ended the game.
        let moves = line["moves"].as_str().unwrap().rsplitn(3, ' ').nth(2).unwrap().to_owned();
        line["moves"] = moves.into();
        line["plies"] = (line["plies"].as_u64().unwrap() - 1).into();
    }
    let text: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let broken = path("broken.jsonl");
    fs::write(&broken, text.join("\n") + "\n").unwrap();
    let games = |more: &[&str]| {
        let run = wurfel(&[&["ratings", &broken, "--json"], more].concat());
        let answer = run.json()[0].clone();
        assert_eq!(answer["lost_by_fault"], 6, "{answer}");
        answer["agents"][0]["games"].as_u64().unwrap()
    };
    assert_eq!((games(&[]), games(&["--faults", "skip"])), (20, 14));
    let output = |more: &[&str]| wurfel(&[&["ratings", &broken], more].concat()).out;
    assert!(output(&[]).contains("6 games were lost by a fault and count as lost."));
    assert!(
        output(&["--faults", "skip"]).contains("6 games were lost by a fault and are left out.")
    );
}

/// The games of a tournament from a TOML file are rated, too, by the names of the participants.
#[test]
fn participants_of_a_tournament_are_rated_by_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let text = "format = \"round-robin\"\npairs = 30\njobs = 2\n\
        [[participant]]\nname = \"Anna\"\nagent = \"greedy\"\n\
        [[participant]]\nname = \"Otto\"\nagent = \"random\"\n\
        [[participant]]\nagent = \"expecti:depth=1\"\n";
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("cup.toml"), text).unwrap();
    let run = wurfel(&["tournament", &path("cup.toml")]);
    assert_eq!(run.code, 0, "{}", run.err);
    let answer = &wurfel(&["ratings", &path("cup.jsonl"), "--anchor", "Otto", "--json"]).json()[0];
    let agents = answer["agents"].as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["agent"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names[2], answer["anchor"].as_str()), (3, "Otto", Some("Otto")));
    assert!(names.contains(&"Anna") && names.contains(&"expecti:depth=1"), "{names:?}");
    assert!(agents.iter().all(|agent| agent["games"] == 120), "{answer}");
    // All games are in pairs, or no interval could be drawn from them.
    assert!(agents[0]["interval"]["low"].as_f64().unwrap() > 0.0, "{answer}");
}

/// A participant has the name of an agent of a match, but is another player.
#[test]
fn players_with_the_same_name_and_different_specs_are_two() {
    let dir = tempfile::tempdir().unwrap();
    let text = "format = \"round-robin\"\npairs = 10\n\
        [[participant]]\nname = \"greedy\"\nagent = \"random\"\n\
        [[participant]]\nname = \"a|b\"\nagent = \"expecti:depth=1\"\n";
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("cup.toml"), text).unwrap();
    assert_eq!(wurfel(&["tournament", &path("cup.toml")]).code, 0);
    let agents = ["match", "greedy", "random", "--pairs", "10", "--out", &path("match.jsonl")];
    assert_eq!(wurfel(&agents).code, 0);
    let files = ["ratings", &path("cup.jsonl"), &path("match.jsonl")];
    let answer = &wurfel(&[&files[..], &["--json"]].concat()).json()[0];
    let agents = answer["agents"].as_array().unwrap();
    let mut names: Vec<[&str; 2]> = agents
        .iter()
        .map(|agent| ["agent", "spec"].map(|key| agent[key].as_str().unwrap()))
        .collect();
    names.sort_unstable();
    let expected = [
        ["a|b", "expecti:depth=1"],
        ["greedy (greedy)", "greedy"],
        ["greedy (random)", "random"],
        ["random", "random"],
    ];
    assert_eq!(names, expected);
    assert!(agents.iter().all(|agent| agent["games"] == 20), "{answer}");
    let table = wurfel(&files).out;
    assert!(table.contains("| `a\\|b` |"), "{table}");
}

/// The errors of ratings became smaller with each copy.
#[test]
fn games_that_are_named_twice_are_refused() {
    let (dir, [table, games]) = played();
    let message = "is named twice: expected each file once";
    wurfel(&["ratings", &games, &table, &games]).refused(message);
    let detour = dir.path().join(".").join(std::path::Path::new(&games).file_name().unwrap());
    wurfel(&["ratings", &games, detour.to_str().unwrap()]).refused(message);
    let copy = dir.path().join("copy.jsonl");
    for file in [&games, &table] {
        fs::copy(file, &copy).unwrap();
        wurfel(&["ratings", file, copy.to_str().unwrap()])
            .refused("line 2, column 1: the same game was read before: expected each game once");
    }
}

#[test]
fn files_that_are_no_results_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.txt");
    fs::write(&path, "S654321 S123456 @3 a4b4\n").unwrap();
    let path = path.to_str().unwrap();
    wurfel(&["ratings", path]).refused("expected the file of a match or a tournament");
    wurfel(&["ratings", "nowhere.jsonl"]).refused_by_system("nowhere.jsonl");
    let (_dir, [table, games]) = played();
    let text = fs::read_to_string(games).unwrap().replace("einstein\"", "dicechess\"");
    fs::write(path, text).unwrap();
    wurfel(&["ratings", &table, path])
        .refused("expected games of einstein, as before, found dicechess");
}

/// The lines of a match of 20 pairs, whose second game the first agent lost as the second side.
fn lines() -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let args = ["match", "greedy", "random", "--pairs", "20", "--out", path.to_str().unwrap()];
    assert_eq!(wurfel(&args).code, 0);
    fs::read_to_string(path).unwrap().split_inclusive('\n').map(str::to_owned).collect()
}

/// A line with another value of a field.
fn with(line: &str, field: &str, value: Value) -> String {
    let mut game: Value = serde_json::from_str(line).unwrap();
    game[field] = value;
    format!("{game}\n")
}

/// A file in which one `result` had been reversed was rated, although every other command refused it.
#[test]
fn a_game_that_cannot_have_been_played_is_refused_by_all_who_read_results() {
    let lines = lines();
    let result = |line: &str| serde_json::from_str::<Value>(line).unwrap()["result"].clone();
    let turned = if result(&lines[3]) == "1-0" { "0-1" } else { "1-0" };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    for (field, value, message) in [
        ("result", turned.into(), format!("result '{turned}': expected ")),
        ("fault", serde_json::json!([5, "time"]), "fault of player 5: expected 0 or 1".to_owned()),
        ("fault", serde_json::json!([0, "time"]), "fault: expected none".to_owned()),
        ("plies", u32::MAX.into(), "plies 4294967295: expected ".to_owned()),
        ("moves", "@9 a1a1".into(), "die '9': expected a number 1-6".to_owned()),
    ] {
        let mut changed = lines.clone();
        changed[3] = with(&lines[3], field, value);
        fs::write(path, changed.concat()).unwrap();
        let message = format!("line 4, column 1: {message}");
        for read in [
            &["ratings", path][..],
            &["sprt", "--from", path],
            &["convert", path, "--to", "wtn"],
            &["review", path, "--number", "3"],
        ] {
            wurfel(read).refused(&message);
        }
        for trusting in [&["ratings", path][..], &["sprt", "--from", path]] {
            let run = wurfel(&[trusting, &["--trust"]].concat());
            // The first rolls of a pair are compared in any case.
            let code = if field == "moves" { 2 } else { 0 };
            assert_eq!(run.code, code, "{field}: {}", run.err);
        }
    }
    let header = lines[0].replace("\"einstein\"", "\"dicechess\"");
    fs::write(path, [&[header], &lines[1..]].concat().concat()).unwrap();
    wurfel(&["ratings", path]).refused("line 2, column 1: ");
    wurfel(&["sprt", "--from", path]).refused("line 2, column 1: ");
}

/// The first 3,000 bytes of a file were taken for a smaller match.
#[test]
fn a_file_that_broke_off_is_used_and_said_to_be_not_whole() {
    let text = lines().concat();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    let games = text[..3000].matches('\n').count() - 1;
    for (remaining, message) in [
        (&text[..], String::new()),
        (&text[..3000], format!("'{path}' is incomplete: {games} of 40 games\n")),
        (&text[..=text.find('\n').unwrap()], format!("'{path}' is incomplete: 0 of 40 games\n")),
    ] {
        fs::write(path, remaining).unwrap();
        for read in [&["ratings", path, "--json"][..], &["sprt", "--from", path, "--json"]] {
            let run = wurfel(read);
            if remaining.lines().count() > 1 {
                assert_eq!((run.code, &run.err), (0, &message));
            } else {
                assert!(run.code == 2 && run.err.starts_with(&message), "{}", run.err);
                assert!(run.err.contains("expected "), "{}", run.err);
            }
        }
    }
    // Ratings of nothing said ± 340 Elo.
    let run = wurfel_with(&["ratings", "-"], &text[..=text.find('\n').unwrap()]);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    assert!(run.err.contains("expected at least one game that is over"), "{}", run.err);
}

/// Two agents are as far apart as the luck-adjusted win rate of their match says.
#[test]
fn luck_is_taken_off_as_in_a_match() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    let agents = ["match", "expecti:depth=2", "greedy", "--pairs", "100", "--json", "--out", path];
    let output = wurfel(&agents).json();
    let rate = output[0]["luck_adjusted"]["win_rate"].as_f64().unwrap();
    let adjusted = |more: &[&str]| {
        let args = ["ratings", path, "--anchor", "greedy", "--json"];
        let answer = wurfel(&[&args[..], more].concat()).json()[0].clone();
        answer["agents"][0]["luck_adjusted"].clone()
    };
    let actual = adjusted(&[]);
    let wanted = 400.0 * (rate / (1.0 - rate)).log10();
    assert!((actual["elo"].as_f64().unwrap() - wanted).abs() < 1e-6, "{actual} {wanted}");
    let [low, high] = ["low", "high"].map(|end| actual["interval"][end].as_f64().unwrap());
    assert!(low < wanted && wanted < high && high - low < 60.0, "{actual}");
    assert_eq!(adjusted(&["--luck", "on", "--jobs", "3"]), actual);
    assert_eq!(adjusted(&["--luck", "off"]), Value::Null);
    assert_eq!(adjusted(&["--trust"]), Value::Null);
    let table = wurfel(&["ratings", path]).out;
    assert!(table.contains("| score | luck-adjusted | 95 % interval |"), "{table}");
    wurfel(&["ratings", path, "--trust", "--luck", "on"]).refused("cannot be used with");
}

/// Two groups that never met were joined by virtual draws.
#[test]
fn groups_that_never_met_are_named_and_rated_by_themselves() {
    let (dir, [_, games]) = played();
    let other = dir.path().join("other.jsonl");
    let other = other.to_str().unwrap();
    let agents = ["match", "random", "expecti:depth=1", "--pairs", "20", "--out", other];
    assert_eq!(wurfel(&agents).code, 0);
    let files = ["ratings", &games, other];
    let text = wurfel(&[&files[..], &["--anchor", "random", "--los"]].concat()).out;
    for message in [
        "Group 1 of 2, whose players have not played the others:",
        "Group 2 of 2, whose players have not played the others:",
        "`random` is 0, and the mean of each other group",
        "they never played each other: `expecti:depth=2`, `greedy`; `expecti:depth=1`, `random`.",
    ] {
        assert!(text.contains(message), "{message}: {text}");
    }
    assert!(!text.contains("virtual"), "{text}");
    let both = &wurfel(&[&files[..], &["--json"]].concat()).json()[0];
    let alone = &wurfel(&["ratings", &games, "--json"]).json()[0];
    let [one, among] = [alone, both].map(|answer| numbers(&answer["agents"], "elo"));
    assert!((one[0] - among[0]).abs() < 1e-9 && (one[1] - among[1]).abs() < 1e-9, "{both}");
    let groups: Vec<&Value> =
        both["agents"].as_array().unwrap().iter().map(|agent| &agent["group"]).collect();
    assert_eq!(groups, [1, 1, 2, 2]);
    assert_eq!(both["agents"][0]["los"][2], Value::Null);
}
