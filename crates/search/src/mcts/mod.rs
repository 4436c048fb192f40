//! Monte Carlo tree search: one closed-loop tree, with policies as parameters.
//!
//! The tree knows chance: below a move stand the throws that differ, each with
//! its own moves ("Expecti-MCTS" of paper `dice-chess-agents`, section IV-B). A
//! throw is drawn by its weight each time the search passes. Every node keeps
//! the results for the side that moved into it, so both sides look for their
//! own good (two-sided backup).

mod flat;
mod playout;
mod select;
mod tree;

pub use flat::Flat;
pub use playout::{EvaluateAtOnce, Playout, PreferredPlayout, UniformPlayout};
pub use select::{Select, Ucb};

use wurfel_game::{Agent, Analysis, Assessment, Budget, Decision, Game, Random, Turn};

use crate::clock::Clock;
use tree::Tree;

/// Playouts for a decision that nobody has bounded.
const PLAYOUTS: u64 = 10_000;
/// Playouts between two looks at the time.
const PLAYOUTS_PER_LOOK: u64 = 64;

/// A player by Monte Carlo tree search with selection `S` and playouts `P`.
///
/// A *node* of its budget is a playout; a depth does not bound it. It plays the
/// move that was tried most (the robust child).
#[derive(Clone, Debug)]
pub struct Mcts<S, P> {
    select: S,
    playout: P,
    budget: Budget,
    random: Random,
}

impl<S, P> Mcts<S, P> {
    /// A player that spends `budget`, or, when that is open, what each decision
    /// is given; with neither, 10,000 playouts. It draws from `random` until a
    /// game begins.
    pub const fn new(select: S, playout: P, budget: Budget, random: Random) -> Self {
        Self { select, playout, budget, random }
    }

    /// Grows a tree within the budget.
    fn grow<G: Game>(&mut self, turn: Turn<'_, G>, given: Budget) -> Tree<G>
    where
        S: Select,
        P: Playout<G>,
    {
        let mut budget = self.budget.or(given);
        if budget.nodes.is_none() && budget.time.is_none() {
            budget.nodes = Some(PLAYOUTS);
        }
        // With one legal move there is nothing to find out, but its value.
        if turn.moves().as_ref().len() == 1 {
            budget.nodes = Some(budget.nodes.map_or(PLAYOUTS, |nodes| nodes.min(PLAYOUTS)));
        }
        let mut tree = Tree::new(turn);
        let mut clock = Clock::start(budget, PLAYOUTS_PER_LOOK);
        loop {
            tree.pass(&self.select, &self.playout, &mut self.random);
            if clock.is_over(tree.passes()) {
                return tree;
            }
        }
    }
}

impl<G: Game, S: Select, P: Playout<G>> Agent<G> for Mcts<S, P> {
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    fn bounds(&self, budget: Budget) -> Budget {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget) -> Decision<G::Move> {
        let tree = self.grow(turn, budget);
        let best = tree.moves()[0];
        Decision { mv: best.mv, value: best.value, nodes: tree.passes(), depth: tree.depth() }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget) -> Analysis<G> {
        let tree = self.grow(turn, budget);
        let moves: Vec<Assessment<G::Move>> = tree.moves();
        let line = vec![(turn.roll, moves[0].mv)];
        Analysis { line, nodes: tree.passes(), depth: tree.depth(), moves }
    }
}
