//! A training run: rounds of games and steps, saved in a folder after each.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use wurfel_agents::Catalogued;
use wurfel_core::files::{FileError, write_whole};
use wurfel_core::{Instant, Random, SystemTime};
use wurfel_net::{Checkpoint, Learner, Losses, Model, OptimizerStep, TaskWeights};

use super::config::{ConfigError, LearningConfig, TrainingConfig};
use super::device::{Device, Devices};
use super::error::RunError;
use super::evaluate::Examiner;
use super::exact;
use super::files::{append_line, read_model, read_samples, write_samples};
use super::folder::{Folder, METRICS, START};
use super::games::{PlayedGame, Sample};
use super::generator::Generator;
use super::metrics::{Round, RoundGames, last_strength, read_resumed, variance};
use super::quantise::quantise;
use super::replay::{BatchBuffer, ReplayBuffer};
use super::tensorboard;

/// Labels of the streams of random numbers under the seed, in addition to those of the generator.
pub(super) const STEPS: u64 = 2;
const MATCHES: u64 = 3;
const SCALES: u64 = 4;
const HELD_OUT: u64 = 5;

/// A training run with its folder, which no other program can open as long as this value exists.
///
/// The folder has `config.toml`, the games of each round as `games-N.jsonl`, the network as
/// `net.safetensors`, the best one as `best-N.safetensors`, the checkpoint after the last round as
/// `state.safetensors`, `metrics.jsonl`, and charts.
pub struct Run<G: Catalogued> {
    generator: Generator<G>,
    folder: Folder,
    examiner: Option<Examiner<G>>,
    learner: Box<dyn Learner>,
    replay: ReplayBuffer<G>,
    /// The metrics of the rounds that are done.
    history: Vec<Round>,
}

impl<G: Catalogued> Run<G> {
    /// Begins a run for a game in a folder that is empty or missing, or resumes the run in it.
    ///
    /// # Errors
    /// When the configuration does not fit the game, the folder belongs to another run or has
    /// damaged files, or the system refuses.
    pub fn open(game: &G, config: TrainingConfig, directory: &Path) -> Result<Self, RunError> {
        Self::with(game, config, directory, Devices::default())
    }

    /// Opens a run as [`Run::open`] does, on devices that may differ from the earlier ones.
    ///
    /// # Errors
    /// As for [`Run::open`], and when a device does not exist.
    pub fn with(
        game: &G,
        config: TrainingConfig,
        directory: &Path,
        devices: Devices,
    ) -> Result<Self, RunError> {
        let generator = Generator::new(game, config, devices.inference)?;
        let config = generator.config();
        let seed = Random::seed_for(config.seed, &[MATCHES]);
        let examiner = config.evaluation.as_ref();
        let examiner = examiner
            .map(|rules| Examiner::new(game, rules, generator.known().cloned(), seed))
            .transpose()?;
        let folder = Folder::open(directory, config)?;
        let (checkpoint, done) = match folder.checkpoint()? {
            Some((there, _)) if there.model.architecture() != generator.architecture() => {
                return Err(RunError::ConfigMismatch(directory.to_owned()));
            }
            Some((_, done)) if done > config.rounds => {
                let rounds = config.rounds;
                let error = format!("rounds is {rounds}, and this run has {done} already");
                return Err(ConfigError(error).into());
            }
            Some(there) => there,
            None => (Checkpoint::new(first_network(&generator, &folder)?), 0),
        };
        folder.note(config)?;
        let learner = devices.learner.learner(&checkpoint, config.learning.batch)?;
        // A missing device is reported now, and not only after the teacher's rounds.
        generator.check(&checkpoint.model)?;
        let history = read_resumed(&folder.file(METRICS), done)?;
        let replay = ReplayBuffer::new(config.learning.buffer);
        let mut run = Self { generator, folder, examiner, learner, replay, history };
        run.fill()?;
        if run.done() == 0 {
            run.keep(0, &run.model().to_bytes()?)?;
        }
        // A program that was killed after writing a round's last file may not have written these.
        tensorboard::begin(&run.folder.file(tensorboard::FILE), &run.history)?;
        run.folder.tidy(&run.history, run.config().keep)?;
        Ok(run)
    }

