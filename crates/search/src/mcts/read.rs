//! Reading a grown tree: its moves, its principal variation and its size, and finding the part of
//! it that belongs to a later turn.

use std::cmp::Reverse;

use wurfel_core::{Game, Statistic, Turn};

use super::FinalMove;
use super::select::Select;
use super::tree::{Node, Tree, TreeForm, UNMET, winner};

/// The results of a tree for one move of its root.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveResult<M> {
    pub mv: M,
    pub visits: u64,
    /// The mean result for the side that **decides**; infinite when the result is proven.
    pub mean: f32,
}

impl<M> MoveResult<M> {
    /// The order for the final choice: proven wins first, then the moves that `choice` prefers,
    /// proven losses last.
    pub(super) fn rank(&self, choice: FinalMove) -> (i8, u32, u64) {
        let proof = if self.mean.is_finite() { 0 } else { self.mean.signum() as i8 };
        // The bits of numbers from 0 on are in the order of the numbers.
        let mean = match choice {
            FinalMove::MostVisits => 0,
            FinalMove::BestMean => self.value().map_or(0, |mean| 1 + mean.abs().to_bits()),
        };
        (proof, mean, self.visits)
    }

    /// Sorts moves, the one to play first.
    pub(super) fn sort(moves: &mut [Self], choice: FinalMove) {
        moves.sort_by_key(|results| Reverse(results.rank(choice)));
    }

    /// Adds the results that another tree has found for the same move.
    pub(super) fn add(&mut self, other: &Self) {
        self.visits += other.visits;
        if self.mean.is_finite() && other.mean.is_finite() {
            self.mean += (other.mean - self.mean) * other.visits as f32 / self.visits.max(1) as f32;
        } else if self.mean.is_finite() {
            self.mean = other.mean;
        }
    }

    /// Whether the move is proven to win or to lose.
    pub(super) fn is_proven(&self) -> bool {
        self.mean.is_infinite()
    }

    /// The value for the side that decides, 0 to 1.
    pub(super) fn value(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.mean.clamp(0.0, 1.0))
    }
}

/// The size of the trees of the last search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TreeStatistics {
    /// How many simulations the last search made.
    pub simulations: u64,
    /// How many moves all these simulations made in the tree together.
    pub steps: u64,
    /// How many moves the longest of them made in the tree.
    pub depth: u32,
    /// How many moves in the trees may be tried.
    pub moves: u64,
    /// How many moves in the trees were pruned.
    pub pruned: u64,
    /// How much memory the trees take, in bytes.
    pub bytes: u64,
}

impl TreeStatistics {
    /// How many moves a simulation made in the tree, on average.
    pub fn mean_depth(&self) -> f64 {
        self.steps as f64 / self.simulations.max(1) as f64
    }

    /// The share of the moves that were pruned, 0 to 1.
    pub fn prune_rate(&self) -> f64 {
        self.pruned as f64 / (self.moves + self.pruned).max(1) as f64
    }

    pub(super) fn list(&self) -> Vec<Statistic> {
        let entry = |name, value| Statistic { name, value };
        vec![
            entry("mean depth", self.mean_depth()),
            entry("moves in the tree", self.moves as f64),
            entry("per cent pruned", 100.0 * self.prune_rate()),
            entry("megabytes", self.bytes as f64 / 1e6),
        ]
    }

    /// The statistics of two trees added up.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            simulations: self.simulations + other.simulations,
            steps: self.steps + other.steps,
            depth: self.depth.max(other.depth),
            moves: self.moves + other.moves,
            pruned: self.pruned + other.pruned,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl<G: Game, N: Copy + Default> Tree<G, N> {
    fn root(&self) -> Turn<'_, G> {
        Turn { position: &self.position, roll: self.roll }
    }

    /// The node of a move, given with its index among the moves of the turn.
    fn node(&self, turn: usize, place: usize, mv: G::Move) -> Option<&Node<N>> {
        match self.turns[turn] {
            _ if self.form == TreeForm::Open => self.listed(turn, mv).map(|node| &self.nodes[node]),
            first if first == UNMET || winner(first).is_some() => None,
            first => self.nodes.get(first as usize + place),
        }
    }

    /// The turn after a move and a roll, given with the index of the roll among the rolls of the
    /// position.
    fn turn_below(&self, node: &Node<N>, place: usize) -> Option<usize> {
        let place = if self.form == TreeForm::Open { 0 } else { place };
        (node.below != 0).then(|| node.below as usize + place)
    }

    /// The moves of a turn that have nodes, in order, with their results.
    fn results(&self, turn: usize, met: Turn<'_, G>) -> Vec<(MoveResult<G::Move>, &Node<N>)> {
        let (moves, side) = (met.moves(), met.side());
        let moves = moves.as_ref().iter().enumerate();
        let results = moves.filter_map(|(place, &mv)| {
            let node = self.node(turn, place, mv)?;
            Some((
                MoveResult { mv, visits: u64::from(node.visits), mean: node.mean_for(side) },
                node,
            ))
        });
        results.collect()
    }

    pub(super) fn moves_of_root(&self) -> Vec<MoveResult<G::Move>> {
        self.results(0, self.root()).into_iter().map(|(results, _)| results).collect()
    }

