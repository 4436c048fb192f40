//! Trains tiny networks by self-play.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use wurfel_agents::Catalogued;
use wurfel_games::Playable;

use wurfel_core::{
    Assessment, Budget, Evaluator, Game, Network, Predictions, Side, Situation, UniformNetwork,
};
use wurfel_games::dicechess::DiceChess;
use wurfel_games::einstein::{Einstein, EinsteinNearest};
use wurfel_net::Model;
use wurfel_train::network::{
    EvaluationConfig, FirstPlayConfig, GateConfig, GateTest, NamedFirstPlay, PlayedGame, Round,
    Rules, Run, RunError, Sample, SelfPlay, Teacher, TeacherGames, TrainingConfig, play_games,
    read_rounds,
};

static STOP: AtomicBool = AtomicBool::new(true);

/// The configuration `einstein-tiny`, made even smaller.
pub fn config() -> TrainingConfig {
    let mut config =
        TrainingConfig::read(include_str!("../../../../configs/einstein-tiny.toml")).unwrap();
    config.evaluation = None;
    config.network.filters = 16;
    config.self_play.games = 12;
    config.self_play.parallel_games = 5;
    config.self_play.simulations = 8;
    config.learning.buffer = 400;
    config.learning.batch = 64;
    config.learning.steps = 4;
    config
}

fn open(directory: &Path) -> Result<Run<Einstein>, RunError> {
    Run::open(&Einstein::default(), config(), directory)
}

fn rounds(run: &mut Run<Einstein>, count: usize, jobs: usize) -> Vec<Round> {
    (0..count).map(|_| run.round(jobs, None).unwrap().unwrap()).collect()
}

#[test]
fn the_configurations_that_ship_can_be_read() {
    fn check<G: Catalogued>(name: &str) {
        let path = format!("{}/../../configs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let mut config = TrainingConfig::read(&fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(config.game, G::NAME);
        // The configuration fits the encoding that it names. Its tables need not be built.
        config.self_play.tables = 0;
        let config = TrainingConfig { evaluation: None, teacher: None, ..config };
        let folder = tempfile::tempdir().unwrap();
        Run::open(&G::default(), config, folder.path()).unwrap();
    }
    check::<Einstein>("einstein-tiny");
    check::<EinsteinNearest>("einstein-paper");
    check::<Einstein>("einstein");
    check::<DiceChess>("dicechess");
}

#[test]
fn what_is_wrong_with_a_configuration_is_named() {
    let text = include_str!("../../../../configs/einstein-tiny.toml");
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        TrainingConfig::read(&text.replace(from, to)).unwrap_err().to_string()
    };
    let error = refused("batch = 512", "batsch = 512");
    assert!(error.contains("batsch") && error.lines().count() == 1, "{error}");
    assert_eq!(refused("clip = 1.0", "clip = -1.0"), "clip is -1, not 0.000001 to 1000000000");
    let line = 1 + text.lines().position(|line| line.starts_with("learning_rate")).unwrap();
    let error = refused("learning_rate = 4e-3", "learning_rate = \"fast\"");
    assert!(error.starts_with(&format!("line {line}: ")), "{error}");
    assert!(refused("seed = 1\n", "").contains("missing field `seed`"));
    assert_eq!(refused("fpu = 0.15", "fpu = 1.5"), "fpu is 1.5, not 0 to 1");
    let error = refused("fpu = 0.15", "fpu = \"odd\"");
    assert!(error.ends_with("expected a number from 0 to 1, or \"even\""), "{error}");
    let even = TrainingConfig::read(&text.replace("fpu = 0.15", "fpu = \"even\"")).unwrap();
    assert_eq!(even.self_play.fpu, FirstPlayConfig::Named(NamedFirstPlay::Even));
    let folder = tempfile::tempdir().unwrap();
    let unknown = TrainingConfig { encoding: "ewn-v9".into(), ..config() };
    let error = Run::open(&Einstein::default(), unknown, folder.path()).err().unwrap().to_string();
    assert_eq!(error, "configuration: encoding 'ewn-v9', not ewn-v3, ewn-v2, ewn-v1");
}

