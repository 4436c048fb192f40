//! Measures how strong a network is, in matches against the best network so far and against fixed
//! agents.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use wurfel_agents::{Catalogued, Factory, Networks, exact_values, network_player};
use wurfel_arena::{Entrant, LuckMeter, Match, MatchTally, Sprt};
use wurfel_core::{Evaluator, Instant, Random};
use wurfel_net::{EncodedNetwork, Model, NetError};

use super::config::{ConfigError, EvaluationConfig};
use super::error::RunError;
use super::exact::SolvedTurns;
use super::metrics::{NetworkMatch, Strength};

/// The name among the opponents for the best network so far; no agent has this name.
const BEST: &str = "best";

/// Measures the networks of a run.
pub(super) struct Examiner<G: Catalogued> {
    /// A position that stands for the rules of the game.
    game: G,
    rules: EvaluationConfig,
    opponents: Vec<Entrant<G>>,
    known: Option<Arc<dyn Evaluator<G>>>,
    exact: Option<SolvedTurns<G>>,
    seed: u64,
}

impl<G: Catalogued> Examiner<G> {
    pub fn new(
        game: &G,
        rules: &EvaluationConfig,
        known: Option<Arc<dyn Evaluator<G>>>,
        seed: u64,
    ) -> Result<Self, RunError> {
        let opponent = |text: &String| Ok(Entrant::new(game, text.parse()?)?);
        let opponents: Result<Vec<_>, RunError> = rules.opponents.iter().map(opponent).collect();
        let gate = rules.gate.sprt();
        gate.map_err(|error| ConfigError(format!("evaluation's gate: {error}")))?;
        let tables = known_values::<G>(rules.exact_pieces)?;
        let (pieces, count) = (rules.exact_pieces, rules.exact_positions);
        let exact = tables.map(|tables| SolvedTurns::new(game, &tables, pieces, count, seed));
        let (game, rules) = (game.clone(), rules.clone());
        Ok(Self { game, rules, opponents: opponents?, known, exact, seed })
    }

    /// Measures the network after `round`. `best` is the best network so far, with the last result.
    /// Returns `None` when `stop` turned true.
    pub fn measure(
        &self,
        model: &Model,
        best: Option<(&Model, &Strength)>,
        round: u64,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Strength>, RunError> {
        let started = Instant::now();
        let seed = Random::seed_for(self.seed, &[round]);
        let gate = &self.rules.gate;
        let play = |other: Entrant<G>, number: u64, sprt: Option<Sprt>| {
            let entrant = Entrant::custom(&self.game, "network", self.entrant(model)?);
            let seed = Random::seed_for(seed, &[number]);
            let mut game = Match::between([entrant, other], self.rules.pairs, seed);
            game.budget.stop = stop;
            game.luck = gate.luck.then(LuckMeter::default_for_game);
            game.sprt = sprt;
            let report = game.run(jobs, None, &mut |_| ())?;
            Ok::<Option<MatchTally>, RunError>(report.complete.then_some(report))
        };
        let mut strength = Strength { best_round: round, ..Strength::default() };
        if let Some((best, last)) = best {
            let best = Entrant::custom(&self.game, BEST, self.entrant(best)?);
            let sprt = gate.sprt().ok().flatten();
            let sequential = sprt.is_some();
            let Some(report) = play(best, 0, sprt)? else { return Ok(None) };
            let passed = gate.passes(&report);
            if !passed {
                strength.best_round = last.best_round;
                strength.without_gain = last.without_gain + 1;
            }
            strength.passed = Some(passed);
            let won = NetworkMatch::new(BEST.to_owned(), &report);
            strength.against_best =
                Some(NetworkMatch { round: Some(last.best_round), sequential, ..won });
        }
        for (number, opponent) in (1..).zip(&self.opponents) {
            let Some(report) = play(opponent.clone(), number, None)? else { return Ok(None) };
            strength.opponents.push(NetworkMatch::new(opponent.spec.to_string(), &report));
        }
        if let Some(exact) = &self.exact {
            strength.exact = exact.errors(&mut EncodedNetwork::new(model, G::ENCODINGS)?);
        }
        strength.seconds = started.elapsed().as_secs_f64();
        Ok(Some(strength))
    }

    fn entrant(&self, model: &Model) -> Result<Factory<G>, NetError> {
        player(model, self.rules.simulations, self.known.clone())
    }
}

/// Makes agents that search with a network, with exact values where `known` has them.
pub(super) fn player<G: Catalogued>(
    model: &Model,
    simulations: u64,
    known: Option<Arc<dyn Evaluator<G>>>,
) -> Result<Factory<G>, NetError> {
    let network: EncodedNetwork<G> = EncodedNetwork::new(model, G::ENCODINGS)?;
    let networks: Networks<G> = Arc::new(move || Box::new(network.clone()));
    Ok(network_player(networks, simulations, known))
}

/// The exact values of positions with at most this many pieces; none for 0.
pub(super) fn known_values<G: Catalogued>(
    pieces: u32,
) -> Result<Option<Arc<dyn Evaluator<G>>>, ConfigError> {
    if pieces == 0 {
        return Ok(None);
    }
    exact_values::<G>(&pieces.to_string())
        .map_err(|error| ConfigError(format!("tables is {pieces}: {error}")))
}
