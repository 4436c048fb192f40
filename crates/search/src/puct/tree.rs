//! The closed tree: turns, moves below turns, rolls below moves.
//!
//! All values are for the **first side**, 0 to 1. The value of a position after a move is the mean
//! over its rolls by their exact weights, as far as simulations have met them, however often they
//! were met. The value of a turn is the mean of its own evaluation and of its moves' values, each
//! counted as often as the move was tried. A simulation takes the roll that was tried least in
//! proportion to its weight, so a search draws no random numbers for dice.
//!
//! Where the network can evaluate positions at rest, the first simulation through a move asks for
//! the position after it, and this evaluation stands in for the rolls that were not met yet.

use std::cmp::Ordering;
use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Prediction, Side, Situation, Turn};

use super::{Selection, for_side};

/// The index that stands for no node.
pub(super) const NONE: u32 = u32::MAX;

/// A move of a turn, with its results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<M> {
    pub mv: M,
    pub prior: f32,
    pub visits: u32,
    /// How many simulations went through the move and still wait for an evaluation.
    pub pending: u32,
    pub mean: f32,
    /// The index of what follows: the position, or in an open tree the turn.
    pub after: u32,
}

impl<M> Edge<M> {
    /// A move that was never tried.
    pub const fn new(mv: M, prior: f32) -> Self {
        Self { mv, prior, visits: 0, pending: 0, mean: 0.0, after: NONE }
    }

    /// The mean result for `side`, where each simulation that still waits counts as a loss.
    pub fn mean_for(&self, side: Side) -> f32 {
        let mean = if side == Side::First { self.mean } else { 1.0 - self.mean };
        mean * self.visits as f32 / self.tries().max(1) as f32
    }

    /// The order of moves from bad to good for `side`: by visits, then by the mean, then by the
    /// prior.
    pub fn rank(&self, side: Side) -> (u32, f32, f32) {
        (self.visits, for_side(self.mean, side), self.prior)
    }

    pub const fn tries(&self) -> u32 {
        self.visits + self.pending
    }
}

/// Sorts the indices of moves, the best one for `side` first; equally good moves keep their order.
pub(super) fn best_first<M>(edges: &[Edge<M>], side: Side, mut places: Vec<usize>) -> Vec<usize> {
    let rank = |&place: &usize| edges[place].rank(side);
    places.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(Ordering::Equal));
    places
}

/// A position after a move.
#[derive(Clone, Copy, Debug)]
struct After {
    first: u32,
    /// How many rolls follow; 0 when the game is over or the result under best play is known.
    rolls: u32,
    /// The value of the position itself, without its rolls, if it is known.
    worth: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
struct RollNode<R> {
    roll: R,
    weight: u32,
    tries: u32,
    turn: u32,
}

/// A turn, with its results.
#[derive(Clone, Copy, Debug)]
struct Node {
    side: Side,
    first: u32,
    /// How many moves the turn has; 0 until it has been evaluated.
    edges: u32,
    visits: u32,
    /// The sum of the turn's own evaluation and of the means of its moves, each as often as it was
    /// tried.
    total: f64,
}

impl Node {
    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }
}

/// One step of a simulation: a turn, the move that it tried there, and the roll below that move.
#[derive(Clone, Copy, Debug)]
struct Step {
    turn: u32,
    edge: u32,
    /// [`NONE`] at the end of a simulation that goes no further.
    roll: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Simulation {
    /// At the end of a game, or at a position with a known value.
    Ended,
    /// At a turn or a position at rest that must be evaluated.
    Requested,
    /// At a turn or a position whose evaluation was already requested and is still awaited.
    Met,
}

/// A tree that grows from a turn.
#[derive(Clone)]
pub(super) struct Tree<G: Game> {
    position: G,
    roll: G::Roll,
    /// An evaluation that knows true results without searching.
    pub known: Option<Arc<dyn Evaluator<G>>>,
    /// Whether the network is asked about positions at rest.
    pub asks_rest: bool,
    turns: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    afters: Vec<After>,
    rolls: Vec<RollNode<G::Roll>>,
    /// The simulations that wait for an evaluation, in the order of their requests: the turn, or
    /// [`NONE`] for a position at rest, and the path to it.
    waiting: Vec<(u32, Vec<Step>)>,
    /// Paths that are not in use, kept for their memory.
    spare: Vec<Vec<Step>>,
    /// How many moves the longest simulation made in the tree.
    pub depth: u32,
}

impl<G: Game> Tree<G> {
    pub fn new(turn: Turn<'_, G>) -> Self {
        let mut tree = Self {
            position: turn.position.clone(),
            roll: turn.roll,
            known: None,
            asks_rest: false,
            turns: vec![],
            edges: vec![],
            afters: vec![],
            rolls: vec![],
            waiting: vec![],
            spare: vec![],
            depth: 0,
        };
        tree.new_turn(turn.side());
        tree
    }

