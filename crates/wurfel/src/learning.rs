//! What a game offers for learning: networks from self-play, and evaluations fitted to positions.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use wurfel_agents::Catalogued;
use wurfel_net::{Model, NetError};
use wurfel_train::network::{
    Agreement, Check, CheckSettings, Curve, CurveSettings, Device, Devices, Generator, Run,
    RunError, TrainingConfig, agreement, check, quantise,
};
use wurfel_train::{Epoch, Fit, QSettings, RepliesFit, learn_values};

use crate::agents::Agents;
use crate::fitting::{self, FitError, FittedReplies, LabelSource, Labeller};
use crate::game::Of;
use crate::training::{SelfPlay, StrengthCurve, TrainingRun, network_agents};

/// Learning in a game; see [`Game::learning`](crate::Game::learning).
pub trait Learning: Send + Sync {
    /// Begins a training run in a folder that is empty or missing, or resumes the one in it.
    ///
    /// # Errors
    /// When the configuration does not fit the game, the folder belongs to another run or has damaged
    /// files, a device does not exist, or the system refuses.
    fn run(
        &self,
        config: TrainingConfig,
        folder: &Path,
        devices: Devices,
    ) -> Result<Box<dyn TrainingRun>, RunError>;

    /// The games of a training run, to be played anywhere.
    ///
    /// # Errors
    /// When the configuration does not fit the game.
    fn self_play(
        &self,
        config: TrainingConfig,
        device: Device,
    ) -> Result<Box<dyn SelfPlay>, RunError>;

    /// The strength of the networks in the folder of a run.
    ///
    /// # Errors
    /// When the folder holds no run or no network, or an anchor is not an agent.
    fn curve(
        &self,
        run: &Path,
        settings: CurveSettings,
    ) -> Result<Box<dyn StrengthCurve>, RunError>;

    /// Tries a configuration; see [`check()`].
    ///
    /// # Errors
    /// As for [`check()`].
    fn check(
        &self,
        config: &TrainingConfig,
        settings: CheckSettings,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Check>, RunError>;

    /// Measures the 8-bit scales of a network on its own games and stores them in it; returns how
    /// well the network in 8 bits agrees with itself.
    ///
    /// # Errors
    /// When the network is not one of the game.
    fn quantise(&self, model: &mut Model, seed: u64) -> Result<Agreement, NetError>;

    /// Agents that search with a network in memory, bounded by `simulations`.
    ///
    /// # Errors
    /// When the network is not one of the game.
    fn network(&self, model: &Model, simulations: u64) -> Result<Agents, NetError>;

    /// Labels positions by searches with an evaluation.
    ///
    /// # Errors
    /// When there is no such evaluation, or its file cannot be read.
    fn labeller(&self, source: &LabelSource) -> Result<Box<dyn Labeller>, FitError>;

    /// Fits the learned evaluation to the positions of files and returns the bytes of its file. `begin`
    /// gets the number of positions and may refuse; `see` gets each epoch, and if it returns false, the
    /// fit ends with the parameters that it has reached.
    ///
    /// # Errors
    /// When a file cannot be read, there are too few positions, or `begin` has refused.
    fn fit(
        &self,
        positions: &[PathBuf],
        settings: Fit,
        from: Option<&str>,
        begin: &mut dyn FnMut(usize) -> bool,
        see: &mut dyn FnMut(Epoch) -> bool,
    ) -> Result<Vec<u8>, FitError>;

    /// Learns the values of Q-learning and returns the bytes of their file; see
    /// [`learn_values`](wurfel_train::learn_values).
    fn values(&self, settings: QSettings, see: &mut dyn FnMut(u64, f32) -> bool) -> Vec<u8>;

    /// Fits the preference by which `selective` picks replies, and measures it; see
    /// [`fit_replies`](wurfel_train::fit_replies).
    ///
    /// # Errors
    /// When the game has no turns with several moves, or the file of the evaluation cannot be read.
    fn replies(
        &self,
        settings: RepliesFit,
        weights: Option<&str>,
        jobs: usize,
        see: &mut dyn FnMut(u64) -> bool,
    ) -> Result<FittedReplies, FitError>;
}

impl<G: Catalogued> Learning for Of<G> {
    fn run(
        &self,
        config: TrainingConfig,
        folder: &Path,
        devices: Devices,
    ) -> Result<Box<dyn TrainingRun>, RunError> {
        Ok(Box::new(Run::with(&self.0, config, folder, devices)?))
    }

    fn self_play(
        &self,
        config: TrainingConfig,
        device: Device,
    ) -> Result<Box<dyn SelfPlay>, RunError> {
        Ok(Box::new(Generator::new(&self.0, config, device)?))
    }

    fn curve(
        &self,
        run: &Path,
        settings: CurveSettings,
    ) -> Result<Box<dyn StrengthCurve>, RunError> {
        Ok(Box::new(Curve::open(&self.0, run, settings)?))
    }

    fn check(
        &self,
        config: &TrainingConfig,
        settings: CheckSettings,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Check>, RunError> {
        check(&self.0, config, settings, jobs, stop)
    }

    fn quantise(&self, model: &mut Model, seed: u64) -> Result<Agreement, NetError> {
        quantise(&self.0, model, seed)?;
        agreement(&self.0, model, seed)
    }

    fn network(&self, model: &Model, simulations: u64) -> Result<Agents, NetError> {
        network_agents(&self.0, model, simulations)
    }

    fn labeller(&self, source: &LabelSource) -> Result<Box<dyn Labeller>, FitError> {
        fitting::labeller(&self.0, source)
    }

    fn fit(
        &self,
        positions: &[PathBuf],
        settings: Fit,
        from: Option<&str>,
        begin: &mut dyn FnMut(usize) -> bool,
        see: &mut dyn FnMut(Epoch) -> bool,
    ) -> Result<Vec<u8>, FitError> {
        fitting::fitted(&self.0, positions, settings, from, begin, see)
    }

    fn values(&self, settings: QSettings, see: &mut dyn FnMut(u64, f32) -> bool) -> Vec<u8> {
        learn_values(&self.0, settings, see).to_bytes()
    }

    fn replies(
        &self,
        settings: RepliesFit,
        weights: Option<&str>,
        jobs: usize,
        see: &mut dyn FnMut(u64) -> bool,
    ) -> Result<FittedReplies, FitError> {
        fitting::replies(&self.0, settings, weights, jobs, see)
    }
}
