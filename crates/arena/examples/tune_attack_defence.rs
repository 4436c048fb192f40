//! Fits the weights of the evaluation `attack-defence`, and the slopes of those
//! that have one parameter.
//!
//! ```text
//! cargo run --release -p wurfel-arena --example tune_attack_defence [GAMES] [SEED]
//! ```
//!
//! Plays games between two `expecti:depth=2` with the Zweistein evaluation, one
//! move in four at random, and takes every position of them before its roll.
//! The target value of a position is that of Star2, four turns deep and with
//! the same evaluation. The weights are fitted by logistic regression (iterated
//! least squares) on nine games in ten; errors are reported for the rest.

#![allow(clippy::print_stdout, reason = "what it finds goes to the terminal")]

use std::array;
use std::sync::Arc;
use std::thread;

use wurfel_core::{Agent, Budget, Evaluator, Game, Random, Turn, draw};
use wurfel_games::einstein::{AttackDefence, Einstein, Official, Zweistein};
use wurfel_games::{Playable, UseEvaluation};
use wurfel_search::{Cutoffs, Expecti, Star, TranspositionTable};

/// The search depths of the players and of the target values.
const DEPTHS: [u32; 2] = [2, 4];
/// One move in this many is random.
const RANDOM_SHARE: u32 = 4;
/// One game in this many is held out for the errors.
const HELD_OUT: usize = 10;
/// The ridge penalty, which keeps weights near 0 that the positions do not determine.
const RIDGE: f64 = 1e-3;

const FEATURES: usize = AttackDefence::<Official>::FEATURES.len();
const WEIGHTS: usize = 2 * FEATURES;

type Evaluation = Arc<Zweistein<Official>>;

/// A position before its roll, with its target value for the side to roll, 0 to 1.
struct Scored {
    position: Einstein,
    target: f64,
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().unwrap_or(0));
    let games: usize = numbers.next().unwrap_or(2000) as usize;
    let seed: u64 = numbers.next().unwrap_or(1);
    println!("# {games} games, seed {seed}");
    let played = play_all(games, seed);
    let (held_out, fitted): (Vec<_>, Vec<_>) =
        played.iter().enumerate().partition(|(game, _)| game % HELD_OUT == 0);
    let [held_out, fitted] = [held_out, fitted].map(|games| -> Vec<&Scored> {
        games.into_iter().flat_map(|(_, positions)| positions).collect()
    });
    println!("# {} positions to fit, {} for the errors", fitted.len(), held_out.len());

    let attack_defence = AttackDefence::<Official>::new();
    let weights = fit::<WEIGHTS>(&fitted, |position| {
        let [own, other] = attack_defence.features(position);
        let features =
            array::from_fn(|n| f64::from(if n < FEATURES { own[n] } else { other[n - FEATURES] }));
        (features, f64::from(attack_defence.wins_at_once(position)))
    });
    println!("# Feature, its weight for the side to roll, its weight for the other side.");
    for (n, name) in AttackDefence::<Official>::FEATURES.iter().enumerate() {
        println!("{name} {:.4} {:.4}", weights[n], weights[FEATURES + n]);
    }

    for evaluation in Einstein::EVALUATIONS {
        let search = Compare { fitted: &fitted, held_out: &held_out };
        if let Some(([slope, shift], error)) = Einstein::evaluation(evaluation.name, search) {
            let name = evaluation.name;
            println!("# {name}: log odds times {slope:.3} plus {shift:.3}, error {error:.4}");
        }
    }
}

/// The positions of each game, the same whatever the number of threads.
fn play_all(games: usize, seed: u64) -> Vec<Vec<Scored>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let evaluation = Arc::new(Zweistein::new());
    let mut positions: Vec<(usize, Vec<Scored>)> = thread::scope(|scope| {
        let work = |first| {
            let evaluation = &evaluation;
            scope.spawn(move || {
                let mine = (first..games).step_by(threads);
                mine.map(|game| (game, play(game, seed, evaluation))).collect::<Vec<_>>()
            })
        };
        let workers: Vec<_> = (0..threads).map(work).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no worker panics")).collect()
    });
    positions.sort_by_key(|(game, _)| *game);
    positions.into_iter().map(|(_, positions)| positions).collect()
}

