//! PUCT: tree search guided by a policy-value network (D. Silver and others, "Mastering the game of
//! Go without human knowledge", 2017; paper `policy-value-network`, Algorithm 1), with explicit
//! chance nodes or with an open tree.
//!
//! The search never calls a network. [`Search::gather`] hands out the situations to be evaluated
//! and [`Search::apply`] takes the answers, so that many searches can share one batch. [`Puct`] is
//! a player that has a network of its own.

mod form;
mod gumbel;
mod open;
mod player;
mod tree;

pub use player::{Policy, Puct};

use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Prediction, Random, Side, Situation, Turn};

use form::Form;
use gumbel::Halving;
use open::OpenTree;
use tree::{Edge, Simulation, Tree, best_first};

/// How many nodes of all kinds a tree may have before it stops growing: some 2 GB.
const MAX_NODES: usize = 80_000_000;

/// The number of simulations after which `gather` returns even if nothing is to be evaluated.
const SIMULATIONS_AT_ONCE: u32 = 1024;

/// Which move a simulation tries: the one with the highest Q + c · P · √N / (1 + n), where Q lies
/// between 0 and 1. Programs with Q from −1 to 1 need twice this c.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// The weight of exploration, at least 0.
    pub c: f32,
    /// The Q of moves that were never tried.
    pub first_play: FirstPlay,
}

/// First-play urgency: the Q of a move that was never tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FirstPlay {
    /// The value of the move's turn, less this number, at least 0, times the square root of the sum
    /// of the priors of the moves that were tried. At the root nothing is subtracted.
    Below(f32),
    /// The value of an even position: the Q = 0 of paper `policy-value-network`, Algorithm 1, where
    /// Q goes from −1 to 1.
    Even,
}

impl Default for FirstPlay {
    fn default() -> Self {
        Self::Below(0.15)
    }
}

impl FirstPlay {
    /// The first-play urgency that this one becomes at the root.
    const fn at_root(self) -> Self {
        match self {
            Self::Below(_) => Self::Below(0.0),
            Self::Even => Self::Even,
        }
    }
}

impl Default for Selection {
    fn default() -> Self {
        Self { c: 0.75, first_play: FirstPlay::default() }
    }
}

impl Selection {
    /// The index of the move to try for `side`, to which the turn is worth `value`. `places` are
    /// the indices of all legal moves; of equally good moves, the first is taken.
    fn best<M>(
        self,
        edges: &[Edge<M>],
        places: impl Iterator<Item = usize> + Clone,
        side: Side,
        value: f32,
    ) -> usize {
        let legal = || places.clone().map(move |place| &edges[place]);
        let tries: u32 = legal().map(Edge::tries).sum();
        let first = match self.first_play {
            FirstPlay::Even => 0.5,
            FirstPlay::Below(reduction) => {
                let tried = legal().filter(|edge| edge.tries() > 0);
                value - reduction * tried.map(|edge| edge.prior).sum::<f32>().sqrt()
            }
        };
        // At least 1, so that the prior decides which move is tried first.
        let spread = self.c * (tries.max(1) as f32).sqrt();
        let mut best = (0, f32::NEG_INFINITY);
        for place in places {
            let edge = &edges[place];
            let tries = edge.tries();
            let mean = if tries == 0 { first } else { edge.mean_for(side) };
            let score = mean + spread * edge.prior / (1 + tries) as f32;
            if score > best.1 {
                best = (place, score);
            }
        }
        best.0
    }
}

/// Noise in the priors of the root, drawn from a Dirichlet distribution, so that self-play also
/// tries moves to which the network gives a low prior.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// The concentration of the distribution, above 0: small values favour few moves.
    pub alpha: f32,
    /// The share of the noise in the prior, 0 to 1.
    pub share: f32,
}

