//! Puzzles that are kept with the values of a deep search ([`PuzzleBook`]). Only what the search did
//! not look into is valued now, at first sight: every turn has a value, so that whoever plays a
//! turn that no search looks into is told what it gives away.

use std::collections::HashMap;

use wurfel_agents::{Catalogued, PuzzleBook};
use wurfel_arena::ScoredMove;
use wurfel_core::{Agent, Assessment, Budget, Game, NotationError, Random, Situation, Turn};

use super::{NoPuzzle, Puzzle, PuzzleTurn};
use crate::agents::AgentCache;
use crate::scene::Scene;

/// A puzzle as its line has it.
struct Line<G: Game> {
    difficulty: usize,
    situation: Situation<G>,
    /// The value of each position in which a turn that was searched ends, for the side that moves.
    values: HashMap<G, f64>,
}

/// Reads a line of a book.
///
/// # Errors
/// When it is not a puzzle.
fn read<G: Game>(line: &str) -> Result<Line<G>, NotationError> {
    let bad = || {
        NotationError::whole(
            "puzzle",
            line,
            "a difficulty, a position with a roll, and turns with values",
        )
    };
    let mut parts = line.split(" | ");
    let mut next = || parts.next().ok_or_else(bad);
    let difficulty = next()?.parse().map_err(|_| bad())?;
    let situation: Situation<G> = next()?.parse()?;
    let mut values = HashMap::new();
    for part in parts {
        let (moves, value) = part.rsplit_once(' ').ok_or_else(bad)?;
        let Situation { mut position, roll: mut rest } = situation.clone();
        for text in moves.split(' ') {
            let roll = rest.ok_or_else(bad)?;
            let mv = position.find_move(roll, text)?;
            rest = position.play(roll, mv);
        }
        values.insert(position, value.parse().map_err(|_| bad())?);
    }
    Ok(Line { difficulty, situation, values })
}

/// Puzzle number `number` of a book, from 1.
pub(super) fn puzzle<G: Catalogued>(
    book: PuzzleBook,
    number: u64,
    cache: &mut AgentCache,
) -> Result<Puzzle, NoPuzzle> {
    let last = book.lines.lines().count() as u64;
    let place = number.checked_sub(1).ok_or(NoPuzzle::Number(last))?;
    let line = book.lines.lines().nth(place as usize).ok_or(NoPuzzle::Number(last))?;
    let Line { difficulty, situation, values } = read::<G>(line).expect("tests read every line");
    let turn = situation.turn().expect("a puzzle has a roll");
    let turns = turns(turn, &values, book, cache);
    let right =
        turns.partition_point(|other| other.value >= turns[0].value - PuzzleBook::TOLERANCE);
    let single = turns.iter().all(|turn| turn.moves.len() == 1);
    let scored = |turn: &PuzzleTurn| ScoredMove {
        mv: turn.moves[0].clone(),
        value: Some(turn.value),
        exact: turn.exact,
    };
    Ok(Puzzle {
        number,
        last: Some(last),
        difficulty,
        scene: Scene::new(&situation),
        analyser: Some(book.analyser),
        right,
        moves: if single { turns.iter().map(scored).collect() } else { vec![] },
        turns: (!single).then_some(turns),
    })
}

