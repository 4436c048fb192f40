//! The tree and how a simulation grows it. All nodes lie in one block of memory, and positions are
//! not stored but replayed on the way down.
//!
//! Below a move are *turns*, one for each roll that differs; a simulation draws one of them by its
//! weight. Below a turn are its moves. Only moves are nodes. They store results for the first side,
//! so that the tree serves both sides: each reads the results from its own viewpoint.

use prefetch_index::prefetch_index;
use wurfel_core::{Game, Outcome, Random, Side, Turn};

use super::playout::Playout;
use super::select::{Select, TriedMove};

/// How rolls and proofs are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TreeForm {
    /// Below a move stands a turn for each roll that differs (closed loop;
    /// "Expecti-MCTS" of paper `dice-chess-agents`, section IV-B).
    #[default]
    Closed,
    /// As `Closed`, but moves and rolls that are proven to be won or lost are marked as such
    /// (MCTS-Solver, Winands and others 2008, through chance nodes).
    Proving,
    /// Below a move is one turn for all rolls, with the moves of every roll that was drawn there; a
    /// simulation chooses among the moves that are legal for the present roll (open loop; paper
    /// `policy-value-network`, Algorithm 1). The same move counts as one whatever was rolled. This
    /// is exact where the move alone decides which position follows, and wrong elsewhere.
    Open,
}

/// The memory for all trees of a search, in bytes: enough for some 40 million moves of EinStein
/// würfelt nicht! When it is full, the search goes on but its leaves no longer grow.
pub(super) const MEMORY: usize = 640_000_000;

/// A move in the tree, with the results of the simulations through it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<N> {
    /// The mean result for the **first side**; infinite once the result is proven.
    pub mean: f32,
    /// How many simulations made this move.
    pub visits: u32,
    /// The index of the first of the turns that follow; 0 while there are none. There is one for
    /// each roll of the position, or a single one where the same side goes on or where the tree is
    /// open. At the end of a piece of an open list this is instead the node at which the list goes
    /// on, or 0.
    pub below: u32,
    /// The prior that the selection has computed for the move.
    pub prior: N,
}

impl<N> Node<N> {
    pub(super) const fn new(prior: N) -> Self {
        Self { mean: 0.0, visits: 0, below: 0, prior }
    }

    /// Adds a result for the first side to the mean; the visit must have been counted already. A
    /// proven result stays.
    #[inline(always)]
    fn record(&mut self, result: f32) {
        if self.mean.is_finite() {
            self.mean += (result - self.mean) / self.visits as f32;
        }
    }

    /// Who wins after the move, if that is proven.
    fn winner(&self) -> Option<Side> {
        let side = if self.mean > 0.0 { Side::First } else { Side::Second };
        self.mean.is_infinite().then_some(side)
    }

    #[inline(always)]
    pub(super) fn mean_for(&self, side: Side) -> f32 {
        if side == Side::First { self.mean } else { 1.0 - self.mean }
    }
}

/// The mean of a node whose winner is proven.
const fn proven(winner: Side) -> f32 {
    match winner {
        Side::First => f32::INFINITY,
        Side::Second => f32::NEG_INFINITY,
    }
}

/// The entry for the nodes of a turn that no simulation has reached.
pub(super) const UNMET: u32 = 0;

/// The entry for the nodes of a turn whose winner is proven; the nodes are no longer needed.
const fn won_by(winner: Side) -> u32 {
    u32::MAX - winner.index() as u32
}

/// Who wins the turn, if that is proven.
pub(super) fn winner(turn: u32) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| turn == won_by(side))
}

/// A move of the current simulation.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: usize,
    /// The index of the move among the `count` moves of its turn.
    place: usize,
    count: usize,
    /// The turn of the move, which is one of `rolls` turns.
    turn: usize,
    rolls: usize,
    /// The side that makes the move.
    side: Side,
}

