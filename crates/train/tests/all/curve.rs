//! The Elo curve of a run: its games are its own, and stopping changes nothing.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use wurfel_games::einstein::Einstein;
use wurfel_train::network::{
    Curve, CurvePoint, CurveSettings, Keep, Run, RunError, TrainingConfig,
};

use crate::network::config;

static STOP: AtomicBool = AtomicBool::new(true);

/// A run of three rounds that has kept the networks of rounds 0, 2 and 3.
fn run(folder: &Path) {
    let keep = Some(Keep { every: 2, ..Keep::default() });
    let config = TrainingConfig { keep, rounds: 3, ..config() };
    let mut run = Run::open(&Einstein::default(), config, folder).unwrap();
    while !run.is_over() {
        run.round(2, None).unwrap().unwrap();
    }
}

fn settings(pairs: u64) -> CurveSettings {
    let anchors = vec!["random".into(), "greedy".into()];
    CurveSettings { anchors, pairs, simulations: 4, seed: 1 }
}

fn open(folder: &Path, settings: CurveSettings) -> Result<Curve<Einstein>, RunError> {
    Curve::open(&Einstein::default(), folder, settings)
}

/// Plays everything that is missing.
fn finish(folder: &Path, settings: CurveSettings, jobs: usize) -> Vec<CurvePoint> {
    let mut curve = open(folder, settings).unwrap();
    while curve.play(jobs, None).unwrap().unwrap() {}
    curve.write().unwrap()
}

#[test]
fn every_network_meets_every_anchor_and_stopping_changes_nothing() {
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    run(whole.path());
    run(parts.path());
    let points = finish(whole.path(), settings(40), 2);
    assert_eq!(points.iter().map(|point| point.round).collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(points.iter().map(|point| point.games).collect::<Vec<_>>(), [0, 24, 36]);
    for CurvePoint { elo, interval, against, .. } in &points {
        assert!(interval.low < *elo && *elo < interval.high);
        let met: Vec<_> = against.iter().map(|won| (won.opponent.as_str(), won.pairs)).collect();
        assert_eq!(met, [("random", 40), ("greedy", 40)]);
        assert!(against.iter().all(|won| won.adjusted.is_some()), "luck is taken off");
    }
    // Opened again for every part, and once killed in the middle of a line.
    let file = parts.path().join("curve/games.jsonl");
    for number in 0.. {
        let mut curve = open(parts.path(), settings(40)).unwrap();
        assert_eq!(curve.progress(), (number, 12));
        assert!(curve.play(1, Some(&STOP)).unwrap().is_none() || number == 12);
        if !curve.play(1, None).unwrap().unwrap() {
            break;
        }
        drop(curve);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{text}{}", &text[..text.len() / 3].replace('\n', ""))).unwrap();
    }
    assert_eq!(open(parts.path(), settings(40)).unwrap().points(), points);
    // More pairs add to what was played.
    let before = fs::read_to_string(&file).unwrap();
    let more = finish(parts.path(), settings(60), 2);
    assert!(fs::read_to_string(&file).unwrap().starts_with(&before));
    assert_eq!(more[1].against[1].pairs, 60);
    assert!(
        more[1].interval.high - more[1].interval.low
            < points[1].interval.high - points[1].interval.low + 50.0
    );
    let table = fs::read_to_string(whole.path().join("curve/elo.csv")).unwrap();
    assert_eq!(table.lines().count(), 4);
    let picture = fs::read_to_string(whole.path().join("curve/elo.svg")).unwrap();
    assert!(
        picture.contains("Elo above random") && picture.matches("opacity=\"0.6\"").count() == 3
    );
}

#[test]
fn what_cannot_be_measured_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |settings: CurveSettings| {
        let error = open(folder.path(), settings).err().unwrap().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    assert!(refused(settings(20)).contains("config.toml"));
    run(folder.path());
    let none = CurveSettings { anchors: vec![], ..settings(20) };
    assert!(refused(none).contains("expected at least one agent"));
    let unknown = CurveSettings { anchors: vec!["gredy".into()], ..settings(20) };
    assert!(refused(unknown).contains("did you mean 'greedy'?"));
    drop(open(folder.path(), settings(20)).unwrap());
    let other = CurveSettings { simulations: 5, ..settings(20) };
    assert!(refused(other).contains("a curve with 4 simulations and seed 1"));
    let file = folder.path().join("curve/games.jsonl");
    let header = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{header}{{}}\n")).unwrap();
    assert!(refused(settings(20)).contains("line 2: missing field"));
}

/// The games against one anchor counted twice, so that intervals were too narrow.
#[test]
fn an_anchor_that_is_named_twice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path());
    let refused = |anchors: [&str; 3]| {
        let anchors = anchors.map(str::to_owned).to_vec();
        let opened = open(folder.path(), CurveSettings { anchors, ..settings(20) });
        opened.err().unwrap().to_string()
    };
    assert_eq!(
        refused(["greedy", "random", "greedy"]),
        "configuration: anchors 'greedy' and 'greedy' are the same agent: expected each once"
    );
    let [one, other] = ["expecti:depth=1,eval=schwarz", "expecti:eval=schwarz,depth=1"];
    let error = refused(["greedy", one, other]);
    assert!(error.contains(&format!("'{one}' and '{other}' are the same agent")), "{error}");
}