    /// A position that stands for the rules of the game.
    pub const fn game(&self) -> &G {
        self.generator.game()
    }

    const fn config(&self) -> &TrainingConfig {
        self.generator.config()
    }

    /// The number of rounds that are done.
    pub fn done(&self) -> u64 {
        self.history.len() as u64
    }

    /// The network as it is now.
    pub fn model(&self) -> Model {
        self.learner.average()
    }

    /// The metrics of the rounds that are done.
    pub fn history(&self) -> &[Round] {
        &self.history
    }

    /// Whether all rounds are done, or too many evaluations in a row have found no better network.
    pub fn is_over(&self) -> bool {
        let patience = self.config().evaluation.as_ref().map_or(0, |rules| rules.patience);
        let without_gain = last_strength(&self.history).map_or(0, |strength| strength.without_gain);
        self.done() >= self.config().rounds || (patience > 0 && without_gain > patience)
    }

    /// The path of the best network, once one has been measured.
    pub fn best(&self) -> Option<PathBuf> {
        last_strength(&self.history).map(|strength| self.folder.best(strength.best_round))
    }

    /// Reads as many of the last games as the buffer holds.
    fn fill(&mut self) -> Result<(), RunError> {
        let (mut rounds, mut count) = (vec![], 0);
        for round in self.history.iter().rev() {
            if count >= self.config().learning.buffer {
                break;
            }
            let path = self.folder.games(round.round);
            let samples = read_samples(self.game(), &path, round.positions, &round.games_checksum)?;
            count += samples.len();
            rounds.push(samples);
        }
        self.replay.add(rounds.into_iter().rev().flatten());
        Ok(())
    }

