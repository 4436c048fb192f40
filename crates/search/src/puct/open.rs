//! An open tree: one list of moves for all rolls of a turn (paper `policy-value-network`,
//! Algorithm 1).
//!
//! A simulation draws its rolls from the search's own random numbers and chooses among the listed
//! moves that are legal. Where a roll brings moves that are not listed yet, it asks for the
//! evaluation of this turn and adds them. The value of a move is the plain mean of the simulations
//! that went through it, so that rolls count as often as they were drawn, and not by their exact
//! weights as in a closed tree. If a move leads to different positions after different rolls, this
//! mixes their values.

use std::collections::VecDeque;
use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Prediction, Random, Side, Situation, Turn};

use super::tree::{Edge, NONE, Simulation};
use super::{Selection, for_side};

/// A turn, whatever was rolled. Values are for the **first side**, 0 to 1.
#[derive(Clone, Debug)]
struct Node<M> {
    edges: Vec<Edge<M>>,
    visits: u32,
    /// The sum of the results of all simulations that came here.
    total: f64,
}

impl<M> Node<M> {
    const fn new() -> Self {
        Self { edges: vec![], visits: 0, total: 0.0 }
    }

    fn mean(&self) -> f32 {
        (self.total / f64::from(self.visits)) as f32
    }

    fn add(&mut self, result: f32) {
        self.visits += 1;
        self.total += f64::from(result);
    }
}

/// A simulation that waits for an evaluation: the node where it stopped, the situation there, and
/// the nodes and places of the moves that led to it.
#[derive(Clone)]
struct Leaf<G: Game> {
    node: usize,
    position: G,
    roll: G::Roll,
    path: Vec<(usize, usize)>,
}

/// An open tree that grows from a turn.
#[derive(Clone)]
pub(super) struct OpenTree<G: Game> {
    position: G,
    roll: G::Roll,
    /// An evaluation that knows true results without searching.
    pub known: Option<Arc<dyn Evaluator<G>>>,
    random: Random,
    nodes: Vec<Node<G::Move>>,
    /// How many moves all nodes have.
    moves: usize,
    waiting: VecDeque<Leaf<G>>,
    /// The places of the legal moves in the list of the present node.
    legal: Vec<usize>,
    /// How many moves the longest simulation made in the tree.
    pub depth: u32,
}

impl<G: Game> OpenTree<G> {
    /// A tree that grows from a turn; `random` draws the rolls of its simulations.
    pub fn new(turn: Turn<'_, G>, random: Random) -> Self {
        Self {
            position: turn.position.clone(),
            roll: turn.roll,
            known: None,
            random,
            nodes: vec![Node::new()],
            moves: 0,
            waiting: VecDeque::new(),
            legal: vec![],
            depth: 0,
        }
    }

    /// How many simulations have ended.
    pub fn visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// How many nodes and moves there are.
    pub const fn size(&self) -> usize {
        self.nodes.len() + self.moves
    }

    /// The value of the root for the first side.
    pub fn value(&self) -> f32 {
        self.nodes[0].mean()
    }

    pub fn side(&self) -> Side {
        self.position.side()
    }

    /// The moves of the root, once it has been evaluated.
    pub fn root(&self) -> &[Edge<G::Move>] {
        &self.nodes[0].edges
    }

    pub fn root_mut(&mut self) -> &mut [Edge<G::Move>] {
        &mut self.nodes[0].edges
    }

    /// Requests the evaluation of the root, which must not have been evaluated.
    pub fn ask_root(&mut self, requests: &mut Vec<Situation<G>>) {
        self.ask(
            Leaf { node: 0, position: self.position.clone(), roll: self.roll, path: vec![] },
            requests,
        );
    }

    /// Makes one simulation, whose first move is at the place `first` among those of the root.
    pub fn simulate(
        &mut self,
        selection: Selection,
        first: usize,
        requests: &mut Vec<Situation<G>>,
    ) -> Simulation {
        let (mut position, mut roll, mut node) = (self.position.clone(), self.roll, 0);
        let mut path = vec![];
        loop {
            if !self.lists(node, position.moves(roll).as_ref()) {
                if self.waiting.iter().any(|leaf| leaf.node == node) {
                    return Simulation::Met;
                }
                self.ask(Leaf { node, position, roll, path }, requests);
                return Simulation::Requested;
            }
            let place = if path.is_empty() {
                first
            } else {
                let (side, turn) = (position.side(), &self.nodes[node]);
                let value = for_side(turn.mean(), side);
                selection.best(&turn.edges, self.legal.iter().copied(), side, value)
            };
            path.push((node, place));
            let rest = position.play(roll, self.nodes[node].edges[place].mv);
            node = self.below(node, place);
            if let Some(result) = self.result(&position, rest.is_some()) {
                self.depth = self.depth.max(path.len() as u32);
                self.count(node, &path, result);
                return Simulation::Ended;
            }
            roll = rest.unwrap_or_else(|| position.draw_roll(&mut self.random).1);
        }
    }

