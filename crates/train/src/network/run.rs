//! A run: rounds of games and steps, kept in a directory after each.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use wurfel_arena::ordered;
use wurfel_game::{Encode, Random, Situation};
use wurfel_games::Playable;
use wurfel_net::{
    Instructions, Judge, Losses, Method, Model, NetError, Step, TaskWeights, Trainer,
};

use super::config::{Config, ConfigError, Learning};
use super::games::{Sample, play_games};
use super::replay::{Drawn, Replay};

/// Labels of the streams of random numbers under the seed.
const FIRST_NUMBERS: u64 = 0;
const GAMES: u64 = 1;
const STEPS: u64 = 2;

/// Why a run cannot begin or go on. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration cannot be used.
    #[error("configuration: {0}")]
    Config(#[from] ConfigError),
    /// The directory belongs to a run with another configuration.
    #[error("'{0}' has the run of another configuration: choose another directory")]
    Foreign(PathBuf),
    /// A file of the run cannot be used.
    #[error("'{0}': {1}")]
    File(PathBuf, String),
    /// A network cannot be built.
    #[error("{0}")]
    Net(#[from] NetError),
}

/// What a round came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Round {
    /// Counted from 1.
    pub round: u64,
    /// Games of all rounds so far.
    pub games: u64,
    /// Positions of this round's games.
    pub positions: usize,
    /// Positions to draw from.
    pub buffer: usize,
    /// Steps of all rounds so far.
    pub steps: u64,
    /// The length of the last step.
    pub rate: f32,
    /// Means over the round's batches: of the cross-entropy, of the squared error (values
    /// from −1 to 1), of the policy's entropy, and of the gradient's length.
    pub policy_loss: f32,
    /// See above.
    pub value_loss: f32,
    /// See above.
    pub entropy: f32,
    /// See above.
    pub gradient: f32,
    /// Seconds of the games and of the steps.
    pub game_seconds: f64,
    /// See above.
    pub step_seconds: f64,
}

/// A sample as a line of a file.
#[derive(Serialize, Deserialize)]
struct Line {
    turn: String,
    policy: Vec<f32>,
    value: f32,
}

/// A run in its directory: `config.toml`, for each round its games as `games-N.jsonl`, the
/// state after the last round as `state.safetensors`, the network as `net.safetensors`, and
/// `metrics.jsonl`.
pub struct Run<G: Playable> {
    config: Config,
    encode: &'static dyn Encode<G>,
    directory: PathBuf,
    trainer: Trainer,
    replay: Replay<G>,
    /// Rounds that are done.
    done: u64,
}

impl<G: Playable> Run<G> {
    /// Begins a run in a directory that is empty or not there, or goes on with the one that
    /// it has.
    ///
    /// # Errors
    /// When the configuration does not fit the game, the directory belongs to another
    /// run or has damaged files, or the system refuses.
    pub fn open(config: Config, directory: &Path) -> Result<Self, RunError> {
        let known =
            || G::ENCODINGS.iter().map(|encode| encode.name()).collect::<Vec<_>>().join(", ");
        let encode =
            *G::ENCODINGS.iter().find(|encode| encode.name() == config.encoding).ok_or_else(
                || ConfigError(format!("encoding '{}', not {}", config.encoding, known())),
            )?;
        let architecture = config.architecture(encode.board(), encode.planes(), encode.moves());
        architecture.check()?;
        let text = toml::to_string(&config).map_err(|error| ConfigError(error.to_string()))?;
        let (own, state) = (directory.join("config.toml"), directory.join("state.safetensors"));
        fs::create_dir_all(directory).map_err(|error| failed(directory, &error))?;
        match fs::read_to_string(&own) {
            Ok(there) if there == text => {}
            Ok(_) => return Err(RunError::Foreign(directory.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                replace(&own, text.as_bytes())?;
            }
            Err(error) => return Err(failed(&own, &error)),
        }
        let batch = config.learning.batch;
        let (trainer, done) = match fs::read(&state) {
            Ok(bytes) => {
                let (trainer, done) =
                    Trainer::resume(&bytes, batch).map_err(|error| failed(&state, &error))?;
                if *trainer.architecture() != architecture {
                    return Err(RunError::Foreign(directory.to_owned()));
                }
                (trainer, done)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let seed = Random::seed_for(config.seed, &[FIRST_NUMBERS]);
                let model = Model::new(architecture, encode.name(), &mut Random::new(seed))?;
                (Trainer::new(&model, batch), 0)
            }
            Err(error) => return Err(failed(&state, &error)),
        };
        let replay = Replay::new(config.learning.buffer);
        let mut run =
            Self { config, encode, directory: directory.to_owned(), trainer, replay, done };
        run.fill()?;
        Ok(run)
    }

    /// Rounds that are done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The network as it is now.
    pub fn model(&self) -> Model {
        self.trainer.model()
    }

    fn games_file(&self, round: u64) -> PathBuf {
        self.directory.join(format!("games-{round:06}.jsonl"))
    }

    /// Reads as many of the last games as the buffer holds.
    fn fill(&mut self) -> Result<(), RunError> {
        let (mut rounds, mut count) = (vec![], 0);
        for round in (1..=self.done).rev() {
            if count >= self.config.learning.buffer {
                break;
            }
            let path = self.games_file(round);
            let text = fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
            let mut samples = vec![];
            for (number, line) in text.lines().enumerate() {
                let bad = |why: &dyn ToString| {
                    failed(&path, &format!("line {}: {}", number + 1, why.to_string()))
                };
                let line: Line = serde_json::from_str(line).map_err(|error| bad(&error))?;
                let Situation { position, roll } =
                    line.turn.parse::<Situation<G>>().map_err(|error| bad(&error))?;
                let roll = roll.ok_or_else(|| bad(&"no throw"))?;
                if position.outcome().is_some()
                    || position.moves(roll).as_ref().len() != line.policy.len()
                {
                    return Err(bad(&"not as many shares as legal moves"));
                }
                samples.push(Sample { position, roll, policy: line.policy, value: line.value });
            }
            count += samples.len();
            rounds.push(samples);
        }
        self.replay.add(rounds.into_iter().rev().flatten());
        Ok(())
    }

    /// Plays the games of the next round on `jobs` threads, learns from them, and keeps what
    /// there is then. `None` when `stopped` said so: nothing is kept of the round.
    ///
    /// # Errors
    /// When the system refuses to write.
    pub fn round(
        &mut self,
        jobs: usize,
        stopped: impl Fn() -> bool + Sync,
    ) -> Result<Option<Round>, RunError> {
        let round = self.done + 1;
        let started = Instant::now();
        let Some(samples) = self.play(round, jobs, &stopped)? else { return Ok(None) };
        let game_seconds = started.elapsed().as_secs_f64();
        let path = self.games_file(round);
        let mut text = vec![];
        for Sample { position, roll, policy, value } in &samples {
            let turn = Situation { position: position.clone(), roll: Some(*roll) }.to_string();
            let line = Line { turn, policy: policy.clone(), value: *value };
            serde_json::to_writer(&mut text, &line).map_err(|error| failed(&path, &error))?;
            text.push(b'\n');
        }
        replace(&path, &text)?;
        let positions = samples.len();
        self.replay.add(samples);
        let started = Instant::now();
        let mut learned = self.learn(round);
        let state = self.trainer.to_bytes(round)?;
        replace(&self.directory.join("net.safetensors"), &self.model().to_bytes()?)?;
        // The last file: with it the round is done.
        replace(&self.directory.join("state.safetensors"), &state)?;
        self.done = round;
        learned.positions = positions;
        learned.game_seconds = game_seconds;
        learned.step_seconds = started.elapsed().as_secs_f64();
        self.note(&learned)?;
        Ok(Some(learned))
    }

    /// Adds a line to the metrics.
    fn note(&self, round: &Round) -> Result<(), RunError> {
        let path = self.directory.join("metrics.jsonl");
        let mut line = serde_json::to_vec(round).map_err(|error| failed(&path, &error))?;
        line.push(b'\n');
        let file = File::options().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(&line)).map_err(|error| failed(&path, &error))
    }

