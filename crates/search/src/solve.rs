//! Solving a position: the true value of each move with each roll.

use std::collections::HashMap;
use std::sync::{Mutex, mpsc};

use wurfel_core::{
    Assessment, Budget, Evaluator, Game, Instant, Turn, Weighted, sort_by_score, threads,
};

use crate::Star;

/// The values found so far for a position with all its rolls and moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<G: Game> {
    /// The rolls with their moves.
    pub rolls: Vec<SolvedRoll<G>>,
    /// Positions visited.
    pub nodes: u64,
}

/// A roll with its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct SolvedRoll<G: Game> {
    /// The roll, and the number of equally likely outcomes of the dice that lead to it.
    pub roll: Weighted<G::Roll>,
    /// Every legal move. The solved moves have a value and come first, the best one at the top.
    pub moves: Vec<Assessment<G::Move>>,
}

impl<G: Game> SolvedRoll<G> {
    /// A lower and an upper bound of the roll's value for the **side to move**. They are equal when
    /// all moves are solved or when one of them wins.
    pub fn bounds(&self) -> (f32, f32) {
        let low = self.moves.iter().filter_map(|scored| scored.value).fold(0.0, f32::max);
        let solved = self.moves.iter().all(|scored| scored.exact);
        (low, if solved { low } else { 1.0 })
    }
}

impl<G: Game> Solution<G> {
    /// A lower and an upper bound of the position's value before the roll, for the **side to
    /// move**.
    pub fn bounds(&self) -> (f32, f32) {
        let (mut low, mut high, mut chances) = (0.0, 0.0, 0.0);
        for roll in &self.rolls {
            let weight = roll.roll.weight as f32;
            let bounds = roll.bounds();
            low += weight * bounds.0;
            high += weight * bounds.1;
            chances += weight;
        }
        (low / chances, high / chances)
    }

    /// Whether every move of every roll is solved.
    pub fn is_complete(&self) -> bool {
        self.rolls.iter().flat_map(|roll| &roll.moves).all(|scored| scored.exact)
    }
}

/// A position that one or several moves lead to and whose value is to be found.
struct Question<G: Game> {
    position: G,
    /// The rest of the roll, if the same side goes on.
    rest: Option<G::Roll>,
    /// The moves that lead to the position, each by the index of its roll and its index among the
    /// moves.
    moves: Vec<(usize, usize)>,
}

impl<E> Star<E> {
    /// Solves all moves of a position before the end of the game, or only those of one roll, on
    /// several threads that share the transposition table. After each position that is solved,
    /// `progress` is called with what is known so far and with the number of different positions
    /// that the moves lead to. Moves that are not solved within the time of the budget, or before a
    /// request to stop, have no value; nodes and depth do not limit the search.
    pub fn solve_moves<G: Game>(
        &self,
        position: &G,
        roll: Option<G::Roll>,
        threads: usize,
        budget: Budget<'_>,
        mut progress: impl FnMut(&Solution<G>, usize),
    ) -> Solution<G>
    where
        E: Evaluator<G>,
    {
        let rolls = match roll {
            Some(item) => vec![Weighted { item, weight: 1 }],
            None => position.rolls().as_ref().to_vec(),
        };
        let unsolved = |&mv: &G::Move| Assessment { mv, value: None, exact: false };
        let all_moves = |roll: Weighted<G::Roll>| SolvedRoll {
            moves: position.moves(roll.item).as_ref().iter().map(unsolved).collect(),
            roll,
        };
        let mut solution = Solution { rolls: rolls.into_iter().map(all_moves).collect(), nodes: 0 };
        let started = Instant::now();
        let left = || Budget {
            time: budget.time.map(|time| time.saturating_sub(started.elapsed())),
            stop: budget.stop,
            ..Budget::default()
        };
        let questions = questions(position, &solution);
        let count = questions.len();
        let (answer, answers) = mpsc::channel();
        let questions = Mutex::new(questions.into_iter());
        let next = || questions.lock().ok()?.next();
        threads::scope(|scope| {
            for _ in 0..threads.min(count) {
                let answer = answer.clone();
                scope.spawn(move || {
                    while let Some(Question { position, rest, moves }) = next() {
                        let (value, nodes) = self.solve_after(&position, rest, &left);
                        if answer.send((value, nodes, moves)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(answer);
            for (value, nodes, moves) in answers {
                solution.nodes += nodes;
                for (roll, mv) in moves.into_iter().filter(|_| value.is_some()) {
                    let scored = &mut solution.rolls[roll].moves[mv];
                    (scored.value, scored.exact) = (value, true);
                }
                progress(&solution, count);
            }
        });
        for roll in &mut solution.rolls {
            // A move with a value comes before one without.
            sort_by_score(&mut roll.moves, |scored| scored.value.map_or(-1.0, f64::from));
        }
        solution
    }

    /// The value, for the side that has moved, of the position that its move led to; with a `rest`,
    /// the value of going on there. `left` returns the budget that is left.
    fn solve_after<'a, G: Game>(
        &self,
        position: &G,
        rest: Option<G::Roll>,
        left: &dyn Fn() -> Budget<'a>,
    ) -> (Option<f32>, u64)
    where
        E: Evaluator<G>,
    {
        let Some(roll) = rest else {
            let (value, nodes) = self.solve(position, left());
            return (value.map(|value| 1.0 - value), nodes);
        };
        let (mut best, mut sum) = (Some(0.0), 0);
        for &mv in (Turn { position, roll }).moves().as_ref() {
            let mut next = position.clone();
            let rest = next.play(roll, mv);
            let (value, nodes) = self.solve_after(&next, rest, left);
            best = best.zip(value).map(|(best, value)| f32::max(best, value));
            sum += nodes;
        }
        (best, sum)
    }
}

/// The positions that the moves lead to, each once, with all moves that lead to it.
fn questions<G: Game>(position: &G, solution: &Solution<G>) -> Vec<Question<G>> {
    let mut questions: Vec<Question<G>> = vec![];
    let mut known: HashMap<(G, Option<G::Roll>), usize> = HashMap::new();
    for (number, SolvedRoll { roll, moves }) in solution.rolls.iter().enumerate() {
        for (place, scored) in moves.iter().enumerate() {
            let mut child = position.clone();
            let rest = child.play(roll.item, scored.mv);
            let question = *known.entry((child.clone(), rest)).or_insert_with(|| {
                questions.push(Question { position: child, rest, moves: vec![] });
                questions.len() - 1
            });
            questions[question].moves.push((number, place));
        }
    }
    questions
}