/// A tree that grows from a turn.
#[derive(Clone, Debug)]
pub(super) struct Tree<G: Game, N> {
    pub(super) form: TreeForm,
    pub(super) position: G,
    pub(super) roll: G::Roll,
    /// All nodes. The first one is a dummy, so that 0 can stand for no node.
    pub(super) nodes: Vec<Node<N>>,
    /// In an open tree, the move of each node; `None` for the node at the end of a piece and for
    /// the dummy.
    pub(super) moves: Vec<Option<G::Move>>,
    /// For each turn the index of its first node, or [`UNMET`], or who is proven to win it. The
    /// first turn is the root.
    pub(super) turns: Vec<u32>,
    /// Whether the result of the root is proven. The root keeps its nodes even then.
    pub(super) solved: bool,
    /// How many bytes the tree may take.
    memory: usize,
    /// The moves of the current simulation.
    path: Vec<Step>,
    /// The priors of a new turn's moves, before they are put into the tree.
    pub(super) priors: Vec<N>,
    /// In an open tree, the nodes of the current turn in the order of its moves.
    pub(super) listing: Vec<u32>,
    /// How many simulations were made since the root was set; the next two fields are the moves
    /// that they made together and the most that one of them made.
    pub(super) simulations: u64,
    pub(super) steps: u64,
    pub(super) depth: u32,
}

impl<G: Game, N: Copy + Default> Tree<G, N> {
    /// A tree that may take `memory` bytes.
    pub(super) fn new(turn: Turn<'_, G>, form: TreeForm, memory: usize) -> Self {
        let mut tree = Self {
            form,
            position: turn.position.clone(),
            roll: turn.roll,
            nodes: vec![],
            moves: vec![],
            turns: vec![],
            solved: false,
            memory,
            path: vec![],
            priors: vec![],
            listing: vec![],
            simulations: 0,
            steps: 0,
            depth: 0,
        };
        tree.begin(turn);
        tree
    }

    /// Starts again from a turn, in the same memory.
    pub(super) fn begin(&mut self, turn: Turn<'_, G>) {
        self.nodes.clear();
        self.nodes.push(Node::new(N::default()));
        self.moves.clear();
        self.moves.push(None);
        self.turns.clear();
        self.turns.push(UNMET);
        self.solved = false;
        self.set_root(turn);
    }

    /// Makes a turn the root and restarts the count of simulations. Its nodes must be those of
    /// `turns[0]`.
    pub(super) fn set_root(&mut self, turn: Turn<'_, G>) {
        self.position = turn.position.clone();
        self.roll = turn.roll;
        (self.simulations, self.steps, self.depth) = (0, 0, 0);
    }

    /// How many bytes are in use.
    pub(super) fn bytes(&self) -> usize {
        let Self { nodes, moves, turns, .. } = self;
        size_of_val(&nodes[..]) + size_of_val(&moves[..]) + size_of_val(&turns[..])
    }

    /// Whether there is room for one more turn.
    pub(super) fn has_room(&self) -> bool {
        self.bytes() < self.memory
    }

    /// Whether less than half of the memory is in use.
    pub(super) fn is_half_empty(&self) -> bool {
        self.bytes() < self.memory / 2
    }