/// The samples of games, each by itself.
fn samples<G: Game>(games: Option<Vec<PlayedGame<G>>>) -> Option<Vec<Vec<Sample<G>>>> {
    Some(games?.into_iter().map(|game| game.samples).collect())
}

#[test]
fn games_are_whole_and_each_says_what_its_search_found() {
    let config = config().self_play;
    let rules = Rules { game: &Einstein::default(), config: &config, known: None };
    let games = samples(play_games::<Einstein, _>(|| UniformNetwork, 1, &rules, 3, 0..7, || false))
        .unwrap();
    // A game is the same whichever games are played beside it.
    let alone = samples(play_games::<Einstein, _>(|| UniformNetwork, 1, &rules, 3, 4..5, || false))
        .unwrap();
    assert_eq!(games[4], alone[0]);
    for game in &games {
        for (n, sample) in game.iter().enumerate() {
            let turn = sample.situation.turn().unwrap();
            assert_eq!(sample.policy.len(), turn.moves().as_ref().len());
            assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!((0.0..=1.0).contains(&sample.value));
            assert_eq!(turn.position.ply(), n as u32 + 1);
        }
    }
    assert!(
        samples(play_games::<Einstein, _>(|| UniformNetwork, 1, &rules, 3, 0..7, || true))
            .is_none()
    );
}

#[test]
fn first_play_urgency_reaches_the_games() {
    let play = |fpu| {
        let config = SelfPlay { fpu, simulations: 60, ..config().self_play };
        let rules = Rules { game: &Einstein::default(), config: &config, known: None };
        samples(play_games::<Einstein, _>(|| UniformNetwork, 1, &rules, 3, 0..4, || false)).unwrap()
    };
    let even = FirstPlayConfig::Named(NamedFirstPlay::Even);
    assert!(play(even) == play(even));
    assert!(play(even) != play(FirstPlayConfig::Below(0.9)));
}