    /// Makes a turn that has been reached since then the new root and keeps what is known about it.
    /// Returns whether the tree contains the turn, at most one turn of each side below the old
    /// root. No simulation may be waiting for an evaluation.
    pub fn advance(&mut self, wanted: Turn<'_, G>) -> bool {
        if wanted.position.ply() > self.position.ply() + 2 {
            return false;
        }
        let root = Turn { position: &self.position, roll: self.roll };
        let Some(turn) = self.find(0, root, wanted) else { return false };
        // The nodes that are no longer reachable stay in memory until the tree is dropped.
        self.turns[0] = self.turns[turn as usize];
        (self.position, self.roll) = (wanted.position.clone(), wanted.roll);
        self.depth = 0;
        true
    }

    /// Looks for the turn `wanted`, beginning with `met`, and then below it.
    fn find(&self, turn: u32, met: Turn<'_, G>, wanted: Turn<'_, G>) -> Option<u32> {
        // A face of the die has the same moves as the roll that it was merged into.
        if met.position == wanted.position && met.moves().as_ref() == wanted.moves().as_ref() {
            return (self.turns[turn as usize].edges > 0).then_some(turn);
        }
        self.moves(turn).iter().find_map(|edge| {
            let After { first, rolls, .. } = *self.afters.get(edge.after as usize)?;
            let mut position = met.position.clone();
            position.play(met.roll, edge.mv);
            if position.ply() > wanted.position.ply() {
                return None;
            }
            self.rolls[first as usize..][..rolls as usize].iter().find_map(|roll| {
                self.turns.get(roll.turn as usize)?;
                self.find(roll.turn, Turn { position: &position, roll: roll.roll }, wanted)
            })
        })
    }

    fn new_turn(&mut self, side: Side) -> u32 {
        self.turns.push(Node { side, first: 0, edges: 0, visits: 0, total: 0.0 });
        self.turns.len() as u32 - 1
    }

    /// How many simulations have ended.
    pub fn visits(&self) -> u32 {
        self.turns[0].visits
    }

    /// How many nodes of all kinds there are.
    pub fn size(&self) -> usize {
        self.turns.len() + self.edges.len() + self.afters.len() + self.rolls.len()
    }

    /// The value of the root for the first side.
    pub fn value(&self) -> f32 {
        self.turns[0].mean() as f32
    }

    pub fn side(&self) -> Side {
        self.turns[0].side
    }

    /// The moves of the root, once it has been evaluated.
    pub fn root(&self) -> &[Edge<G::Move>] {
        self.moves(0)
    }

    pub fn root_mut(&mut self) -> &mut [Edge<G::Move>] {
        let Node { first, edges, .. } = self.turns[0];
        &mut self.edges[first as usize..][..edges as usize]
    }

    fn moves(&self, turn: u32) -> &[Edge<G::Move>] {
        let Node { first, edges, .. } = self.turns[turn as usize];
        &self.edges[first as usize..][..edges as usize]
    }

    /// Requests the evaluation of the root, which must not have been evaluated.
    pub fn ask_root(&mut self, requests: &mut Vec<Situation<G>>) {
        requests.push(Turn { position: &self.position, roll: self.roll }.situation());
        self.waiting.push((0, vec![]));
    }

