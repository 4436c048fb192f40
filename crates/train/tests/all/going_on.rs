//! Runs that begin from a network, and runs that go on with more rounds than they had.

use std::fs;
use std::path::Path;

use wurfel_games::einstein::Einstein;
use wurfel_net::Model;
use wurfel_train::network::{Run, RunError, TrainingConfig};

use crate::network::config;

fn open(config: &TrainingConfig, directory: &Path) -> Result<Run<Einstein>, RunError> {
    Run::open(&Einstein::default(), config.clone(), directory)
}

/// Runs until all rounds are done.
fn finish(config: &TrainingConfig, directory: &Path, jobs: usize) -> Run<Einstein> {
    let mut run = open(config, directory).unwrap();
    while !run.is_over() {
        run.round(jobs, None).unwrap().unwrap();
    }
    run
}

fn refused(config: &TrainingConfig, directory: &Path) -> String {
    let error = open(config, directory).err().unwrap().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn a_finished_run_with_more_rounds_is_the_run_that_had_them_from_the_beginning() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let rounds = |rounds| TrainingConfig { rounds, ..config() };
    let once = finish(&rounds(3), whole.path(), 1);
    drop(finish(&rounds(1), parts.path(), 2));
    let twice = finish(&rounds(3), parts.path(), 1);
    assert_eq!(once.model(), twice.model());
    drop((once, twice));
    let text = |folder: &Path| fs::read_to_string(folder.join("config.toml")).unwrap();
    assert_eq!(text(whole.path()), text(parts.path()));
    let error = refused(&rounds(2), parts.path());
    assert_eq!(error, "configuration: rounds is 2, and this run has 3 already");
    // What was refused is not written down.
    assert_eq!(text(whole.path()), text(parts.path()));
    let other = TrainingConfig { seed: 2, ..rounds(4) };
    assert!(refused(&other, parts.path()).contains("and only rounds may change"));
}

#[test]
fn a_run_starts_from_the_network_in_a_file() {
    let [first, second, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let learned = finish(&TrainingConfig { rounds: 1, ..config() }, first.path(), 1).model();
    let path = first.path().join("net.safetensors");
    let start = Some(path.to_str().unwrap().to_owned());
    let begun = TrainingConfig { start, rounds: 2, ..config() };
    let run = open(&begun, second.path()).unwrap();
    assert_eq!((run.model(), run.done()), (learned.clone(), 0));
    drop(run);
    // The run has its own copy, so that the file may change.
    fs::write(&path, "something else").unwrap();
    let done = finish(&begun, second.path(), 1).model();
    assert_ne!(done, learned);
    let copy = fs::read(second.path().join("start.safetensors")).unwrap();
    assert_eq!(Model::from_bytes(&copy).unwrap().without_int8_scales(), learned);
    fs::write(&path, &copy).unwrap();
    assert_eq!(finish(&begun, other.path(), 3).model(), done);
}

#[test]
fn a_network_of_another_shape_is_no_start() {
    let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    drop(finish(&TrainingConfig { rounds: 1, ..config() }, first.path(), 1));
    let path = first.path().join("net.safetensors").to_str().unwrap().to_owned();
    let begun = TrainingConfig { start: Some(path.clone()), ..config() };
    let mut wider = begun.clone();
    wider.network.filters = 24;
    assert_eq!(
        refused(&wider, second.path()),
        format!("'{path}': its filters is 16, not 24 as the configuration says")
    );
    let mut restful = begun.clone();
    restful.network.afterstate_value = true;
    assert!(refused(&restful, second.path()).contains("its afterstate_value is false, not true"));
    let third = TrainingConfig { encoding: "ewn-v1".into(), ..begun };
    assert!(refused(&third, second.path()).contains("its encoding is ewn-v2, not ewn-v1"));
    let none = TrainingConfig { start: Some("nowhere".into()), ..config() };
    assert!(refused(&none, second.path()).starts_with("'nowhere': "));
    // Nothing of them is left: the folder is free.
    assert!(open(&config(), second.path()).is_ok());
}

/// Such a run once started again: it overwrote its games and metrics, and removed its networks.
#[test]
fn a_run_without_its_checkpoint_is_refused_and_stays_as_it_is() {
    for done in [1, 3] {
        let folder = tempfile::tempdir().unwrap();
        let config = TrainingConfig { rounds: done, ..config() };
        drop(finish(&config, folder.path(), 1));
        let state = folder.path().join("state.safetensors");
        let (bytes, metrics) = (fs::read(&state).unwrap(), folder.path().join("metrics.jsonl"));
        let before = fs::read(&metrics).unwrap();
        fs::remove_file(&state).unwrap();
        let error = refused(&config, folder.path());
        assert_eq!(
            error,
            format!(
                "'{}': missing, although the folder has rounds that are done: expected the checkpoint \
                 after the last of them, or another folder for a new run",
                state.display()
            )
        );
        assert_eq!(fs::read(&metrics).unwrap(), before);
        fs::write(&state, bytes).unwrap();
        assert_eq!(open(&config, folder.path()).unwrap().done(), done);
    }
}

/// The first round of a program that was killed before the round's last file is played again.
#[test]
fn a_run_that_was_killed_in_its_first_round_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let config = TrainingConfig { rounds: 1, ..config() };
    let model = finish(&config, folder.path(), 1).model();
    for name in ["state.safetensors", "losses.svg", "rate.svg", "metrics.csv"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert_eq!(open(&config, folder.path()).unwrap().done(), 0);
    assert_eq!(finish(&config, folder.path(), 1).model(), model);
}

#[test]
fn a_folder_is_not_created_for_a_run_that_cannot_begin() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let none = TrainingConfig { start: Some("nowhere".into()), ..config() };
    assert!(refused(&none, &folder).starts_with("'nowhere': "));
    assert!(!folder.exists());
}
