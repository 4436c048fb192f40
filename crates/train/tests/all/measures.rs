//! The metrics of a run: its games, resignations, the loss on games that it does not learn from, and the
//! replay ratio.

use std::fs;

use wurfel_core::{Game, Network, Outcome, Predictions, Side, Situation};
use wurfel_games::einstein::Einstein;
use wurfel_train::network::{
    PlayedGame, Resign, Resignation, Resignations, Round, RoundGames, Rules, Run, SelfPlay,
    TrainingConfig, play_games,
};

use crate::network::config;

/// Finds every turn of red lost and every turn of blue won.
struct BlueWins;

impl Network<Einstein> for BlueWins {
    fn infer(&mut self, situations: &[Situation<Einstein>], predictions: &mut Predictions) {
        predictions.clear();
        for situation in situations {
            let turn = situation.turn().unwrap();
            let count = turn.position.count(turn.roll);
            let value = if turn.side() == Side::First { 0.02 } else { 0.98 };
            predictions.push(value, std::iter::repeat_n(1.0 / count as f32, count));
        }
    }
}

fn games(resign: Option<Resign>) -> Vec<PlayedGame<Einstein>> {
    // Two simulations: only a win at once changes what the network finds.
    let config = SelfPlay { resign, simulations: 2, ..config().self_play };
    let rules = Rules { game: &Einstein::default(), config: &config, known: None };
    play_games::<Einstein, _>(|| BlueWins, 2, &rules, 3, 0..60, || false).unwrap()
}

#[test]
fn a_side_resigns_after_some_turns_in_which_it_finds_itself_lost() {
    let resign = Resign { below: 0.05, turns: 3, played_on: 0.0 };
    let whole = games(None);
    let resigned = games(Some(resign));
    for (whole, resigned) in whole.iter().zip(&resigned) {
        assert_eq!(whole.resignation, None);
        // Red's third turn is the fifth.
        assert_eq!((resigned.plies, resigned.outcome), (4, Some(Outcome::Win(Side::Second))));
        assert_eq!(
            (resigned.resignation, resigned.samples.len()),
            (Some(Resignation::Accepted), 5)
        );
        // The games are the same up to there.
        let situations = |game: &PlayedGame<Einstein>| -> Vec<_> {
            game.samples.iter().take(5).map(|sample| sample.situation.clone()).collect()
        };
        assert_eq!(situations(whole), situations(resigned));
    }
    // Nobody is that sure of having lost.
    assert_eq!(games(Some(Resign { below: 0.01, ..resign })), whole);
}

#[test]
fn games_that_are_played_on_tell_how_often_resigning_would_be_wrong() {
    let resign = |played_on| Some(Resign { below: 0.05, turns: 3, played_on });
    let (whole, on) = (games(None), games(resign(1.0)));
    let mut wrong = 0;
    for (whole, on) in whole.iter().zip(&on) {
        assert_eq!((&whole.samples, whole.plies), (&on.samples, on.plies));
        let red = on.outcome == Some(Outcome::Win(Side::First));
        let expected = if red { Resignation::Wrong } else { Resignation::PlayedOn };
        assert_eq!(on.resignation, Some(expected));
        wrong += u64::from(red);
    }
    // Both play at random, so that red wins about half of its games.
    assert!((15..=45).contains(&wrong), "{wrong}");
    let some = games(resign(0.3));
    let accepted =
        some.iter().filter(|game| game.resignation == Some(Resignation::Accepted)).count();
    assert!((30..=54).contains(&accepted), "{accepted}");

    let played = RoundGames { games: 60, resigned: 40, played_on: 20, ..RoundGames::default() };
    let rounds = [1, 3].map(|wrongly_resigned| Round {
        played: Some(RoundGames { wrongly_resigned, ..played }),
        ..Round::default()
    });
    let result = Resignations::of(&rounds).unwrap();
    assert_eq!((result.resigned, result.played_on, result.wrong), (80, 40, 4));
    // Wilson's interval of 4 of 40.
    let interval = result.interval;
    assert!((result.false_positive_rate - 0.1).abs() < 1e-12);
    assert!((interval.low - 0.0396).abs() < 1e-3 && (interval.high - 0.2305).abs() < 1e-3);
    assert_eq!(Resignations::of(&[Round::default()]), None);
}

