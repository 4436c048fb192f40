//! Random games of `EinStein würfelt nicht!` against the statistics of another program over 3
//! million games, and against the naive twin.

use wurfel_core::{Game, Outcome, Random, RandomGames, Side, draw, random_game};
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;

/// How many games the published figures are based on, and how many are played here.
const GAMES: u32 = 3_000_000;
const PUBLISHED_GAMES: f64 = 3e6;

/// Asserts that the mean of `GAMES` numbers with deviation `deviation` is the published one, within
/// four standard errors of the difference and half a unit in the last place of the published
/// figure.
fn assert_published(what: &str, actual: f64, deviation: f64, published: f64, last_place: f64) {
    let variance = deviation * deviation;
    let error = (variance / f64::from(GAMES) + variance / PUBLISHED_GAMES).sqrt();
    let tolerance = 4.0 * error + last_place / 2.0;
    let off = (actual - published).abs();
    assert!(off < tolerance, "{what}: {actual}, not {published}, tolerance {tolerance}");
}

/// Adds up numbers and their squares.
#[derive(Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, number: f64) {
        self.count += 1.0;
        self.sum += number;
        self.squares += number * number;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.count - self.mean().powi(2)).sqrt()
    }
}

/// The deviation of an event with this probability.
fn of_a_chance(probability: f64) -> f64 {
    (probability * (1.0 - probability)).sqrt()
}

#[test]
fn single_games_are_won_and_last_as_published() {
    let mut random = Random::new(1);
    let (mut wins, mut plies) = (Sums::default(), Sums::default());
    for _ in 0..GAMES {
        let start = Einstein::default().setup(&mut random);
        let game = random_game(start, None, &mut random);
        wins.add(f64::from(game.outcome.value_for(Side::First)));
        plies.add(f64::from(game.plies));
    }
    assert_published("first mover wins", wins.mean(), of_a_chance(0.5323), 0.5323, 1e-4);
    assert_published("plies", plies.mean(), plies.deviation(), 21.58, 0.01);
    // The deviation of an estimated deviation is about σ/√2 for a bell curve.
    let deviation = plies.deviation();
    assert_published("deviation", deviation, deviation / 2f64.sqrt(), 4.62, 0.01);
}

/// The same figures for games that are played side by side, a hundred from each pair of set-ups.
#[test]
fn games_that_are_played_together_are_won_and_last_as_published() {
    let mut random = Random::new(3);
    let mut all = RandomGames::default();
    for _ in 0..GAMES / 100 {
        all += Einstein::default().setup(&mut random).random_games(None, 100, &mut random);
    }
    assert_eq!(all.count(), u64::from(GAMES));
    let games = f64::from(GAMES);
    let share = all.wins[Side::First] as f64 / games;
    assert_published("first mover wins", share, of_a_chance(0.5323), 0.5323, 1e-4);
    assert_published("plies", all.plies as f64 / games, 4.62, 21.58, 0.01);
}

#[test]
fn random_games_have_the_choices_and_the_ends_that_are_published() {
    let mut random = Random::new(2);
    let (mut annihilations, mut wins) = (Sums::default(), Sums::default());
    // This is a mean over turns and not over games. Its error comes from the games, because the
    // turns of one game belong together.
    let (mut moves, mut turns) = (vec![], vec![]);
    for _ in 0..GAMES {
        let mut position = Einstein::default().setup(&mut random);
        let mut choices = 0;
        let winner = loop {
            if let Some(outcome) = position.outcome() {
                break outcome.winner();
            }
            let die = draw(Einstein::DICE, &mut random);
            let list = position.moves(die);
            choices += list.as_ref().len();
            position.play(die, *random.pick(list.as_ref()));
        };
        let winner = winner.expect("no draws");
        annihilations.add(f64::from(u8::from(position.cubes(!winner).next().is_none())));
        wins.add(f64::from(Outcome::Win(winner).value_for(Side::First)));
        moves.push(choices as f64);
        turns.push(f64::from(position.ply() - 1));
    }
    assert_published("first mover wins", wins.mean(), of_a_chance(0.5323), 0.5323, 1e-4);
    let share = annihilations.mean();
    assert_published("annihilation", share, of_a_chance(0.012), 0.012, 1e-4);
    let ratio = moves.iter().sum::<f64>() / turns.iter().sum::<f64>();
    let mut residuals = Sums::default();
    for (moves, turns) in moves.iter().zip(&turns) {
        residuals.add(moves - ratio * turns);
    }
    let mean_turns = turns.iter().sum::<f64>() / f64::from(GAMES);
    assert_published("legal moves", ratio, residuals.deviation() / mean_turns, 3.11, 0.01);
}

/// With the same random numbers the twin plays the same games, move by move. So its statistics, and
/// every record of a random game, also hold for this crate.
#[test]
fn a_random_game_is_the_one_that_the_naive_twin_plays() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let game = random_game(Einstein::default(), None, &mut random);
        let mut stream = Random::new(seed);
        let mut twin = crate::naive::start();
        while twin.winner().is_none() {
            let die = stream.below(6) as u8 + 1;
            let &(from, to) = stream.pick(&twin.moves(die));
            twin = twin.play(from, to);
        }
        let red_won = game.outcome == Outcome::Win(Side::First);
        assert_eq!((Some(red_won), game.plies + 1), (twin.winner(), twin.ply), "seed {seed}");
        assert_eq!(random, stream, "seed {seed}");
    }
}