    /// Makes a simulation: goes down the tree, evaluates the position below the leaf, and counts
    /// the result in all moves on the way. Returns the result for the **first side**.
    pub(super) fn simulate<S: Select<G, Prior = N>>(
        &mut self,
        select: &S,
        playout: &impl Playout<G>,
        random: &mut Random,
    ) -> f32 {
        let mut position = self.position.clone();
        let (mut roll, mut turn, mut rolls) = (self.roll, 0, 1);
        self.path.clear();
        let result = loop {
            let side = position.side();
            let moves = position.moves(roll);
            let moves = moves.as_ref();
            let met = Turn { position: &position, roll };
            let Some((place, node)) = self.choose(turn, met, moves, select, random) else {
                break playout.result(position, Some(roll), random);
            };
            self.path.push(Step { node, place, count: moves.len(), turn, rolls, side });
            // While the move is played, the turns that follow it come into the cache.
            prefetch_index(&self.turns, self.nodes[node].below as usize);
            let rest = position.play(roll, moves[place]);
            let tried = &mut self.nodes[node];
            tried.visits += 1;
            if let Some(outcome) = position.outcome() {
                if let (TreeForm::Proving, Outcome::Win(winner)) = (self.form, outcome) {
                    tried.mean = proven(winner);
                    self.prove();
                }
                break outcome.value_for(Side::First);
            }
            if tried.visits == 1 || (tried.below == 0 && !self.has_room()) {
                break playout.result(position, rest, random);
            }
            (roll, turn, rolls) = self.next_turn(node, &position, rest, random);
            if self.form == TreeForm::Proving
                && let Some(winner) = winner(self.turns[turn])
            {
                break Outcome::Win(winner).value_for(Side::First);
            }
        };
        self.simulations += 1;
        self.steps += self.path.len() as u64;
        self.depth = self.depth.max(self.path.len() as u32);
        for step in &self.path {
            self.nodes[step.node].record(result);
        }
        result
    }

    /// The turn that follows a move, with its roll and the number of sibling turns, itself
    /// included.
    #[inline(always)]
    fn next_turn(
        &mut self,
        node: usize,
        position: &G,
        rest: Option<G::Roll>,
        random: &mut Random,
    ) -> (G::Roll, usize, usize) {
        let (roll, fallen, rolls) = match rest {
            Some(rest) => (rest, 0, 1),
            None => {
                let (fallen, roll) = position.draw_roll(random);
                match self.form {
                    TreeForm::Open => (roll, 0, 1),
                    _ => (roll, fallen, position.rolls().as_ref().len()),
                }
            }
        };
        let above = &mut self.nodes[node];
        if above.below == 0 {
            above.below = self.turns.len() as u32;
            self.turns.resize(self.turns.len() + rolls, UNMET);
        }
        let turn = above.below as usize + fallen;
        self.prefetch_moves(turn);
        (roll, turn, rolls)
    }

    /// Brings the nodes of a turn into the cache while its moves are generated: in a tree of a million
    /// playouts they are seldom there.
    #[inline(always)]
    fn prefetch_moves(&self, turn: usize) {
        const LINE: usize = 64;
        let first = self.turns[turn] as usize;
        prefetch_index(&self.nodes, first);
        prefetch_index(&self.nodes, first.wrapping_add(LINE / size_of::<Node<N>>()));
    }

    /// The move to try at a turn: its index among the moves, and its node. `None` when there is no
    /// room for the nodes of the turn.
    #[inline(always)]
    fn choose<S: Select<G, Prior = N>>(
        &mut self,
        turn: usize,
        met: Turn<'_, G>,
        moves: &[G::Move],
        select: &S,
        random: &mut Random,
    ) -> Option<(usize, usize)> {
        let side = met.side();
        if self.form == TreeForm::Open {
            self.gather(turn, met, moves, select)?;
            let nodes = self.listing.iter().map(|&node| &self.nodes[node as usize]);
            let place = pick(nodes, side, select, random);
            return Some((place, self.listing[place] as usize));
        }
        if self.turns[turn] == UNMET {
            if !self.has_room() {
                return None;
            }
            self.turns[turn] = self.add(met, moves, select);
        }
        let first = self.turns[turn] as usize;
        let place = pick(self.nodes[first..][..moves.len()].iter(), side, select, random);
        Some((place, first + place))
    }

    /// Adds a node for each move and returns the index of the first.
    pub(super) fn add<S: Select<G, Prior = N>>(
        &mut self,
        turn: Turn<'_, G>,
        moves: &[G::Move],
        select: &S,
    ) -> u32 {
        self.priors.clear();
        select.priors(turn, moves, &mut self.priors);
        let first = self.nodes.len();
        self.nodes.extend(self.priors.iter().copied().map(Node::new));
        first as u32
    }

