//! PUCT: tree search that a policy-value network guides (D. Silver and others, "Mastering
//! the game of Go without human knowledge", 2017; paper `policy-value-network`, Algorithm 1),
//! through explicit chance nodes.
//!
//! The search asks nothing of a network: [`Search::gather`] hands out what is to be evaluated and
//! [`Search::apply`] takes the answers, so that many searches share one batch. [`Puct`] is
//! the player that has a network of its own.

mod gumbel;
mod player;
mod tree;

pub use player::{Policy, Puct};

use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Opinion, Random, Side, Situation, Turn};

use gumbel::Halving;
use tree::{Edge, Simulation, Tree, best_first};

/// Nodes of all kinds that a tree may have before it stops growing: some 2 GB.
const MAX_NODES: usize = 80_000_000;

/// Simulations after which a search comes back, whether it has anything to ask or not.
const SIMULATIONS_AT_ONCE: u32 = 1024;

/// Which move a simulation tries: the one with the highest Q + c · P · √N / (1 + n), with Q from 0
/// to 1 (half the c of programs that have it from −1 to 1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// The weight of exploration, at least 0.
    pub c: f32,
    /// First-play urgency: a move that was never tried has the Q of its turn less this
    /// times the root of the priors of those that were tried, at least 0.
    pub reduction: f32,
}

impl Default for Selection {
    fn default() -> Self {
        Self { c: 0.75, reduction: 0.15 }
    }
}

impl Selection {
    /// The place of the best move for `side`; `value` is what the turn is worth to it.
    /// Of equal ones it is the first of `places`, which are those of all moves.
    fn best<M>(
        self,
        edges: &[Edge<M>],
        places: impl Iterator<Item = usize>,
        side: Side,
        value: f32,
    ) -> usize {
        let tries: u32 = edges.iter().map(Edge::tries).sum();
        let seen: f32 = edges.iter().filter(|edge| edge.tries() > 0).map(|edge| edge.prior).sum();
        let first = value - self.reduction * seen.sqrt();
        // At least 1, so that the prior decides the first try.
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

/// Noise in the priors of the root, so that self-play tries what the network does not
/// think of: a Dirichlet distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// Its concentration, above 0: small ones favour few moves.
    pub alpha: f32,
    /// Its share of the prior, 0 to 1.
    pub share: f32,
}

/// How moves of the root are tried.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Root {
    /// As everywhere.
    #[default]
    Puct,
    /// With noise in the priors.
    Noisy(Noise),
    /// By sequential halving (I. Danihelka and others, "Policy improvement by planning with
    /// Gumbel", 2022): for few simulations. Below the root moves are tried as everywhere.
    Gumbel {
        /// The most moves among which it chooses, at least 1.
        most: usize,
        /// Whether Gumbel noise joins the priors: so that self-play tries other moves, too. A
        /// search that is to play well has none.
        noise: bool,
    },
}

/// What a search has found out about a move of its root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// How often it was tried.
    pub visits: u32,
    /// The expected result for the side that **decides**, 0 to 1; `None` if it was never
    /// tried.
    pub value: Option<f32>,
    /// The share that a policy should learn to give it; together 1.
    pub target: f32,
}

/// One search: a tree and how it grows.
#[derive(Clone)]
pub struct Search<G: Game> {
    tree: Tree<G>,
    selection: Selection,
    root: Root,
    /// Simulations that were planned for.
    planned: u32,
    halving: Option<Halving>,
    random: Random,
    /// The places of the root's moves; of equal ones the first counts as better.
    order: Vec<usize>,
    draws_ties: bool,
    /// Visits of the root when the search began: those that it has from an earlier one.
    before: u32,
}

impl<G: Game> Search<G> {
    /// A search from a turn before the end. `simulations` is how many there will be, which only
    /// [`Root::Gumbel`] must know.
    pub fn new(
        turn: Turn<'_, G>,
        selection: Selection,
        root: Root,
        simulations: u32,
        random: Random,
    ) -> Self {
        Self {
            tree: Tree::new(turn),
            selection,
            root,
            planned: simulations,
            halving: None,
            random,
            order: vec![],
            draws_ties: false,
            before: 0,
        }
    }

    /// The same search, which goes no further where `known` has an exact value; what it has
    /// counts like the end of a game.
    #[must_use]
    pub fn knowing(mut self, known: Option<Arc<dyn Evaluator<G>>>) -> Self {
        self.tree.known = known;
        self
    }

    /// The same search, which asks about positions at rest, too, if `asks`: for networks that
    /// [know them](wurfel_core::Network::knows_rest).
    #[must_use]
    pub fn asking_rest(mut self, asks: bool) -> Self {
        self.tree.asks_rest = asks;
        self
    }

