//! Trials before a long run: whether the network can overfit a batch, and which learning
//! rates work.
//!
//! A network that cannot reduce the loss of one batch to the minimum that its targets allow will
//! not learn from millions of positions, either; the reason is a wrong encoding, a learning rate
//! out of range, or a network that is too small. The sweep takes a few steps from the same
//! beginning with each of several learning rates. It shows which of them are too small or too
//! large, not which is the best after a million steps.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use wurfel_agents::Catalogued;
use wurfel_core::Random;
use wurfel_net::{Checkpoint, Losses, Model, OptimizerStep, TaskWeights};

use super::config::{ConfigError, TrainingConfig};
use super::device::Device;
use super::error::RunError;
use super::exact;
use super::games::Sample;
use super::generator::Generator;
use super::metrics::HeldOut;
use super::replay::{BatchBuffer, ReplayBuffer};
use super::run::STEPS;

/// The learning rates of the sweep, beside that of the configuration. The smallest changes hardly
/// anything, and the largest is too much for most networks.
const RATES: [f32; 8] = [1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1];
/// The largest share of the learnable loss that may remain when a batch counts as overfitted.
const LEFT: f64 = 0.1;

/// The extent of the trials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckSettings {
    /// Steps on the same batch.
    pub steps: u32,
    /// Steps with each learning rate.
    pub sweep_steps: u32,
    /// How many games of the first round are played for the trials; fewer where the round has
    /// fewer.
    pub games: u64,
}

/// The results of the trials.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Check {
    /// How many positions were learned from.
    pub positions: usize,
    /// The losses on the batch that is to be overfitted.
    pub overfit: Overfit,
    /// The results of the sweep, the smallest learning rate first.
    pub rates: Vec<RateTried>,
}

/// A batch that is to be overfitted.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Overfit {
    /// How many positions the batch has.
    pub batch: usize,
    /// The learning rate, which is that of the configuration.
    pub learning_rate: f32,
    /// The lowest policy loss that the targets allow: their entropy, in nats.
    pub floor: f64,
    /// The losses at some of the steps.
    pub losses: Vec<StepLoss>,
    /// The share of the learnable loss that remains, policy and value together.
    pub left: f64,
    /// Whether so little remains that the network has overfitted the batch.
    pub passed: bool,
}

/// The losses before a step.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct StepLoss {
    /// The step, from 1.
    pub step: u32,
    /// The policy's cross-entropy, in nats.
    pub policy_loss: f32,
    /// The value's squared error.
    pub value_loss: f32,
}

/// A learning rate of the sweep.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RateTried {
    /// The learning rate that was tried, the same at every step.
    pub learning_rate: f32,
    /// The sum of both losses over the last quarter of the steps; `None` when it was not a finite
    /// number.
    pub loss: Option<f64>,
    /// The losses afterwards on games that were not learned from; `None` when they were not finite
    /// numbers.
    pub held_out: Option<HeldOut>,
}

impl RateTried {
    /// The sum of both losses on games that were not learned from.
    pub fn unseen(&self) -> Option<f64> {
        self.held_out.map(|measure| measure.policy_loss + measure.value_loss)
    }
}

/// The data that all trials share.
struct Trial<'a, G: Catalogued> {
    config: &'a TrainingConfig,
    generator: &'a Generator<G>,
    model: Model,
    replay: ReplayBuffer<G>,
    held_out: Vec<Sample<G>>,
    jobs: usize,
    stop: Option<&'a AtomicBool>,
}