    fn play(
        &self,
        round: u64,
        jobs: usize,
        stopped: &(impl Fn() -> bool + Sync),
    ) -> Result<Option<Vec<Sample<G>>>, RunError> {
        let rules = &self.config.self_play;
        // Winograd's way in any batch: so that a turn's judgement does not depend on it.
        let judge: Judge<G> =
            Judge::with(&self.model(), G::ENCODINGS, Instructions::best(), Method::Winograd)?;
        let seed = Random::seed_for(self.config.seed, &[GAMES, round]);
        let groups = rules.games.div_ceil(rules.together);
        let work = |judge: &mut Judge<G>, group: u64| {
            let first = group * rules.together;
            let numbers = first..rules.games.min(first + rules.together);
            play_games(judge, rules, seed, numbers, stopped)
        };
        let (mut samples, mut seen) = (vec![], 0);
        ordered(
            0..groups,
            jobs,
            || judge.clone(),
            work,
            |_, games| {
                samples.extend(games.into_iter().flatten());
                seen += 1;
                true
            },
        );
        Ok((seen == groups).then_some(samples))
    }

    fn learn(&mut self, round: u64) -> Round {
        let Learning { batch, accumulate, steps, augment, .. } = self.config.learning;
        let rules = &self.config.learning;
        let weights = TaskWeights { policy: rules.policy_weight, value: rules.value_weight };
        let seed = Random::seed_for(self.config.seed, &[STEPS, round]);
        let (mut random, mut drawn) = (Random::new(seed), Drawn::default());
        let (mut sums, mut length, mut rate) = (Losses::default(), 0.0, rules.rate);
        for _ in 0..steps {
            for _ in 0..accumulate {
                self.replay.draw(self.encode, batch, augment, &mut random, &mut drawn);
                let losses = self.trainer.learn(&drawn.batch(), weights);
                sums.policy += losses.policy;
                sums.value += losses.value;
                sums.entropy += losses.entropy;
            }
            rate = rules.rate * rules.decay.powf(self.trainer.steps() as f32 / rules.period);
            length += self.trainer.step(Step { rate, decay: rules.l2, clip: rules.clip });
        }
        let share = 1.0 / (steps * accumulate).max(1) as f32;
        Round {
            round,
            games: round * self.config.self_play.games,
            positions: 0,
            buffer: self.replay.len(),
            steps: u64::from(self.trainer.steps()),
            rate,
            policy_loss: sums.policy * share,
            value_loss: sums.value * share,
            entropy: sums.entropy * share,
            gradient: length / steps.max(1) as f32,
            game_seconds: 0.0,
            step_seconds: 0.0,
        }
    }
}

fn failed(path: &Path, why: &impl ToString) -> RunError {
    RunError::File(path.to_owned(), why.to_string())
}

/// Writes a file by another name, syncs it and renames it.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let temporary = path.with_extension("part");
    let write = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|error| failed(path, &error))
}