    /// Whether all of these moves are listed at a node; their places are then in `legal`.
    fn lists(&mut self, node: usize, moves: &[G::Move]) -> bool {
        let edges = &self.nodes[node].edges;
        let places = moves.iter().map_while(|mv| edges.iter().position(|edge| edge.mv == *mv));
        self.legal.clear();
        self.legal.extend(places);
        self.legal.len() == moves.len()
    }

    fn below(&mut self, node: usize, place: usize) -> usize {
        let next = self.nodes.len();
        let edge = &mut self.nodes[node].edges[place];
        if edge.after == NONE {
            edge.after = next as u32;
            self.nodes.push(Node::new());
            return next;
        }
        edge.after as usize
    }

    /// The result for the first side, if the game is over or the exact value is known.
    fn result(&self, position: &G, goes_on: bool) -> Option<f32> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.value_for(Side::First));
        }
        let known = self.known.as_ref().filter(|_| !goes_on)?;
        known.exact(position).map(|value| for_side(value, position.side()))
    }

    fn ask(&mut self, leaf: Leaf<G>, requests: &mut Vec<Situation<G>>) {
        for &(node, place) in &leaf.path {
            self.nodes[node].edges[place].pending += 1;
        }
        self.depth = self.depth.max(leaf.path.len() as u32);
        requests.push(Situation { position: leaf.position.clone(), roll: Some(leaf.roll) });
        self.waiting.push_back(leaf);
    }

    /// Takes the evaluation of the simulation that has waited longest.
    pub fn apply(&mut self, prediction: Prediction<'_>) {
        let Some(Leaf { node, position, roll, path }) = self.waiting.pop_front() else { return };
        let edges = &mut self.nodes[node].edges;
        let before = edges.len();
        for (&mv, &prior) in position.moves(roll).as_ref().iter().zip(prediction.prior) {
            if edges[..before].iter().all(|edge| edge.mv != mv) {
                edges.push(Edge::new(mv, prior));
            }
        }
        self.moves += edges.len() - before;
        for &(node, place) in &path {
            self.nodes[node].edges[place].pending -= 1;
        }
        self.count(node, &path, for_side(prediction.value, position.side()));
    }

    /// Adds the result of a simulation along its whole path, from the end upwards.
    fn count(&mut self, end: usize, path: &[(usize, usize)], result: f32) {
        self.nodes[end].add(result);
        let mut mean = self.nodes[end].mean();
        for &(node, place) in path.iter().rev() {
            let turn = &mut self.nodes[node];
            let edge = &mut turn.edges[place];
            edge.visits += 1;
            edge.mean = mean;
            turn.add(result);
            mean = turn.mean();
        }
    }

    /// The principal variation from a first move on: at each step the roll whose best move is
    /// nearest to the mean, and that move.
    pub fn line(&self, first: G::Move) -> Vec<(G::Roll, G::Move)> {
        let mut line = vec![(self.roll, first)];
        let (mut position, mut node) = (self.position.clone(), 0);
        while let Some(&(roll, mv)) = line.last()
            && let Some(edge) = self.nodes[node].edges.iter().find(|edge| edge.mv == mv)
            && edge.after != NONE
        {
            let rest = position.play(roll, mv);
            if position.outcome().is_some() {
                break;
            }
            let mean = edge.mean;
            node = edge.after as usize;
            let rolls = match rest {
                Some(rest) => vec![rest],
                None => position.rolls().as_ref().iter().map(|roll| roll.item).collect(),
            };
            let met = rolls.into_iter().filter_map(|roll| {
                let edge = self.most_tried(node, Turn { position: &position, roll })?;
                Some((roll, edge.mv, (edge.mean - mean).abs()))
            });
            let Some((roll, mv, _)) = met.min_by(|a, b| a.2.total_cmp(&b.2)) else { break };
            line.push((roll, mv));
        }
        line
    }

    /// The legal move of a turn that was tried most, if one was tried; the first of equal ones.
    fn most_tried(&self, node: usize, turn: Turn<'_, G>) -> Option<&Edge<G::Move>> {
        let moves = turn.moves();
        let legal = |edge: &&Edge<G::Move>| edge.visits > 0 && moves.as_ref().contains(&edge.mv);
        self.nodes[node].edges.iter().rev().filter(legal).max_by_key(|edge| edge.visits)
    }
}