/// How the moves of the root are chosen for simulations.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Root {
    /// In the same way as the moves of all other turns.
    #[default]
    Puct,
    /// In the same way as the moves of all other turns, with noise in the priors.
    Noisy(Noise),
    /// By sequential halving (I. Danihelka and others, "Policy improvement by planning with
    /// Gumbel", 2022), which is meant for few simulations. Below the root, moves are chosen as with
    /// `Puct`.
    Gumbel {
        /// The largest number of moves that are considered, at least 1.
        max_considered: usize,
        /// Whether Gumbel noise is added to the logits, so that self-play also tries other moves.
        /// Without it, the search plays its best.
        noise: bool,
    },
}

/// What a search knows about a move of its root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove<M> {
    /// A legal move of the turn.
    pub mv: M,
    /// How often the move was tried.
    pub visits: u32,
    /// The expected result of the move for the side that **decides**, 0 to 1; `None` if it was
    /// never tried.
    pub value: Option<f32>,
    /// The probability that a policy should learn to give to the move. The targets of all moves sum
    /// to 1.
    pub target: f32,
}

/// One search: a tree, and the settings by which it grows.
#[derive(Clone)]
pub struct Search<G: Game> {
    tree: Form<G>,
    selection: Selection,
    root: Root,
    /// How many simulations were planned.
    planned: u32,
    halving: Option<Halving>,
    random: Random,
    /// The indices of the root's moves; of equal moves, the one that comes first here is preferred.
    order: Vec<usize>,
    draws_ties: bool,
    /// How many visits the root had from earlier searches when this one began.
    before: u32,
}

impl<G: Game> Search<G> {
    /// A search from a turn before the end of the game. `simulations` says how many there will be;
    /// only [`Root::Gumbel`] uses it.
    pub fn new(
        turn: Turn<'_, G>,
        selection: Selection,
        root: Root,
        simulations: u32,
        random: Random,
    ) -> Self {
        Self::growing(Form::Closed(Tree::new(turn)), selection, root, simulations, random)
    }

    /// The same with an open tree, in which all rolls share one list of moves (paper
    /// `policy-value-network`, Algorithm 1). Its rolls are drawn from `random`.
    pub fn open(
        turn: Turn<'_, G>,
        selection: Selection,
        root: Root,
        simulations: u32,
        mut random: Random,
    ) -> Self {
        let tree = OpenTree::new(turn, Random::new(random.bits()));
        Self::growing(Form::Open(tree), selection, root, simulations, random)
    }

    const fn growing(
        tree: Form<G>,
        selection: Selection,
        root: Root,
        planned: u32,
        random: Random,
    ) -> Self {
        Self {
            tree,
            selection,
            root,
            planned,
            halving: None,
            random,
            order: vec![],
            draws_ties: false,
            before: 0,
        }
    }

    /// The same search, which does not look below positions whose exact value `known` knows: that
    /// value counts like the end of a game.
    #[must_use]
    pub fn with_exact(mut self, known: Option<Arc<dyn Evaluator<G>>>) -> Self {
        self.tree.know(known);
        self
    }

    /// The same search, which also asks for the evaluation of positions at rest if `asks`: for
    /// networks that [can evaluate them](wurfel_core::Network::evaluates_at_rest). An open tree never
    /// asks.
    #[must_use]
    pub fn asking_at_rest(mut self, asks: bool) -> Self {
        if let Form::Closed(tree) = &mut self.tree {
            tree.asks_rest = asks;
        }
        self
    }

    /// The same search, which orders equal moves of the root at random if `draws`, and in the order
    /// of the rules if not. With a network that evaluates everything as even, most moves are equal,
    /// and always making the first of them is worse than making a random one.
    #[must_use]
    pub fn breaking_ties_at_random(mut self, draws: bool) -> Self {
        self.draws_ties = draws;
        self
    }

    /// Sets the order of the moves once the root has been evaluated.
    fn arrange(&mut self) {
        self.order = (0..self.tree.root().len()).collect();
        if self.draws_ties {
            self.random.shuffle(&mut self.order);
        }
    }

