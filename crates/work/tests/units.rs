//! Work in units gives what one program gives in one go.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use wurfel_agents::{Catalogued, build};
use wurfel_arena::{Match, Output, PositionSource, Regret, RegretSettings};
use wurfel_core::{Budget, Random};
use wurfel_games::dicechess::DiceChess3;
use wurfel_games::einstein::Einstein;
use wurfel_lab::{Library, RunSettings, Scale};
use wurfel_tablebase::{Build, Tables};
use wurfel_train::network::{Run, TrainingConfig};
use wurfel_train::{Labels, PositionsFile, PositionsHeader, label, searcher, write_game};
use wurfel_work::{Job, Merged, Planned, Resources, WorkError};

/// Does all units of a job, in an order of its own and some of them twice, and merges them.
fn done(job: &str, folder: &Path) -> Merged {
    let planned = Planned::create(Job::read(job).unwrap(), folder).unwrap();
    let mut random = Random::new(1);
    loop {
        let state = planned.state().unwrap();
        let Some(ready) = state.missing.get(..state.ready).filter(|ready| !ready.is_empty()) else {
            break;
        };
        let unit = *random.pick(ready);
        let threads = 1 + random.below(2) as usize;
        let first = planned.run(unit, Resources { jobs: threads, stop: None }).unwrap().unwrap();
        // Experiments keep the times of their games.
        if random.below(4) == 0 && !job.contains("experiment") {
            let second = planned.run(unit, Resources::default()).unwrap().unwrap();
            assert_eq!(first.checksum, second.checksum, "unit {unit}");
        }
    }
    let merged = planned.merge(Resources::default(), false).unwrap().unwrap();
    let files = contents(&merged);
    let again = planned.merge(Resources { jobs: 2, stop: None }, false).unwrap().unwrap();
    assert_eq!((contents(&again), again), (files, merged.clone()));
    merged
}