    /// Makes one simulation, whose first move is at the place `root_place` among those of the root.
    pub fn simulate(
        &mut self,
        selection: Selection,
        root_place: usize,
        requests: &mut Vec<Situation<G>>,
    ) -> Simulation {
        let mut path = self.spare.pop().unwrap_or_default();
        path.clear();
        let (mut position, mut roll, mut turn) = (self.position.clone(), self.roll, 0);
        loop {
            let Node { side, first, edges, .. } = self.turns[turn as usize];
            if edges == 0 {
                self.spare.push(path);
                return Simulation::Met;
            }
            let place = if path.is_empty() {
                root_place
            } else {
                let value = self.turns[turn as usize].mean() as f32;
                let value = if side == Side::First { value } else { 1.0 - value };
                selection.best(self.moves(turn), 0..edges as usize, side, value)
            };
            let edge = first + place as u32;
            let rest = position.play(roll, self.edges[edge as usize].mv);
            let after = self.after(edge, &position, rest);
            if after.rolls == 0 {
                path.push(Step { turn, edge, roll: NONE });
                self.depth = self.depth.max(path.len() as u32);
                self.count(&path, false);
                self.spare.push(path);
                return Simulation::Ended;
            }
            // With a single roll, evaluating the turn after it instead costs no more.
            if self.asks_rest && after.worth.is_none() && after.rolls > 1 {
                if self.edges[edge as usize].pending > 0 {
                    self.spare.push(path);
                    return Simulation::Met;
                }
                path.push(Step { turn, edge, roll: NONE });
                requests.push(Situation { position, roll: None });
                self.wait(NONE, path);
                return Simulation::Requested;
            }
            let next = self.most_behind(after);
            path.push(Step { turn, edge, roll: next });
            roll = self.rolls[next as usize].roll;
            turn = self.rolls[next as usize].turn;
            if turn == NONE {
                let turn = self.new_turn(position.side());
                self.rolls[next as usize].turn = turn;
                requests.push(Situation { position, roll: Some(roll) });
                self.wait(turn, path);
                return Simulation::Requested;
            }
        }
    }

    /// Stores a simulation that waits for an evaluation.
    fn wait(&mut self, turn: u32, path: Vec<Step>) {
        for step in &path {
            self.edges[step.edge as usize].pending += 1;
            if step.roll != NONE {
                self.rolls[step.roll as usize].tries += 1;
            }
        }
        self.depth = self.depth.max(path.len() as u32);
        self.waiting.push((turn, path));
    }

    /// The node of the position that a move leads to.
    fn after(&mut self, edge: u32, position: &G, rest: Option<G::Roll>) -> After {
        let known = self.edges[edge as usize].after;
        if known != NONE {
            return self.afters[known as usize];
        }
        let first = self.rolls.len() as u32;
        let new = |roll, weight| RollNode { roll, weight, tries: 0, turn: NONE };
        let known = || self.known.as_ref().and_then(|known| known.exact(position));
        let mut worth = None;
        match (position.outcome(), rest) {
            (Some(outcome), _) => worth = Some(outcome.value_for(Side::First)),
            (None, Some(rest)) => self.rolls.push(new(rest, 1)),
            (None, None) => {
                worth = known().map(|value| for_side(value, position.side()));
                if worth.is_none() {
                    let rolls = position.rolls();
                    let rolls = rolls.as_ref().iter().map(|roll| new(roll.item, roll.weight));
                    self.rolls.extend(rolls);
                }
            }
        }
        let after = After { first, rolls: self.rolls.len() as u32 - first, worth };
        self.edges[edge as usize].after = self.afters.len() as u32;
        self.afters.push(after);
        after
    }

    /// The roll that was tried least in proportion to its weight.
    fn most_behind(&self, after: After) -> u32 {
        let rolls = &self.rolls[after.first as usize..][..after.rolls as usize];
        let mut best = 0;
        for (place, roll) in rolls.iter().enumerate() {
            // (tries + 1) / weight, compared without division.
            let due = |roll: &RollNode<G::Roll>| u64::from(roll.tries) + 1;
            let least: &RollNode<G::Roll> = &rolls[best];
            if due(roll) * u64::from(least.weight) < due(least) * u64::from(roll.weight) {
                best = place;
            }
        }
        after.first + best as u32
    }