/// Tries a configuration for a game on the CPU, with positions of its first round. `None` when `stop` turned
/// true.
///
/// # Errors
/// When the configuration does not fit the game, or names something that does not exist.
pub fn check<G: Catalogued>(
    game: &G,
    config: &TrainingConfig,
    settings: CheckSettings,
    jobs: usize,
    stop: Option<&AtomicBool>,
) -> Result<Option<Check>, RunError> {
    let generator = Generator::new(game, config.clone(), Device::Cpu)?;
    let model = generator.first()?;
    let count = settings.games.min(generator.count(1));
    let Some(games) = generator.play(&model, 1, 0..count, jobs, stop)? else { return Ok(None) };
    // Every fifth game is held out; a single game is used for learning as a whole.
    let mut replay = ReplayBuffer::new(usize::MAX);
    let mut held_out = vec![];
    for (number, game) in games.into_iter().enumerate() {
        if number % 5 == 4 {
            held_out.extend(game.samples);
        } else {
            replay.add(game.samples);
        }
    }
    if replay.is_empty() {
        let error = "the games of the first round gave no positions: expected some to learn from";
        return Err(ConfigError(error.to_owned()).into());
    }
    let trial = Trial { config, generator: &generator, model, replay, held_out, jobs, stop };
    let Some(overfit) = trial.overfit(settings.steps)? else { return Ok(None) };
    let mut swept = RATES.to_vec();
    swept.extend(Some(config.learning.learning_rate).filter(|own| !RATES.contains(own)));
    swept.sort_by(f32::total_cmp);
    let mut rates = vec![];
    for learning_rate in swept {
        let Some(tried) = trial.rate(learning_rate, settings.sweep_steps)? else { return Ok(None) };
        rates.push(tried);
    }
    Ok(Some(Check { positions: trial.replay.len(), overfit, rates }))
}

impl<G: Catalogued> Trial<'_, G> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    fn step(&self, learning_rate: f32) -> OptimizerStep {
        OptimizerStep { learning_rate, l2: 0.0, clip: self.config.learning.clip, ema_decay: 0.0 }
    }

    fn weights(&self) -> TaskWeights {
        let rules = &self.config.learning;
        TaskWeights { policy: rules.policy_weight, value: rules.value_weight }
    }

    /// Takes `steps` steps on the same batch.
    fn overfit(&self, steps: u32) -> Result<Option<Overfit>, RunError> {
        let rules = &self.config.learning;
        let checkpoint = Checkpoint::new(self.model.clone());
        let mut learner = Device::Cpu.learner(&checkpoint, rules.batch)?;
        learner.set_threads(self.jobs);
        let mut buffer = BatchBuffer::default();
        let seed = Random::seed_for(self.config.seed, &[STEPS, 0]);
        let encode = self.generator.encode();
        self.replay.draw(encode, rules.batch, false, &mut Random::new(seed), &mut buffer);
        let (floor, batch) = (buffer.floor(), rules.batch);
        let mut losses = vec![];
        for step in 1..=steps {
            if self.is_stopped() {
                return Ok(None);
            }
            let Losses { policy, value, .. } = learner.learn(&buffer.batch(), self.weights());
            if step.is_power_of_two() || step == steps {
                losses.push(StepLoss { step, policy_loss: policy, value_loss: value });
            }
            learner.step(self.step(rules.learning_rate));
        }
        let excess = |at: Option<&StepLoss>| {
            at.map_or(0.0, |at| f64::from(at.policy_loss + at.value_loss) - floor)
        };
        let left = excess(losses.last()) / excess(losses.first()).max(1e-9);
        let (learning_rate, passed) = (rules.learning_rate, left < LEFT);
        Ok(Some(Overfit { batch, learning_rate, floor, losses, left, passed }))
    }

    /// Takes `steps` steps with one learning rate.
    fn rate(&self, learning_rate: f32, steps: u32) -> Result<Option<RateTried>, RunError> {
        let rules = &self.config.learning;
        let checkpoint = Checkpoint::new(self.model.clone());
        let mut learner = Device::Cpu.learner(&checkpoint, rules.batch)?;
        learner.set_threads(self.jobs);
        let mut buffer = BatchBuffer::default();
        let mut random = Random::new(Random::seed_for(self.config.seed, &[STEPS, 1]));
        let last = (steps / 4).max(1);
        let mut sum = 0.0;
        for step in 0..steps {
            if self.is_stopped() {
                return Ok(None);
            }
            let encode = self.generator.encode();
            self.replay.draw(encode, rules.batch, rules.augment, &mut random, &mut buffer);
            let losses = learner.learn(&buffer.batch(), self.weights());
            if step + last >= steps {
                sum += f64::from(losses.policy + losses.value) / f64::from(last);
            }
            learner.step(self.step(learning_rate));
        }
        let mut network = Device::Cpu.network::<G>(&learner.average())?;
        let sound = |measure: &HeldOut| (measure.policy_loss + measure.value_loss).is_finite();
        let held_out = exact::held_out(&mut network, &self.held_out).filter(sound);
        let loss = sum.is_finite().then_some(sum);
        Ok(Some(RateTried { learning_rate, loss, held_out }))
    }
}