    /// Plays the games of the next round on `jobs` threads, learns from them, measures the network
    /// if an evaluation is due, and saves everything. `None` when `stop` turned true: nothing of
    /// the round is saved then, and the run must be opened again.
    ///
    /// # Errors
    /// When the system refuses to read or write.
    pub fn round(
        &mut self,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Round>, RunError> {
        let round = self.done() + 1;
        let started = Instant::now();
        let numbers = 0..self.generator.count(round);
        let played = self.generator.play(&self.model(), round, numbers, jobs, stop)?;
        let Some(games) = played else { return Ok(None) };
        let game_seconds = started.elapsed().as_secs_f64();
        self.learn_from(games, game_seconds, jobs, stop)
    }

    /// Learns from the games of the next round, which were played elsewhere in `game_seconds`.
    /// There must be all of them, in the order of their numbers, as a [`Generator`] plays them.
    /// Otherwise as [`Run::round`].
    ///
    /// # Errors
    /// As for [`Run::round`].
    pub fn learn_from(
        &mut self,
        games: Vec<PlayedGame<G>>,
        game_seconds: f64,
        jobs: usize,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Round>, RunError> {
        let round = self.done() + 1;
        let stopped = || stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let played = Some(RoundGames::of(&games));
        let (samples, held_out) = self.split(games, round);
        let games_checksum = write_samples(&self.folder.games(round), &samples)?;
        let positions = samples.len();
        self.replay.add(samples);
        let started = Instant::now();
        self.learner.set_threads(jobs);
        let Some(learned) = self.learn(round, positions, &stopped) else { return Ok(None) };
        let step_seconds = started.elapsed().as_secs_f64();
        let mut learned =
            Round { positions, games_checksum, played, game_seconds, step_seconds, ..learned };
        let model = self.model();
        learned.held_out = exact::held_out(&mut Device::Cpu.network::<G>(&model)?, &held_out);
        let mut written = model.clone();
        quantise(
            self.generator.game(),
            &mut written,
            Random::seed_for(self.config().seed, &[SCALES, round]),
        )?;
        let network = written.to_bytes()?;
        write_whole(&self.folder.file("net.safetensors"), &network)?;
        self.keep(round, &network)?;
        if let Some(examiner) = self.examiner.as_ref().filter(|_| self.is_due(round)) {
            let best = self.best().map(|path| read_model(&path)).transpose()?;
            let best = best.as_ref().zip(last_strength(&self.history));
            let measured = examiner.measure(&model, best, round, jobs, stop)?;
            let Some(strength) = measured else { return Ok(None) };
            if strength.best_round == round {
                write_whole(&self.folder.best(round), &network)?;
            }
            learned.evaluation = Some(strength);
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        learned.finished = now.map_or(0.0, |now| now.as_secs_f64());
        append_line(&self.folder.file(METRICS), &learned)?;
        // Writing the last file completes the round.
        write_whole(&self.folder.state(), &self.learner.checkpoint().to_bytes(round)?)?;
        self.history.push(learned.clone());
        tensorboard::go_on(&self.folder.file(tensorboard::FILE), &self.history)?;
        self.folder.tidy(&self.history, self.config().keep)?;
        Ok(Some(learned))
    }

    /// Keeps the network of a round, if the configuration says so.
    fn keep(&self, round: u64, network: &[u8]) -> Result<(), RunError> {
        if self.config().keep.is_some_and(|keep| keep.keeps(round, round)) {
            write_whole(&self.folder.saved_network(round), network)?;
        }
        Ok(())
    }

    /// The samples to learn from, and those of the games that are held out.
    fn split(&self, games: Vec<PlayedGame<G>>, round: u64) -> (Vec<Sample<G>>, Vec<Sample<G>>) {
        let share = f64::from(self.config().learning.held_out);
        let (mut learned, mut held_out) = (vec![], vec![]);
        for (number, game) in (0..).zip(games) {
            let seed = Random::seed_for(self.config().seed, &[HELD_OUT, round, number]);
            let may = share > 0.0 && game.outcome.is_some();
            let is_held_out = may && Random::new(seed).unit() < share;
            if is_held_out { &mut held_out } else { &mut learned }.extend(game.samples);
        }
        (learned, held_out)
    }

    /// The number of steps of the next round, when `positions` positions were added to the buffer.
    fn steps(&self, positions: usize) -> u32 {
        let rules = &self.config().learning;
        if self.replay.is_empty() || self.replay.len() < rules.min_buffer {
            return 0;
        }
        if rules.max_replay_ratio <= 0.0 {
            return rules.steps;
        }
        let each = (rules.batch * rules.accumulate as usize) as f64;
        let all = f64::from(rules.max_replay_ratio) * self.positions(positions) as f64 / each;
        rules.steps.min((all as u32).saturating_sub(self.learner.steps()))
    }

    /// The number of positions of all rounds so far, plus `more`.
    fn positions(&self, more: usize) -> usize {
        self.history.iter().map(|round| round.positions).sum::<usize>() + more
    }

    /// Whether the network is to be measured after a round.
    fn is_due(&self, round: u64) -> bool {
        let every = self.config().evaluation.as_ref().map_or(u64::MAX, |rules| rules.every);
        self.config().games(round) / every > self.config().games(round - 1) / every
    }

    /// The weights of the two losses in the next steps.
    fn task_weights(&self) -> TaskWeights {
        let LearningConfig { policy_weight, value_weight, balance, window, .. } =
            self.config().learning;
        let losses = |round: &Round| Some((round.policy_loss?, round.value_loss?));
        let (mut policy, mut value) = (0.0, 0.0);
        // A loss that is not a number cannot be read again when the run resumes.
        let known = self.history.iter().rev().filter_map(losses);
        let known = known.filter(|(policy, value)| (policy + value).is_finite());
        for (policy_loss, value_loss) in known.take(window) {
            policy += policy_loss;
            value += value_loss;
        }
        if policy <= 0.0 || value <= 0.0 {
            return TaskWeights { policy: policy_weight, value: value_weight };
        }
        let (policy, value) =
            (policy_weight / policy.powf(balance), value_weight / value.powf(balance));
        let scale = (policy_weight + value_weight) / (policy + value);
        TaskWeights { policy: policy * scale, value: value * scale }
    }

    fn learn(
        &mut self,
        round: u64,
        positions: usize,
        stopped: &impl Fn() -> bool,
    ) -> Option<Round> {
        let rules = self.config().learning.clone();
        let weights = self.task_weights();
        let seed = Random::seed_for(self.config().seed, &[STEPS, round]);
        let (mut random, mut batch_buffer) = (Random::new(seed), BatchBuffer::default());
        let (mut sums, mut length, mut learning_rate) =
            (Losses::default(), 0.0, rules.learning_rate);
        let steps = self.steps(positions);
        for _ in 0..steps {
            if stopped() {
                return None;
            }
            for _ in 0..rules.accumulate {
                let (count, augment) = (rules.batch, rules.augment);
                self.replay.draw(
                    self.generator.encode(),
                    count,
                    augment,
                    &mut random,
                    &mut batch_buffer,
                );
                let losses = self.learner.learn(&batch_buffer.batch(), weights);
                sums.policy += losses.policy;
                sums.value += losses.value;
                sums.entropy += losses.entropy;
            }
            learning_rate =
                rules.learning_rate * rules.decay.powf(self.learner.steps() as f32 / rules.period);
            let step = OptimizerStep {
                learning_rate,
                l2: rules.l2,
                clip: rules.clip,
                ema_decay: rules.ema_decay,
            };
            length += self.learner.step(step);
        }
        let share = 1.0 / (steps * rules.accumulate).max(1) as f32;
        let mean = |sum: f32| (steps > 0).then_some(sum * share);
        let [policy_loss, value_loss] = [sums.policy, sums.value].map(mean);
        let weighed = |(policy, value)| rules.policy_weight * policy + rules.value_weight * value;
        let loss = policy_loss.zip(value_loss).map(weighed);
        let before = self.history.iter().filter_map(|round| round.loss);
        let before = before.filter(|loss| loss.is_finite());
        let losses: Vec<f32> = before.chain(loss).collect();
        let batch_buffer = self.learner.steps() as usize * rules.accumulate as usize * rules.batch;
        Some(Round {
            round,
            taught: self.config().teacher(round).is_some(),
            games: self.config().games(round),
            buffer: self.replay.len(),
            steps: u64::from(self.learner.steps()),
            learning_rate,
            policy_loss,
            value_loss,
            loss,
            variance: loss.map(|_| variance(&losses, rules.window)),
            policy_weight: weights.policy,
            value_weight: weights.value,
            entropy: mean(sums.entropy),
            gradient: (steps > 0).then(|| length / steps as f32),
            replay_ratio: batch_buffer as f64 / self.positions(positions).max(1) as f64,
            ..Round::default()
        })
    }
}

/// The first network of a run in this folder. If the configuration names a file, the file is copied
/// into the folder, so that the run is complete by itself and stays reproducible even if the file
/// changes.
fn first_network<G: Catalogued>(
    generator: &Generator<G>,
    folder: &Folder,
) -> Result<Model, RunError> {
    let Some(start) = &generator.config().start else { return generator.first() };
    let (start, own) = (Path::new(start), folder.file(START));
    // A copy without a configuration beside it was left by a program that was killed.
    if !own.exists() || !folder.is_noted() {
        generator.first()?;
        write_whole(&own, &fs::read(start).map_err(FileError::at(start))?)?;
    }
    Ok(read_model(&own)?.without_int8_scales())
}
