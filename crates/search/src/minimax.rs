//! Minimax: a search that does not know what dice are.
//!
//! The agent of paper `dice-chess-agents` (sections II-D and III-B, Algorithm 2):
//! only the roll at hand is respected. From then on either side makes whichever
//! move is best for it over *all* rolls, as if it could choose the die. So what
//! it expects is no mean and no probability, but what a duel without chance would
//! come to; it is here as the baseline that expectiminimax is measured against.
//!
//! With alpha-beta pruning the values are the same, only sooner: the "pruning
//! algorithm" among the traditional ones of paper `mcts-dynamic-ucb` (section 4).

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Fan, Game, Random, Turn,
};

use crate::clock::Clock;
use crate::deepening::{FixedDepth, Wanted, analyse, decide};

/// Whether moves that cannot matter are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinimaxPruning {
    /// Every move is looked at.
    Off,
    /// Alpha-beta.
    AlphaBeta,
}

/// A player by minimax with evaluation `E` at the leaves.
///
/// Bounded by depth alone it searches once to that depth. Bounded by nodes or
/// time it deepens turn by turn and answers from the deepest search that was
/// finished. The search of depth 1 is always finished, whatever the budget.
#[derive(Clone, Debug)]
pub struct Minimax<E> {
    evaluator: E,
    pruning: MinimaxPruning,
    budget: Budget,
}

impl<E> Minimax<E> {
    /// A player that spends `budget`, or, when that is open, what each decision
    /// is given; with neither, it searches one turn deep.
    pub const fn new(evaluator: E, pruning: MinimaxPruning, budget: Budget) -> Self {
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

/// What the side to move is sure of already, and what its opponent would not
/// let it have.
#[derive(Clone, Copy)]
struct Window {
    alpha: f32,
    beta: f32,
}

impl Window {
    const FULL: Self = Self { alpha: 0.0, beta: 1.0 };

    /// The same for the other side.
    fn turned(self) -> Self {
        Self { alpha: 1.0 - self.beta, beta: 1.0 - self.alpha }
    }
}

/// A search while it runs.
struct Tree<'a, G: Game, E> {
    evaluator: &'a E,
    pruning: MinimaxPruning,
    /// Fans that are not in use, for their memory.
    pool: Vec<Fan<G>>,
    clock: Clock,
    /// Positions at rest visited.
    nodes: u64,
}

// Values are results for the side to move of the position that is asked about.
// With pruning, one at or below alpha is an upper bound, one at or above beta a
// lower bound. Once the clock is over values mean nothing.
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
            best = f32::max(best, 1.0 - self.at_rest(end, depth - 1, rest.turned()));
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
            None => 1.0 - self.at_rest(&position, depth - 1, window.turned()),
            Some(rest) => {
                let mut best = 0.0;
                position.ends(rest, |end| {
                    let rest = Window { alpha: window.alpha.max(best), ..window };
                    best = f32::max(best, 1.0 - self.at_rest(end, depth - 1, rest.turned()));
                });
                best
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>> FixedDepth<G> for Tree<'_, G, E> {
    fn score(
        &mut self,
        turn: Turn<'_, G>,
        depth: u32,
        wanted: Wanted,
        moves: &mut [Assessment<G::Move>],
    ) -> usize {
        let mut window = Window::FULL;
        for (done, scored) in moves.iter_mut().enumerate() {
            let value = self.after(turn, scored.mv, depth, window);
            if self.clock.is_over(self.nodes) {
                return done;
            }
            if wanted == Wanted::Best {
                window.alpha = window.alpha.max(value);
            }
            scored.value = Some(value);
            // Beyond the next roll a value of minimax is never the true one.
            let mut next = turn.position.clone();
            next.play(turn.roll, scored.mv);
            scored.exact = next.outcome().is_some();
        }
        moves.len()
    }

    fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Minimax<E> {
    fn begin(&mut self, _: Random) {}

    fn bounds(&self, budget: Budget) -> Budget {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget) -> Decision<G::Move> {
        decide(&mut self.tree(), turn, self.budget.or(budget), false)
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget) -> Analysis<G> {
        analyse(&mut self.tree(), turn, self.budget.or(budget), false)
    }
}
