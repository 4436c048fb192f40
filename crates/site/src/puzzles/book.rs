//! Puzzles that are stored with the values of a deep search ([`PuzzleBook`]). Turns that the search
//! left out are valued now, by the static evaluation: every turn has a value, so that whoever plays
//! such a turn learns what it gives away.

use std::collections::HashMap;

use wurfel::{Agent, Game, Position, PuzzleBook, TurnAnalysis};
use wurfel_arena::ScoredMove;
use wurfel_core::{AssessedTurn, Assessment, Budget, NotationError, Random, sort_by_score};

use super::{NoPuzzle, Puzzle, PuzzleTurn};
use crate::agents::AgentCache;

/// A puzzle as its line describes it.
struct Line {
    difficulty: usize,
    position: Position,
    /// The value of each position in which a turn that was searched ends, for the side that moves.
    values: HashMap<Position, f64>,
}

/// Reads a line of a book. Fails when it is not a puzzle.
fn read(game: Game, line: &str) -> Result<Line, NotationError> {
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
    let position = game.read(next()?, false)?;
    let mut values = HashMap::new();
    for part in parts {
        let (moves, value) = part.rsplit_once(' ').ok_or_else(bad)?;
        values.insert(position.after(moves)?, value.parse().map_err(|_| bad())?);
    }
    Ok(Line { difficulty, position, values })
}

/// Puzzle number `number` of a book, from 1.
pub(super) fn puzzle(
    game: Game,
    book: PuzzleBook,
    number: u64,
    cache: &mut AgentCache,
) -> Result<Puzzle, NoPuzzle> {
    let lines: Vec<&str> = book.lines().collect();
    let last = lines.len() as u64;
    let place = number.checked_sub(1).ok_or(NoPuzzle::Number(last))?;
    let line = lines.get(place as usize).ok_or(NoPuzzle::Number(last))?;
    let line = read(game, line).expect("tests read every line");
    let spec = book.first_look.parse().expect("a spec of the catalogue");
    let look = |agent: &mut dyn Agent| {
        agent.begin(Random::new(0));
        agent.analyse_turn(&line.position, Budget::default())
    };
    let analysis = cache.with(game, &spec, look).expect("an agent of the catalogue");
    let turns = turns(&line, analysis.expect("a puzzle has a roll"), book);
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
        difficulty: line.difficulty,
        scene: line.position.scene(),
        analyser: Some(book.analyser),
        right,
        moves: if single { turns.iter().map(scored).collect() } else { vec![] },
        turns: (!single).then_some(turns),
    })
}

