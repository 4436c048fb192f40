//! Evaluations that give each side points of its own; `hpmcts` is guided by them.

use wurfel_core::{Evaluator, Game, Side};

/// An evaluation that gives each side points of its own, whoever rolls next.
pub trait Points<G: Game>: Evaluator<G> {
    /// The points of `side`; more are better. Called only before the end of the game.
    fn points(&self, position: &G, side: Side) -> f32;

    /// The smallest and the largest number of points that a side can have.
    fn range(&self) -> (f32, f32);
}

/// The weights of the three terms of H in paper `heuristic-pruned-mcts`, section 3.2, at least 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeuristicWeights {
    /// α, the weight of mobility.
    pub mobility: f32,
    /// β, the weight of nearness to the goal.
    pub nearness: f32,
    /// γ, the weight of the penalty.
    pub penalty: f32,
}

impl Default for HeuristicWeights {
    /// The weights of the paper.
    fn default() -> Self {
        Self { mobility: 1.5, nearness: 2.0, penalty: 1.2 }
    }
}