    /// Continues from a turn that has been reached since, and keeps what is known about it. Returns
    /// whether the tree contains the turn and there is enough memory left, which is never so in an
    /// open tree. All requests must have been answered.
    pub fn advance(&mut self, turn: Turn<'_, G>) -> bool {
        let reused = self.tree.size() < MAX_NODES / 2 && self.tree.advance(turn);
        self.before = self.tree.visits();
        self.arrange();
        reused
    }

    /// How many simulations have ended at the root, those of earlier searches included. The
    /// evaluation of the root is one of them.
    pub fn visits(&self) -> u32 {
        self.tree.visits()
    }

    /// How many simulations this search has made itself.
    pub fn simulations(&self) -> u32 {
        self.tree.visits() - self.before
    }

    /// How many moves the longest simulation made in the tree.
    pub fn depth(&self) -> u32 {
        self.tree.depth()
    }

    /// Runs simulations and adds the situations that they need evaluated to `requests`; returns how
    /// many it has added. All of them must be answered by [`apply`](Self::apply) before the next
    /// call.
    ///
    /// It returns once `most` situations are requested, once the root's visits and the simulations
    /// that wait for an answer reach `simulations`, when a simulation meets one that waits, or
    /// after many simulations that needed no evaluation. If the result is 0 and
    /// [`visits`](Self::visits) has not grown, then either the memory is full or all simulations
    /// are done.
    pub fn gather(
        &mut self,
        most: usize,
        simulations: u32,
        requests: &mut Vec<Situation<G>>,
    ) -> usize {
        let before = requests.len();
        if self.tree.visits() == 0 {
            self.tree.ask_root(requests);
            return 1;
        }
        let simulations = simulations.min(self.tree.visits().saturating_add(SIMULATIONS_AT_ONCE));
        while requests.len() - before < most
            && self.tree.visits() + ((requests.len() - before) as u32) < simulations
            && self.tree.size() < MAX_NODES
        {
            if let Some(halving) = &mut self.halving {
                halving.proceed(self.tree.root(), self.tree.side());
            }
            let (tree, selection) = (&self.tree, self.selection);
            let first = match &self.halving {
                Some(halving) => halving.next(tree.root()),
                None => {
                    let value = for_side(tree.value(), tree.side());
                    let first_play = selection.first_play.at_root();
                    let at_root = Selection { first_play, ..selection };
                    at_root.best(tree.root(), self.order.iter().copied(), tree.side(), value)
                }
            };
            if self.tree.simulate(selection, first, requests) == Simulation::Met {
                break;
            }
        }
        requests.len() - before
    }

    /// Takes the evaluation of the oldest request that has not been answered yet.
    pub fn apply(&mut self, prediction: Prediction<'_>) {
        let fresh = self.tree.visits() == 0;
        self.tree.apply(prediction);
        if fresh {
            self.arrange();
            match self.root {
                Root::Puct => {}
                Root::Noisy(noise) => noise.disturb(self.tree.root_mut(), &mut self.random),
                Root::Gumbel { max_considered, noise } => {
                    let random = noise.then_some(&mut self.random);
                    let root = self.tree.root();
                    self.halving =
                        Some(Halving::new(root, &self.order, max_considered, self.planned, random));
                }
            }
        }
    }

    /// The expected result for the side that **decides**, 0 to 1.
    pub fn value(&self) -> f32 {
        for_side(self.tree.value(), self.tree.side())
    }

    /// The moves of the root, in the order of the rules.
    pub fn moves(&self) -> Vec<RootMove<G::Move>> {
        let (root, side) = (self.tree.root(), self.tree.side());
        let visits: u32 = root.iter().map(|edge| edge.visits).sum();
        let targets = match &self.halving {
            Some(_) => gumbel::improved(root, side, self.value()),
            None if visits == 0 => root.iter().map(|edge| edge.prior).collect(),
            None => root.iter().map(|edge| edge.visits as f32 / visits as f32).collect(),
        };
        let tried = |(edge, target): (&Edge<G::Move>, f32)| RootMove {
            mv: edge.mv,
            visits: edge.visits,
            value: (edge.visits > 0).then(|| for_side(edge.mean, side)),
            target,
        };
        root.iter().zip(targets).map(tried).collect()
    }