/// All turns, the best first: with the kept value, or with the one at first sight.
fn turns<G: Catalogued>(
    turn: Turn<'_, G>,
    values: &HashMap<G, f64>,
    book: PuzzleBook,
    cache: &mut AgentCache,
) -> Vec<PuzzleTurn> {
    let spec = book.first_look.parse().expect("a spec of the catalogue");
    let look = |agent: &mut dyn Agent<G>| {
        agent.begin(Random::new(0));
        agent.analyse(turn, Budget::default())
    };
    let analysis = cache.with(&spec, look).expect("an agent of the catalogue");
    let valued = |moves: Vec<G::Move>, value: f64, exact, depth| {
        let (mut end, mut rest) = (turn.position.clone(), Some(turn.roll));
        for &mv in &moves {
            rest = end.play(rest.expect("a turn ends with its last move"), mv);
        }
        let kept = values.get(&end).copied();
        PuzzleTurn {
            moves: moves.iter().map(ToString::to_string).collect(),
            value: kept.unwrap_or(value),
            exact,
            depth: if kept.is_some() { book.depth } else { depth },
            end: end.to_string(),
        }
    };
    let mut turns: Vec<PuzzleTurn> = if analysis.turns.is_empty() {
        let depth = analysis.depth;
        let of_move = |Assessment { mv, value, exact }: Assessment<G::Move>| {
            valued(vec![mv], value.map_or(0.0, f64::from), exact, depth)
        };
        analysis.moves.into_iter().map(of_move).collect()
    } else {
        let all = analysis.turns.into_iter();
        all.map(|of| valued(of.moves, f64::from(of.value), of.exact, of.depth)).collect()
    };
    turns.sort_by(|one, other| other.value.total_cmp(&one.value));
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use wurfel_agents::{UseGame, games, with_game};
    use wurfel_games::dicechess::{DiceChess, DiceChess3};

    /// Checks every puzzle of a game; the result says how many there are.
    struct Check;

    impl UseGame for Check {
        type Output = usize;

        fn with<G: Catalogued>(self) -> usize {
            let Some(book) = G::PUZZLES else { return 0 };
            let mut cache = AgentCache::default();
            let mut positions = BTreeSet::new();
            for number in 1..=book.lines.lines().count() as u64 {
                let puzzle = puzzle::<G>(book, number, &mut cache).unwrap();
                let place = format!("{} {number}", G::NAME);
                assert!(positions.insert(puzzle.scene.position.clone()), "{place} is there twice");
                let values: Vec<f64> = match &puzzle.turns {
                    Some(turns) => turns.iter().map(|turn| turn.value).collect(),
                    None => puzzle.moves.iter().filter_map(|scored| scored.value).collect(),
                };
                let (right, wrong) = values.split_at(puzzle.right);
                let behind = |value: &f64| values[0] - value;
                assert!((1..=4).contains(&puzzle.difficulty) && !right.is_empty(), "{place}");
                assert!(
                    right.iter().all(|value| behind(value) <= PuzzleBook::TOLERANCE),
                    "{place}"
                );
                assert!(behind(&wrong[0]) >= PuzzleBook::APART - 1e-3, "{place}: {values:?}");
                assert!(values[0] < 0.98, "{place} is won at once");
            }
            positions.len()
        }
    }

    #[test]
    fn every_kept_puzzle_is_clear() {
        let counts: Vec<_> =
            games().iter().map(|game| with_game(game.name, Check).unwrap()).collect();
        assert!(counts.iter().filter(|&&count| count >= 20).count() >= 2, "{counts:?}");
    }

    fn shown<G: Catalogued>(lines: &'static str) -> Puzzle {
        let book = PuzzleBook { lines, ..G::PUZZLES.unwrap() };
        let mut cache = AgentCache::default();
        let shown = puzzle::<G>(book, 1, &mut cache).unwrap();
        assert_eq!(puzzle::<G>(book, 1, &mut AgentCache::default()).unwrap(), shown);
        assert_eq!(puzzle::<G>(book, 0, &mut cache), Err(NoPuzzle::Number(1)));
        assert_eq!(puzzle::<G>(book, 2, &mut cache), Err(NoPuzzle::Number(1)));
        shown
    }

    #[test]
    fn moves_that_are_as_good_are_right_and_all_others_wrong() {
        let puzzle = shown::<DiceChess>(
            "2 | 4k3/8/8/8/8/6N1/4P3/4K3 w - - 0 9 N | g3f5 0.7000 | g3e4 0.6910 | g3h5 0.6400 \
             | g3h1 0.5000 | g3f1 0.4000",
        );
        let moves: Vec<_> = puzzle.moves.iter().map(|scored| scored.mv.as_str()).collect();
        assert_eq!(moves, ["g3f5", "g3e4", "g3h5", "g3h1", "g3f1"]);
        assert_eq!((puzzle.right, puzzle.difficulty, puzzle.turns), (2, 2, None));
        assert_eq!(puzzle.analyser, Some("champion:depth=3"));
    }

    /// Every text of a position in which the turn can end, over all orders of moves.
    fn ends<G: Game>(situation: Situation<G>, found: &mut BTreeSet<String>) {
        let Situation { position, roll } = situation;
        let Some(roll) = roll else {
            found.insert(position.to_string());
            return;
        };
        for &mv in position.moves(roll).as_ref() {
            let mut next = position.clone();
            let rest = next.play(roll, mv);
            ends(Situation { position: next, roll: rest }, found);
        }
    }

    #[test]
    fn every_order_of_moves_ends_in_a_listed_turn() {
        let line = "1 | 4k3/8/8/8/8/8/2P1P3/4K2R w K - 4 9 PRK | e2e4 e1f2 h1h8 0.7000";
        let puzzle = shown::<DiceChess3>(line);
        let turns = puzzle.turns.unwrap();
        let listed: BTreeSet<_> = turns.iter().map(|turn| turn.end.clone()).collect();
        let mut found = BTreeSet::new();
        ends(read::<DiceChess3>(line).unwrap().situation, &mut found);
        assert_eq!(listed, found);
        assert_eq!((turns.len(), listed.len()), (found.len(), found.len()));
        // Another order of the moves is the same turn, with the kept value.
        let kept = turns.iter().find(|turn| turn.depth == 2).unwrap();
        assert!((kept.value - 0.7).abs() < 1e-9, "{kept:?}");
        let mut other = read::<DiceChess3>(line).unwrap().situation;
        for text in ["h1h8", "e1f2", "e2e4"] {
            let roll = other.roll.unwrap();
            let mv = other.position.find_move(roll, text).unwrap();
            other.roll = other.position.play(roll, mv);
        }
        assert_eq!((other.position.to_string(), other.roll), (kept.end.clone(), None));
    }

    #[test]
    fn a_damaged_line_is_no_puzzle() {
        for line in ["", "2", "x | 4k3/8/8/8/8/6N1/4P3/4K3 w - - 0 9 N", "2 | nonsense"] {
            assert!(read::<DiceChess>(line).is_err(), "{line}");
        }
        let line = "2 | 4k3/8/8/8/8/6N1/4P3/4K3 w - - 0 9 N | g3g4 0.7";
        assert!(read::<DiceChess>(line).is_err());
    }
}
