//! Monte Carlo tree search: one tree, with policies as parameters.
//!
//! Chance is part of the tree (see [`TreeForm`]): each simulation draws its rolls by their weights.
//! Every result counts for both sides, each from its own viewpoint (two-sided backup, paper
//! `dice-chess-agents`, section IV-B). The members of the family differ in their parameters:
//! [`Select`] says which move a simulation tries, [`Playout`] how a leaf is evaluated, and
//! [`MctsSettings`] everything else.

mod flat;
mod heuristic;
mod open;
mod playout;
mod read;
mod select;
mod tree;
mod window;

pub use flat::Flat;
pub use heuristic::{HeuristicPruning, HeuristicScale, Huct, HuctSettings, ProgressiveBias};
pub use playout::{
    EvaluateAtOnce, FullPlayout, Playout, PlayoutPolicy, Preferred, TruncatedPlayout, Uniform,
};
pub use read::TreeStatistics;
pub use select::{Select, TriedMove, Ucb};
pub use tree::TreeForm;
pub use window::{DynamicUcb, LearningRate};

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Game, Random, Side, Statistic, Turn, threads,
};

use crate::clock::Clock;
use crate::together::{Work, together};
use read::MoveResult;
use tree::{MEMORY, Tree};

/// How many playouts a decision without limits takes.
const PLAYOUTS: u64 = 10_000;

/// Which of the moves that were tried is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FinalMove {
    /// The move that was tried most (the robust child).
    #[default]
    MostVisits,
    /// The move with the best mean result (the max child; paper `mcts-dynamic-ucb`, Algorithm 1).
    BestMean,
}

/// How a search stores its tree, how many trees it grows and what it plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MctsSettings {
    /// How rolls and proofs are stored.
    pub form: TreeForm,
    /// Whether a decision starts from the last decision's tree, with the part that lies below the
    /// turn now reached.
    pub reuse: bool,
    /// How many trees are grown independently, at least 1. Each gets its share of the playouts and
    /// random numbers of its own, and the visits of all trees are added (root parallelism). There
    /// are as many threads as the machine has. If playouts are limited, the result does not depend
    /// on the number of threads; a limited time is divided among the trees that share a thread.
    pub trees: usize,
    /// Which move is played.
    pub choice: FinalMove,
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self { form: TreeForm::Closed, reuse: false, trees: 1, choice: FinalMove::MostVisits }
    }
}

/// A player by Monte Carlo tree search with selection `S` and playouts `P`.
///
/// A *node* of its budget is a playout; a depth does not limit it. It plays the move that
/// [`MctsSettings::choice`] selects, except that a proven win comes before all other moves and a
/// proven loss is played only when nothing else is left.
#[derive(Clone, Debug)]
pub struct Mcts<G: Game, S: Select<G>, P> {
    select: S,
    playout: P,
    settings: MctsSettings,
    budget: Budget<'static>,
    /// How many playouts a decision without limits takes.
    default_playouts: u64,
    random: Random,
    /// The trees of the last decision, until a new game begins.
    trees: Vec<Tree<G, S::Prior>>,
    /// The selection of each of these trees, with what it has learned.
    learned: Vec<S>,
}

impl<G: Game, S: Select<G>, P: Playout<G>> Mcts<G, S, P> {
    /// A player that spends `budget`, or the budget of each decision when `budget` has no limits.
    /// Without limits in either it makes 10,000 playouts. It draws random numbers from `random`
    /// until a game begins.
    pub fn new(select: S, playout: P, budget: Budget<'static>, random: Random) -> Self {
        let (settings, default_playouts) = (MctsSettings::default(), PLAYOUTS);
        Self {
            select,
            playout,
            settings,
            budget,
            default_playouts,
            random,
            trees: vec![],
            learned: vec![],
        }
    }

    /// The same player with other settings.
    #[must_use]
    pub fn with(self, settings: MctsSettings) -> Self {
        Self { settings, ..self }
    }

    /// The same player, with `default_playouts` playouts for decisions without any limits.
    #[must_use]
    pub fn with_default_playouts(self, default_playouts: u64) -> Self {
        Self { default_playouts, ..self }
    }

    /// The size of the trees of the last decision, all nodes included; with `reuse` they contain
    /// what earlier decisions of the game left.
    pub fn statistics(&self) -> TreeStatistics {
        let each = self.trees.iter().map(|tree| tree.statistics(&self.select));
        each.fold(TreeStatistics::default(), TreeStatistics::and)
    }

