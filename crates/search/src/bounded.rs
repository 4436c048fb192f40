//! Depth-first and breadth-first search of bounded size: the "traditional algorithms" of paper
//! `mcts-dynamic-ucb` (section 4).
//!
//! The paper gives nothing but their names. Here they are minimax searches like
//! [`Minimax`](crate::Minimax): they know only the present roll, and they grow a tree until it has
//! a given number of positions. The two differ in the position that they expand next: the one found
//! last, or the one found first. Positions that were not expanded get their value from the
//! evaluation, and the values are backed up to the legal moves. A breadth-first tree is equally
//! deep everywhere, give or take one turn; a depth-first one has searched its last moves to the
//! depth limit and the others hardly at all.

use std::collections::VecDeque;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Fan, Game, Random, Turn,
};

use crate::clock::Clock;
use crate::deepening::{sort, worth};

/// How many positions a tree may have when neither nodes nor time is limited.
const NODES: u64 = 10_000;
/// How many positions a tree may have under any budget; they take some 60 MB.
const MAX_NODES: u64 = 1 << 20;
/// How deep a depth-first tree is when its depth is not limited, in turns.
const DEPTH: u32 = 4;

/// Which position a tree expands next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionOrder {
    /// The position that was found last.
    DepthFirst,
    /// The position that was found first.
    BreadthFirst,
}

/// A player by minimax over a tree of bounded size, with evaluation `E` at its leaves. All legal
/// moves of the turn are in the tree, whatever the budget.
#[derive(Clone, Debug)]
pub struct Bounded<E> {
    evaluator: E,
    order: ExpansionOrder,
    budget: Budget<'static>,
}

/// A position of the tree, reached by a move.
struct Node<G: Game> {
    position: G,
    /// The rest of the roll, where the same side goes on with it; only after a first move.
    rest: Option<G::Roll>,
    /// The index of the position before the move; `None` for the legal moves of the turn itself.
    parent: Option<u32>,
    /// The number of the turn that the move belongs to, from 1.
    turn: u32,
    /// The value for the side that made the move.
    value: f32,
    /// The value of the best move found from here, for the side that makes it.
    best: Option<f32>,
}

/// The tree of a search in progress.
struct Tree<'a, G: Game, E> {
    evaluator: &'a E,
    /// Parents stand before their children, and the legal moves of the turn before all others.
    nodes: Vec<Node<G>>,
    frontier: VecDeque<u32>,
}

impl<G: Game, E: Evaluator<G>> Tree<'_, G, E> {
    /// Adds the position after a legal move of the turn.
    fn add_move(&mut self, turn: Turn<'_, G>, mv: G::Move) {
        let mut position = turn.position.clone();
        let rest = position.play(turn.roll, mv);
        self.add(position, rest, None, 1);
    }

    /// Adds a position that turn `number` leads to.
    fn add(&mut self, position: G, rest: Option<G::Roll>, parent: Option<u32>, number: u32) {
        let value = match position.outcome() {
            Some(outcome) => 1.0 - outcome.value_for(position.side()),
            None => {
                self.frontier.push_back(self.nodes.len() as u32);
                let value = self.evaluator.evaluate(&position);
                if rest.is_some() { value } else { 1.0 - value }
            }
        };
        self.nodes.push(Node { position, rest, parent, turn: number, value, best: None });
    }

    /// Adds the positions that moves from a position lead to, unless they would be a turn too deep.
    fn expand(&mut self, place: u32, depth: u32, fan: &mut Fan<G>) {
        let Node { position, rest, turn, .. } = &self.nodes[place as usize];
        let (position, turn) = (position.clone(), *turn);
        if let Some(rest) = *rest {
            position.ends(rest, |end| self.add(end.clone(), None, Some(place), turn));
        } else if turn < depth {
            position.fan(fan);
            for end in fan.ends() {
                self.add(end.clone(), None, Some(place), turn + 1);
            }
        }
    }

    /// Backs up the values of the positions to the legal moves of the turn.
    fn back_up(&mut self) {
        for place in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[place];
            if let Some(best) = node.best {
                node.value = if node.rest.is_some() { best } else { 1.0 - best };
            }
            let value = node.value;
            if let Some(parent) = node.parent {
                let best = &mut self.nodes[parent as usize].best;
                *best = Some(best.map_or(value, |best| best.max(value)));
            }
        }
    }
}

impl<E> Bounded<E> {
    /// A player that spends `budget`, or the budget of each decision when `budget` has no limits.
    /// When neither limits nodes or time, it stops at 10,000 nodes.
    pub const fn new(evaluator: E, order: ExpansionOrder, budget: Budget<'static>) -> Self {
        Self { evaluator, order, budget }
    }

    /// An analysis with all legal moves, the best first, the number of nodes and the depth of the
    /// deepest turn.
    fn score<G: Game>(&self, turn: Turn<'_, G>, given: Budget<'_>) -> Analysis<G>
    where
        E: Evaluator<G>,
    {
        let budget = self.budget.or(given);
        let deepest = if self.order == ExpansionOrder::DepthFirst { DEPTH } else { u32::MAX };
        let depth = budget.depth.unwrap_or(deepest);
        let nodes = budget.nodes.unwrap_or(if budget.time.is_some() { MAX_NODES } else { NODES });
        let bounds = Budget { nodes: Some(nodes.min(MAX_NODES)), ..budget };
        let mut clock = Clock::start(bounds);
        let mut tree =
            Tree { evaluator: &self.evaluator, nodes: vec![], frontier: VecDeque::new() };
        let moves = turn.moves();
        let moves = moves.as_ref();
        for &mv in moves {
            tree.add_move(turn, mv);
        }
        let mut fan = Fan::default();
        while !clock.is_over(tree.nodes.len() as u64) {
            let next = match self.order {
                ExpansionOrder::DepthFirst => tree.frontier.pop_back(),
                ExpansionOrder::BreadthFirst => tree.frontier.pop_front(),
            };
            let Some(place) = next else { break };
            tree.expand(place, depth, &mut fan);
        }
        tree.back_up();
        let assess = |(&mv, node): (_, &Node<G>)| Assessment {
            mv,
            value: Some(node.value),
            // Beyond the next roll, a value of minimax is not the true value.
            exact: node.position.outcome().is_some(),
        };
        let mut scored: Vec<_> = moves.iter().zip(&tree.nodes).map(assess).collect();
        sort(&mut scored);
        Analysis {
            line: vec![(turn.roll, scored[0].mv)],
            moves: scored,
            turns: vec![],
            nodes: tree.nodes.len() as u64,
            depth: tree.nodes.iter().map(|node| node.turn).max().unwrap_or(1),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Bounded<E> {
    fn begin(&mut self, _: Random) {}

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let Analysis { moves, nodes, depth, .. } = self.score(turn, budget);
        Decision { mv: moves[0].mv, value: Some(worth(&moves[0])), exact: false, nodes, depth }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        self.score(turn, budget)
    }
}
