//! Minimax: a search that ignores chance after the present roll.
//!
//! This is the agent of paper `dice-chess-agents` (sections II-D and III-B, Algorithm 2): it
//! respects only the present roll. From then on, either side makes the move that is best for it
//! over *all* rolls, as if it could choose the die. So the value that it finds is neither a mean
//! nor a probability, but the result of a duel without chance. It is the baseline that
//! expectiminimax is measured against.
//!
//! Alpha-beta pruning finds the same values sooner. With it, this is the "pruning algorithm" among
//! the traditional ones of paper `mcts-dynamic-ucb` (section 4).

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Fan, Game, Random, Turn,
};

use crate::clock::Clock;
use crate::deepening::{FixedDepth, Wanted, analyse, decide};
use crate::window::Window;

/// Whether moves that cannot change the result are skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinimaxPruning {
    /// Every move is searched.
    Off,
    /// Alpha-beta pruning.
    AlphaBeta,
}

/// A player by minimax with evaluation `E` at the leaves.
///
/// If only the depth is limited, it searches once to that depth. If nodes or time are limited, it
/// deepens turn by turn and answers from the deepest search that was finished. The search to depth
/// 1 is always finished, whatever the budget.
#[derive(Clone, Debug)]
pub struct Minimax<E> {
    evaluator: E,
    pruning: MinimaxPruning,
    budget: Budget<'static>,
}

impl<E> Minimax<E> {
    /// A player that spends `budget`, or the budget of each decision when `budget` has no limits.
    /// Without limits in either it searches one turn deep.
    pub const fn new(evaluator: E, pruning: MinimaxPruning, budget: Budget<'static>) -> Self {
        Self { evaluator, pruning, budget }
    }

    fn tree<G: Game>(&self) -> Tree<'_, G, E> {
        Tree {
            evaluator: &self.evaluator,
            pruning: self.pruning,
            pool: vec![],
            clock: Clock::never(),
            nodes: 0,
        }
    }
}

/// The side to move has at least alpha already, and the opponent will not let it have more than beta.
const FULL: Window = Window { alpha: 0.0, beta: 1.0 };

struct Tree<'a, G: Game, E> {
    evaluator: &'a E,
    pruning: MinimaxPruning,
    /// Fans that are not in use, kept for their memory.
    pool: Vec<Fan<G>>,
    clock: Clock<'a>,
    /// Positions at rest visited.
    nodes: u64,
}

// Values are results for the side to move of the position in question. With pruning, a value at or
// below alpha is an upper bound and one at or above beta a lower bound. Once the clock is over,
// values are meaningless.
impl<G: Game, E: Evaluator<G>> Tree<'_, G, E> {
    fn at_rest(&mut self, position: &G, depth: u32, window: Window) -> f32 {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return outcome.value_for(position.side());
        }
        if depth == 0 {
            return self.evaluator.evaluate(position);
        }
        if self.clock.is_over(self.nodes) {
            return 0.0;
        }
        let mut fan = self.pool.pop().unwrap_or_default();
        position.fan(&mut fan);
        let mut best = 0.0;
        for end in fan.ends() {
            let rest = Window { alpha: window.alpha.max(best), ..window };
            best = f32::max(best, rest.seen_from(self.at_rest(end, depth - 1, rest.turned())));
            if self.pruning == MinimaxPruning::AlphaBeta && best >= window.beta {
                break;
            }
        }
        self.pool.push(fan);
        best
    }

    /// The value of a move for the side that makes it.
    fn after(&mut self, turn: Turn<'_, G>, mv: G::Move, depth: u32, window: Window) -> f32 {
        let mut position = turn.position.clone();
        match position.play(turn.roll, mv) {
            None => window.seen_from(self.at_rest(&position, depth - 1, window.turned())),
            Some(rest) => {
                let mut best = 0.0;
                position.ends(rest, |end| {
                    let rest = Window { alpha: window.alpha.max(best), ..window };
                    best =
                        f32::max(best, rest.seen_from(self.at_rest(end, depth - 1, rest.turned())));
                });
                best
            }
        }
    }
}

impl<'a, G: Game, E: Evaluator<G>> FixedDepth<'a, G> for Tree<'a, G, E> {
    fn score(
        &mut self,
        turn: Turn<'_, G>,
        depth: u32,
        wanted: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize {
        let mut window = FULL;
        for (done, scored) in moves.iter_mut().enumerate() {
            let value = self.after(turn, scored.mv, depth, window);
            if self.clock.is_over(self.nodes) {
                return done;
            }
            if wanted == Wanted::Best {
                window.alpha = window.alpha.max(value);
            }
            scored.value = Some(value);
            // Beyond the next roll, a value of minimax is not the true value.
            let mut next = turn.position.clone();
            next.play(turn.roll, scored.mv);
            scored.exact = next.outcome().is_some();
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

impl<G: Game, E: Evaluator<G>> Agent<G> for Minimax<E> {
    fn begin(&mut self, _: Random) {}

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        decide(&mut self.tree(), turn, self.budget.or(budget), false)
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        analyse(&mut self.tree(), turn, self.budget.or(budget), false)
    }
}