/// The paper's run on two cores: four games a round, two on each thread, and what is learned from
/// them is what one thread learns.
#[test]
fn the_run_of_the_paper_is_the_same_on_one_core_and_on_two() {
    let text = include_str!("../../../../configs/einstein-paper.toml");
    let mut config = TrainingConfig::read(text).unwrap();
    config.evaluation = None;
    config.network.filters = 8;
    config.self_play.simulations = 10;
    config.learning.batch = 32;
    config.learning.min_buffer = 33;
    let run = |jobs| {
        let folder = tempfile::tempdir().unwrap();
        let mut run =
            Run::open(&EinsteinNearest::default(), config.clone(), folder.path()).unwrap();
        let done: Vec<Round> = (0..3).map(|_| run.round(jobs, None).unwrap().unwrap()).collect();
        // Four epochs a round, and one step for their four batches.
        assert_eq!(done.iter().map(|round| round.games).collect::<Vec<_>>(), [4, 8, 12]);
        assert_eq!(done.iter().map(|round| round.steps).collect::<Vec<_>>(), [1, 2, 3]);
        (run.model(), done.iter().map(|round| round.games_checksum.clone()).collect::<Vec<_>>())
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn quick_decisions_are_not_learned_from() {
    let config = SelfPlay { full_share: 0.25, quick_simulations: 2, ..config().self_play };
    let rules = Rules { game: &Einstein::default(), config: &config, known: None };
    let games =
        samples(play_games::<Einstein, _>(|| UniformNetwork, 1, &rules, 3, 0..40, || false))
            .unwrap();
    let sample_count: usize = games.iter().map(Vec::len).sum();
    // A game has some 20 turns.
    assert!((100..=320).contains(&sample_count), "{sample_count}");
    // The samples come from searches with 8 simulations: with 2, no move would have 3 visits.
    let thrice = |share: &f32| (share * 8.0 - 3.0).abs() < 1e-4;
    assert!(games.iter().flatten().any(|sample| sample.policy.iter().any(thrice)));
}

#[test]
fn exact_values_end_searches() {
    /// Knows that the side to move wins every position.
    struct Won;
    impl Evaluator<Einstein> for Won {
        fn evaluate(&self, _: &Einstein) -> f32 {
            0.5
        }
        fn exact(&self, _: &Einstein) -> Option<f32> {
            Some(1.0)
        }
    }
    let config = SelfPlay { outcome_share: 0.0, ..config().self_play };
    let rules = Rules { game: &Einstein::default(), config: &config, known: Some(Arc::new(Won)) };
    let games = samples(play_games::<Einstein, _>(|| UniformNetwork, 1, &rules, 3, 0..4, || false))
        .unwrap();
    // After every move that does not win, the other side is to move.
    let values: Vec<f32> = games.iter().map(|game| game[0].value).collect();
    assert!(values.iter().all(|value| *value < 0.1), "{values:?}");
}

fn teacher() -> Teacher {
    Teacher {
        agent: "expecti:depth=1".into(),
        rounds: 1,
        games: 6,
        scattered: 10,
        scattered_pieces: 4,
        temperature: 0.02,
        epsilon: 0.5,
        outcome_share: 0.0,
    }
}

#[test]
fn a_teacher_says_what_it_finds() {
    let build =
        |spec: &str| wurfel_agents::build(&Einstein::default(), &spec.parse().unwrap()).unwrap();
    let mut agent = build("expecti:depth=1")();
    let rules = teacher();
    let games_of =
        TeacherGames { game: &Einstein::default(), rules: &rules, afterstates: false, seed: 7 };
    let game = games_of.game(&mut *agent, 3).samples;
    assert_eq!(game, games_of.game(&mut *agent, 3).samples);
    assert_ne!(game, games_of.game(&mut *agent, 4).samples);
    for (n, Sample { situation, policy, value }) in game.iter().enumerate() {
        let turn = situation.turn().unwrap();
        assert_eq!(turn.position.ply(), n as u32 + 1);
        let analysis = agent.analyse(turn, Budget::default());
        assert_eq!(Some(*value), analysis.moves[0].value);
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let share = |mv| policy[turn.moves().as_ref().iter().position(|m| *m == mv).unwrap()];
        for pair in analysis.moves.windows(2) {
            // A move that is 0.02 worse is e times less likely.
            let odds = (pair[0].value.unwrap() - pair[1].value.unwrap()) / 0.02;
            let actual = (share(pair[0].mv) / share(pair[1].mv)).ln();
            assert!((actual - odds).abs() < 1e-2 * odds.max(1.0) || share(pair[1].mv) < 1e-30);
        }
    }
    // With outcomes alone, each value is the result of the side to move.
    let outcomes = Teacher { outcome_share: 1.0, ..teacher() };
    let last = &game[game.len() - 1];
    let side = last.situation.position.side();
    let winner = if last.value > 0.5 { side } else { !side };
    for afterstates in [false, true] {
        let games_of =
            TeacherGames { game: &Einstein::default(), rules: &outcomes, afterstates, seed: 7 };
        for Sample { situation, value, .. } in games_of.game(&mut *agent, 3).samples {
            assert!([0.0, 1.0].contains(&value));
            if last.value > 0.99 {
                assert_eq!(value > 0.5, situation.position.side() == winner);
            }
        }
    }
    // Teachers that give no values teach their move and the outcome.
    let mut greedy = build("greedy")();
    for Sample { policy, value, .. } in games_of.game(&mut *greedy, 3).samples {
        let chosen = policy.iter().filter(|share| **share > 0.5).count();
        assert!(chosen == 1 && [0.0, 1.0].contains(&value), "{policy:?} {value}");
    }
    for number in 0..50 {
        if let [sample] = &games_of.turn(&mut *agent, number).samples[..] {
            let position = &sample.situation.position;
            let pieces: u32 = Side::BOTH.map(|side| position.pieces(side).count).iter().sum();
            assert!((2..=4).contains(&pieces));
        }
    }
}

#[test]
fn positions_at_rest_are_taught_and_played() {
    let mut agent =
        wurfel_agents::build(&Einstein::default(), &"expecti:depth=1".parse().unwrap()).unwrap()();
    let rules = teacher();
    let game = &Einstein::default();
    let games_of = |afterstates| TeacherGames { game, rules: &rules, afterstates, seed: 7 };
    let (plain, more) =
        (games_of(false).game(&mut *agent, 3).samples, games_of(true).game(&mut *agent, 3).samples);
    // The turns are the same, and each but the last is followed by the afterstate of its move.
    let turns: Vec<_> = more.iter().filter(|sample| !sample.policy.is_empty()).cloned().collect();
    assert_eq!((&turns, more.len()), (&plain, 2 * plain.len() - 1));
    for window in more.windows(3).step_by(2) {
        let [turn, rest, next] = window else { unreachable!() };
        assert_eq!(rest.situation.position, next.situation.position);
        assert_eq!((rest.situation.roll, rest.policy.len()), (None, 0));
        let actual = agent.analyse(turn.situation.turn().unwrap(), Budget::default());
        let leads_here = |actual: &&Assessment<_>| {
            let mut after = turn.situation.position;
            after.play(turn.situation.roll.unwrap(), actual.mv);
            after == rest.situation.position
        };
        let value = actual.moves.iter().find(leads_here).unwrap().value.unwrap();
        assert!((1.0 - value - rest.value).abs() < 1e-6);
    }
    // In self-play the network evaluates afterstates and learns them, too. This one calls
    // everything lost for the side that is to roll, and few simulations see beyond that.
    let config = SelfPlay { outcome_share: 0.0, simulations: 3, ..config().self_play };
    let rules = Rules { game: &Einstein::default(), config: &config, known: None };
    let games =
        samples(play_games::<Einstein, _>(|| Restful, 1, &rules, 3, 0..7, || false)).unwrap();
    let rests = games.iter().flatten().filter(|sample| sample.policy.is_empty());
    let values: Vec<f32> = rests.map(|sample| sample.value).collect();
    let mean = values.iter().sum::<f32>() / values.len() as f32;
    assert!((0.0..0.2).contains(&mean), "{mean}");
    assert!(games.iter().all(|game| game.len() % 2 == 1));
}

/// A network that finds turns even, and afterstates lost for the side that is to roll.
struct Restful;

impl Network<Einstein> for Restful {
    fn infer(&mut self, situations: &[Situation<Einstein>], predictions: &mut Predictions) {
        predictions.clear();
        for situation in situations {
            let count = situation.turn().map_or(0, |turn| turn.position.count(turn.roll));
            let value = if count == 0 { 0.0 } else { 0.5 };
            predictions.push(value, std::iter::repeat_n(1.0 / count as f32, count));
        }
    }

    fn evaluates_at_rest(&self) -> bool {
        true
    }
}

#[test]
fn a_run_begins_with_its_teacher_and_goes_on_alone() {
    let folder = tempfile::tempdir().unwrap();
    let config = TrainingConfig { teacher: Some(teacher()), ..config() };
    let mut run = Run::open(&Einstein::default(), config.clone(), folder.path()).unwrap();
    let rounds = rounds(&mut run, 2, 2);
    assert_eq!([0, 1].map(|n| rounds[n].taught), [true, false]);
    assert_eq!([0, 1].map(|n| rounds[n].games), [6, 6 + config.self_play.games]);
    let unknown = Teacher { agent: "expecty".into(), ..teacher() };
    let unknown = TrainingConfig { teacher: Some(unknown), ..config };
    let error = Run::open(&Einstein::default(), unknown, folder.path()).err().unwrap().to_string();
    assert!(error.contains("did you mean 'expecti'?") && error.lines().count() == 1, "{error}");
}

#[test]
fn strength_is_measured_and_the_best_kept() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = EvaluationConfig {
        every: 20,
        pairs: 4,
        simulations: 4,
        opponents: vec!["random".into()],
        patience: 1,
        exact_pieces: 0,
        exact_positions: 1,
        gate: GateConfig { test: GateTest::Majority, ..GateConfig::default() },
    };
    let mut config = TrainingConfig { evaluation: Some(evaluation), rounds: 100, ..config() };
    // With so low a learning rate no network gets better, and `patience` ends the run.
    config.learning.learning_rate = 1e-9;
    let mut run = Run::open(&Einstein::default(), config.clone(), folder.path()).unwrap();
    let mut due = vec![];
    while !run.is_over() {
        let round = run.round(2, None).unwrap().unwrap();
        due.extend(round.evaluation.is_some().then_some(round.games));
    }
    // Rounds have 12 games. The network is measured after those that reach 20, 40, 60… games.
    assert!(due.starts_with(&[24, 48, 60, 84]) || due.len() < 4, "{due:?}");
    let measured: Vec<_> = run.history().iter().filter_map(|r| r.evaluation.clone()).collect();
    assert!(measured[0].against_best.is_none() && measured[0].best_round == 2);
    for (before, after) in measured.iter().zip(&measured[1..]) {
        let won = after.against_best.as_ref().unwrap();
        let better = won.win_rate > 0.5;
        assert_eq!(after.without_gain, if better { 0 } else { before.without_gain + 1 });
        assert_eq!(better, after.best_round != before.best_round);
        assert_eq!(after.passed, Some(better));
        assert_eq!(after.opponents[0].opponent, "random");
    }
    assert_eq!(measured[measured.len() - 1].without_gain, 2);
    let names = fs::read_dir(folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let best: Vec<String> = names.filter(|name| name.starts_with("best-")).collect();
    assert_eq!(best, [run.best().unwrap().file_name().unwrap().to_str().unwrap()]);
    drop(run);
    // The run is still over when it is opened again.
    assert!(Run::open(&Einstein::default(), config, folder.path()).unwrap().is_over());
    let picture = fs::read_to_string(folder.path().join("strength.svg")).unwrap();
    assert!(picture.contains("\nrandom\n") && picture.contains("\nbest\n"));
}

#[test]
fn what_was_noted_of_a_round_that_was_not_done_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    rounds(&mut open(folder.path()).unwrap(), 2, 1);
    let metrics = folder.path().join("metrics.jsonl");
    let text = fs::read_to_string(&metrics).unwrap();
    // As if the program had been killed right before its last write, and in the middle of it.
    let third = text.lines().nth(1).unwrap().replace("\"round\":2", "\"round\":3");
    for more in [format!("{third}\n"), third[..40].to_owned()] {
        fs::write(&metrics, format!("{text}{more}")).unwrap();
        let run = open(folder.path()).unwrap();
        assert_eq!((run.done(), fs::read_to_string(&metrics).unwrap()), (2, text.clone()));
    }
    assert_eq!(read_rounds(&metrics).unwrap(), open(folder.path()).unwrap().history());
    fs::write(&metrics, text.lines().next().unwrap().to_owned() + "\n").unwrap();
    let error = open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("metrics.jsonl': 1 rounds of 2"), "{error}");
}

