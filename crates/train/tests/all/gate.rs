//! The gate through which a network becomes the best one, and the networks that a run keeps.

use std::fs;
use std::path::Path;

use wurfel_arena::{SprtSimulation, SprtVerdict};
use wurfel_games::einstein::Einstein;
use wurfel_net::Model;
use wurfel_train::network::{
    EvaluationConfig, GateConfig, GateTest, Keep, Run, Strength, TrainingConfig,
};

use crate::network::config;

fn sequential() -> GateConfig {
    GateConfig { test: GateTest::Sequential, ..GateConfig::default() }
}

/// How often a simulated gate is passed by a network with this Elo difference.
fn passes(elo: f64, max_pairs: u64) -> f64 {
    let test = sequential().sprt().unwrap().unwrap();
    let shares = [22.0, 0.0, 56.0, 0.0, 22.0];
    let simulation = SprtSimulation { test, elo, shares, max_pairs, gain: 3.0 };
    let passed = (0..2000).filter(|seed| simulation.run(*seed).verdict == SprtVerdict::H1).count();
    passed as f64 / 2000.0
}

/// The error rate that the configuration states, with the luck taken off; the test of a fixed number of
/// pairs is simulated where it is defined.
#[test]
fn a_sequential_gate_lets_equal_networks_pass_no_more_often_than_stated() {
    assert_eq!(sequential().error.to_string(), "0.05");
    let none = passes(0.0, u64::MAX);
    assert!((0.03..0.062).contains(&none), "{none}");
    assert!(passes(0.0, 200) <= 0.062);
    assert!(passes(-10.0, u64::MAX) < 0.02);
    // The difference that must not be overlooked.
    let better = passes(20.0, u64::MAX);
    assert!((0.935..0.975).contains(&better), "{better}");
}

/// A run whose networks stay as strong as they are, with this gate: its evaluations.
fn measured(gate: GateConfig, pairs: u64) -> Vec<Strength> {
    let folder = tempfile::tempdir().unwrap();
    let opponents = vec!["random".into()];
    let evaluation = EvaluationConfig {
        every: 12,
        pairs,
        simulations: 2,
        opponents,
        patience: 0,
        exact_pieces: 0,
        exact_positions: 1,
        gate,
    };
    let mut config = TrainingConfig { evaluation: Some(evaluation), rounds: 3, ..config() };
    config.learning.learning_rate = 1e-9;
    let mut run = Run::open(&Einstein::default(), config, folder.path()).unwrap();
    while !run.is_over() {
        run.round(2, None).unwrap().unwrap();
    }
    run.history().iter().filter_map(|round| round.evaluation.clone()).collect()
}

#[test]
fn a_network_that_is_no_better_does_not_pass() {
    for gate in [GateConfig::default(), sequential()] {
        let all = measured(gate, 40);
        assert_eq!(
            all.iter().map(|one| one.passed).collect::<Vec<_>>(),
            [None, Some(false), Some(false)]
        );
        assert_eq!(all.iter().map(|one| one.best_round).collect::<Vec<_>>(), [1, 1, 1]);
        assert_eq!(all[2].without_gain, 2);
        // Against other agents all pairs are played, with their luck.
        assert!(all.iter().all(|one| one.opponents[0].pairs == 40));
        assert!(all.iter().all(|one| one.opponents[0].adjusted.is_some()));
    }
    let wide = GateConfig { elo: 100.0, ..sequential() };
    let won = measured(wide, 150).swap_remove(1).against_best.unwrap();
    assert!(won.pairs < 150, "{won:?}");
}

#[test]
fn a_gate_that_cannot_be_made_is_refused() {
    let text = include_str!("../../../../configs/einstein-tiny.toml");
    for (more, why) in [
        ("error = 0.5", "gate's error is 0.5, not 0.0001 to 0.49"),
        ("test = \"sequential\"\nelo = 0", "gate's elo is 0, not 1 to 500"),
        ("test = \"lucky\"", "unknown variant `lucky`"),
    ] {
        let text = format!("{text}\n[evaluation.gate]\n{more}\n");
        let error = TrainingConfig::read(&text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    let text = format!("{text}\n[evaluation.gate]\nerror = 0.01\n");
    let gate = TrainingConfig::read(&text).unwrap().evaluation.unwrap().gate;
    assert_eq!(gate, GateConfig { error: 0.01, ..GateConfig::default() });
}

fn saved_networks(folder: &Path) -> Vec<u64> {
    let names = fs::read_dir(folder).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let round = |name: String| name.strip_prefix("net-")?.split_once('.')?.0.parse().ok();
    let mut rounds: Vec<u64> = names.filter_map(round).collect();
    rounds.sort_unstable();
    rounds
}

#[test]
fn networks_are_kept_by_a_rule() {
    for (keep, wanted) in [
        (None, vec![]),
        (Some(Keep { every: 2, ..Keep::default() }), vec![0, 2, 4]),
        (Some(Keep { last: 2, ..Keep::default() }), vec![0, 4, 5]),
        (Some(Keep { every: 3, last: 1, doubling: true }), vec![0, 1, 2, 3, 4, 5]),
        (Some(Keep { doubling: true, ..Keep::default() }), vec![0, 1, 2, 4]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let config = TrainingConfig { keep, rounds: 5, ..config() };
        let open = || Run::open(&Einstein::default(), config.clone(), folder.path()).unwrap();
        let mut run = open();
        let first = run.model();
        for _ in 0..5 {
            run.round(2, None).unwrap().unwrap();
        }
        assert_eq!(saved_networks(folder.path()), wanted, "{keep:?}");
        let read = |round: u64| {
            let path = folder.path().join(format!("net-{round:06}.safetensors"));
            Model::from_bytes(&fs::read(path).unwrap()).unwrap().without_int8_scales()
        };
        if keep.is_some() {
            assert_eq!(read(0), first);
        }
        if wanted.contains(&5) {
            assert_eq!(read(5), run.model());
        }
        drop(run);
        // A program that was killed in the sixth round has left its network.
        fs::write(folder.path().join("net-000006.safetensors"), "stale").unwrap();
        drop(open());
        assert_eq!(saved_networks(folder.path()), wanted, "{keep:?}");
    }
}
