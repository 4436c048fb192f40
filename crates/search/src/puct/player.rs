//! Players with a network: with search, and without.

use std::sync::Arc;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Network, Opinions, Random, Turn,
};

use super::{Root, RootMove, Search, Selection};
use crate::clock::Clock;

/// Simulations for a decision that nobody has bounded: those of paper `policy-value-network`,
/// table 3.
const PASSES: u64 = 400;

/// A player by PUCT with a network. A *node* of its budget is a simulation; a depth does not
/// bound it.
pub struct Puct<G: Game, N> {
    network: N,
    known: Option<Arc<dyn Evaluator<G>>>,
    selection: Selection,
    root: Root,
    /// 0: the move that was tried most.
    temperature: f32,
    /// What is evaluated together.
    batch: usize,
    /// Whether positions at rest are evaluated, if the network knows them.
    asks_rest: bool,
    budget: Budget,
    /// The last search, and whether the next goes on from it.
    last: Option<Search<G>>,
    reuse: bool,
    random: Random,
}

impl<G: Game, N: Network<G>> Puct<G, N> {
    /// A player that spends `budget`, or, when that is open, what each decision is given;
    /// with neither, 400 simulations.
    pub fn new(network: N, budget: Budget) -> Self {
        Self {
            network,
            known: None,
            selection: Selection::default(),
            root: Root::Puct,
            temperature: 0.0,
            batch: 1,
            asks_rest: true,
            budget,
            last: None,
            reuse: false,
            random: Random::new(0),
        }
    }

    /// The same player with other rules of choice.
    #[must_use]
    pub fn with(self, selection: Selection, root: Root, temperature: f32) -> Self {
        Self { selection, root, temperature, ..self }
    }

    /// The same player that lets so many turns, at least 1, be evaluated together: quicker, but
    /// it chooses them before it knows what the others are worth.
    #[must_use]
    pub fn in_batches(self, batch: usize) -> Self {
        Self { batch, ..self }
    }

    /// The same player that asks about turns alone, unless `asks`, even if its network knows
    /// positions at rest.
    #[must_use]
    pub fn asking_rest(self, asks: bool) -> Self {
        Self { asks_rest: asks, ..self }
    }

    /// The same player that goes no further where `known` has an exact value.
    #[must_use]
    pub fn knowing(self, known: Option<Arc<dyn Evaluator<G>>>) -> Self {
        Self { known, ..self }
    }

    /// The same player that keeps its tree from move to move, if `reuse`: what it has found
    /// below a turn is there when that is to be decided. Only without [`Root::Gumbel`].
    #[must_use]
    pub fn reusing(self, reuse: bool) -> Self {
        Self { reuse, ..self }
    }

    /// The last search, if it has this turn and may be gone on with, else a new one.
    fn begun(&mut self, turn: Turn<'_, G>, simulations: u32, draws_ties: bool) -> Search<G> {
        let random = Random::new(self.random.bits());
        let last = self.last.take().filter(|_| self.reuse && self.root == Root::Puct);
        if let Some(mut last) = last
            && last.advance(turn)
        {
            return last;
        }
        let search = Search::new(turn, self.selection, self.root, simulations, random);
        let asks_rest = self.asks_rest && self.network.knows_rest();
        search.knowing(self.known.clone()).asking_rest(asks_rest).drawing_ties(draws_ties)
    }

    fn search(&mut self, turn: Turn<'_, G>, given: Budget, draws_ties: bool) -> &mut Search<G> {
        let mut budget = self.budget.or(given);
        if budget.nodes.is_none() && budget.time.is_none() {
            budget.nodes = Some(PASSES);
        }
        let nodes = budget.nodes.unwrap_or(u64::from(u32::MAX)).min(u64::from(u32::MAX)) as u32;
        let mut search = self.begun(turn, nodes, draws_ties);
        // The evaluation of the root comes first, and one try of a move at least.
        let simulations = search.visits().max(1).saturating_add(nodes.max(1));
        let mut clock = Clock::start(Budget { nodes: None, ..budget }, 1);
        let (mut requests, mut opinions) = (vec![], Opinions::default());
        loop {
            let before = search.visits();
            requests.clear();
            search.gather(self.batch, simulations, &mut requests);
            if !requests.is_empty() {
                self.network.infer(&requests, &mut opinions);
                opinions.iter().for_each(|opinion| search.apply(opinion));
            }
            let done = search.visits() >= simulations || search.visits() == before;
            if done || (search.visits() > 1 && clock.is_over(u64::from(search.visits()))) {
                return self.last.insert(search);
            }
        }
    }
}

impl<G: Game, N: Network<G>> Agent<G> for Puct<G, N> {
    fn begin(&mut self, random: Random) {
        self.random = random;
        self.last = None;
    }

    fn bounds(&self, budget: Budget) -> Budget {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget) -> Decision<G::Move> {
        let temperature = self.temperature;
        let search = self.search(turn, budget, true);
        let place = search.choose(temperature);
        let RootMove { mv, value, .. } = search.moves()[place];
        Decision {
            mv,
            value,
            exact: false,
            nodes: u64::from(search.simulations()),
            depth: search.depth(),
        }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget) -> Analysis<G> {
        let search = self.search(turn, budget, false);
        let (order, moves) = (search.order(), search.moves());
        let scored = |&place: &usize| {
            let RootMove { mv, value, .. } = moves[place];
            Assessment { mv, value, exact: false }
        };
        Analysis {
            moves: order.iter().map(scored).collect(),
            line: search.line(moves[order[0]].mv),
            nodes: u64::from(search.simulations()),
            depth: search.depth(),
        }
    }
}

/// A player by the policy of a network alone, without search.
pub struct Policy<N> {
    network: N,
    temperature: f32,
    random: Random,
}

impl<N> Policy<N> {
    /// A player that makes the likeliest move, or, at a temperature above 0, draws one by
    /// its probability to the power of 1 / temperature.
    pub fn new(network: N, temperature: f32) -> Self {
        Self { network, temperature, random: Random::new(0) }
    }
}

impl<G: Game, N: Network<G>> Agent<G> for Policy<N> {
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    /// The value is the network's for the turn.
    fn decide(&mut self, turn: Turn<'_, G>, _budget: Budget) -> Decision<G::Move> {
        let mut opinions = Opinions::default();
        self.network.infer(&[turn.situation()], &mut opinions);
        let opinion = opinions.iter().next().expect("one opinion for one turn");
        let largest = opinion.prior.iter().copied().fold(0.0, f32::max);
        let weight = |&prior: &f32| match self.temperature {
            0.0 => f64::from(u8::from(prior >= largest)),
            temperature => f64::from((prior / largest).powf(1.0 / temperature)),
        };
        let mut left = self.random.unit() * opinion.prior.iter().map(weight).sum::<f64>();
        let drawn = opinion.prior.iter().position(|prior| {
            left -= weight(prior);
            left < 0.0
        });
        let mv = turn.moves().as_ref()[drawn.unwrap_or(0)];
        Decision { mv, value: Some(opinion.value), exact: false, nodes: 1, depth: 0 }
    }
}