fn contents(merged: &Merged) -> Vec<Vec<u8>> {
    merged.files.iter().filter_map(|file| fs::read(file).ok()).collect()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn a_match_has_the_same_games_and_the_same_report() {
    let (plan, whole) = (folder(), folder());
    let merged = done(
        "kind = 'match'\nagents = ['expecti:depth=1', 'greedy']\npairs = 101\nunits = 7\nseed = 5\nluck = true",
        plan.path(),
    );
    let specs = ["expecti:depth=1", "greedy"].map(|spec| spec.parse().unwrap());
    let mut arranged = Match::new(&Einstein::default(), specs, 101, 5).unwrap();
    arranged.luck = Some(wurfel_arena::LuckMeter::default_for_game());
    let games = whole.path().join("games.jsonl");
    let output = Output::open(&games, &arranged.header(), false).unwrap();
    let report = arranged.run(2, Some(output), &mut |_| ()).unwrap();
    assert_eq!(fs::read(&merged.files[0]).unwrap(), fs::read(&games).unwrap());
    let printed: serde_json::Value =
        serde_json::from_slice(&fs::read(&merged.files[1]).unwrap()).unwrap();
    assert_eq!(printed["win_rate"], serde_json::json!(report.score.summary().win_rate));
    let adjusted = report.luck.and_then(|luck| luck.adjusted()).unwrap().estimate.mean;
    assert!((printed["luck_adjusted"]["win_rate"].as_f64().unwrap() - adjusted).abs() < 1e-12);
}

#[test]
fn the_pairings_of_a_tournament_are_the_matches() {
    let plan = folder();
    let merged = done(
        "kind = 'tournament'\nagents = ['random', 'greedy', 'expecti:depth=1']\npairs = 30\nunits = 3",
        plan.path(),
    );
    assert_eq!(merged.files.len(), 4);
    for (file, agents) in merged.files.iter().zip([[0, 1], [0, 2], [1, 2]]) {
        let whole = folder();
        let names = ["random", "greedy", "expecti:depth=1"];
        let specs = agents.map(|agent: usize| names[agent].parse().unwrap());
        let seed = wurfel_arena::seed_of_pairing(1, agents);
        let arranged = Match::new(&Einstein::default(), specs, 30, seed).unwrap();
        let games = whole.path().join("games.jsonl");
        let output = Output::open(&games, &arranged.header(), false).unwrap();
        arranged.run(1, Some(output), &mut |_| ()).unwrap();
        assert_eq!(fs::read(file).unwrap(), fs::read(&games).unwrap());
    }
    let printed: serde_json::Value =
        serde_json::from_slice(&fs::read(&merged.files[3]).unwrap()).unwrap();
    let rates = printed["standings"].as_array().unwrap().iter();
    let sum: f64 = rates.map(|row| row["win_rate"].as_f64().unwrap()).sum();
    assert!((sum - 1.5).abs() < 1e-12);
}

#[test]
fn regret_is_that_of_one_measurement() {
    let plan = folder();
    let merged = done(
        "kind = 'regret'\nagent = 'greedy'\npieces = 4\npositions = 90\nunits = 8",
        plan.path(),
    );
    let settings = RegretSettings {
        pieces: 4,
        decisions: 90,
        source: PositionSource::Scattered,
        seed: 1,
        budget: Budget::default(),
    };
    let tables = Tables::<Einstein>::in_default_folder("einstein", 4).unwrap();
    let factory = build(&Einstein::default(), &"greedy".parse().unwrap()).unwrap();
    let regret: Regret =
        settings.measure(&Einstein::default(), &factory, &Arc::new(tables), 2, |_| true).unwrap();
    let printed: serde_json::Value =
        serde_json::from_slice(&fs::read(&merged.files[1]).unwrap()).unwrap();
    assert_eq!(printed["regret"], serde_json::json!(regret.mean()));
    assert_eq!(printed["decisions"], 90);
}

#[test]
fn positions_are_those_of_one_file() {
    fn check<G: Catalogued>(job: &str, eval: &str, games: u64, labels: Labels) {
        let (plan, whole) = (folder(), folder());
        let merged = done(
            &format!(
                "kind = 'positions'\ngame = '{}'\neval = '{eval}'\ngames = {games}\ndepth = 1\nunits = 4\n{job}",
                G::NAME
            ),
            plan.path(),
        );
        let header = PositionsHeader::new(G::NAME, eval.into(), games, labels);
        let path = whole.path().join("positions.tsv");
        let (mut file, first) = PositionsFile::open(&path, &header).unwrap();
        let search = searcher(&G::default(), ("eval", eval)).unwrap();
        label(&G::default(), first..games, labels, &search, 2, |game, positions| {
            let mut lines = vec![];
            write_game(&mut lines, game, &positions);
            file.add(&lines).is_ok()
        });
        file.finish().unwrap();
        assert_eq!(fs::read(&merged.files[0]).unwrap(), fs::read(&path).unwrap());
    }
    let labels = Labels { lambda: 0.5, ..Labels::new(1, 9) };
    check::<Einstein>("lambda = 0.5\nseed = 9", "zweistein", 23, labels);
    let labels = Labels { rolls: 2, without_wins: true, alternatives: 3, ..labels };
    let job = "lambda = 0.5\nseed = 9\nrolls = 2\nwithout_wins = true\nalternatives = 3";
    check::<DiceChess3>(job, "linear", 8, labels);
    let labels = Labels { rolls: 0, all_rolls: true, alternatives: 0, ..labels };
    let job = "lambda = 0.5\nseed = 9\nwithout_wins = true\nall_rolls = true";
    check::<DiceChess3>(job, "linear", 4, labels);
}

#[test]
fn tables_are_those_of_one_build() {
    let (plan, whole) = (folder(), folder());
    let merged = done("kind = 'tables'\npieces = 4", plan.path());
    let settings = Build { pieces: 4, threads: 2, memory: 1 << 30 };
    wurfel_tablebase::build::<Einstein>("einstein", whole.path(), settings, |_| true).unwrap();
    assert_eq!(merged.files.len(), 3);
    for file in &merged.files {
        let other = whole.path().join(file.file_name().unwrap());
        assert!(fs::read(file).unwrap() == fs::read(other).unwrap(), "{}", file.display());
    }
}

#[test]
fn an_experiment_has_the_same_table() {
    let (plan, whole) = (folder(), folder());
    let name = "heuristic-pruned-mcts/sensitivity";
    let job = format!("kind = 'experiment'\nexperiment = '{name}'\nscale = 'tiny'");
    let merged = done(&job, plan.path());
    let library = Library::new().unwrap();
    let out = whole.path().to_owned();
    let settings =
        RunSettings { scale: Scale::Tiny, seed: 1, out, jobs: 2, stop: None, until: None };
    let experiment = library.experiment(name).unwrap();
    wurfel_lab::run(experiment, &library, &settings, &mut |_, _| ()).unwrap().unwrap();
    for file in ["result.csv", "plot.svg"] {
        let [one, other] = [merged.files[0].join(file), whole.path().join(name).join(file)];
        assert_eq!(one.exists(), other.exists(), "{file}");
        if one.exists() {
            assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap(), "{file}");
        }
    }
}

