//! Training of networks without a type parameter.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use wurfel_agents::{Catalogued, Networks, network_player};
use wurfel_net::{EncodedNetwork, Model, NetError};
use wurfel_train::network::{
    Curve, CurvePoint, Generator, PlayedGame, Round, Run, RunError, TrainingConfig, games_from,
    games_to,
};

use crate::agents::Agents;

/// Why a run cannot learn from games that were played elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// A part of the games cannot be read.
    #[error("part {part}: {error}")]
    Part {
        /// The number of the part, from 0.
        part: usize,
        /// What is wrong with it.
        error: String,
    },
    /// The games cannot be written.
    #[error(transparent)]
    Write(#[from] serde_json::Error),
    /// The run itself has failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// A training run with its folder; see [`Run`].
pub trait TrainingRun {
    /// The number of rounds that are done.
    fn done(&self) -> u64;

    /// The network as it is now.
    fn model(&self) -> Model;

    /// The metrics of the rounds that are done.
    fn history(&self) -> &[Round];

    /// Whether all rounds are done, or too many evaluations in a row have found no better network.
    fn is_over(&self) -> bool;

    /// The path of the best network, once one has been measured.
    fn best(&self) -> Option<PathBuf>;

    /// Does the next round; see [`Run::round`].
    ///
    /// # Errors
    /// When the system refuses to read or write.
    fn round(&mut self, jobs: usize, stop: Option<&AtomicBool>) -> Result<Option<Round>, RunError>;

    /// Learns from the games of the next round, which [`SelfPlay::play`] has played in parts; see
    /// [`Run::learn_from`].
    ///
    /// # Errors
    /// When a part is not what was played, or the system refuses to read or write.
    fn learn_from(
        &mut self,
        parts: &[String],
        seconds: f64,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Round>, GamesError>;
}

/// The games of a training run, which can be played anywhere; see [`Generator`].
pub trait SelfPlay: Send + Sync {
    /// The configuration of the run whose games these are.
    fn config(&self) -> &TrainingConfig;

    /// The network before the first round.
    ///
    /// # Errors
    /// When it cannot be built, or differs from the configuration.
    fn first(&self) -> Result<Model, RunError>;

    /// How many games a round has.
    fn count(&self, round: u64) -> u64;

    /// Plays some of the games of a round and returns them as text; `None` when it was stopped. See
    /// [`Generator::play`].
    ///
    /// # Errors
    /// When the network does not fit, or the device does not exist.
    fn play(
        &self,
        model: &Model,
        round: u64,
        numbers: Range<u64>,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Vec<u8>>, GamesError>;
}

/// The strength of the networks of a run; see [`Curve`].
pub trait StrengthCurve {
    /// How many parts of all matches have been played, and how many there are.
    fn progress(&self) -> (u64, u64);

    /// Plays the next missing part and saves it; false when none is missing, `None` when it was
    /// stopped.
    ///
    /// # Errors
    /// When the system refuses to read or write.
    fn play(&mut self, jobs: usize, stop: Option<&AtomicBool>) -> Result<Option<bool>, RunError>;

    /// Writes the curve from the parts played so far.
    ///
    /// # Errors
    /// When the system refuses.
    fn write(&self) -> Result<Vec<CurvePoint>, RunError>;
}

impl<G: Catalogued> TrainingRun for Run<G> {
    fn done(&self) -> u64 {
        self.done()
    }

    fn model(&self) -> Model {
        self.model()
    }

    fn history(&self) -> &[Round] {
        self.history()
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }

    fn best(&self) -> Option<PathBuf> {
        self.best()
    }

    fn round(&mut self, jobs: usize, stop: Option<&AtomicBool>) -> Result<Option<Round>, RunError> {
        self.round(jobs, stop)
    }

    fn learn_from(
        &mut self,
        parts: &[String],
        seconds: f64,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Round>, GamesError> {
        let mut games: Vec<PlayedGame<G>> = vec![];
        for (part, text) in parts.iter().enumerate() {
            games.extend(
                games_from(self.game(), text).map_err(|error| GamesError::Part { part, error })?,
            );
        }
        Ok(self.learn_from(games, seconds, jobs, stop)?)
    }
}

impl<G: Catalogued> SelfPlay for Generator<G> {
    fn config(&self) -> &TrainingConfig {
        self.config()
    }

    fn first(&self) -> Result<Model, RunError> {
        self.first()
    }

    fn count(&self, round: u64) -> u64 {
        self.count(round)
    }

    fn play(
        &self,
        model: &Model,
        round: u64,
        numbers: Range<u64>,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Vec<u8>>, GamesError> {
        let played = self.play(model, round, numbers, jobs, stop)?;
        Ok(played.map(|games| games_to(&games)).transpose()?)
    }
}

impl<G: Catalogued> StrengthCurve for Curve<G> {
    fn progress(&self) -> (u64, u64) {
        self.progress()
    }

    fn play(&mut self, jobs: usize, stop: Option<&AtomicBool>) -> Result<Option<bool>, RunError> {
        self.play(jobs, stop)
    }

    fn write(&self) -> Result<Vec<CurvePoint>, RunError> {
        self.write()
    }
}

/// Agents that search with a network in memory, bounded by `simulations`.
pub(crate) fn network_agents<G: Catalogued>(
    rules: &G,
    model: &Model,
    simulations: u64,
) -> Result<Agents, NetError> {
    let network: EncodedNetwork<G> = EncodedNetwork::new(model, G::ENCODINGS)?;
    let networks: Networks<G> = Arc::new(move || Box::new(network.clone()));
    Ok(Agents::new(rules, network_player(networks, simulations, None)))
}