    /// The same search, which prefers equal moves of the root by lot if `draws`, else in the order
    /// of the rules. With a network that finds everything even most moves are equal, and the
    /// first one, made always, is worse than a random one.
    #[must_use]
    pub fn drawing_ties(mut self, draws: bool) -> Self {
        self.draws_ties = draws;
        self
    }

    /// Notes the moves of a root that has been evaluated.
    fn arrange(&mut self) {
        self.order = (0..self.tree.root().len()).collect();
        if self.draws_ties {
            self.random.shuffle(&mut self.order);
        }
    }

    /// Goes on from a turn that was reached since, keeping what is known of it; whether it is
    /// in the tree and there is memory left. All requests must have been answered.
    pub fn advance(&mut self, turn: Turn<'_, G>) -> bool {
        let found = self.tree.size() < MAX_NODES / 2 && self.tree.advance(turn);
        self.before = self.tree.visits();
        self.arrange();
        found
    }

    /// Simulations that have ended. The evaluation of the root is one.
    pub fn visits(&self) -> u32 {
        self.tree.visits()
    }

    /// Simulations that this search has made itself.
    pub fn simulations(&self) -> u32 {
        self.tree.visits() - self.before
    }

    /// The most moves that a simulation went down.
    pub fn depth(&self) -> u32 {
        self.tree.depth
    }

    /// Goes down until `most` turns or positions at rest must be evaluated, or `simulations` have ended
    /// or wait, or a simulation meets one that waits, or many simulations have met the end of the game;
    /// adds these to `requests` and returns how many they are. The answers to all of
    /// them must be [applied](Self::apply) before it is called again.
    ///
    /// 0, and no more visits than before, when memory is full or all simulations are done.
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
            let (selection, halving, order) = (self.selection, &self.halving, &self.order);
            let root = |tree: &Tree<G>| match halving {
                Some(halving) => halving.next(tree.root()),
                None => {
                    let value = for_side(tree.value(), tree.side());
                    let selection = Selection { reduction: 0.0, ..selection };
                    selection.best(tree.root(), order.iter().copied(), tree.side(), value)
                }
            };
            if self.tree.simulate(selection, root, requests) == Simulation::Met {
                break;
            }
        }
        requests.len() - before
    }

    /// Takes the evaluation of what was handed out first of all that still waits.
    pub fn apply(&mut self, opinion: Opinion<'_>) {
        let fresh = self.tree.visits() == 0;
        self.tree.apply(opinion);
        if fresh {
            self.arrange();
            match self.root {
                Root::Puct => {}
                Root::Noisy(noise) => noise.disturb(self.tree.root_mut(), &mut self.random),
                Root::Gumbel { most, noise } => {
                    let random = noise.then_some(&mut self.random);
                    let root = self.tree.root();
                    self.halving =
                        Some(Halving::new(root, &self.order, most, self.planned, random));
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

    /// The move to play, by its place among [`moves`](Self::moves): with temperature 0 the
    /// one that was tried most, and of several the one worth most (by Gumbel: the one left
    /// over), else drawn by visits to the power of 1 / temperature.
    pub fn choose(&mut self, temperature: f32) -> usize {
        let root = self.tree.root();
        if let Some(halving) = &mut self.halving {
            return halving.winner(root, self.tree.side());
        }
        if temperature <= 0.0 {
            return best_first(root, self.tree.side(), self.order.clone())[0];
        }
        let most = root.iter().map(|edge| edge.visits).max().unwrap_or(1).max(1) as f32;
        let weight =
            |edge: &Edge<G::Move>| f64::from((edge.visits as f32 / most).powf(1.0 / temperature));
        let mut left = self.random.unit() * root.iter().map(weight).sum::<f64>();
        let drawn = root.iter().position(|edge| {
            left -= weight(edge);
            left < 0.0
        });
        drawn.unwrap_or(0)
    }

    /// The places of all moves, first the one to play, the others by visits, and with as many by
    /// their worth, then by their prior.
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

/// A value for the first side as one for `side`, and the other way round.
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

/// A number from the gamma distribution with this shape (G. Marsaglia and W. W. Tsang, 2000).
fn gamma(shape: f64, random: &mut Random) -> f64 {
    if shape < 1.0 {
        let power = (1.0 - random.unit()).powf(1.0 / shape);
        return gamma(shape + 1.0, random) * power;
    }
    let d = shape - 1.0 / 3.0;
    loop {
        let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * random.unit()).cos();
        let cube = (1.0 + normal / (9.0 * d).sqrt()).powi(3);
        let log = (1.0 - random.unit()).ln();
        if cube > 0.0 && log < normal * normal / 2.0 + d * (1.0 - cube + cube.ln()) {
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
            // Both are the shape.
            assert!((mean - shape).abs() < 0.02 * shape.max(1.0), "{shape} {mean}");
            assert!((variance - shape).abs() < 0.05 * shape.max(1.0), "{shape} {variance}");
        }
    }
}