/// The plan of a small match, with some units done.
fn begun(folder: &Path, units: &[u64]) -> Planned {
    let job = "kind = 'match'\nagents = ['greedy', 'random']\npairs = 12\nunits = 4";
    let planned = Planned::create(Job::read(job).unwrap(), folder).unwrap();
    for &unit in units {
        planned.run(unit, Resources::default()).unwrap();
    }
    planned
}

#[test]
fn what_is_missing_or_damaged_is_told() {
    let plan = folder();
    let planned = begun(plan.path(), &[0, 2, 3]);
    assert_eq!(planned.state().unwrap().missing, [1]);
    let error = planned.merge(Resources::default(), false).unwrap_err();
    assert!(matches!(error, WorkError::Missing { missing: 1, of: 4, first: 1, .. }), "{error}");
    planned.run(1, Resources::default()).unwrap();
    let shard = fs::read_dir(plan.path().join("units"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "shard"))
        .unwrap();
    let sound = fs::read(&shard).unwrap();
    let mut bytes = sound.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&shard, &bytes).unwrap();
    let error = planned.merge(Resources::default(), false).unwrap_err().to_string();
    assert!(error.contains("is damaged: remove it"), "{error}");
    fs::write(&shard, &sound).unwrap();
    assert!(planned.merge(Resources::default(), false).unwrap().is_some());
    // What a program that was killed leaves behind does not count.
    fs::write(plan.path().join("units/.half"), "half").unwrap();
    assert!(planned.state().unwrap().missing.is_empty());
}