#[test]
fn the_two_losses_are_brought_to_the_same_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config();
    (config.learning.balance, config.learning.window) = (1.0, 1);
    let mut run = Run::open(&Einstein::default(), config, folder.path()).unwrap();
    let rounds = rounds(&mut run, 2, 1);
    assert_eq!((rounds[0].policy_weight, rounds[0].value_weight), (1.0, 1.0));
    let [policy, value] = [rounds[1].policy_weight, rounds[1].value_weight];
    assert!((policy + value - 2.0).abs() < 1e-5);
    let [one, other] =
        [policy * rounds[0].policy_loss.unwrap(), value * rounds[0].value_loss.unwrap()];
    assert!((one - other).abs() < 1e-5, "{one} {other}");
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
    // As long as the run is open, no other program can write to its folder.
    let error = open(parts.path()).err().unwrap().to_string();
    assert!(error.ends_with("' is in use by another program"), "{error}");
    assert_eq!(second.done(), 1);
    // A run that is stopped in the middle of its games keeps none of them.
    assert!(second.round(2, Some(&STOP)).unwrap().is_none());
    drop(second);
    let mut third = open(parts.path()).unwrap();
    rounds(&mut third, 2, 3);
    assert_eq!(run.model(), third.model());
    let file = fs::read(parts.path().join("net.safetensors")).unwrap();
    assert_eq!(Model::from_bytes(&file).unwrap().without_int8_scales(), run.model());
}

