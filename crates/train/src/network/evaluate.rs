//! Measures how strong a network is, in matches against the best network so far and against fixed
//! agents.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use wurfel_arena::{Catalogued, Entrant, Factory, Match, Networks, network_player};
use wurfel_core::{Evaluator, Random};
use wurfel_net::{EncodedNetwork, Model, NetError};

use super::config::EvaluationConfig;
use super::error::RunError;
use super::metrics::{Strength, Won};

/// The name of the best network so far among the opponents; no agent has this name.
const BEST: &str = "best";

/// Measures the networks of a run.
pub(super) struct Examiner<G: Catalogued> {
    rules: EvaluationConfig,
    opponents: Vec<Entrant<G>>,
    known: Option<Arc<dyn Evaluator<G>>>,
    seed: u64,
}

impl<G: Catalogued> Examiner<G> {
    pub fn new(
        rules: &EvaluationConfig,
        known: Option<Arc<dyn Evaluator<G>>>,
        seed: u64,
    ) -> Result<Self, RunError> {
        let opponent = |text: &String| Ok(Entrant::new(text.parse()?)?);
        let opponents: Result<Vec<_>, RunError> = rules.opponents.iter().map(opponent).collect();
        Ok(Self { rules: rules.clone(), opponents: opponents?, known, seed })
    }

    /// Measures the network after `round`. `best` is the best network so far with the last result.
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
        let play = |other: Entrant<G>, number: u64| -> Result<Option<Won>, RunError> {
            let entrant = Entrant::made("network", self.player(model)?);
            let seed = Random::seed_for(seed, &[number]);
            let mut game = Match::between([entrant, other], self.rules.pairs, seed);
            game.budget.stop = stop;
            let opponent = game.entrants[1].spec.to_string();
            let report = game.run(jobs, None, &mut |_| ())?;
            if !report.complete {
                return Ok(None);
            }
            let summary = report.score.summary();
            Ok(Some(Won { opponent, win_rate: summary.win_rate, interval: summary.interval }))
        };
        let mut strength = Strength { best_round: round, ..Strength::default() };
        if let Some((best, last)) = best {
            let best = Entrant::made(BEST, self.player(best)?);
            let Some(won) = play(best, 0)? else { return Ok(None) };
            if won.win_rate <= 0.5 {
                strength.best_round = last.best_round;
                strength.without_gain = last.without_gain + 1;
            }
            strength.against_best = Some(won);
        }
        for (number, opponent) in (1..).zip(&self.opponents) {
            let Some(won) = play(opponent.clone(), number)? else { return Ok(None) };
            strength.opponents.push(won);
        }
        strength.seconds = started.elapsed().as_secs_f64();
        Ok(Some(strength))
    }

    fn player(&self, model: &Model) -> Result<Factory<G>, NetError> {
        let network: EncodedNetwork<G> = EncodedNetwork::new(model, G::ENCODINGS)?;
        let networks: Networks<G> = Arc::new(move || Box::new(network.clone()));
        Ok(network_player(networks, self.rules.simulations, self.known.clone()))
    }
}
