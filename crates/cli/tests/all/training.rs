//! `train`, run as processes: positions, parameters, and an agent that uses them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::program::{Run, command, ended, send, wait_until, wurfel};

fn run(line: &str) -> Run {
    wurfel(&line.split(' ').collect::<Vec<_>>())
}

fn done(line: &str) -> String {
    let run = run(line);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{line}: {}", run.out);
    run.out
}

/// A temporary folder, with its name as text.
fn folder() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let name = dir.path().to_str().unwrap().to_owned();
    (dir, name)
}

#[test]
fn an_evaluation_is_learned_and_plays() {
    let (dir, d) = folder();
    let output = done(&format!("train positions {d}/a.tsv --games 30 --depth 1"));
    let text = fs::read_to_string(dir.path().join("a.tsv")).unwrap();
    let count = text.lines().count() - 1;
    assert!(output.starts_with(&format!("{count} positions from 30 games")), "{output}");
    let header: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(
        header,
        serde_json::json!({"game": "einstein", "eval": "zweistein", "depth": 1, "games": 30,
            "seed": 1, "version": env!("CARGO_PKG_VERSION")})
    );

    let output = done(&format!("train fit {d}/a.tsv --out {d}/a.weights --epochs 2"));
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], format!("{count} positions"));
    assert!(lines[1].starts_with("epoch 1: ") && lines[2].starts_with("epoch 2: "), "{output}");
    assert_eq!(lines.len(), 3);
    done(&format!("train fit {d}/a.tsv --out {d}/b.weights --epochs 2"));
    done(&format!("train fit {d}/a.tsv {d}/a.tsv --out {d}/c.weights --epochs 2"));
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert!(read("a.weights") == read("b.weights"));
    assert!(read("a.weights") != read("c.weights"));

    let agent = format!("champion:weights={d}/a.weights,depth=1");
    let answer = &run(&format!("match {agent} random --pairs 2 --json")).json()[0];
    assert_eq!((&answer["games"], &answer["agents"][0]["crashes"]), (&4.into(), &0.into()));
    assert_eq!(answer["agents"][0]["agent"], agent);

    // A second evaluation is fitted to the values of the first.
    done(&format!(
        "train positions {d}/b.tsv --games 5 --depth 2 --weights {d}/a.weights --jobs 1"
    ));
    let text = fs::read_to_string(dir.path().join("b.tsv")).unwrap();
    assert!(text.lines().next().unwrap().contains(r#""eval":"learned "#), "{text}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 5, "no part is left");
}

#[test]
fn a_fit_goes_on_from_other_parameters() {
    let (dir, d) = folder();
    done(&format!("train positions {d}/a.tsv --games 40 --depth 1 --lambda 0.9"));
    let text = fs::read_to_string(dir.path().join("a.tsv")).unwrap();
    let header: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(header["lambda"], 0.9_f32);
    // Every position of a game is there, including the first.
    assert!(text.lines().nth(1).unwrap().contains(" r - 1\t"), "{text}");
    done(&format!("train positions {d}/b.tsv --games 40 --depth 1 --lambda 0.9 --rolls 2"));
    assert_ne!(fs::read_to_string(dir.path().join("b.tsv")).unwrap(), text);

    done(&format!("train fit {d}/a.tsv --out {d}/a.weights --epochs 20 --batch 64"));
    let first = |line: &str| {
        let output = done(line);
        let after = output.split("learned").next().unwrap().to_owned();
        let number = after.split("squared error ").nth(1).unwrap()[..6].parse::<f32>();
        number.unwrap()
    };
    let again = format!("train fit {d}/a.tsv --epochs 1 --batch 64");
    let anew = first(&format!("{again} --out {d}/b.weights"));
    let on = first(&format!("{again} --out {d}/c.weights --from {d}/a.weights"));
    assert!(on < anew, "{on} {anew}");
}

#[test]
fn values_are_learned_over_many_games_and_play() {
    let (dir, d) = folder();
    let output = done(&format!("train values --out {d}/a.values --games 20000"));
    assert!(output.starts_with("20000 games, "), "{output}");
    done(&format!("train values --out {d}/b.values --games 20000"));
    done(&format!("train values --out {d}/c.values --games 20000 --seed 2"));
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert!(read("a.values") == read("b.values") && read("a.values") != read("c.values"));
    let agent = format!("qlearning:values={d}/a.values");
    let answer = &run(&format!("match {agent} random --pairs 100 --json")).json()[0];
    assert!(answer["win_rate"].as_f64().unwrap() > 0.6, "{answer}");
    // Learned values can label positions, too.
    done(&format!("train positions {d}/a.tsv --games 5 --depth 1 --values {d}/a.values"));
    let text = fs::read_to_string(dir.path().join("a.tsv")).unwrap();
    assert!(text.lines().next().unwrap().contains(r#""eval":"values "#), "{text}");
}

#[test]
fn replies_are_picked_by_what_was_fitted() {
    let (dir, d) = folder();
    let fit = |name: &str, more: &str| {
        let output = done(&format!("train replies --out {d}/{name} --rolls 200 {more}"));
        assert!(output.starts_with("200 rolls; 8 picked of the ends of 2000 others:"), "{output}");
        fs::read(dir.path().join(name)).unwrap()
    };
    let first = fit("a.replies", "--jobs 1");
    assert!(first == fit("b.replies", "--jobs 2") && first != fit("c.replies", "--seed 2"));
    // 200 rolls teach little, so the agent finds other values than with what ships.
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB";
    let value = |agent: &str| {
        let line = format!("analyse @ --game dicechess3 --depth 2 --json --agent {agent}");
        let words = line.split(' ').map(|word| if word == "@" { position } else { word });
        wurfel(&words.collect::<Vec<_>>()).json()[0]["value"].clone()
    };
    assert_ne!(value("selective"), value(&format!("selective:replies-file={d}/a.replies")));
    assert_ne!(value("selective"), value("selective:inner=linear"));
}

/// The evaluation of EinStein was the default in every game.
#[test]
fn each_game_labels_positions_by_an_evaluation_of_its_own() {
    let (dir, d) = folder();
    for (game, eval) in [("einstein", "zweistein"), ("dicechess", "linear")] {
        done(&format!("train positions {d}/{game}.tsv --game {game} --games 2 --depth 1"));
        let text = fs::read_to_string(dir.path().join(format!("{game}.tsv"))).unwrap();
        let header: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(header["eval"], eval);
    }
}

#[test]
fn the_parameters_decide_how_an_agent_plays() {
    let (_dir, d) = folder();
    done(&format!("train positions {d}/a.tsv --games 100 --depth 1"));
    for (name, seed) in [("a", 1), ("b", 2)] {
        done(&format!(
            "train fit {d}/a.tsv --out {d}/{name}.weights --epochs 30 --batch 64 --seed {seed}"
        ));
    }
    let values = |agent: &str| {
        let args = ["analyse", "ABC2/DE3/F3f/3ed/2cba r 4 1", "--json", "--depth", "1", "--agent"];
        let answer = wurfel(&[&args[..], &[agent]].concat()).json()[0].clone();
        answer["moves"].to_string()
    };
    let a = values(&format!("star2:weights={d}/a.weights"));
    assert_eq!(values(&format!("expecti:weights={d}/a.weights,eval=learned")), a);
    for other in [format!("star2:weights={d}/b.weights"), "star2:eval=learned".into()] {
        assert_ne!(values(&other), a, "{other}");
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let (dir, d) = folder();
    let path = |name: &str| dir.path().join(name);
    done(&format!("train positions {d}/a.tsv --games 30 --depth 1"));
    done(&format!("train positions {d}/few.tsv --games 2 --depth 1"));
    done(&format!("train fit {d}/a.tsv --out {d}/a.weights --epochs 1"));
    let weights = fs::read(path("a.weights")).unwrap();
    fs::write(path("short.weights"), &weights[..weights.len() - 1]).unwrap();
    let mut flipped = weights.clone();
    flipped[weights.len() / 2] ^= 4;
    fs::write(path("flipped.weights"), flipped).unwrap();
    fs::write(path("empty.weights"), "").unwrap();
    let text = fs::read_to_string(path("a.tsv")).unwrap();
    fs::write(path("bad.tsv"), text.replacen("\t0.", "\t7.", 1)).unwrap();
    fs::write(path("begun.tsv.part"), "something else\n").unwrap();
    // The work was begun with parameters that have changed since.
    done(&format!("train positions {d}/again.tsv --games 5 --depth 1 --weights {d}/a.weights"));
    fs::rename(path("again.tsv"), path("again.tsv.part")).unwrap();
    done(&format!("train fit {d}/a.tsv --out {d}/other.weights --epochs 2"));
    let before = fs::read(path("begun.tsv.part")).unwrap();

    for (line, message) in [
        ("train positions D/a.tsv --games 30 --depth 1", "a.tsv' already exists"),
        ("train positions D/begun.tsv --games 30", "is an unfinished file of other work"),
        (
            "train positions D/again.tsv --games 5 --depth 1 --weights D/other.weights",
            "is an unfinished file of other work",
        ),
        ("train positions D/x.tsv --eval zweistien", "did you mean 'zweistein'?"),
        ("train positions D/x.tsv --lambda 2", "expected a number from 0 to 1"),
        ("train positions D/x.tsv --rolls 2", "expected --lambda or --without-wins beside it"),
        ("train positions D/x.tsv --alternatives 2", "--without-wins"),
        ("train fit D/a.tsv --out D/x --from D/short.weights", "damaged"),
        ("train values --out D/x --learning-rate nan", "expected a number from 0 to 1"),
        ("train values --out D/a.weights", "a.weights' already exists"),
        (
            "train replies --out D/x --game einstein",
            "expected a game whose turns have several moves",
        ),
        (
            "match selective:replies-file=D/a.weights random --game dicechess3",
            "a file that `wurfel train replies`",
        ),
        (
            "match selective:replies-file=D/a.weights random",
            "nothing in a game whose turns are single moves",
        ),
        ("match qlearning:values=D/a.weights random", "a file that `wurfel train values`"),
        ("match qlearning:values=D/a.weights,eval=x random", "values"),
        ("train positions D/x.tsv --game einstien", "did you mean 'einstein'?"),
        ("train positions D/x.tsv --games 0", "--games"),
        ("train positions D/x.tsv --weights D/none", "a file that `wurfel train fit` has written"),
        ("train positions D/x.tsv --weights D/short.weights", "damaged or for another game"),
        ("train positions D/x.tsv --weights D/a.weights --eval schwarz", "cannot be used with"),
        ("train fit D/a.weights --out D/x", "a.weights'"),
        ("train fit D/bad.tsv --out D/x", "bad.tsv', line "),
        ("train fit D/a.tsv --out D/x --game einstein-nearest", "positions of einstein-nearest"),
        ("train fit D/few.tsv --out D/x", "expected more than 20 positions"),
        ("train fit D/a.tsv --out D/a.weights", "a.weights' already exists"),
        ("train fit D/a.tsv --out D", "expected the name of a file"),
        ("train fit D/a.tsv --out D/x --learning-rate 0", "--learning-rate '0': expected"),
        ("train fit D/a.tsv --out D/x --learning-rate nan", "--learning-rate"),
        ("train fit --out D/x", "missing <POSITIONS>"),
        ("match champion:weights=D/none random", "expected a file that `wurfel train fit`"),
        ("match champion:weights=D/short.weights random", "damaged or for another game"),
        ("match champion:weights=D/flipped.weights random", "damaged or for another game"),
        ("match champion:weights=D/empty.weights random", "not a learned evaluation"),
        ("match champion:weights=D/a.tsv random", "not a learned evaluation"),
        (
            "match star2:weights=D/a.weights,eval=schwarz random",
            "expected one with parameters, such as learned, beside weights",
        ),
        ("match star2:weights=D/a.weights,values=D/v random", "expected nothing beside weights"),
    ] {
        let run = run(&line.replace('D', &d));
        assert_eq!(run.code, 2, "{line}: {}", run.err);
        run.refused(message);
        assert!(!path("x").exists() && !path("x.tsv").exists(), "{line}");
    }
    assert!(fs::read(path("a.weights")).unwrap() == weights);
    assert!(fs::read(path("begun.tsv.part")).unwrap() == before);
    // A file that cannot be written is refused before the work.
    for line in [
        "train positions D/no/x.tsv",
        "train fit D/a.tsv --out D/no/x --epochs 100000",
        "train fit D/none.tsv --out D/x",
    ] {
        let run = run(&line.replace('D', &d));
        assert_eq!((run.code, run.err.lines().count()), (1, 1), "{line}: {}", run.err);
    }
}

/// Starts a command and sends it a signal once it has written something. Returns the exit code,
/// which is 0 if the command ended first.
fn broken_off(line: &str, written: impl Fn() -> bool, signal: &str) -> Run {
    let mut child = command(&line.split(' ').collect::<Vec<_>>()).spawn().unwrap();
    wait_until(|| written() || child.try_wait().unwrap().is_some());
    if child.try_wait().unwrap().is_none() {
        send(&child, signal);
    }
    ended(child.wait_with_output().unwrap())
}

/// Starts a fit and stops it by Ctrl-C after its first epoch.
fn stopped_fit(line: &str) -> Run {
    let mut child = command(&line.split(' ').collect::<Vec<_>>()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("epoch 1: ")));
    send(&child, "INT");
    // A full pipe would make the process wait for a reader.
    lines.for_each(drop);
    let run = ended(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{}", run.err);
    run
}

#[test]
fn positions_that_were_broken_off_go_on_where_they_were() {
    let (dir, d) = folder();
    let line =
        |name: &str| format!("train positions {d}/{name}.tsv --games 60000 --depth 1 --seed 4");
    done(&line("whole"));
    let [part, parts] = ["parts.tsv.part", "parts.tsv"].map(|name| dir.path().join(name));
    let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
    // After Ctrl-C the command says how to resume; a killed one says nothing.
    for (signal, code, least) in [("INT", 130, 1 << 20), ("KILL", -1, 3 << 20)] {
        let run = loop {
            let run = broken_off(&line("parts"), || size(&part) >= least, signal);
            if run.code != 0 {
                break run;
            }
            fs::remove_file(&parts).unwrap();
        };
        assert_eq!(run.code, code, "{}", run.err);
        assert!(!parts.exists());
        assert!(code < 0 || run.err.contains("the same command resumes it"), "{}", run.err);
    }
    assert!(size(&part) > 0);
    done(&line("parts"));
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert!(read("parts.tsv") == read("whole.tsv"));
}

#[test]
fn a_fit_that_was_stopped_keeps_what_it_has() {
    let (dir, d) = folder();
    done(&format!("train positions {d}/a.tsv --games 30 --depth 1"));
    let run = stopped_fit(&format!("train fit {d}/a.tsv --out {d}/a.weights --epochs 100000"));
    assert!(run.err.contains("of 100000 epochs"), "{}", run.err);
    assert!(dir.path().join("a.weights").exists());
    done(&format!("match champion:weights={d}/a.weights,depth=1 random --pairs 1"));
}

#[test]
fn the_network_of_the_paper_on_dice_chess_is_fitted_to_games() {
    let (dir, d) = folder();
    done(&format!("match greedy random --game dicechess --pairs 6 --out {d}/games.jsonl"));
    let fit = |name: &str, more: &str| {
        format!("train mlp {d}/games.jsonl --out {d}/{name}.weights --batch 100{more}")
    };
    let output = done(&fit("a", &format!(" --epochs 21 --losses {d}/a.csv")));
    let lines: Vec<&str> = output.lines().collect();
    let begins = ["", "epoch 1: mean", "epoch 20: mean", "epoch 21: mean"];
    assert_eq!(lines.len(), begins.len(), "{output}");
    assert!(lines.iter().zip(begins).all(|(line, begin)| line.starts_with(begin)), "{output}");
    assert!(lines[0].contains(" turns to learn from, "), "{output}");
    // The losses of all epochs, as a table and in JSON.
    let text = fs::read_to_string(dir.path().join("a.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["epoch", "training_loss", "validation_loss"]);
    let loss = |row: usize| rows[row][1].parse::<f64>().unwrap();
    assert!(rows.len() == 22 && loss(21) < loss(1), "{text}");
    done(&fit("b", &format!(" --epochs 21 --losses {d}/b.json")));
    let json = fs::read_to_string(dir.path().join("b.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!((json[20]["training_loss"].as_f64().unwrap() - loss(21)).abs() < 1e-12, "{json}");
    assert_eq!(json[0]["epoch"], 1);
    // The same games and seed give the same network, another seed another one.
    done(&fit("c", " --epochs 21 --seed 2"));
    let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
    assert!(read("a.weights") == read("b.weights") && read("a.weights") != read("c.weights"));
    // With the win probabilities of an agent in place of the results another network comes out.
    done(&fit("f", " --epochs 21 --labels expecti:depth=1"));
    assert!(read("a.weights") != read("f.weights"));
    run_refused(&fit("g", " --labels gredy"), "unknown agent 'gredy': did you mean 'greedy'?");

    // It plays in place of the one that ships, and files of other evaluations are refused.
    let agent = |eval: &str, file: &str| {
        format!(
            "match expecti:depth=1,eval={eval},weights={d}/{file} random --game dicechess --pairs 1 --json"
        )
    };
    let played = |line: String| run(&line).json()[0]["mean_plies"].clone();
    assert_ne!(played(agent("mlp", "a.weights")), played(agent("mlp", "c.weights")));
    run_refused(&agent("learned", "a.weights"), "not a learned evaluation of this version");
    run_refused(&agent("linear", "a.weights"), "expected one with parameters");
    run_refused(&agent("mlp", "a.csv"), "expected a file for eval=mlp");

    let run = stopped_fit(&fit("d", " --epochs 100000"));
    assert!(run.err.contains("of 100000 epochs; the file has the result so far"), "{}", run.err);
    assert_eq!(read("d.weights").len(), read("a.weights").len());

    run_refused(&fit("a", ""), "already exists");
    run_refused(
        &fit("e", " --learning-rate 2"),
        "--learning-rate '2': expected a number from 0.000001 to 1",
    );
    done(&format!("match greedy random --pairs 1 --out {d}/einstein.jsonl"));
    let line = format!("train mlp {d}/einstein.jsonl --out {d}/e.weights");
    run_refused(&line, "einstein.jsonl': ");
    assert!(!dir.path().join("e.weights").exists());
}

/// Runs a command that ends with an error of one line that contains `message`.
fn run_refused(line: &str, message: &str) {
    let run = run(line);
    assert!(run.code == 1 || run.code == 2, "{line}: {}", run.code);
    assert!(run.err.lines().count() == 1 && run.err.contains(message), "{line}: {}", run.err);
}
