//! Tournaments from TOML files, run as processes: every example, every form of the table, and kills.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{command, wait_until, wurfel};
use serde_json::Value;
use wurfel_core::Random;

/// What makes the examples long, and what replaces it here.
const SHORTER: [(&str, &str); 6] = [
    ("pairs = 100", "pairs = 2"),
    ("pairs = 20", "pairs = 1"),
    ("pairs = 10", "pairs = 2"),
    ("nodes = 2000", "nodes = 50"),
    ("playouts=100", "playouts=5"),
    ("total = \"2s\"", "total = \"100ms\""),
];

fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tournaments");
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let shorter = |text: String, (long, short): &(&str, &str)| text.replace(long, short);
            let text = SHORTER.iter().fold(text, shorter);
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), text)
        })
        .collect();
    names.sort();
    names
}

/// A folder with `cup.toml`.
fn folder_of(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    fs::write(&file, text).unwrap();
    (folder, file)
}

fn play(file: &Path) -> crate::program::Run {
    let run = wurfel(&["tournament", file.to_str().unwrap(), "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    run
}

/// The games of a file in the order of play, without times.
fn games(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let mut games: Vec<Value> =
        text.lines().skip(2).map(|line| serde_json::from_str(line).unwrap()).collect();
    for game in &mut games {
        game["mean_ms"] = Value::Null;
    }
    games.sort_by_key(|game| game["number"].as_u64());
    games
}

#[test]
fn every_example_is_played_to_its_end_and_each_game_is_there_once() {
    let all = examples();
    assert_eq!(all.len(), 7);
    for (long, _) in SHORTER {
        assert!(!all.iter().any(|(_, text)| text.contains(&format!("{long}\n"))), "{long}");
    }
    for (name, text) in all {
        let (folder, file) = folder_of(&text);
        let standings = &play(&file).json()[0];
        assert_eq!(standings["complete"], true, "{name}");
        let games = games(&folder.path().join("cup.jsonl"));
        assert_eq!(standings["games"], games.len(), "{name}");
        let numbers: Vec<u64> = games.iter().map(|game| game["number"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (0..games.len() as u64).collect::<Vec<_>>(), "{name}");
        let shown = wurfel(&["standings", file.to_str().unwrap(), "--format", "json"]);
        assert_eq!(&shown.json()[0], standings, "{name}");
        for form in ["text", "csv", "markdown", "latex"] {
            let shown = wurfel(&["standings", file.to_str().unwrap(), "--format", form]);
            assert_eq!(shown.code, 0, "{name} {form}: {}", shown.err);
            for row in standings["rows"].as_array().unwrap() {
                assert!(shown.out.contains(row["name"].as_str().unwrap()), "{name} {form}");
            }
        }
    }
}

/// A round robin has the games that the command has without a file.
#[test]
fn a_round_robin_is_that_of_the_command_line() {
    let agents = ["random", "greedy", "expecti:depth=1"];
    let each = |agent: &str| format!("[[participant]]\nagent = '{agent}'\n");
    let participants: String = agents.iter().map(|agent| each(agent)).collect();
    let (_folder, file) =
        folder_of(&format!("format = 'round-robin'\npairs = 30\nseed = 7\n{participants}"));
    let standings = play(&file).json()[0].clone();
    let line = ["--pairs", "30", "--seed", "7", "--json"];
    let plain = wurfel(&[&["tournament"], &agents[..], &line].concat()).json()[0].clone();
    let all = plain["standings"].as_array().unwrap();
    for row in standings["rows"].as_array().unwrap() {
        let own = all.iter().find(|agent| agent["agent"] == row["name"]).unwrap();
        assert_eq!((&own["won"], &own["rank"]), (&row["won"], &row["rank"]));
    }
    assert_eq!(all[0]["agent"], standings["rows"][0]["name"]);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let text = SWISS.replace("PAIRS", "20");
    let mut names = vec![];
    for jobs in ["1", "3"] {
        let (folder, file) = folder_of(&text);
        let run = wurfel(&["tournament", file.to_str().unwrap(), "--jobs", jobs]);
        names.push((run.out, games(&folder.path().join("cup.jsonl"))));
    }
    assert_eq!(names[0], names[1]);
}

/// Commands that read games and results also read those of tournaments, with the names of the file.
#[test]
fn the_games_can_be_rated_and_reviewed() {
    let (folder, file) = folder_of(&SWISS.replace("PAIRS", "10"));
    let standings = play(&file).json()[0].clone();
    let games = folder.path().join("cup.jsonl");
    let games = games.to_str().unwrap();
    let ratings = wurfel(&["ratings", games, "--json"]).json()[0].clone();
    assert_eq!(ratings["game"], "einstein");
    for agent in ratings["agents"].as_array().unwrap() {
        let rows = standings["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == agent["agent"]).unwrap();
        assert_eq!((&row["points"], &row["games"]), (&agent["points"], &agent["games"]));
        let [own, other] = [&row["rating"]["elo"], &agent["elo"]].map(|elo| elo.as_f64().unwrap());
        assert!((own - other).abs() < 1e-6, "{row} {agent}");
    }
    let review = wurfel(&["review", games, "--number", "1", "--depth", "1", "--json"]);
    assert_eq!(review.code, 0, "{}", review.err);
    let text = fs::read_to_string(games).unwrap();
    let first: Value = serde_json::from_str(text.lines().nth(2).unwrap()).unwrap();
    let player = first["players"][first["first"].as_u64().unwrap() as usize].as_u64().unwrap();
    let name = ["greedy", "random", "basic", "again"][player as usize];
    assert_eq!(review.json()[0]["players"][0]["player"], name, "{}", review.out);
}

const SWISS: &str = "format = 'swiss'\nrounds = 3\npairs = PAIRS\n\
    [[participant]]\nagent = 'greedy'\n[[participant]]\nagent = 'random'\n\
    [[participant]]\nagent = 'basic'\n[[participant]]\nname = 'again'\nagent = 'random'\n";

/// Kills a tournament eight times, or as often as `KILLS` says, at any moment. Rounds follow from
/// results, so that a lost game would change what is played later. If it ends before it is killed, it
/// is begun anew. Each of its six meetings has 400 pairs, or as many as `PAIRS` says.
#[test]
fn a_tournament_that_is_killed_again_and_again_ends_as_if_nothing_had_happened() {
    let message = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (kills, pairs) = (message("KILLS").unwrap_or(8), message("PAIRS").unwrap_or(400));
    let text = SWISS.replace("PAIRS", &pairs.to_string());
    let (undisturbed, file) = folder_of(&text);
    let wanted = play(&file).json();
    let all = games(&undisturbed.path().join("cup.jsonl"));
    let numbers: HashSet<u64> = all.iter().map(|game| game["number"].as_u64().unwrap()).collect();
    assert_eq!((numbers.len(), all.len()), (12 * pairs, 12 * pairs));

    let (folder, file) = folder_of(&text);
    let out = folder.path().join("cup.jsonl");
    let part = folder.path().join("cup.jsonl.part");
    let mut random = Random::new(1);
    let (mut killed, mut resumed) = (0, 0);
    while killed < kills {
        if out.exists() {
            assert!(games(&out) == all, "other games");
            fs::remove_file(&out).unwrap();
        }
        let written = || fs::metadata(&part).map_or(0, |data| data.len());
        let before = written();
        resumed += u32::from(before > 10_000);
        let args = ["tournament", file.to_str().unwrap(), "--json"];
        let mut child = command(&args).spawn().unwrap();
        // After a while of its own work, however slow the machine is.
        let more = before + u64::from(random.below(750 * pairs as u32));
        let mut is_over = false;
        wait_until(|| {
            is_over = child.try_wait().unwrap().is_some();
            is_over || written() > more
        });
        killed += usize::from(!is_over);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(resumed > 0, "no run had anything to resume");
    if !out.exists() {
        assert_eq!(play(&file).json(), wanted);
    }
    assert!(games(&out) == all, "other games");
    let table =
        |folder: &Path| wurfel(&["standings", folder.join("cup.toml").to_str().unwrap()]).out;
    assert_eq!(table(folder.path()), table(undisturbed.path()));
}

#[cfg(unix)]
#[test]
fn an_interrupted_tournament_says_how_it_is_resumed() {
    let text = SWISS.replace("PAIRS", "100000");
    let (folder, file) = folder_of(&text);
    let part = folder.path().join("cup.jsonl.part");
    let child = command(&["tournament", file.to_str().unwrap()]).spawn().unwrap();
    wait_until(|| fs::metadata(&part).is_ok_and(|data| data.len() > 1000));
    crate::program::send(&child, "INT");
    let run = crate::program::ended(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{}", run.err);
    let out = folder.path().join("cup.jsonl");
    let again = format!("`wurfel tournament {} --out {}`", file.display(), out.display());
    assert!(run.err.contains(&again), "{}", run.err);
    assert!(run.out.contains("so far"), "{}", run.out);
    let shown = wurfel(&["standings", file.to_str().unwrap(), "--format", "json"]);
    assert_eq!(shown.json()[0]["complete"], false);

    // The file may not change meanwhile, but for the number of jobs.
    fs::write(&file, text.replace("100000", "1000")).unwrap();
    let args = ["tournament", file.to_str().unwrap()];
    wurfel(&args).refused("pairs: 100000 there, 1000 here");
    fs::write(&file, text.replace("'basic'", "'greedy'\nname = 'other'")).unwrap();
    wurfel(&args).refused("participant[3].agent: \"basic\" there, \"greedy\" here");
}

/// Half a line, as a kill may leave it, is cut off, and a file of something else stays.
#[test]
fn a_torn_line_is_cut_off_and_other_files_stay() {
    let (folder, file) = folder_of(&SWISS.replace("PAIRS", "3"));
    let out = folder.path().join("cup.jsonl");
    let part = folder.path().join("cup.jsonl.part");
    play(&file);
    let whole = fs::read(&out).unwrap();
    let games = games(&out);
    for cut in [1, 100, whole.len() / 2, whole.len() - 1] {
        fs::remove_file(&out).unwrap();
        fs::write(&part, &whole[..cut]).unwrap();
        play(&file);
        assert!(self::games(&out) == games, "cut at {cut}");
    }
    wurfel(&["tournament", file.to_str().unwrap()]).refused("already exists");
    fs::remove_file(&out).unwrap();
    fs::write(&part, "something else\n").unwrap();
    wurfel(&["tournament", file.to_str().unwrap()]).refused("unfinished file of other work");
    assert_eq!(fs::read(&part).unwrap(), b"something else\n");
}

/// A line in the middle that something has damaged: what is behind it must not be played again and lost.
#[test]
fn a_damaged_line_is_refused_and_nothing_behind_it_is_cut_off() {
    let (folder, file) = folder_of(&SWISS.replace("PAIRS", "3"));
    let (out, part) = (folder.path().join("cup.jsonl"), folder.path().join("cup.jsonl.part"));
    play(&file);
    let whole = fs::read_to_string(&out).unwrap();
    fs::remove_file(&out).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    for (number, line, message) in [
        (7, "{\"number\":5,\"rou", "line 7: expected a game: "),
        (5, lines[3], "is given twice: expected each game once"),
        (2, "{\"setups\":[]}", "line 2: expected the set-ups of 4 participants, found 0"),
    ] {
        let mut damaged = lines.clone();
        damaged[number - 1] = line;
        let damaged = damaged.join("\n") + "\n";
        fs::write(&part, &damaged).unwrap();
        wurfel(&["tournament", file.to_str().unwrap()]).refused(message);
        assert_eq!(fs::read_to_string(&part).unwrap(), damaged);
        if number > 2 {
            wurfel(&["standings", file.to_str().unwrap()]).refused(message);
        }
    }
}

/// A search that keeps to a bound of its own does not look at the clock. On a busy machine only the time for which it
/// had a CPU counts, so its bound is a number of nodes that takes longer than the clock allows on any machine.
#[test]
fn whoever_oversteps_the_clock_loses() {
    let text = "format = 'ccgc'\nclock = { total = '100ms' }\n\
        [[participant]]\nagent = 'star2:nodes=30000000'\n[[participant]]\nagent = 'random'\n";
    let (folder, file) = folder_of(text);
    let standings = &play(&file).json()[0];
    let rows = &standings["rows"];
    assert_eq!((&rows[0]["name"], &rows[0]["won"]), (&"random".into(), &4.into()));
    assert_eq!((&rows[1]["faults"], &rows[0]["match_points"]), (&4.into(), &1.0.into()));
    let games = games(&folder.path().join("cup.jsonl"));
    let firsts: Vec<u64> = games.iter().map(|game| game["first"].as_u64().unwrap()).collect();
    assert_eq!(firsts, [0, 1, 1, 0], "who begins");
}

/// With certain results adjudicated, games are the beginnings of those that are played to the end.
#[test]
fn adjudication_ends_games_early_and_changes_no_move_before() {
    let text = |rule: &str| {
        format!(
            "format = 'round-robin'\npairs = 30\n{rule}\n\
            [[participant]]\nagent = 'greedy'\n[[participant]]\nagent = 'random'\n"
        )
    };
    let played = |rule: &str| {
        let (folder, file) = folder_of(&text(rule));
        play(&file);
        games(&folder.path().join("cup.jsonl"))
    };
    let whole = played("");
    for (rule, least) in [("certain", 1), ("covered", 10)] {
        let ended = played(&format!("adjudication = {{ rule = '{rule}' }}"));
        let early = ended.iter().filter(|game| game["adjudicated"] == true).count();
        assert!(early >= least, "{rule}: {early}");
        for (game, whole) in ended.iter().zip(&whole) {
            let moves = |game: &Value| game["moves"].as_str().unwrap().to_owned();
            assert!(moves(whole).starts_with(&moves(game)), "{rule}");
        }
    }
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    let refused = |text: &str, message: &str| {
        let (_folder, file) = folder_of(text);
        wurfel(&["tournament", file.to_str().unwrap()]).refused(message);
    };
    let two = "[[participant]]\nagent = 'greedy'\n[[participant]]\nagent = 'random'\n";
    refused("format = 'tcga'", "[[participant]]: expected from 2 to 128 participants, found 0");
    refused(&format!("format = 'cup'\n{two}"), "line 1: unknown variant `cup`");
    refused(&format!("format = 'tcga'\ngame = 'chess'\n{two}"), "unknown game 'chess'");
    refused(
        &format!("format = 'tcga'\n{two}setup = {{ first = 'S1', second = 'S1' }}"),
        "set-up 'S1'",
    );
    refused(&format!("format = 'tcga'\n{two}[[participant]]\nagent = 'x'"), "unknown agent 'x'");
    refused(
        &format!(
            "format = 'tcga'\ngame = 'dicechess'\nadjudication = {{ rule = 'certain' }}\n{two}"
        ),
        "adjudication: ",
    );
    let (_folder, file) = folder_of(&format!("format = 'tcga'\n{two}"));
    let file = file.to_str().unwrap();
    wurfel(&["tournament", file, "--pairs", "3"])
        .refused("--pairs: expected no such option beside");
    wurfel(&["tournament", file, "greedy"]).refused("expected one file NAME.toml");
    wurfel(&["tournament", "greedy"]).refused("expected two agents or more");
    wurfel(&["standings", file]).refused_by_system("cup.jsonl");
}