    /// The move to play, by its index in [`moves`](Self::moves). At temperature 0 it is the move
    /// that was tried most, and of several such moves the one with the highest value. Otherwise it
    /// is drawn with probabilities in proportion to visits to the power of 1 / temperature. With
    /// [`Root::Gumbel`] it is the move that sequential halving leaves.
    pub fn choose(&mut self, temperature: f32) -> usize {
        let root = self.tree.root();
        if let Some(halving) = &mut self.halving {
            return halving.winner(root, self.tree.side());
        }
        if temperature <= 0.0 {
            return best_first(root, self.tree.side(), self.order.clone())[0];
        }
        let most = root.iter().map(|edge| edge.visits).max().unwrap_or(1).max(1) as f32;
        let weight = |edge: &Edge<G::Move>| {
            f64::from(libm::powf(edge.visits as f32 / most, 1.0 / temperature))
        };
        let mut left = self.random.unit() * root.iter().map(weight).sum::<f64>();
        let choice = root.iter().position(|edge| {
            left -= weight(edge);
            left < 0.0
        });
        choice.unwrap_or(0)
    }

    /// The indices of all moves: first the one to play, then the others by their visits, then by
    /// their values, then by their priors.
    pub fn order(&mut self) -> Vec<usize> {
        let best = self.choose(0.0);
        let mut order = best_first(self.tree.root(), self.tree.side(), self.order.clone());
        order.retain(|&place| place != best);
        order.insert(0, best);
        order
    }

    /// The principal variation from a move of the root on.
    pub fn line(&self, first: G::Move) -> Vec<(G::Roll, G::Move)> {
        self.tree.line(first)
    }
}

/// Converts a value for the first side into one for `side`, and back.
fn for_side(value: f32, side: Side) -> f32 {
    if side == Side::First { value } else { 1.0 - value }
}

impl Noise {
    fn disturb<M>(self, edges: &mut [Edge<M>], random: &mut Random) {
        let draws: Vec<f64> = edges.iter().map(|_| gamma(f64::from(self.alpha), random)).collect();
        let sum: f64 = draws.iter().sum();
        if sum > 0.0 {
            for (edge, draw) in edges.iter_mut().zip(draws) {
                edge.prior += self.share * ((draw / sum) as f32 - edge.prior);
            }
        }
    }
}

/// A random number from the gamma distribution with this shape (G. Marsaglia and W. W. Tsang,
/// 2000).
fn gamma(shape: f64, random: &mut Random) -> f64 {
    if shape < 1.0 {
        let power = libm::pow(1.0 - random.unit(), 1.0 / shape);
        return gamma(shape + 1.0, random) * power;
    }
    let d = shape - 1.0 / 3.0;
    loop {
        let radius = (-2.0 * libm::log(1.0 - random.unit())).sqrt();
        let normal = radius * libm::cos(std::f64::consts::TAU * random.unit());
        let cube = (1.0 + normal / (9.0 * d).sqrt()).powi(3);
        let log = libm::log(1.0 - random.unit());
        if cube > 0.0 && log < normal * normal / 2.0 + d * (1.0 - cube + libm::log(cube)) {
            return d * cube;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_has_its_mean_and_variance() {
        let mut random = Random::new(1);
        for shape in [0.3, 1.0, 4.5] {
            let draws: Vec<f64> = (0..200_000).map(|_| gamma(shape, &mut random)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let squares = draws.iter().map(|draw| (draw - mean).powi(2));
            let variance = squares.sum::<f64>() / draws.len() as f64;
            // Mean and variance both equal the shape.
            assert!((mean - shape).abs() < 0.02 * shape.max(1.0), "{shape} {mean}");
            assert!((variance - shape).abs() < 0.05 * shape.max(1.0), "{shape} {variance}");
        }
    }
}
