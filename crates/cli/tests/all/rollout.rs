//! `wurfel rollout` with several moves, and with games that are cut.

use serde_json::Value;

use crate::program::{Run, command, ended, wurfel};

const TURN: &str = "5/1A3/2B2/2c1a/5 b 4 1";

#[test]
fn moves_are_compared_and_the_worse_ones_dropped() {
    let run = wurfel(&["rollout", TURN, "--moves", "3", "--depth", "3", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let moves = answer["moves"].as_array().unwrap();
    let of = |field: &str| moves.iter().map(|of| of[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("move"), ["c2b2", "c2b3", "c2c3"]);
    assert_eq!(of("dropped"), [false, true, true]);
    let games: u64 = of("games").iter().map(|games| games.as_u64().unwrap()).sum();
    assert_eq!(answer["games"], games);
    assert!(moves[0]["behind"].is_null());
    assert_eq!((&answer["depth"], &answer["luck_adjusted"]), (&3.into(), &true.into()));
    let behind = moves[1]["behind"]["value"].as_f64().unwrap();
    let error = moves[1]["behind"]["standard_error"].as_f64().unwrap();
    // 15.14 % against 12.41 % by exact values.
    assert!((behind - 0.0273).abs() < 4.0 * error, "{behind} ± {error}");

    let run = wurfel(&["rollout", TURN, "--moves", "2", "--depth", "3"]);
    assert_eq!(run.code, 0);
    let rows: Vec<&str> = run.out.lines().filter(|line| line.starts_with("c2")).collect();
    assert!(rows[0].starts_with("c2b2") && rows[0].contains("best"), "{}", run.out);
    assert!(rows[1].starts_with("c2b3") && rows.len() == 2, "{}", run.out);
    let settings = "each move: depth 3, unless the agent names a bound; luck taken off; seed 1; ";
    assert!(run.out.contains(settings), "{}", run.out);
}

/// The columns do not subtract where the luck of the differences is taken off.
#[test]
fn with_the_luck_left_in_a_move_is_behind_by_the_difference_of_the_values() {
    let options = ["--moves", "2", "--error-rate", "0.000001", "--keep-luck", "--games", "60"];
    let run = wurfel(&[&["rollout", TURN, "--json"], options.as_slice()].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let [best, other] = [0, 1].map(|at| answer["moves"][at]["value"].as_f64().unwrap());
    let behind = answer["moves"][1]["behind"]["value"].as_f64().unwrap();
    assert!((best - other - behind).abs() < 1e-9, "{answer}");
    assert_eq!(answer["luck_adjusted"], false);
}

/// Such a rollout claimed to be certain, with an interval from 0.00 to 0.00.
#[test]
fn games_that_all_end_alike_leave_an_interval() {
    let won = "5/5/3A1/4a/5 r - 1";
    let options = ["--agent", "greedy", "--games", "60", "--keep-luck", "--json"];
    let run = wurfel(&[&["rollout", won], options.as_slice()].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&answer["value"], &answer["standard_error"]), (&1.0.into(), &Value::Null));
    let [low, high] = [0, 1].map(|end| answer["interval"][end].as_f64().unwrap());
    // Wilson's interval for 60 of 60.
    assert!((low - 0.9398).abs() < 1e-3 && high > 0.9999, "{answer}");
}

/// After one game of each first roll, or of each move, the output said "standard error 0.00".
#[test]
fn where_nothing_varies_the_standard_error_is_not_known() {
    let one = ["--games", "1", "--depth", "1"];
    let text = |options: &[&str]| wurfel(&[&["rollout", TURN], &one[..], options].concat()).out;
    assert!(text(&[]).contains(" %, standard error ?, 95 % interval "), "{}", text(&[]));
    let moves = text(&["--moves", "3"]);
    assert!(moves.contains(" %       ?  "), "{moves}");
    let answer = wurfel(&[&["rollout", TURN, "--moves", "3", "--json"], &one[..]].concat());
    let answer: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(answer["moves"][0]["standard_error"], Value::Null, "{answer}");
    assert_eq!(answer["moves"][1]["behind"]["standard_error"], Value::Null, "{answer}");
    let [low, high] = [0, 1].map(|end| answer["moves"][0]["interval"][end].as_f64().unwrap());
    assert!(high - low > 0.5, "{answer}");
}

#[test]
fn a_rollout_can_end_each_game_with_an_estimate() {
    let options = ["rollout", TURN, "--games", "600", "--depth", "3", "--json"];
    let short = [options.as_slice(), &["--truncate", "2"]].concat();
    let [long, short] = [options.as_slice(), short.as_slice()].map(|options| {
        let run = wurfel(options);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        serde_json::from_str::<Value>(&run.out).unwrap()
    });
    assert!(short["mean_plies"].as_f64().unwrap() <= 2.0);
    assert_eq!((&long["truncate"], &short["truncate"]), (&Value::Null, &2.into()));
    assert!(long["mean_plies"].as_f64().unwrap() > 2.0);
    let values = [&long, &short].map(|answer| answer["value"].as_f64().unwrap());
    assert!((values[0] - values[1]).abs() < 0.05, "{values:?}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for (args, message) in [
        (vec!["5/1A3/2B2/2c1a/5 b - 1", "--moves", "2"], "expected one with a roll"),
        (
            vec![TURN, "--moves", "2", "--error-rate", "0.7"],
            "expected a number from 0.000001 to 0.5",
        ),
        (vec![TURN, "--error-rate", "0.1"], "--moves"),
        (vec![TURN, "--truncate", "3", "--agent", "random"], "expected an agent that does"),
        (vec![TURN, "--moves", "0"], "expected a whole number from 1 to 1,000"),
    ] {
        let all: Vec<&str> = [&["rollout"], args.as_slice()].concat();
        let run = wurfel(&all);
        assert!(run.code == 2 && run.err.contains(message), "{args:?}: {} {}", run.code, run.err);
        assert_eq!(run.out, "");
    }
}

/// The only answer, without what differs from run to run.
fn untimed(run: &Run) -> Value {
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let mut answer = run.json().remove(0);
    answer.as_object_mut().unwrap().remove("seconds");
    answer
}

#[test]
fn a_rollout_that_is_stored_is_extended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rollout.json");
    let file = file.to_str().unwrap();
    let play = |games: &str, more: &[&str]| {
        let options = ["rollout", "5/1A3/2B2/2c1a/5 b - 1", "--depth", "3", "--games", games];
        wurfel(&[&options, more].concat())
    };
    let rollout = |games: &str, more: &[&str]| untimed(&play(games, &[more, &["--json"]].concat()));
    assert_eq!(rollout("120", &["--store", file])["games"], 120);
    let longer = rollout("600", &["--store", file]);
    assert_eq!(longer, rollout("600", &[]));
    assert_eq!(rollout("1", &["--store", file]), longer);

    play("600", &["--store", file, "--seed", "2"]).refused("seed is 1, not 2");
    wurfel(&["rollout", "-", "--store", file]).refused("expected one position");
    std::fs::write(file, "{}").unwrap();
    play("600", &["--store", file]).refused("expected a stored rollout");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "{}");
    let nowhere = folder.path().join("none/rollout.json");
    play("600", &["--store", nowhere.to_str().unwrap()]).refused_by_system("none/rollout.json");
}

/// Two of them ended with "No such file or directory": one had renamed the file of another.
#[test]
fn rollouts_that_begin_a_store_at_the_same_time_do_not_disturb_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rollout.json");
    let options = ["rollout", TURN, "--games", "2000", "--json", "--store", file.to_str().unwrap()];
    let running = [(); 3].map(|()| command(&options).spawn().unwrap());
    let rollout = running.map(|child| untimed(&ended(child.wait_with_output().unwrap())));
    assert!(rollout[0] == rollout[1] && rollout[1] == rollout[2], "{rollout:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_comparison_that_is_stored_is_extended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moves.json");
    let file = file.to_str().unwrap();
    let play = |games: &str, more: &[&str]| {
        let options = ["rollout", TURN, "--moves", "3", "--depth", "2", "--games", games];
        wurfel(&[&options, more].concat())
    };
    let rollout = |games: &str, more: &[&str]| untimed(&play(games, &[more, &["--json"]].concat()));
    for games in ["50", "130", "1000"] {
        assert_eq!(rollout(games, &["--store", file]), rollout(games, &[]), "{games}");
    }
    let longer = rollout("1000", &[]);
    assert_eq!(rollout("1", &["--store", file]), longer);

    play("1000", &["--store", file, "--seed", "2"]).refused("seed is 1, not 2");
    play("1000", &["--store", file, "--error-rate", "0.01"])
        .refused("another comparison of moves is stored there: error_rate is 0.05, not 0.01");
    let alone = ["rollout", TURN, "--depth", "2", "--store", file];
    wurfel(&alone).refused("expected a stored rollout, version 1: it is wurfel-comparison");
    wurfel(&["rollout", "-", "--moves", "2", "--store", file]).refused("expected one position");
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, &text[..text.len() / 2]).unwrap();
    play("1000", &["--store", file]).refused("expected a stored comparison of moves");
    assert_eq!(std::fs::read_to_string(file).unwrap(), text[..text.len() / 2]);
    let nowhere = folder.path().join("none/moves.json");
    play("600", &["--store", nowhere.to_str().unwrap()]).refused_by_system("none/moves.json");
}

#[cfg(unix)]
#[test]
fn a_comparison_that_ctrl_c_stopped_goes_on_with_the_same_command() {
    use crate::program::{send, wait_until};

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moves.json");
    let start = "ABC2/DE3/F3f/3ed/2cba r 4 1";
    let options = ["rollout", start, "--moves", "3", "--depth", "4", "--json", "--games"];
    let stored = ["--store", file.to_str().unwrap()];
    let child = command(&[&options[..], &["1000000"], &stored].concat()).spawn().unwrap();
    // The first game is kept at once.
    wait_until(|| {
        let saved = std::fs::read(&file).unwrap_or_default();
        let saved: Value = serde_json::from_slice(&saved).unwrap_or_default();
        saved["found"]["games"].as_u64().is_some_and(|games| games > 0)
    });
    send(&child, "INT");
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{}", run.err);
    let stopped: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(stopped["complete"], false);
    let games = stopped["moves"][0]["games"].as_u64().unwrap() + 60;
    let games = games.to_string();
    let [one, other] = [&stored[..], &[]]
        .map(|more| untimed(&wurfel(&[&options[..], &[games.as_str()], more].concat())));
    assert_eq!(one, other);
}