#[test]
fn a_damaged_or_foreign_directory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    rounds(&mut open(folder.path()).unwrap(), 1, 1);
    let other = TrainingConfig { seed: 2, ..config() };
    let error = Run::open(&Einstein::default(), other, folder.path()).err().unwrap().to_string();
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
    let TrainingConfig { self_play, learning, .. } = config();
    for (n, round) in (1..).zip(&rounds) {
        assert_eq!((round.round, round.games), (n, n * self_play.games));
        assert_eq!(round.steps, n * u64::from(learning.steps));
        // The learning rate of the round's last step.
        let before = round.steps as f32 - 1.0;
        let rate = learning.learning_rate * learning.decay.powf(before / learning.period);
        assert!((round.learning_rate - rate).abs() < 1e-9, "{round:?}");
        let made: usize = rounds.iter().take(n as usize).map(|round| round.positions).sum();
        assert_eq!(round.buffer, made.min(learning.buffer));
        // No more than the entropy of six equally likely moves.
        let entropy = round.entropy.unwrap();
        assert!(entropy > 0.0 && entropy < 6f32.ln(), "{round:?}");
        let (policy, value) = (round.policy_loss.unwrap(), round.value_loss.unwrap());
        assert!(policy >= 0.0 && value <= 4.0, "{round:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("metrics.jsonl")).unwrap().lines().count(), 3);
    for (name, words) in [("losses.svg", "\nvariance\n"), ("rate.svg", "\nlearning rate\n")] {
        let picture = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(picture.contains(words) && !picture.contains("NaN"), "{picture}");
    }
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    entries.map(named).collect()
}

/// A program that is killed after the last file of a round, but before it has tidied, leaves the
/// best network of earlier rounds, and charts without the last round.
#[test]
fn a_run_is_tidied_when_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let evaluation = EvaluationConfig {
        every: 12,
        pairs: 2,
        simulations: 2,
        opponents: vec!["random".into()],
        patience: 0,
        exact_pieces: 0,
        exact_positions: 1,
        gate: GateConfig::default(),
    };
    let config = TrainingConfig { evaluation: Some(evaluation), rounds: 2, ..config() };
    let open = || Run::open(&Einstein::default(), config.clone(), folder.path()).unwrap();
    let name = |name: &str| folder.path().join(name);
    // Before the first evaluation there is no best network.
    drop(open());
    fs::write(name("best-000001.safetensors"), "never noted").unwrap();
    let mut run = open();
    assert!(!name("best-000001.safetensors").exists());
    rounds(&mut run, 2, 1);
    drop(run);
    let tidy = contents(folder.path());
    for stale in ["best-000000.safetensors", "best-000003.safetensors", "losses.part"] {
        fs::write(name(stale), "stale").unwrap();
    }
    for picture in ["losses.svg", "rate.svg", "strength.svg", "events.out.tfevents.wurfel"] {
        fs::write(name(picture), "without the last round").unwrap();
    }
    let run = open();
    assert!(run.is_over() && contents(folder.path()) == tidy);
}

/// Each of these damaged runs was once resumed as if nothing were missing.
#[test]
fn games_that_are_not_those_that_were_played_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    rounds(&mut open(folder.path()).unwrap(), 2, 1);
    let path = folder.path().join("games-000002.jsonl");
    let sound = fs::read_to_string(&path).unwrap();
    let count = sound.lines().count();
    let last = sound.trim_end().rfind('\n').unwrap() + 1;
    let value = sound.rfind("\"value\":").unwrap();
    let other = format!("{}\"value\":0.125}}\n", &sound[..value]);
    for (text, why) in [
        ("", format!("0 positions, not {count} as metrics.jsonl says")),
        (&sound[..last], format!("{} positions, not {count} as metrics.jsonl says", count - 1)),
        (&other, "its checksum is not the one in metrics.jsonl".to_owned()),
    ] {
        fs::write(&path, text).unwrap();
        let error = open(folder.path()).err().unwrap().to_string();
        assert!(error.ends_with(&format!("games-000002.jsonl': {why}")), "{error}");
    }
    fs::write(&path, &sound).unwrap();
    assert_eq!(open(folder.path()).unwrap().done(), 2);
}
