//! Puzzles with exact values: positions with few pieces in which exactly one move is good. They are
//! made on request.

use std::sync::atomic::Ordering;

use wurfel::{Agent, Game, Position, Solver};
use wurfel_arena::{PositionSource, ScoredMove};
use wurfel_core::{Budget, Random};

use super::{NoPuzzle, Puzzle};
use crate::agents::{AgentCache, Stop};

/// The possible numbers of pieces on the board. With so few, a search to the end of the game takes
/// milliseconds.
const PIECES: [u32; 3] = [3, 4, 5];
/// The minimum loss of every other move, so that only one move is good.
const APART: f64 = 0.05;
/// The number of positions drawn before the puzzle is given up.
const MAX_DRAWS: u32 = 20_000;
/// The memory of the exact search, in megabytes.
const MEGABYTES: usize = 16;
/// Agents that search less deeply than a person should. The more of them are wrong, the harder the
/// puzzle.
const TESTERS: [&str; 3] = ["greedy", "expecti:depth=1", "champion:depth=2"];

/// Whether searches finish quickly in all positions from which puzzles are made.
pub(super) fn can_solve(game: Game) -> bool {
    game.facts().max_solved >= PIECES[PIECES.len() - 1]
}

/// A puzzle by its number.
pub(super) fn puzzle(
    game: Game,
    number: u64,
    cache: &mut AgentCache,
    stop: Stop<'_>,
) -> Result<Puzzle, NoPuzzle> {
    let mut random = Random::new(Random::seed_for(number, &[0x70_75_7a]));
    let solver = game.solver(MEGABYTES);
    let pieces = PIECES[(number % PIECES.len() as u64) as usize];
    if !can_solve(game) {
        return Err(NoPuzzle::Game);
    }
    for _ in 0..MAX_DRAWS {
        if stop.load(Ordering::Relaxed) {
            return Err(NoPuzzle::Stopped);
        }
        let Some(position) = game.draw(PositionSource::Scattered, pieces, &mut random) else {
            break;
        };
        let position = position.roll_dice(&mut random).expect("the game goes on");
        // With fewer than three moves a puzzle is too easy.
        if position.moves().len() < 3 {
            continue;
        }
        let Some(moves) = solve(&*solver, &position, stop) else {
            return Err(NoPuzzle::Stopped);
        };
        let [best, next] = [0, 1].map(|place| moves[place].1);
        if best - next < APART || best > 0.995 {
            continue;
        }
        let good = Some(&moves[0].0);
        let decide = |spec: &&&str| decides(spec, game, &position, cache).as_ref() != good;
        let wrong = TESTERS.iter().filter(decide).count();
        let scored =
            |(mv, value): (String, f64)| ScoredMove { mv, value: Some(value), exact: true };
        return Ok(Puzzle {
            number,
            last: None,
            difficulty: 1 + wrong,
            scene: position.scene(),
            analyser: None,
            right: 1,
            moves: moves.into_iter().map(scored).collect(),
            turns: None,
        });
    }
    Err(NoPuzzle::Game)
}

/// Every move with its value for the side that moves, the best first; `None` when the search was
/// stopped.
fn solve(solver: &dyn Solver, position: &Position, stop: Stop<'_>) -> Option<Vec<(String, f64)>> {
    let budget = Budget { stop: Some(stop), ..Budget::default() };
    let mut solution = solver.solve(position, 1, budget, &mut |_, _| ()).ok()?;
    let moves = solution.rolls.pop()?.moves;
    moves.into_iter().map(|of| Some((of.r#move, f64::from(of.value?)))).collect()
}

/// The move that an agent makes.
fn decides(spec: &str, game: Game, position: &Position, cache: &mut AgentCache) -> Option<String> {
    let spec = spec.parse().ok()?;
    let decide = |agent: &mut dyn Agent| {
        agent.begin(Random::new(0));
        agent.decide(position, Budget::default()).ok()
    };
    Some(cache.with(game, &spec, decide).ok()??.mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use wurfel::default_game;

    static STOP: AtomicBool = AtomicBool::new(false);

    #[test]
    fn a_puzzle_has_one_good_move_and_its_number_is_its_name() {
        let (game, mut cache) = (default_game(), AgentCache::default());
        for number in 1..=3 {
            let puzzle = puzzle(game, number, &mut cache, &STOP).unwrap();
            let values: Vec<f64> = puzzle.moves.iter().filter_map(|scored| scored.value).collect();
            assert!(values.len() >= 3 && values[0] - values[1] >= APART, "{values:?}");
            assert!(values.is_sorted_by(|a, b| a >= b) && (1..=4).contains(&puzzle.difficulty));
            let again = super::puzzle(game, number, &mut AgentCache::default(), &STOP).unwrap();
            assert_eq!(again, puzzle);
        }
    }

    #[test]
    fn the_values_are_the_published_ones() {
        // Red's value is 95/108 before its roll: the mean over the rolls of the best moves.
        let position = default_game().read("5/5/2C2/5/2cba r - 1", false).unwrap();
        let solver = default_game().no_tables().solver(1);
        let best =
            |roll: &str| solve(&*solver, &position.rolled(roll).unwrap(), &STOP).unwrap()[0].1;
        let (sum, chances) = position.rolls().iter().fold((0.0, 0.0), |(sum, chances), roll| {
            let weight = f64::from(roll.weight);
            (sum + weight * best(&roll.item), chances + weight)
        });
        assert!((sum / chances - 95.0 / 108.0).abs() < 1e-6);
    }
}
