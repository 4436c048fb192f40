//! Players with a network: one that searches, and one that does not.

use std::sync::Arc;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Evaluator, Game, Network, Predictions, Random,
    Turn,
};

use super::{Root, RootMove, Search, Selection};
use crate::clock::Clock;

/// How many simulations a decision takes when nothing limits it: as many as in paper
/// `policy-value-network`, table 3.
const SIMULATIONS: u64 = 400;

/// A player by PUCT with a network. A *node* of its budget is a simulation; a depth does not limit
/// it.
pub struct Puct<G: Game, N> {
    network: N,
    known: Option<Arc<dyn Evaluator<G>>>,
    selection: Selection,
    root: Root,
    /// The temperature of the choice; 0 plays the move that was tried most.
    temperature: f32,
    /// How many situations are evaluated in one batch.
    batch: usize,
    /// Whether the network is asked about positions at rest, if it can evaluate them.
    asks_rest: bool,
    /// Whether all rolls share one list of moves.
    open: bool,
    budget: Budget<'static>,
    /// The last search, and whether the next one may continue it.
    last: Option<Search<G>>,
    reuse: bool,
    random: Random,
}

impl<G: Game, N: Network<G>> Puct<G, N> {
    /// A player that spends `budget`, or the budget of each decision when `budget` has no limits.
    /// Without limits in either it makes 400 simulations.
    pub fn new(network: N, budget: Budget<'static>) -> Self {
        Self {
            network,
            known: None,
            selection: Selection::default(),
            root: Root::Puct,
            temperature: 0.0,
            batch: 1,
            asks_rest: true,
            open: false,
            budget,
            last: None,
            reuse: false,
            random: Random::new(0),
        }
    }

    /// The same player with other rules for choosing moves.
    #[must_use]
    pub fn with(self, selection: Selection, root: Root, temperature: f32) -> Self {
        Self { selection, root, temperature, ..self }
    }

    /// The same player, which evaluates `batch` situations together, at least 1. This is quicker,
    /// but the simulations of a batch choose their moves without knowing each other's results.
    #[must_use]
    pub fn in_batches(self, batch: usize) -> Self {
        Self { batch, ..self }
    }

    /// The same player, which asks its network about positions at rest if `asks` and if the network
    /// can evaluate them, and otherwise only about turns.
    #[must_use]
    pub fn asking_at_rest(self, asks: bool) -> Self {
        Self { asks_rest: asks, ..self }
    }

    /// The same player, whose search has an [open tree](Search::open) if `open`, in which it neither
    /// asks about positions at rest nor continues a search.
    #[must_use]
    pub fn in_open_tree(self, open: bool) -> Self {
        Self { open, ..self }
    }

    /// The same player, which does not look below positions whose exact value `known` knows.
    #[must_use]
    pub fn with_exact(self, known: Option<Arc<dyn Evaluator<G>>>) -> Self {
        Self { known, ..self }
    }

    /// The same player, which, if `reuse`, keeps its tree from move to move, so that a decision
    /// begins with what is already known about its turn. Has no effect with [`Root::Gumbel`].
    #[must_use]
    pub fn reusing(self, reuse: bool) -> Self {
        Self { reuse, ..self }
    }

    /// The last search, if its tree contains this turn and may be continued, or else a new one.
    fn begun(&mut self, turn: Turn<'_, G>, simulations: u32, draws_ties: bool) -> Search<G> {
        let random = Random::new(self.random.bits());
        let last = self.last.take().filter(|_| self.reuse && self.root == Root::Puct);
        if let Some(mut last) = last
            && last.advance(turn)
        {
            return last;
        }
        let make = if self.open { Search::open } else { Search::new };
        let search = make(turn, self.selection, self.root, simulations, random);
        let asks_rest = self.asks_rest && self.network.evaluates_at_rest();
        search
            .with_exact(self.known.clone())
            .asking_at_rest(asks_rest)
            .breaking_ties_at_random(draws_ties)
    }

    fn search(&mut self, turn: Turn<'_, G>, given: Budget<'_>, draws_ties: bool) -> &mut Search<G> {
        let mut budget = self.budget.or(given);
        if budget.nodes.is_none() && budget.time.is_none() {
            budget.nodes = Some(SIMULATIONS);
        }
        let nodes = budget.nodes.unwrap_or(u64::from(u32::MAX)).min(u64::from(u32::MAX)) as u32;
        let mut search = self.begun(turn, nodes, draws_ties);
        // The evaluation of the root counts as a simulation, and at least one move must be tried.
        let simulations = search.visits().max(1).saturating_add(nodes.max(1));
        let mut clock = Clock::start(Budget { nodes: None, ..budget });
        let (mut requests, mut predictions) = (vec![], Predictions::default());
        loop {
            let before = search.visits();
            requests.clear();
            search.gather(self.batch, simulations, &mut requests);
            if !requests.is_empty() {
                self.network.infer(&requests, &mut predictions);
                predictions.iter().for_each(|prediction| search.apply(prediction));
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

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.budget.or(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
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

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let search = self.search(turn, budget, false);
        let (order, moves) = (search.order(), search.moves());
        let scored = |&place: &usize| {
            let RootMove { mv, value, .. } = moves[place];
            Assessment { mv, value, exact: false }
        };
        Analysis {
            moves: order.iter().map(scored).collect(),
            turns: vec![],
            line: search.line(moves[order[0]].mv),
            nodes: u64::from(search.simulations()),
            depth: search.depth(),
        }
    }

    fn counts(&self) -> Option<&'static str> {
        Some("simulations")
    }
}

/// A player that follows the policy of a network, without search.
pub struct Policy<N> {
    network: N,
    temperature: f32,
    random: Random,
}

impl<N> Policy<N> {
    /// A player that makes the most probable move at temperature 0, and above 0 draws a move with
    /// probabilities in proportion to the policy to the power of 1 / temperature.
    pub fn new(network: N, temperature: f32) -> Self {
        Self { network, temperature, random: Random::new(0) }
    }
}

impl<G: Game, N: Network<G>> Agent<G> for Policy<N> {
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    /// The value of the decision is the network's value of the turn.
    fn decide(&mut self, turn: Turn<'_, G>, _budget: Budget<'_>) -> Decision<G::Move> {
        let mut predictions = Predictions::default();
        self.network.infer(&[turn.situation()], &mut predictions);
        let prediction = predictions.iter().next().expect("one prediction for one turn");
        let largest = prediction.prior.iter().copied().fold(0.0, f32::max);
        let weight = |&prior: &f32| match self.temperature {
            0.0 => f64::from(u8::from(prior >= largest)),
            temperature => f64::from(libm::powf(prior / largest, 1.0 / temperature)),
        };
        let mut left = self.random.unit() * prediction.prior.iter().map(weight).sum::<f64>();
        let choice = prediction.prior.iter().position(|prior| {
            left -= weight(prior);
            left < 0.0
        });
        let mv = turn.moves().as_ref()[choice.unwrap_or(0)];
        Decision { mv, value: Some(prediction.value), exact: false, nodes: 1, depth: 0 }
    }
}
