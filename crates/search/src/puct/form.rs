//! The two forms of a tree, behind the operations that a search needs.

use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Prediction, Side, Situation, Turn};

use super::Selection;
use super::open::OpenTree;
use super::tree::{Edge, Simulation, Tree};

/// A tree that grows from a turn, in one of its forms.
#[derive(Clone)]
pub(super) enum Form<G: Game> {
    /// Each roll has its own moves.
    Closed(Tree<G>),
    /// All rolls share one list of moves.
    Open(OpenTree<G>),
}

/// Calls a method of the tree, whichever form it has.
macro_rules! either {
    ($form:expr, $tree:ident => $call:expr) => {
        match $form {
            Self::Closed($tree) => $call,
            Self::Open($tree) => $call,
        }
    };
}

impl<G: Game> Form<G> {
    pub fn know(&mut self, known: Option<Arc<dyn Evaluator<G>>>) {
        either!(self, tree => tree.known = known);
    }

    pub fn visits(&self) -> u32 {
        either!(self, tree => tree.visits())
    }

    pub fn size(&self) -> usize {
        either!(self, tree => tree.size())
    }

    pub fn value(&self) -> f32 {
        either!(self, tree => tree.value())
    }

    pub fn side(&self) -> Side {
        either!(self, tree => tree.side())
    }

    pub const fn depth(&self) -> u32 {
        either!(self, tree => tree.depth)
    }

    pub fn root(&self) -> &[Edge<G::Move>] {
        either!(self, tree => tree.root())
    }

    pub fn root_mut(&mut self) -> &mut [Edge<G::Move>] {
        either!(self, tree => tree.root_mut())
    }

    pub fn ask_root(&mut self, requests: &mut Vec<Situation<G>>) {
        either!(self, tree => tree.ask_root(requests));
    }

    pub fn simulate(
        &mut self,
        selection: Selection,
        first: usize,
        requests: &mut Vec<Situation<G>>,
    ) -> Simulation {
        either!(self, tree => tree.simulate(selection, first, requests))
    }

    pub fn apply(&mut self, prediction: Prediction<'_>) {
        either!(self, tree => tree.apply(prediction));
    }

    pub fn line(&self, first: G::Move) -> Vec<(G::Roll, G::Move)> {
        either!(self, tree => tree.line(first))
    }

    /// Makes a turn that has been reached since then the new root, if the tree contains it. An open
    /// tree is never continued.
    pub fn advance(&mut self, wanted: Turn<'_, G>) -> bool {
        match self {
            Self::Closed(tree) => tree.advance(wanted),
            Self::Open(_) => false,
        }
    }
}