    /// Takes the evaluation of the simulation that has waited longest.
    pub fn apply(&mut self, prediction: Prediction<'_>) {
        if self.waiting.is_empty() {
            return;
        }
        let (turn, path) = self.waiting.remove(0);
        // Positions are not stored, so the path is played again from the root.
        let (mut position, mut roll) = (self.position.clone(), self.roll);
        for step in &path {
            position.play(roll, self.edges[step.edge as usize].mv);
            roll = self.rolls.get(step.roll as usize).map_or(roll, |next| next.roll);
        }
        if turn == NONE {
            let after = self.edges[path[path.len() - 1].edge as usize].after;
            let worth = for_side(prediction.value, position.side());
            self.afters[after as usize].worth = Some(worth);
        } else {
            self.open(turn, position.moves(roll).as_ref(), prediction);
        }
        self.count(&path, true);
        self.spare.push(path);
    }

    /// Gives a turn its moves with their priors, and its own evaluation.
    fn open(&mut self, turn: u32, moves: &[G::Move], prediction: Prediction<'_>) {
        let first = self.edges.len() as u32;
        let moves = moves.iter().zip(prediction.prior);
        self.edges.extend(moves.map(|(&mv, &prior)| Edge::new(mv, prior)));
        let node = &mut self.turns[turn as usize];
        node.first = first;
        node.edges = self.edges.len() as u32 - first;
        node.visits = 1;
        let value = f64::from(prediction.value);
        node.total = if node.side == Side::First { value } else { 1.0 - value };
    }

    /// Adds the result of a simulation along its whole path, from the end upwards.
    fn count(&mut self, path: &[Step], waited: bool) {
        for step in path.iter().rev() {
            let after = self.edges[step.edge as usize].after;
            let value = self.value_after(self.afters[after as usize]);
            let edge = &mut self.edges[step.edge as usize];
            let before = f64::from(edge.visits) * f64::from(edge.mean);
            edge.visits += 1;
            edge.pending -= u32::from(waited);
            edge.mean = value as f32;
            let node = &mut self.turns[step.turn as usize];
            node.total += f64::from(edge.visits) * f64::from(edge.mean) - before;
            node.visits += 1;
            if !waited && step.roll != NONE {
                self.rolls[step.roll as usize].tries += 1;
            }
        }
    }

    /// The mean over the rolls by weight. Rolls that were not evaluated count with the value of the
    /// position itself, if that is known, and are left out if it is not.
    fn value_after(&self, after: After) -> f64 {
        let (mut sum, mut chances, mut unmet) = (0.0, 0.0, 0.0);
        for roll in &self.rolls[after.first as usize..][..after.rolls as usize] {
            if let Some(turn) = self.turns.get(roll.turn as usize)
                && turn.visits > 0
            {
                sum += f64::from(roll.weight) * turn.mean();
                chances += f64::from(roll.weight);
            } else {
                unmet += f64::from(roll.weight);
            }
        }
        match after.worth.map(f64::from) {
            Some(worth) if after.rolls == 0 => worth,
            Some(worth) => (sum + unmet * worth) / (chances + unmet),
            None => sum / chances,
        }
    }

    /// The principal variation from a first move on: the moves that were tried most, along the
    /// rolls whose value is nearest to the mean.
    pub fn line(&self, first: G::Move) -> Vec<(G::Roll, G::Move)> {
        let mut line = vec![(self.roll, first)];
        let mut edge = self.root().iter().find(|edge| edge.mv == first);
        while let Some(&Edge { after, mean, .. }) = edge
            && let Some(after) = self.afters.get(after as usize)
        {
            let rolls = &self.rolls[after.first as usize..][..after.rolls as usize];
            let met = rolls.iter().filter_map(|roll| {
                let turn = self.turns.get(roll.turn as usize).filter(|turn| turn.edges > 0)?;
                Some((roll, (turn.mean() - f64::from(mean)).abs()))
            });
            let nearest = met.min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((roll, _)) = nearest else { break };
            let (moves, side) = (self.moves(roll.turn), self.turns[roll.turn as usize].side);
            // Of equally good moves the first one is taken, as in `best_first`.
            edge = moves
                .iter()
                .rev()
                .max_by(|a, b| a.rank(side).partial_cmp(&b.rank(side)).unwrap_or(Ordering::Equal));
            if let Some(edge) = edge.filter(|edge| edge.visits > 0) {
                line.push((roll.roll, edge.mv));
            } else {
                break;
            }
        }
        line
    }
}
