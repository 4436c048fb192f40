//! Plain expectiminimax: every roll and every move, to a fixed depth.
//!
//! It has neither cut-offs nor a transposition table. Its correctness is easy to see, so it is the
//! oracle for the searches that prune. Rolls that allow the same moves are searched once, with
//! their weights added together.

use wurfel_core::{Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Random, Turn};

use crate::clock::Clock;
use crate::deepening::{FixedDepth, Wanted, analyse, decide};

/// A player by expectiminimax with evaluation `E` at the leaves.
///
/// If only the depth is limited, it searches once to that depth. If nodes or time are limited, it
/// deepens turn by turn and answers from the deepest search that was finished. The search to depth
/// 1 is finished, unless time is limited and the evaluation takes milliseconds.
#[derive(Clone, Debug)]
pub struct Expecti<E> {
    evaluator: E,
    budget: Budget<'static>,
    /// The budget that is used when neither the player nor a decision has limits. If it has none
    /// either, the search looks one turn ahead.
    default_budget: Budget<'static>,
}

impl<E> Expecti<E> {
    /// A player that spends `budget`, or the budget of each decision when `budget` has no limits.
    /// Without limits in either it searches one turn deep. It plays the games that `evaluator` is an
    /// [`Evaluator`] of.
    pub const fn new(evaluator: E, budget: Budget<'static>) -> Self {
        Self {
            evaluator,
            budget,
            default_budget: Budget {
                depth: None,
                nodes: None,
                time: None,
                deadline: None,
                clocks: None,
                stop: None,
            },
        }
    }

    /// The same player, with `default_budget` as the budget for decisions without any limits.
    #[must_use]
    pub fn with_default_budget(self, default_budget: Budget<'static>) -> Self {
        Self { default_budget, ..self }
    }

    fn tree(&self) -> Tree<'_, E> {
        Tree { evaluator: &self.evaluator, clock: Clock::never(), nodes: 0, estimated: false }
    }
}

struct Tree<'a, E> {
    evaluator: &'a E,
    clock: Clock<'a>,
    /// Positions at rest visited.
    nodes: u64,
    /// Whether a value came from the evaluation since this was last cleared.
    estimated: bool,
}

// Values are results for the side to move of the position in question. Once the clock is over they
// are meaningless.
impl<E> Tree<'_, E> {
    /// The value of a move for the side that makes it.
    fn after<G: Game>(&mut self, turn: Turn<'_, G>, mv: G::Move, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        let mut position = turn.position.clone();
        match position.play(turn.roll, mv) {
            None => 1.0 - self.at_rest(&position, depth - 1),
            Some(rest) => {
                let mut best = 0.0;
                position.ends(rest, |end| {
                    // A turn can end in hundreds of positions, and an evaluation take milliseconds.
                    if !self.clock.is_over(self.nodes) {
                        best = f32::max(best, 1.0 - self.at_rest(end, depth - 1));
                    }
                });
                best
            }
        }
    }

    #[inline(always)]
    fn at_rest<G: Game>(&mut self, position: &G, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            outcome.value_for(position.side())
        } else if let Some(value) = self.evaluator.exact(position) {
            value
        } else if depth == 0 {
            self.estimated = true;
            self.evaluator.evaluate(position)
        } else {
            self.mean(position, depth)
        }
    }

    /// The mean over the rolls of the value of the best end of each roll, for the side to move.
    fn mean<G: Game>(&mut self, position: &G, depth: u32) -> f32
    where
        E: Evaluator<G>,
    {
        if self.clock.is_over(self.nodes) {
            return 0.0;
        }
        position.mean_of_best(|end| 1.0 - self.at_rest(end, depth - 1))
    }
}

impl<'a, G: Game, E: Evaluator<G>> FixedDepth<'a, G> for Tree<'a, E> {
    fn score(
        &mut self,
        turn: Turn<'_, G>,
        depth: u32,
        _: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize {
        for (done, scored) in moves.iter_mut().enumerate() {
            self.estimated = false;
            let value = self.after(turn, scored.mv, depth);
            if self.clock.is_over(self.nodes) {
                return done;
            }
            scored.value = Some(value);
            scored.exact = !self.estimated;
        }
        moves.len()
    }

    fn clock(&mut self) -> &mut Clock<'a> {
        &mut self.clock
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Expecti<E> {
    fn begin(&mut self, _: Random) {}

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget).or(self.default_budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        decide(&mut self.tree(), turn, Agent::<G>::bounds(self, budget), false)
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        analyse(&mut self.tree(), turn, Agent::<G>::bounds(self, budget), false)
    }
}