    /// The best move of a turn, if one was tried.
    fn best(
        &self,
        turn: usize,
        met: Turn<'_, G>,
        choice: FinalMove,
    ) -> Option<(MoveResult<G::Move>, &Node<N>)> {
        let tried = self.results(turn, met).into_iter().filter(|(results, _)| results.visits > 0);
        // As in the final choice, the first of equal moves counts.
        tried.rev().max_by_key(|(results, _)| results.rank(choice))
    }

    /// The principal variation from a move of the root on, as far as moves were tried. At each
    /// chance node it takes the roll whose value is nearest to the mean, then the move that would
    /// be played.
    pub(super) fn line(&self, first: G::Move, choice: FinalMove) -> Vec<(G::Roll, G::Move)> {
        let mut line = vec![(self.roll, first)];
        let mut position = self.position.clone();
        let root = self.results(0, self.root()).into_iter();
        let mut node = root.filter(|(results, _)| results.mv == first).map(|(_, node)| node).next();
        while let (Some(above), Some(&(roll, mv))) = (node, line.last()) {
            let rest = position.play(roll, mv);
            let next = if position.outcome().is_some() {
                None
            } else if let Some(roll) = rest {
                let turn = self.turn_below(above, 0);
                let met = Turn { position: &position, roll };
                let best = turn.and_then(|turn| self.best(turn, met, choice));
                best.map(|(results, node)| (roll, results.mv, node))
            } else {
                self.typical_roll(&position, above, choice)
            };
            line.extend(next.map(|(roll, mv, _)| (roll, mv)));
            node = next.map(|(_, _, node)| node);
        }
        line
    }

    /// Of the rolls after a move that simulations have drawn, the one whose value is nearest to
    /// their mean, with its best move.
    fn typical_roll(
        &self,
        position: &G,
        above: &Node<N>,
        choice: FinalMove,
    ) -> Option<(G::Roll, G::Move, &Node<N>)> {
        let mut rolls = vec![];
        let (mut sum, mut chances) = (0.0, 0.0);
        for (place, roll) in position.rolls().as_ref().iter().enumerate() {
            let turn = self.turn_below(above, place)?;
            let met = Turn { position, roll: roll.item };
            let Some((results, node)) = self.best(turn, met, choice) else { continue };
            let value = results.mean.clamp(0.0, 1.0);
            sum += roll.weight as f32 * value;
            chances += roll.weight as f32;
            rolls.push((value, (roll.item, results.mv, node)));
        }
        let mean = sum / chances;
        let luck = |value: f32| (value - mean).abs();
        let typical = rolls.into_iter().min_by(|(a, _), (b, _)| luck(*a).total_cmp(&luck(*b)));
        typical.map(|(_, roll)| roll)
    }

    /// Makes a turn that has been reached since then the new root and keeps what is known about it.
    /// Returns whether the tree contains the turn, at most one turn of each side below the old
    /// root.
    pub(super) fn advance(&mut self, wanted: Turn<'_, G>) -> bool {
        if wanted.position.ply() > self.position.ply() + 2 {
            return false;
        }
        let Some(turn) = self.find(0, self.root(), wanted) else { return false };
        if turn != 0 {
            self.turns[0] = self.turns[turn];
            self.solved = false;
        }
        self.set_root(wanted);
        true
    }

    /// Looks for the turn `wanted`, beginning with `met`, and then below it. A proven turn does not
    /// count, because its nodes are gone.
    fn find(&self, turn: usize, met: Turn<'_, G>, wanted: Turn<'_, G>) -> Option<usize> {
        if met.position == wanted.position && same_moves(met, wanted) {
            return winner(self.turns[turn]).is_none().then_some(turn);
        }
        if met.position.ply() > wanted.position.ply() {
            return None;
        }
        self.results(turn, met).into_iter().find_map(|(results, node)| {
            let mut position = met.position.clone();
            let rest = position.play(met.roll, results.mv);
            if position.outcome().is_some() || position.ply() > wanted.position.ply() {
                return None;
            }
            if let Some(roll) = rest {
                let turn = self.turn_below(node, 0)?;
                return self.find(turn, Turn { position: &position, roll }, wanted);
            }
            position.rolls().as_ref().iter().enumerate().find_map(|(place, roll)| {
                let turn = self.turn_below(node, place)?;
                self.find(turn, Turn { position: &position, roll: roll.item }, wanted)
            })
        })
    }

    /// The size of the tree, given the selection that it was grown with.
    pub(super) fn statistics<S: Select<G, Prior = N>>(&self, select: &S) -> TreeStatistics {
        let ends = self.moves.iter().filter(|mv| mv.is_none()).count();
        let is_pruned =
            |node: &&Node<N>| select.first_play_urgency(node.prior) == f32::NEG_INFINITY;
        let pruned = self.nodes.iter().filter(is_pruned).count();
        TreeStatistics {
            simulations: self.simulations,
            steps: self.steps,
            depth: self.depth,
            moves: (self.nodes.len() - ends - pruned) as u64,
            pruned: pruned as u64,
            bytes: self.bytes() as u64,
        }
    }
}

/// Whether two turns in the same position are the same: a face of the die has the same moves as the
/// roll that it was merged into.
fn same_moves<G: Game>(left: Turn<'_, G>, right: Turn<'_, G>) -> bool {
    left.moves().as_ref() == right.moves().as_ref()
}