    /// Carries what the last move of the path proves up the tree. A turn is won when one of its
    /// moves wins and lost when all its moves lose; a move is proven when all its rolls are, for
    /// the same side.
    #[cold]
    fn prove(&mut self) {
        for last in (0..self.path.len()).rev() {
            let Step { node, place, count, turn, rolls, side } = self.path[last];
            let moves = &self.nodes[node - place..][..count];
            let leads_to = |winner| move |node: &Node<N>| node.winner() == Some(winner);
            let winner = if moves.iter().any(leads_to(side)) {
                side
            } else if moves.iter().all(leads_to(!side)) {
                !side
            } else {
                return;
            };
            let Some(above) = last.checked_sub(1) else {
                self.solved = true;
                return;
            };
            self.turns[turn] = won_by(winner);
            let above = &mut self.nodes[self.path[above].node];
            let turns = &self.turns[above.below as usize..][..rolls];
            if turns.iter().any(|&turn| turn != won_by(winner)) {
                return;
            }
            above.mean = proven(winner);
        }
    }
}

/// The index of the move to try. Moves that have not been tried yet come first, by first-play
/// urgency, drawn at random among equals; once all were tried, it is the move with the highest
/// score.
#[inline(always)]
fn pick<'a, G: Game, S: Select<G>>(
    nodes: impl Iterator<Item = &'a Node<S::Prior>> + Clone,
    side: Side,
    select: &S,
    random: &mut Random,
) -> usize {
    let mut most = f32::NEG_INFINITY;
    let (mut equals, mut visits) = (0, 0);
    for node in nodes.clone() {
        visits += node.visits;
        if node.visits == 0 {
            let first_play_urgency = select.first_play_urgency(node.prior);
            if first_play_urgency > most {
                (most, equals) = (first_play_urgency, 1);
            } else if first_play_urgency >= most {
                equals += 1;
            }
        }
    }
    if most > f32::NEG_INFINITY {
        let skipped = random.below(equals) as usize;
        let is_first_choice =
            |node: &Node<_>| node.visits == 0 && select.first_play_urgency(node.prior) >= most;
        let mut places = nodes.enumerate().filter(|(_, node)| is_first_choice(node));
        return places.nth(skipped).map_or(0, |(place, _)| place);
    }
    let exploration = select.exploration(visits);
    let mut best = (0, f32::NEG_INFINITY);
    for (place, node) in nodes.enumerate() {
        if node.visits > 0 {
            let mean = node.mean_for(side);
            let tried = TriedMove { visits: node.visits as f32, mean, prior: node.prior };
            let score = select.score(exploration, tried);
            if score > best.1 {
                best = (place, score);
            }
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::{FullPlayout, Ucb, Uniform};
    use wurfel_core::{Literal, Situation};

    /// When the tree is full, simulations go on without taking more memory.
    #[test]
    fn a_full_tree_stays_as_it_is() {
        let text = "{[{[{[{[+-]}{[-+]}]}]}{[{[+]}{[-]}{[=]}]}]} 1 1";
        let Situation { position, roll } = text.parse::<Situation<Literal>>().unwrap();
        let turn = Turn { position: &position, roll: roll.unwrap() };
        for (form, memory) in
            [(TreeForm::Closed, 100), (TreeForm::Proving, 100), (TreeForm::Open, 300)]
        {
            let grow = |memory| {
                let mut tree = Tree::new(turn, form, memory);
                let mut random = Random::new(1);
                let sum: f32 = (0..400)
                    .map(|_| tree.simulate(&Ucb::new(1.0), &FullPlayout(Uniform), &mut random))
                    .sum();
                (tree.bytes(), sum, tree.moves_of_root())
            };
            let (small, sum, moves) = grow(memory);
            let (large, ..) = grow(usize::MAX);
            // The tree exceeds its memory by one turn at most.
            assert!(small < memory + 100 && small < large, "{form:?}: {small} {large}");
            assert!(sum > 40.0 && moves.iter().all(|listing| listing.visits > 20), "{moves:?}");
        }
    }

    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<Node<()>>(), 12);
        assert_eq!(size_of::<Node<f32>>(), 16);
    }
}