    /// Grows the trees until the budget is spent.
    fn grow(&mut self, turn: Turn<'_, G>, given: Budget<'_>) {
        let mut budget = self.budget.or(given);
        if budget.nodes.is_none() && budget.time.is_none() {
            budget.nodes = Some(self.default_playouts);
        }
        // With only one legal move, its value is all that there is to find out.
        if turn.moves().as_ref().len() == 1 {
            budget.nodes = Some(budget.nodes.map_or(PLAYOUTS, |nodes| nodes.min(PLAYOUTS)));
        }
        // Each tree gets at least one playout.
        let most = budget.nodes.map_or(usize::MAX, |nodes| nodes.max(1) as usize);
        let count = self.settings.trees.clamp(1, most);
        self.prepare(turn, count);
        self.learned = vec![self.select.clone(); count];
        let seed = self.random.bits();
        let trees = self.trees.iter_mut().zip(&mut self.learned).zip(0u64..);
        let jobs: Vec<Job<'_, G, S>> =
            trees.map(|((tree, select), number)| (tree, select, number)).collect();
        let threads = threads::available().min(count);
        let each = count.div_ceil(threads);
        let time = budget.time.map(|time| time / each as u32);
        let playout = &self.playout;
        let work = |jobs: Vec<Job<'_, G, S>>| {
            for (tree, select, number) in jobs {
                let nodes = budget.nodes.map(|all| share(all, count as u64, number));
                let random = Random::new(Random::seed_for(seed, &[number]));
                grow(tree, select, playout, Budget { nodes, time, ..budget }, random);
            }
        };
        let mut jobs = jobs.into_iter();
        let own: Vec<_> = jobs.by_ref().take(each).collect();
        let mut others: Vec<Work<'_>> = vec![];
        while jobs.len() > 0 {
            let some = jobs.by_ref().take(each).collect();
            others.push(Box::new(|| work(some)));
        }
        together(others, Box::new(|| work(own)));
    }

    /// Prepares `count` trees for a turn: the trees of the last decision if they contain the turn,
    /// or else empty ones.
    fn prepare(&mut self, turn: Turn<'_, G>, count: usize) {
        let MctsSettings { form, reuse, .. } = self.settings;
        let memory = MEMORY / self.settings.trees.max(1);
        self.trees.truncate(count);
        for tree in &mut self.trees {
            if !(reuse && tree.is_half_empty() && tree.advance(turn)) {
                tree.begin(turn);
            }
        }
        self.trees.resize_with(count, || Tree::new(turn, form, memory));
    }

    /// The moves of the root with the results of all trees added, the one to play first.
    fn moves(&self, turn: Turn<'_, G>) -> Vec<MoveResult<G::Move>> {
        let moves = turn.moves();
        let untried = |&mv| MoveResult { mv, visits: 0, mean: 0.0 };
        let mut all: Vec<_> = moves.as_ref().iter().map(untried).collect();
        for tree in &self.trees {
            for (sum, entry) in all.iter_mut().zip(tree.moves_of_root()) {
                sum.add(&entry);
            }
        }
        MoveResult::sort(&mut all, self.settings.choice);
        all
    }

    /// The principal variation of the tree that has tried its first move most often.
    fn line(&self, turn: Turn<'_, G>, first: G::Move) -> Vec<(G::Roll, G::Move)> {
        let visits = |tree: &&Tree<G, S::Prior>| {
            let entry = tree.moves_of_root().into_iter().find(|entry| entry.mv == first);
            entry.map(|entry| entry.visits)
        };
        let tree = self.trees.iter().max_by_key(visits);
        tree.map_or_else(|| vec![(turn.roll, first)], |tree| tree.line(first, self.settings.choice))
    }

    /// How many simulations the last decision made, and how many moves deep the longest of them
    /// went.
    fn work(&self) -> (u64, u32) {
        let simulations = self.trees.iter().map(|tree| tree.simulations).sum();
        (simulations, self.trees.iter().map(|tree| tree.depth).max().unwrap_or(0))
    }
}

/// A tree to be grown, its selection, and its number.
type Job<'a, G, S> = (&'a mut Tree<G, <S as Select<G>>::Prior>, &'a mut S, u64);

/// The size of share `number` when `all` is divided into `count` shares as evenly as possible.
const fn share(all: u64, count: u64, number: u64) -> u64 {
    all / count + (number < all % count) as u64
}

/// Grows a tree within a budget, by at least one simulation.
fn grow<G: Game, S: Select<G>>(
    tree: &mut Tree<G, S::Prior>,
    select: &mut S,
    playout: &impl Playout<G>,
    budget: Budget<'_>,
    mut random: Random,
) {
    let side = tree.position.side();
    let mut clock = Clock::start(budget);
    loop {
        let result = tree.simulate(select, playout, &mut random);
        select.learn(if side == Side::First { result } else { 1.0 - result });
        if tree.solved || clock.is_over(tree.simulations) {
            return;
        }
    }
}

impl<G: Game, S: Select<G>, P: Playout<G>> Agent<G> for Mcts<G, S, P> {
    fn begin(&mut self, random: Random) {
        self.random = random;
        self.trees.clear();
        self.learned.clear();
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        self.grow(turn, budget);
        let best = self.moves(turn)[0];
        let (nodes, depth) = self.work();
        Decision { mv: best.mv, value: best.value(), exact: best.is_proven(), nodes, depth }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        self.grow(turn, budget);
        let scored = |entry: MoveResult<G::Move>| Assessment {
            mv: entry.mv,
            value: entry.value(),
            exact: entry.is_proven(),
        };
        let moves: Vec<_> = self.moves(turn).into_iter().map(scored).collect();
        let line = self.line(turn, moves[0].mv);
        let (nodes, depth) = self.work();
        Analysis { moves, turns: vec![], line, nodes, depth }
    }

    fn counts(&self) -> Option<&'static str> {
        Some("playouts")
    }

    /// With several trees, what the selection has learned is the mean over all.
    fn statistics(&self) -> Vec<Statistic> {
        let mut list = Self::statistics(self).list();
        let learned: Vec<Statistic> = self.learned.iter().filter_map(Select::learned).collect();
        list.extend(learned.first().map(|first| {
            let sum: f64 = learned.iter().map(|one| one.value).sum();
            Statistic { value: sum / learned.len() as f64, ..*first }
        }));
        list
    }
}