fn play(game: usize, seed: u64, evaluation: &Evaluation) -> Vec<Scored> {
    let mut random = Random::new(Random::seed_for(seed, &[game as u64]));
    let [shallow, deep] = DEPTHS.map(|depth| Budget { depth: Some(depth), ..Budget::default() });
    let mut player = Expecti::new(Arc::clone(evaluation), shallow);
    let table = Arc::new(TranspositionTable::new(4));
    let mut search = Star::new(Arc::clone(evaluation), Cutoffs::Star2, table, deep);
    let mut position = Einstein::default().setup(&mut random);
    let mut positions = vec![];
    while position.outcome().is_none() {
        positions.push(Scored { position, target: target(&mut search, &position) });
        let roll = draw(Einstein::DICE, &mut random);
        let turn = Turn { position: &position, roll };
        let mv = match random.below(RANDOM_SHARE) {
            0 => *random.pick(turn.moves().as_ref()),
            _ => player.decide(turn, Budget::default()).mv,
        };
        position.play(roll, mv);
    }
    positions
}

/// The mean over the rolls of the search's value of its best move.
fn target(search: &mut Star<Evaluation>, position: &Einstein) -> f64 {
    let mut sum = 0.0;
    for roll in position.rolls() {
        let turn = Turn { position, roll: roll.item };
        let value = search.decide(turn, Budget::default()).value.unwrap_or(0.5);
        sum += f64::from(roll.weight) * f64::from(value);
    }
    sum / 6.0
}

/// The weights w for which p + (1 − p) · logistic(w · features) fits the target
/// values of the positions best, by logistic regression; `describe` gives the
/// features and p.
fn fit<const N: usize>(
    positions: &[&Scored],
    describe: impl Fn(&Einstein) -> ([f64; N], f64),
) -> [f64; N] {
    let mut weights = [0.0; N];
    for _ in 0..12 {
        // The normal equations of one Newton step, the gradient in the last place.
        let mut rows: [Vec<f64>; N] = array::from_fn(|n| {
            let mut row = vec![0.0; N + 1];
            row[n] = RIDGE * positions.len() as f64;
            row[N] = -RIDGE * positions.len() as f64 * weights[n];
            row
        });
        for scored in positions {
            let (features, at_once) = describe(&scored.position);
            if at_once >= 1.0 {
                continue;
            }
            let target = ((scored.target - at_once) / (1.0 - at_once)).clamp(0.0, 1.0);
            let ahead: f64 = weights.iter().zip(&features).map(|(w, f)| w * f).sum();
            let chance = 1.0 / (1.0 + (-ahead).exp());
            let curvature = (1.0 - at_once) * chance * (1.0 - chance);
            for (row, feature) in rows.iter_mut().zip(&features) {
                for (place, other) in row.iter_mut().zip(&features) {
                    *place += curvature * feature * other;
                }
                row[N] += (1.0 - at_once) * (target - chance) * feature;
            }
        }
        for (weight, step) in weights.iter_mut().zip(solve(rows)) {
            *weight += step;
        }
    }
    weights
}

/// Gaussian elimination; each row ends with its right side.
fn solve<const N: usize>(mut rows: [Vec<f64>; N]) -> [f64; N] {
    for n in 0..N {
        let pivot = (n..N).max_by(|&a, &b| rows[a][n].abs().total_cmp(&rows[b][n].abs()));
        rows.swap(n, pivot.unwrap_or(n));
        let pivot = rows[n].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            let factor = row[n] / pivot[n];
            if other != n && factor != 0.0 {
                for (place, value) in row.iter_mut().zip(&pivot) {
                    *place -= factor * value;
                }
            }
        }
    }
    array::from_fn(|n| rows[n][N] / rows[n][n])
}

/// Finds the slope and shift that fit the log odds of an evaluation best, and
/// measures the root mean square error of the evaluation without them.
struct Compare<'a> {
    fitted: &'a [&'a Scored],
    held_out: &'a [&'a Scored],
}

impl UseEvaluation<Einstein> for Compare<'_> {
    type Output = ([f64; 2], f64);

    fn with<E: Evaluator<Einstein> + 'static>(self, evaluator: E) -> ([f64; 2], f64) {
        let value = |position: &Einstein| f64::from(evaluator.evaluate(position));
        let line = fit(self.fitted, |position| {
            let value = value(position).clamp(1e-6, 1.0 - 1e-6);
            ([(value / (1.0 - value)).ln(), 1.0], 0.0)
        });
        let squares =
            self.held_out.iter().map(|scored| (value(&scored.position) - scored.target).powi(2));
        (line, (squares.sum::<f64>() / self.held_out.len() as f64).sqrt())
    }
}