/// A shard whose manifest was rewritten was merged whatever it contained.
#[test]
fn games_are_played_again_when_they_are_merged() {
    let plan = folder();
    let planned = begun(plan.path(), &[0, 1, 2, 3]);
    let units = plan.path().join("units");
    let manifest = units.join("000003.json");
    let sound = fs::read_to_string(&manifest).unwrap();
    let printed: serde_json::Value = serde_json::from_str(&sound).unwrap();
    let shard = units.join(printed["shard"].as_str().unwrap());
    let lines = fs::read_to_string(&shard).unwrap();
    let turn = |text: &str| {
        text.replace("\"1-0\"", "\"-\"").replace("\"0-1\"", "\"1-0\"").replace("\"-\"", "\"0-1\"")
    };
    let cut: String = lines.split_inclusive('\n').take(2).collect();
    for (changed, said) in [
        (turn(&lines), "as the game ended"),
        (
            lines.replacen("\"moves\":\"", "\"moves\":\"@9 a1a1 ", 1),
            "die '9': expected a number 1-6",
        ),
        (lines.replacen("\"plies\":", "\"plies\":9", 1), "as the moves have it"),
        (cut, "expected its record, a line of JSON"),
    ] {
        assert!(changed != lines, "{said}");
        fs::write(&shard, &changed).unwrap();
        let checksum = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(changed.as_bytes()));
        fs::write(&manifest, sound.replace(printed["checksum"].as_str().unwrap(), &checksum))
            .unwrap();
        let error = planned.merge(Resources::default(), false).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn another_plan_another_version_and_another_manifest_are_refused() {
    let (plan, whole) = (folder(), folder());
    drop(begun(plan.path(), &[0]));
    begun(plan.path(), &[]);
    let other = Job::read("kind = 'match'\nagents = ['greedy', 'random']\npairs = 13\nunits = 4");
    let error = Planned::create(other.unwrap(), plan.path()).err().unwrap().to_string();
    assert!(error.ends_with("is another plan: choose another folder"), "{error}");

    let file = plan.path().join("plan.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("einstein star2:depth=8", "einstein star2:depth=9")).unwrap();
    let error = Planned::open(plan.path()).unwrap().run(1, Resources::default()).unwrap_err();
    assert!(matches!(error, WorkError::Signature { .. }), "{error}");

    let planned = begun(whole.path(), &[0, 1, 2, 3]);
    let manifest = whole.path().join("units/000002.json");
    let printed = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, printed.replace("\"plan\": \"", "\"plan\": \"0")).unwrap();
    let error = planned.merge(Resources::default(), false).unwrap_err().to_string();
    assert!(error.ends_with("000002.json' is of another plan: remove it"), "{error}");

    fs::write(&file, text.replace("\"version\": 1", "\"version\": 2")).unwrap();
    let error = Planned::open(plan.path()).err().unwrap().to_string();
    assert!(error.contains("expected format wurfel-work, version 1"), "{error}");
    fs::write(&file, "{}").unwrap();
    assert!(Planned::open(plan.path()).is_err());
}

#[test]
fn machines_of_different_speed_are_not_mixed_where_time_bounds_the_agents() {
    let plan = folder();
    let job = "kind = 'match'\nagents = ['uct', 'random']\npairs = 2\nunits = 2\nbudget = { time = '1ms' }";
    let planned = Planned::create(Job::read(job).unwrap(), plan.path()).unwrap();
    for unit in 0..2 {
        planned.run(unit, Resources::default()).unwrap();
    }
    assert!(planned.merge(Resources::default(), false).unwrap().is_some());
    let file = plan.path().join("units/000001.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    manifest["speed"] = (2.0 * manifest["speed"].as_f64().unwrap()).into();
    fs::write(&file, manifest.to_string()).unwrap();
    let error = planned.merge(Resources::default(), false).unwrap_err();
    assert!(matches!(error, WorkError::Mixed { one: 0, other: 1, .. }), "{error}");
    assert!(planned.merge(Resources::default(), true).unwrap().is_some());
}

#[test]
fn a_job_that_is_wrong_is_refused_in_one_line() {
    for (job, expected) in [
        ("kind = 'mach'", "unknown variant `mach`"),
        ("pairs = 3", "missing field `kind`"),
        ("kind = 'match'\nagents = ['a']\npairs = 1", "array of length 2"),
        ("kind = 'match'\nagents = ['a', 'b']\npairs = 0", "expected pairs from 1 to 2^40, not 0"),
        ("kind = 'match'\nagents = ['a', 'b']\npairs = 9", "expected units from 1 to 9, not 64"),
        ("kind = 'match'\nagents = ['a', 'b']\npairs = 99\npeirs = 1", "unknown field `peirs`"),
        ("kind = 'tournament'\nagents = ['a']\npairs = 9", "expected 2 to 128 agents, not 1"),
        ("kind = 'tables'\npieces = 1", "expected pieces from 2 to 16, not 1"),
        ("kind = 'positions'\neval = 'e'\ngames = 99\ndepth = 0", "expected depth from 1 to 64"),
        (
            "kind = 'positions'\neval = 'e'\ngames = 99\ndepth = 1\nlambda = 2.0",
            "expected lambda from 0 to 1",
        ),
    ] {
        let error = Job::read(job).unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{job}: {error}");
    }
    for (job, expected) in [
        ("kind = 'match'\nagents = ['greddy', 'random']\npairs = 99", "unknown agent 'greddy'"),
        ("kind = 'tables'\npieces = 16", "tables of einstein go up to"),
        ("kind = 'tables'\npieces = 3\ngame = 'chess'", "unknown game 'chess'"),
        ("kind = 'experiment'\nexperiment = 'zweistein'", "expected the name of one experiment"),
        ("kind = 'regret'\nagent = 'greedy'\npieces = 99\npositions = 99", "pieces 99: expected"),
    ] {
        let error = Planned::create(Job::read(job).unwrap(), folder().path()).err().unwrap();
        assert!(error.to_string().contains(expected), "{job}: {error}");
    }
}

/// The configuration that ships, made small: a round of the teacher, and two of the network.
fn training() -> String {
    let small = [
        ("rounds", "3"),
        ("filters", "16"),
        ("games", "7"),
        ("parallel_games", "3"),
        ("simulations", "8"),
        ("batch", "64"),
        ("steps", "3"),
        ("every", "14"),
        ("pairs", "3"),
    ];
    let line =
        |line: &str| match small.iter().find(|(name, _)| line.split(' ').next() == Some(name)) {
            Some((name, value)) => format!("{name} = {value}\n"),
            None => format!("{line}\n"),
        };
    let shipped = include_str!("../../../configs/einstein-tiny.toml");
    shipped.lines().map(line).collect::<String>()
        + "[teacher]\nagent = 'expecti:depth=1'\nrounds = 1\ngames = 5\nscattered = 6\n\
           scattered_pieces = 4\ntemperature = 0.05\nepsilon = 0.2\noutcome_share = 0.5\n"
}

#[test]
fn a_training_learns_the_same_network_from_the_same_games() {
    let (plan, whole) = (folder(), folder());
    let (path, text) = (whole.path().join("config.toml"), training());
    fs::write(&path, &text).unwrap();
    let job = format!("kind = 'training'\nconfig = '{}'\nunits = 4", path.display());
    let merged = done(&job, plan.path());
    let folder = whole.path().join("run");
    let config = TrainingConfig::read(&text).unwrap();
    let mut run = Run::open(&Einstein::default(), config, &folder).unwrap();
    while !run.is_over() {
        run.round(2, None).unwrap().unwrap();
    }
    assert!(run.history().iter().any(|round| round.evaluation.is_some()));
    let there = merged.files[0].parent().unwrap();
    let games = (1..=3).map(|round| format!("games-{round:06}.jsonl"));
    for name in games.chain(["net.safetensors", "config.toml"].map(str::to_owned)) {
        let [units, alone] = [there, &folder].map(|folder| fs::read(folder.join(&name)).unwrap());
        assert!(units == alone, "{name}");
    }
    assert_eq!(merged.files.last().unwrap().file_name(), run.best().unwrap().file_name());
}

#[test]
fn a_training_whose_configuration_is_wrong_is_not_planned() {
    let (plan, folder) = (folder(), folder());
    let path = folder.path().join("config.toml");
    let refused = |text: &str| {
        fs::write(&path, text).unwrap();
        let job = format!("kind = 'training'\nconfig = '{}'", path.display());
        Planned::create(Job::read(&job).unwrap(), plan.path()).err().unwrap().to_string()
    };
    assert!(refused("rounds = 'x'").contains("config.toml': line 1: "));
    assert!(refused(&training().replace("ewn-v2", "none")).contains("encoding 'none'"));
    let many = training().replace("rounds = 3", "rounds = 1000000");
    assert!(refused(&many).contains("at most 1000000 units in all rounds, not 17000000"));
    assert!(fs::read_dir(plan.path()).unwrap().next().is_none());
    // A configuration in the job itself is checked like one in a file of its own.
    let inside = |text: &str| {
        let config = text.replace("\n[", "\n[config.");
        Job::read(&format!("kind = 'training'\n[config]\n{config}"))
    };
    assert!(inside(&training()).is_ok());
    let error = inside(&training().replace("\nc = 0.75", "\nc = nan")).unwrap_err();
    assert_eq!(error.to_string(), "config: c is NaN, not 0 to 100");
}
