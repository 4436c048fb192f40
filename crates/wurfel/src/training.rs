//! Training of networks without a type parameter.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use wurfel_agents::{Catalogued, Networks, network_player};
use wurfel_net::{EncodedNetwork, Model, NetError};
use wurfel_train::network::{
    Curve, CurvePoint, CurveSettings, Device, Devices, Generator, PlayedGame, Round, Run, RunError,
    TrainingConfig, games_from, games_to,
};

use crate::agents::Agents;

/// A training run with its folder; see [`Run`].
pub struct TrainingRun(Box<dyn AnyRun>);

/// The games of a training run, which can be played anywhere; see [`Generator`].
pub struct SelfPlay(Box<dyn AnySelfPlay>);

/// The strength of the networks of a run; see [`Curve`].
pub struct StrengthCurve(Box<dyn AnyCurve>);

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

trait AnyRun {
    fn done(&self) -> u64;
    fn model(&self) -> Model;
    fn history(&self) -> &[Round];
    fn is_over(&self) -> bool;
    fn best(&self) -> Option<PathBuf>;
    fn round(&mut self, jobs: usize, stop: Option<&AtomicBool>) -> Result<Option<Round>, RunError>;
    fn learn_from(
        &mut self,
        parts: &[String],
        seconds: f64,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Round>, GamesError>;
}

trait AnySelfPlay: Send + Sync {
    fn config(&self) -> &TrainingConfig;
    fn first(&self) -> Result<Model, RunError>;
    fn count(&self, round: u64) -> u64;
    fn play(
        &self,
        model: &Model,
        round: u64,
        numbers: Range<u64>,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Vec<u8>>, GamesError>;
}

trait AnyCurve {
    fn progress(&self) -> (u64, u64);
    fn play(&mut self, jobs: usize, stop: Option<&AtomicBool>) -> Result<Option<bool>, RunError>;
    fn write(&self) -> Result<Vec<CurvePoint>, RunError>;
}

impl TrainingRun {
    pub(crate) fn open<G: Catalogued>(
        config: TrainingConfig,
        folder: &Path,
        devices: Devices,
    ) -> Result<Self, RunError> {
        Ok(Self(Box::new(Run::<G>::with(config, folder, devices)?)))
    }

    /// The number of rounds that are done.
    pub fn done(&self) -> u64 {
        self.0.done()
    }

    /// The network as it is now.
    pub fn model(&self) -> Model {
        self.0.model()
    }

    /// The metrics of the rounds that are done.
    pub fn history(&self) -> &[Round] {
        self.0.history()
    }

    /// Whether all rounds are done, or too many evaluations in a row have found no better network.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The path of the best network, once one has been measured.
    pub fn best(&self) -> Option<PathBuf> {
        self.0.best()
    }

    /// Does the next round; see [`Run::round`].
    ///
    /// # Errors
    /// When the system refuses to read or write.
    pub fn round(
        &mut self,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Round>, RunError> {
        self.0.round(jobs, stop)
    }

    /// Learns from the games of the next round, which [`SelfPlay::play`] has played in parts; see
    /// [`Run::learn_from`].
    ///
    /// # Errors
    /// When a part is not what was played, or the system refuses to read or write.
    pub fn learn_from(
        &mut self,
        parts: &[String],
        seconds: f64,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Round>, GamesError> {
        self.0.learn_from(parts, seconds, jobs, stop)
    }
}

impl<G: Catalogued> AnyRun for Run<G> {
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
            games.extend(games_from(text).map_err(|error| GamesError::Part { part, error })?);
        }
        Ok(self.learn_from(games, seconds, jobs, stop)?)
    }
}

impl SelfPlay {
    pub(crate) fn new<G: Catalogued>(
        config: TrainingConfig,
        device: Device,
    ) -> Result<Self, RunError> {
        Ok(Self(Box::new(Generator::<G>::new(config, device)?)))
    }

    /// The configuration of the run whose games these are.
    pub fn config(&self) -> &TrainingConfig {
        self.0.config()
    }

    /// The network before the first round.
    ///
    /// # Errors
    /// When it cannot be built, or is not the one that the configuration describes.
    pub fn first(&self) -> Result<Model, RunError> {
        self.0.first()
    }

    /// How many games a round has.
    pub fn count(&self, round: u64) -> u64 {
        self.0.count(round)
    }

    /// Plays some of the games of a round and returns them as text; `None` when it was stopped. See
    /// [`Generator::play`].
    ///
    /// # Errors
    /// When the network does not fit, or the device does not exist.
    pub fn play(
        &self,
        model: &Model,
        round: u64,
        numbers: Range<u64>,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Vec<u8>>, GamesError> {
        self.0.play(model, round, numbers, jobs, stop)
    }
}

impl<G: Catalogued> AnySelfPlay for Generator<G> {
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

impl StrengthCurve {
    pub(crate) fn open<G: Catalogued>(
        run: &Path,
        settings: CurveSettings,
    ) -> Result<Self, RunError> {
        Ok(Self(Box::new(Curve::<G>::open(run, settings)?)))
    }

    /// How many parts of all matches have been played, and how many there are.
    pub fn progress(&self) -> (u64, u64) {
        self.0.progress()
    }

    /// Plays the next missing part and saves it; false when none is missing, `None` when it was
    /// stopped.
    ///
    /// # Errors
    /// When the system refuses to read or write.
    pub fn play(
        &mut self,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<bool>, RunError> {
        self.0.play(jobs, stop)
    }

    /// Writes the curve from the parts played so far.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&self) -> Result<Vec<CurvePoint>, RunError> {
        self.0.write()
    }
}

impl<G: Catalogued> AnyCurve for Curve<G> {
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
    model: &Model,
    simulations: u64,
) -> Result<Agents, NetError> {
    let network: EncodedNetwork<G> = EncodedNetwork::new(model, G::ENCODINGS)?;
    let networks: Networks<G> = Arc::new(move || Box::new(network.clone()));
    Ok(Agents::new(network_player(networks, simulations, None)))
}