/// The rounds of a run with this configuration.
fn rounds(config: TrainingConfig, count: usize, jobs: usize) -> Vec<Round> {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::open(&Einstein::default(), config, folder.path()).unwrap();
    let done = (0..count).map(|_| run.round(jobs, None).unwrap().unwrap()).collect();
    let table = fs::read_to_string(folder.path().join("metrics.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + count);
    assert!(table.starts_with("elapsed_seconds,") && table.contains(",played/mean_plies,"));
    done
}

#[test]
fn the_games_of_a_round_are_counted() {
    let mut config = config();
    config.self_play.games = 40;
    let played = rounds(config, 1, 2)[0].played.unwrap();
    assert_eq!((played.games, played.draws, played.resigned), (40, 0, 0));
    assert!((8..=32).contains(&played.first_side_wins), "{played:?}");
    // Games of random moves have some 20 turns.
    assert!((12.0..30.0).contains(&played.mean_plies), "{played:?}");
    assert!(f64::from(played.max_plies) > played.mean_plies);
}

#[test]
fn games_that_are_held_out_measure_the_loss_and_are_not_learned_from() {
    let mut config = config();
    config.self_play.games = 40;
    config.learning.buffer = 10_000;
    config.learning.steps = 30;
    let all = rounds(config.clone(), 1, 1);
    config.learning.held_out = 0.25;
    let (one, other) = (rounds(config.clone(), 2, 1), rounds(config, 2, 2));
    let validation = one[0].held_out.unwrap();
    // The games are the same, and a quarter of them is set aside.
    assert_eq!(one[0].positions + validation.positions, all[0].positions);
    let share = validation.positions as f64 / all[0].positions as f64;
    assert!((0.1..0.45).contains(&share), "{share}");
    assert_eq!(all[0].held_out, None);
    for (one, other) in one.iter().zip(&other) {
        assert_eq!((one.held_out, one.positions), (other.held_out, other.positions));
    }
    // The policy of a network that has learned for two rounds is better than an even choice of six moves.
    let last = one[1].held_out.unwrap();
    assert!(last.policy_loss > 0.0 && last.policy_loss < 6f64.ln(), "{last:?}");
    assert!(last.value_loss > 0.0 && last.value_loss < 2.0, "{last:?}");
}

#[test]
fn a_round_takes_fewer_steps_where_positions_would_be_drawn_too_often() {
    let mut config = config();
    config.learning.buffer = 10_000;
    config.learning.steps = 50;
    let free = rounds(config.clone(), 2, 1);
    assert!(free[1].replay_ratio > 5.0, "{}", free[1].replay_ratio);
    config.learning.max_replay_ratio = 1.5;
    let capped = rounds(config.clone(), 4, 1);
    let mut positions = 0;
    for round in &capped {
        positions += round.positions;
        let uses = round.steps as usize * config.learning.batch;
        assert!((round.replay_ratio - uses as f64 / positions as f64).abs() < 1e-9);
        assert!(round.replay_ratio <= 1.5);
        // Less than a step is left.
        assert!(1.5 * positions as f64 - (uses as f64) < config.learning.batch as f64);
    }
}

/// Such a round once had losses of 0, which looked like a perfect network in tables and charts.
#[test]
fn a_round_without_steps_has_no_losses() {
    let mut config = config();
    config.learning.min_buffer = 10_000;
    config.learning.buffer = 10_000;
    let round = &rounds(config.clone(), 1, 1)[0];
    assert_eq!((round.steps, round.has_learned(), round.loss), (0, false, None));
    let line = serde_json::to_string(round).unwrap();
    assert!(!line.contains("loss") && !line.contains("entropy"), "{line}");
    config.learning.min_buffer = 0;
    let round = &rounds(config, 1, 1)[0];
    assert!(round.has_learned() && round.variance == Some(0.0), "{round:?}");
}