/// All turns, the best first: with the stored value, or with that of the static evaluation.
fn turns(line: &Line, analysis: TurnAnalysis, book: PuzzleBook) -> Vec<PuzzleTurn> {
    let valued = |moves: Vec<String>, value: f64, exact, depth| {
        let end = line.position.after(&moves.join(" ")).expect("an agent's moves are legal");
        let known = line.values.get(&end).copied();
        PuzzleTurn {
            moves,
            value: known.unwrap_or(value),
            exact,
            depth: if known.is_some() { book.depth } else { depth },
            end: end.to_string(),
        }
    };
    let mut turns: Vec<PuzzleTurn> = if analysis.turns.is_empty() {
        let depth = analysis.depth;
        let of_move = |Assessment { mv, value, exact }: Assessment<String>| {
            valued(vec![mv], value.map_or(0.0, f64::from), exact, depth)
        };
        analysis.moves.into_iter().map(of_move).collect()
    } else {
        let of_turn = |turn: AssessedTurn<String>| {
            valued(turn.moves, f64::from(turn.value), turn.exact, turn.depth)
        };
        analysis.turns.into_iter().map(of_turn).collect()
    };
    sort_by_score(&mut turns, |turn| turn.value);
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use wurfel::{ShippedFile, all_games, game};

    /// Checks every puzzle of a game; returns their number.
    fn check(game: Game) -> usize {
        let Some(book) = game.puzzles() else { return 0 };
        let mut cache = AgentCache::default();
        let mut positions = BTreeSet::new();
        for number in 1..=book.lines().count() as u64 {
            let puzzle = puzzle(game, book, number, &mut cache).unwrap();
            let place = format!("{} {number}", game.name());
            assert!(positions.insert(puzzle.scene.position.clone()), "{place} is given twice");
            let values: Vec<f64> = match &puzzle.turns {
                Some(turns) => turns.iter().map(|turn| turn.value).collect(),
                None => puzzle.moves.iter().filter_map(|scored| scored.value).collect(),
            };
            let (right, wrong) = values.split_at(puzzle.right);
            let behind = |value: &f64| values[0] - value;
            assert!((1..=4).contains(&puzzle.difficulty) && !right.is_empty(), "{place}");
            assert!(right.iter().all(|value| behind(value) <= PuzzleBook::TOLERANCE), "{place}");
            assert!(behind(&wrong[0]) >= PuzzleBook::APART - 1e-3, "{place}: {values:?}");
            assert!(values[0] < 0.98, "{place} is won at once");
        }
        positions.len()
    }

    #[test]
    fn every_stored_puzzle_is_clear() {
        let counts: Vec<_> = all_games().map(check).collect();
        assert!(counts.iter().filter(|&&count| count >= 20).count() >= 2, "{counts:?}");
    }

    fn shown(game: Game, lines: &'static str) -> Puzzle {
        let file = ShippedFile { name: "of a test", checksum: 0, embedded: Some(lines.as_bytes()) };
        let book = PuzzleBook { file: Box::leak(Box::new(file)), ..game.puzzles().unwrap() };
        let mut cache = AgentCache::default();
        let shown = puzzle(game, book, 1, &mut cache).unwrap();
        assert_eq!(puzzle(game, book, 1, &mut AgentCache::default()).unwrap(), shown);
        assert_eq!(puzzle(game, book, 0, &mut cache), Err(NoPuzzle::Number(1)));
        assert_eq!(puzzle(game, book, 2, &mut cache), Err(NoPuzzle::Number(1)));
        shown
    }

    #[test]
    fn moves_that_are_as_good_are_right_and_all_others_wrong() {
        let puzzle = shown(
            game("dicechess").unwrap(),
            "2 | 4k3/8/8/8/8/6N1/4P3/4K3 w - - 0 9 N | g3f5 0.7000 | g3e4 0.6910 | g3h5 0.6400 \
             | g3h1 0.5000 | g3f1 0.4000",
        );
        let moves: Vec<_> = puzzle.moves.iter().map(|scored| scored.mv.as_str()).collect();
        assert_eq!(moves, ["g3f5", "g3e4", "g3h5", "g3h1", "g3f1"]);
        assert_eq!((puzzle.right, puzzle.difficulty, puzzle.turns), (2, 2, None));
        assert_eq!(puzzle.analyser, Some("champion:depth=3"));
    }

    /// Every text of a position in which the turn can end, over all orders of moves.
    fn ends(position: &Position, positions: &mut BTreeSet<String>) {
        if position.roll().is_none() {
            positions.insert(position.to_string());
            return;
        }
        for (_, after) in position.after_moves() {
            ends(&after, positions);
        }
    }

    #[test]
    fn every_order_of_moves_ends_in_a_listed_turn() {
        let three = game("dicechess3").unwrap();
        let line = "1 | 4k3/8/8/8/8/8/2P1P3/4K2R w K - 4 9 PRK | e2e4 e1f2 h1h8 0.7000";
        let puzzle = shown(three, line);
        let turns = puzzle.turns.unwrap();
        let listed: BTreeSet<_> = turns.iter().map(|turn| turn.end.clone()).collect();
        let mut positions = BTreeSet::new();
        let position = read(three, line).unwrap().position;
        ends(&position, &mut positions);
        assert_eq!(listed, positions);
        assert_eq!((turns.len(), listed.len()), (positions.len(), positions.len()));
        // Another order of the moves is the same turn, with the stored value.
        let turn = turns.iter().find(|turn| turn.depth == 2).unwrap();
        assert!((turn.value - 0.7).abs() < 1e-9, "{turn:?}");
        let other = position.after("h1h8 e1f2 e2e4").unwrap();
        assert_eq!((other.to_string(), other.roll()), (turn.end.clone(), None));
    }

    #[test]
    fn a_damaged_line_is_no_puzzle() {
        let chess = game("dicechess").unwrap();
        for line in ["", "2", "x | 4k3/8/8/8/8/6N1/4P3/4K3 w - - 0 9 N", "2 | nonsense"] {
            assert!(read(chess, line).is_err(), "{line}");
        }
        let line = "2 | 4k3/8/8/8/8/6N1/4P3/4K3 w - - 0 9 N | g3g4 0.7";
        assert!(read(chess, line).is_err());
    }
}
