//! Learning a network from self-play, in miniature.
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::path::Path;

use wurfel_game::{Game, Turn, UniformNetwork};
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;
use wurfel_net::Model;
use wurfel_train::network::{Config, Round, Run, RunError, play_games};

/// The small configuration that ships, smaller.
fn config() -> Config {
    let mut config = Config::read(include_str!("../../../configs/einstein-tiny.toml")).unwrap();
    config.network.filters = 16;
    config.self_play.games = 12;
    config.self_play.together = 5;
    config.self_play.simulations = 8;
    config.learning.buffer = 400;
    config.learning.batch = 64;
    config.learning.steps = 4;
    config
}

fn open(directory: &Path) -> Result<Run<Einstein>, RunError> {
    Run::open(config(), directory)
}

fn rounds(run: &mut Run<Einstein>, count: usize, jobs: usize) -> Vec<Round> {
    (0..count).map(|_| run.round(jobs, || false).unwrap().unwrap()).collect()
}

#[test]
fn the_configurations_that_ship_can_be_read() {
    for name in ["einstein-tiny", "einstein-paper"] {
        let path = format!("{}/../../configs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let config = Config::read(&fs::read_to_string(path).unwrap()).unwrap();
        assert!(Einstein::ENCODINGS.iter().any(|encode| encode.name() == config.encoding));
    }
}

#[test]
fn what_is_wrong_with_a_configuration_is_named() {
    let text = include_str!("../../../configs/einstein-tiny.toml");
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        Config::read(&text.replace(from, to)).unwrap_err().to_string()
    };
    let error = refused("batch = 512", "batsch = 512");
    assert!(error.contains("batsch") && error.lines().count() == 1, "{error}");
    assert_eq!(refused("clip = 1.0", "clip = -1.0"), "clip is -1, not 0.000001 to 1000000000");
    let line = 1 + text.lines().position(|line| line.starts_with("rate")).unwrap();
    let error = refused("rate = 4e-3", "rate = \"fast\"");
    assert!(error.starts_with(&format!("line {line}: ")), "{error}");
    assert!(refused("seed = 1\n", "").contains("missing field `seed`"));
    let folder = tempfile::tempdir().unwrap();
    let unknown = Config { encoding: "ewn-v9".into(), ..config() };
    let error = Run::<Einstein>::open(unknown, folder.path()).err().unwrap().to_string();
    assert_eq!(error, "configuration: encoding 'ewn-v9', not ewn-v2, ewn-v1");
}

#[test]
fn games_are_whole_and_each_says_what_its_search_found() {
    let rules = config().self_play;
    let games = play_games::<Einstein>(&mut UniformNetwork, &rules, 3, 0..7, || false).unwrap();
    // Played in another company each game is the same.
    let alone = play_games::<Einstein>(&mut UniformNetwork, &rules, 3, 4..5, || false).unwrap();
    assert_eq!(games[4], alone[0]);
    for game in &games {
        for (n, sample) in game.iter().enumerate() {
            let turn = Turn { position: &sample.position, roll: sample.roll };
            assert_eq!(sample.policy.len(), turn.moves().as_ref().len());
            assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!((0.0..=1.0).contains(&sample.value));
            assert_eq!(sample.position.ply(), n as u32 + 1);
        }
    }
    assert!(play_games::<Einstein>(&mut UniformNetwork, &rules, 3, 0..7, || true).is_none());
}

#[test]
fn a_run_gone_on_with_is_the_run_not_stopped() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut run = open(whole.path()).unwrap();
    rounds(&mut run, 3, 1);
    let mut first = open(parts.path()).unwrap();
    rounds(&mut first, 1, 2);
    drop(first);
    let mut second = open(parts.path()).unwrap();
    assert_eq!(second.done(), 1);
    // Stopped in the middle of the games: nothing is left of them.
    assert!(second.round(2, || true).unwrap().is_none());
    drop(second);
    let mut third = open(parts.path()).unwrap();
    rounds(&mut third, 2, 3);
    assert_eq!(run.model(), third.model());
    let file = fs::read(parts.path().join("net.safetensors")).unwrap();
    assert_eq!(Model::from_bytes(&file).unwrap(), run.model());
}

#[test]
fn a_damaged_or_foreign_directory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    rounds(&mut open(folder.path()).unwrap(), 1, 1);
    let other = Config { seed: 2, ..config() };
    let error = Run::<Einstein>::open(other, folder.path()).err().unwrap().to_string();
    assert!(error.contains("another configuration"), "{error}");
    for name in ["games-000001.jsonl", "state.safetensors"] {
        let path = folder.path().join(name);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let error = open(folder.path()).err().unwrap().to_string();
        assert!(error.contains(name) && error.lines().count() == 1, "{error}");
        fs::write(&path, bytes).unwrap();
    }
    assert_eq!(open(folder.path()).unwrap().done(), 1);
}

#[test]
fn rounds_are_counted_and_noted() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = open(folder.path()).unwrap();
    let rounds = rounds(&mut run, 3, 1);
    let Config { self_play, learning, .. } = config();
    for (n, round) in (1..).zip(&rounds) {
        assert_eq!((round.round, round.games), (n, n * self_play.games));
        assert_eq!(round.steps, n * u64::from(learning.steps));
        // The rate of the round's last step.
        let before = round.steps as f32 - 1.0;
        let rate = learning.rate * learning.decay.powf(before / learning.period);
        assert!((round.rate - rate).abs() < 1e-9, "{round:?}");
        let made: usize = rounds.iter().take(n as usize).map(|round| round.positions).sum();
        assert_eq!(round.buffer, made.min(learning.buffer));
        // No more than the entropy of six equally likely moves.
        assert!(round.entropy > 0.0 && round.entropy < 6f32.ln(), "{round:?}");
        assert!(round.policy_loss >= 0.0 && round.value_loss <= 4.0, "{round:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("metrics.jsonl")).unwrap().lines().count(), 3);
}
