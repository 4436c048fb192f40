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
    assert!(run.out.contains("How likely it is that the row is stronger"), "{}", run.out);
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
    let told = |more: &[&str]| wurfel(&[&["ratings", &broken], more].concat()).out;
    assert!(told(&[]).contains("6 games were lost by a fault and count as lost."));
    assert!(told(&["--faults", "skip"]).contains("6 games were lost by a fault and are left out."));
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

/// A participant is called as an agent of a match, but is another one.
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
    let said = "is named twice: expected each file once";
    wurfel(&["ratings", &games, &table, &games]).refused(said);
    let detour = dir.path().join(".").join(std::path::Path::new(&games).file_name().unwrap());
    wurfel(&["ratings", &games, detour.to_str().unwrap()]).refused(said);
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
