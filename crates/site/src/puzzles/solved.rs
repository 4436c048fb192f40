//! Puzzles with exact values: positions with few pieces in which exactly one move is good. They are
//! made when somebody asks for them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use wurfel_agents::Catalogued;
use wurfel_arena::ScoredMove;
use wurfel_core::{Budget, Even, Game, Random, Situation, Turn, draw};
use wurfel_search::{Cutoffs, Star, TranspositionTable};

use super::{NoPuzzle, Puzzle};
use crate::agents::AgentCache;
use crate::pool::Stop;
use crate::scene::Scene;

/// The possible numbers of pieces on the board. With so few, a search to the end of the game takes
/// milliseconds.
const PIECES: [u32; 3] = [3, 4, 5];
/// How much every other move must lose at least, so that only one move is good.
const APART: f64 = 0.05;
/// How many positions are drawn before the puzzle is given up.
const MAX_DRAWS: u32 = 20_000;
/// The memory of the exact search, in megabytes.
const MEGABYTES: usize = 16;
/// Agents that look less far ahead than a person should. The more of them are wrong, the harder the
/// puzzle.
const TESTERS: [&str; 3] = ["greedy", "expecti:depth=1", "champion:depth=2"];

/// Whether searches finish quickly in all positions from which puzzles are made.
pub(super) const fn can_solve<G: Catalogued>() -> bool {
    G::MAX_SOLVED >= PIECES[PIECES.len() - 1]
}

/// Puzzle number `number` of `G`.
pub(super) fn puzzle<G: Catalogued>(
    number: u64,
    cache: &mut AgentCache,
    stop: Stop<'_>,
) -> Result<Puzzle, NoPuzzle> {
    let mut random = Random::new(Random::seed_for(number, &[0x70_75_7a]));
    let table = Arc::new(TranspositionTable::new(MEGABYTES));
    let star = Star::new(Even, Cutoffs::Star2, table, Budget::default());
    let pieces = PIECES[(number % PIECES.len() as u64) as usize];
    if !can_solve::<G>() {
        return Err(NoPuzzle::Game);
    }
    for _ in 0..MAX_DRAWS {
        if stop.load(Ordering::Relaxed) {
            return Err(NoPuzzle::Stopped);
        }
        let Some(position) = G::scattered(pieces, &mut random) else { continue };
        let roll = draw(position.rolls().as_ref(), &mut random);
        // With fewer than three moves a puzzle is too easy.
        if position.moves(roll).as_ref().len() < 3 {
            continue;
        }
        let Some(moves) = solve(&star, Turn { position: &position, roll }, stop) else {
            return Err(NoPuzzle::Stopped);
        };
        let [best, next] = [0, 1].map(|place| moves[place].1);
        if best - next < APART || best > 0.995 {
            continue;
        }
        let good = moves[0].0;
        let turn = Turn { position: &position, roll };
        let wrong = TESTERS.iter().filter(|spec| decides(spec, turn, cache) != Some(good)).count();
        let situation = Situation { position, roll: Some(roll) };
        let scored = |&(mv, value): &(G::Move, f64)| ScoredMove {
            mv: mv.to_string(),
            value: Some(value),
            exact: true,
        };
        return Ok(Puzzle {
            number,
            last: None,
            difficulty: 1 + wrong,
            scene: Scene::new(&situation),
            analyser: None,
            right: 1,
            moves: moves.iter().map(scored).collect(),
            turns: None,
        });
    }
    Err(NoPuzzle::Game)
}

/// Moves with their true values for the side that moves, the best first.
type Scored<G> = Vec<(<G as Game>::Move, f64)>;

/// Every move with its value; `None` when the search was stopped.
fn solve<G: Game>(star: &Star<Even>, turn: Turn<'_, G>, stop: Stop<'_>) -> Option<Scored<G>> {
    let moves = turn.moves();
    let valued = |&mv: &G::Move| Some((mv, value(star, turn, mv, stop)?));
    let mut values = moves.as_ref().iter().map(valued).collect::<Option<Scored<G>>>()?;
    values.sort_by(|one, other| other.1.total_cmp(&one.1));
    Some(values)
}

fn value<G: Game>(
    star: &Star<Even>,
    turn: Turn<'_, G>,
    mv: G::Move,
    stop: Stop<'_>,
) -> Option<f64> {
    let mut position = turn.position.clone();
    match position.play(turn.roll, mv) {
        None => Some(
            1.0 - f64::from(
                star.solve(&position, Budget { stop: Some(stop), ..Budget::default() }).0?,
            ),
        ),
        Some(roll) => Some(solve(star, Turn { position: &position, roll }, stop)?[0].1),
    }
}

fn decides<G: Catalogued>(
    spec: &str,
    turn: Turn<'_, G>,
    cache: &mut AgentCache,
) -> Option<G::Move> {
    let spec = spec.parse().ok()?;
    let decide = |agent: &mut dyn wurfel_core::Agent<G>| {
        agent.begin(Random::new(0));
        agent.decide(turn, Budget::default()).mv
    };
    cache.with(&spec, decide).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use wurfel_games::einstein::Einstein;

    static STOP: AtomicBool = AtomicBool::new(false);

    #[test]
    fn a_puzzle_has_one_good_move_and_its_number_is_its_name() {
        let mut cache = AgentCache::default();
        for number in 1..=3 {
            let puzzle = puzzle::<Einstein>(number, &mut cache, &STOP).unwrap();
            let values: Vec<f64> = puzzle.moves.iter().filter_map(|scored| scored.value).collect();
            assert!(values.len() >= 3 && values[0] - values[1] >= APART, "{values:?}");
            assert!(values.is_sorted_by(|a, b| a >= b) && (1..=4).contains(&puzzle.difficulty));
            let again =
                super::puzzle::<Einstein>(number, &mut AgentCache::default(), &STOP).unwrap();
            assert_eq!(again, puzzle);
        }
    }

    #[test]
    fn the_values_are_the_published_ones() {
        // Red's value is 95/108 before its roll: the mean over the rolls of the best moves.
        let position: Einstein = "5/5/2C2/5/2cba r - 1".parse().unwrap();
        let table = Arc::new(TranspositionTable::new(1));
        let star = Star::new(Even, Cutoffs::Star2, table, Budget::default());
        let rolls = position.rolls();
        let best = |roll| solve(&star, Turn { position: &position, roll }, &STOP).unwrap()[0].1;
        let (sum, chances) = rolls.as_ref().iter().fold((0.0, 0.0), |(sum, chances), roll| {
            let weight = f64::from(roll.weight);
            (sum + weight * best(roll.item), chances + weight)
        });
        assert!((sum / chances - 95.0 / 108.0).abs() < 1e-6);
    }
}
