//! The configuration of a training run, a TOML file.

use serde::{Deserialize, Serialize};
use wurfel_core::{Encode, at_line};
use wurfel_games::Learnable;
use wurfel_net::{Architecture, NetworkShape};
use wurfel_search::puct::FirstPlay;

use super::gate::GateConfig;

/// The configuration of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingConfig {
    /// The rule set, as `wurfel games` names it.
    pub game: String,
    /// The name of one of the game's encodings.
    pub encoding: String,
    /// The seed of all chance.
    pub seed: u64,
    /// The number of rounds, each with games and then steps, at least 1. The only field that may change
    /// in a run that has begun.
    pub rounds: u64,
    /// The file of a network to start from; `None` starts from random parameters. It is read once,
    /// when the run begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Which networks are saved in addition to the last one and the best one; `None` saves no
    /// others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// The tower and the heads of the network; its encoding determines the rest.
    pub network: NetworkShape,
    /// The teacher that plays the first rounds; `None` leaves them to the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teacher: Option<Teacher>,
    /// The games of a round.
    pub self_play: SelfPlay,
    /// The steps of a round.
    pub learning: LearningConfig,
    /// How the network's strength is measured; `None` leaves it unmeasured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationConfig>,
}

/// Which networks of a run are saved, as `net-N.safetensors` for the network of round N. A network
/// is saved if any of the fields selects it; if any field is set, the network with which the run
/// begins is saved as that of round 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Keep {
    /// Saves the networks of every `every`-th round; 0 saves none by this field.
    pub every: u64,
    /// Keeps the networks of this many last rounds.
    pub last: u64,
    /// Keeps the networks of rounds 1, 2, 4, 8, and so on, because networks change less the longer
    /// a run has lasted.
    pub doubling: bool,
}

impl Keep {
    /// Whether the network of `round` is saved when `done` rounds are done.
    pub(super) fn keeps(self, round: u64, done: u64) -> bool {
        let every = self.every > 0 && round.is_multiple_of(self.every);
        let doubling = self.doubling && round.is_power_of_two();
        round <= done && (round == 0 || every || doubling || round + self.last > done)
    }
}

/// The matches that measure the network's strength.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Games between two evaluations, at least 1. An evaluation takes place after the round in
    /// which this number is reached.
    pub every: u64,
    /// Mirrored pairs of each match, at least 1.
    pub pairs: u64,
    /// Simulations of the network's search for each decision, at least 1.
    pub simulations: u64,
    /// The specs of agents to play against, in addition to the best network so far.
    #[serde(default)]
    pub opponents: Vec<String>,
    /// How many evaluations in a row may find no better network; one more ends the run. With 0, the
    /// run never ends early.
    #[serde(default)]
    pub patience: u64,
    /// The largest number of pieces for which the network's values are compared with exact ones; 0
    /// compares none.
    #[serde(default)]
    pub exact_pieces: u32,
    /// How many positions are compared for each number of pieces, at least 1.
    #[serde(default = "thousand")]
    pub exact_positions: u32,
    /// How it is decided whether the network is better than the best one before.
    #[serde(default)]
    pub gate: GateConfig,
}

const fn thousand() -> u32 {
    1000
}

/// An agent that plays and evaluates the games of the first rounds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teacher {
    /// Its spec, bounded by depth or nodes so that it gives the same results on every machine.
    pub agent: String,
    /// The number of rounds that it plays.
    pub rounds: u64,
    /// The games of each of these rounds.
    pub games: u64,
    /// Further turns in each round, with pieces scattered at random instead of from a game.
    #[serde(default)]
    pub scattered: u64,
    /// The maximum number of pieces in scattered turns, at least 2.
    #[serde(default = "two_pieces")]
    pub scattered_pieces: u32,
    /// By how much win probability a move must be worse for its share in the policy target to be
    /// divided by e: the temperature of a softmax over the values; above 0.
    pub temperature: f32,
    /// The largest share of random moves in a game, 0 to 1; each game draws its own share, the ε of
    /// an ε-greedy player.
    pub epsilon: f32,
    /// The weight of the game's outcome in the value target, 0 to 1, where the agent's value is not
    /// exact; the rest is the agent's value.
    pub outcome_share: f32,
}

const fn two_pieces() -> u32 {
    2
}

/// The settings of the games of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// The number of games, at least 1.
    pub games: u64,
    /// The largest number of games that each thread plays side by side, so that their turns are
    /// evaluated in one batch, 1 to 4,096.
    pub parallel_games: u64,
    /// Simulations of the search for each decision, at least 1.
    pub simulations: u32,
    /// The share of the decisions that get all simulations and are learned from, 0 to 1. The others
    /// only move the game on (playout-cap randomisation of D. Wu, "Accelerating self-play learning
    /// in Go", 2019).
    #[serde(default = "one")]
    pub full_share: f32,
    /// Simulations for the other decisions, which have no noise, at least 1.
    #[serde(default = "one_pass")]
    pub quick_simulations: u32,
    /// The maximum number of pieces for which the search looks exact values up in tablebases; 0
    /// uses none.
    #[serde(default)]
    pub tables: u32,
    /// The exploration constant, at least 0.
    pub c: f32,
    /// First-play urgency: the value of an untried move.
    pub fpu: FirstPlayConfig,
    /// The number of moves for sequential halving at the root; 0 uses PUCT with noise instead.
    #[serde(default)]
    pub gumbel: usize,
    /// The α of the Dirichlet noise at the root, above 0.
    pub noise_alpha: f32,
    /// The share of the noise in the prior at the root, 0 to 1.
    pub noise_share: f32,
    /// The temperature with which moves are sampled by their visits, at least 0.
    pub temperature: f32,
    /// The number of turns of a game after which the most visited move is made.
    pub temperature_turns: u32,
    /// The weight of the game's outcome in the value target, 0 to 1; the rest is the search's
    /// value.
    pub outcome_share: f32,
    /// When a side resigns; `None` plays every game to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
}

/// When a side gives up a game of self-play. How often this was wrong is measured in some games
/// that are played to the end anyway.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// The side's value, 0 to 0.5, below which its search takes the game for lost.
    pub below: f32,
    /// For how many of its own decisions in a row the game must look lost, 1 to 100.
    #[serde(default = "three_turns")]
    pub turns: u32,
    /// The share of the games in which nobody resigns, 0 to 1.
    #[serde(default = "tenth")]
    pub played_on: f32,
}

const fn three_turns() -> u32 {
    3
}

const fn tenth() -> f32 {
    0.1
}

const fn one_pass() -> u32 {
    1
}

/// The value that searches give to a move that was never tried.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number from 0 to 1, or \"even\"")]
pub enum FirstPlayConfig {
    /// The value of its turn, less this number, 0 to 1.
    Below(f32),
    /// One of the values that have names.
    Named(NamedFirstPlay),
}

/// A value for untried moves that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamedFirstPlay {
    /// The value of an even position.
    Even,
}

impl From<FirstPlayConfig> for FirstPlay {
    fn from(config: FirstPlayConfig) -> Self {
        match config {
            FirstPlayConfig::Below(reduction) => Self::Below(reduction),
            FirstPlayConfig::Named(NamedFirstPlay::Even) => Self::Even,
        }
    }
}

/// The settings of the steps of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningConfig {
    /// The size of the replay buffer in positions; the oldest are dropped first.
    pub buffer: usize,
    /// The batch size in positions, at least 1.
    pub batch: usize,
    /// Batches whose gradients are averaged for one step, at least 1.
    pub accumulate: u32,
    /// The number of steps.
    pub steps: u32,
    /// The learning rate of the first step.
    pub learning_rate: f32,
    /// The factor by which `period` steps multiply the learning rate, above 0.
    pub decay: f32,
    /// The number of steps of one `decay`, above 0.
    pub period: f32,
    /// The maximum norm of the gradient, to which longer ones are clipped.
    pub clip: f32,
    /// The L2 regularisation: the λ of λ Σ θ².
    pub l2: f32,
    /// Positions that the buffer must have before the first step.
    #[serde(default)]
    pub min_buffer: usize,
    /// The weight of the policy's cross-entropy in the loss.
    #[serde(default = "one")]
    pub policy_weight: f32,
    /// The weight of the value's squared error in the loss.
    #[serde(default = "one")]
    pub value_weight: f32,
    /// How far the two losses are balanced, 0 to 1: each weight is divided by this power of its
    /// loss's mean over the last rounds, and both are scaled to their old sum.
    #[serde(default)]
    pub balance: f32,
    /// The number of last rounds over which losses are averaged for the balance, and their variance
    /// is measured, at least 1.
    #[serde(default = "ten")]
    pub window: usize,
    /// How much a step keeps of the moving average of the weights, from 0 to below 1. The averaged
    /// network is the one that plays and is saved.
    #[serde(default)]
    pub ema_decay: f32,
    /// Whether positions are augmented by the symmetries of the game.
    pub augment: bool,
    /// The share of the games that are not learned from but measure the loss, 0 to 0.9. Scattered
    /// turns are always learned from.
    #[serde(default, skip_serializing_if = "is_none")]
    pub held_out: f32,
    /// The largest replay ratio over the whole run: how often a position may be drawn on average; 0
    /// sets no limit. A round takes fewer steps where more would exceed the limit.
    #[serde(default, skip_serializing_if = "is_none")]
    pub max_replay_ratio: f32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_none(number: &f32) -> bool {
    *number == 0.0
}

const fn one() -> f32 {
    1.0
}

const fn ten() -> usize {
    10
}

/// The encoding of a game with this name.
pub(super) fn encoding<G: Learnable>(name: &str) -> Result<&'static dyn Encode<G>, ConfigError> {
    let encoding_named = G::ENCODINGS.iter().find(|encode| encode.name() == name);
    encoding_named.copied().ok_or_else(|| {
        let known: Vec<&str> = G::ENCODINGS.iter().map(|encode| encode.name()).collect();
        ConfigError(format!("encoding '{name}', not {}", known.join(", ")))
    })
}

/// Why a configuration cannot be used. Displays as one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

impl TrainingConfig {
    /// Reads a configuration.
    ///
    /// # Errors
    /// Names the entry that is missing, unknown or out of its range.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| {
            ConfigError(at_line(text, error.span().map(|span| span.start), error.message()))
        })?;
        config.check()?;
        Ok(config)
    }

    /// Checks the numbers of a configuration that was not [read](Self::read) from a file of its own.
    ///
    /// # Errors
    /// Names the entry that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Self { self_play, learning, .. } = self;
        let below = match self_play.fpu {
            FirstPlayConfig::Below(reduction) => reduction,
            FirstPlayConfig::Named(_) => 0.0,
        };
        let numbers = [
            ("rounds", self.rounds as f64, 1.0, 1e9),
            ("games", self_play.games as f64, 1.0, 1e9),
            ("parallel_games", self_play.parallel_games as f64, 1.0, 4096.0),
            ("simulations", f64::from(self_play.simulations), 1.0, 1e6),
            ("c", f64::from(self_play.c), 0.0, 100.0),
            ("full_share", f64::from(self_play.full_share), 0.0, 1.0),
            ("quick_simulations", f64::from(self_play.quick_simulations), 1.0, 1e6),
            ("fpu", f64::from(below), 0.0, 1.0),
            ("gumbel", self_play.gumbel as f64, 0.0, 64.0),
            ("noise_alpha", f64::from(self_play.noise_alpha), 1e-3, 1e3),
            ("noise_share", f64::from(self_play.noise_share), 0.0, 1.0),
            ("temperature", f64::from(self_play.temperature), 0.0, 100.0),
            ("outcome_share", f64::from(self_play.outcome_share), 0.0, 1.0),
            ("buffer", learning.buffer as f64, 1.0, 1e8),
            ("batch", learning.batch as f64, 1.0, 65_536.0),
            ("accumulate", f64::from(learning.accumulate), 1.0, 1e6),
            ("steps", f64::from(learning.steps), 0.0, 1e9),
            ("learning_rate", f64::from(learning.learning_rate), 0.0, 1.0),
            ("decay", f64::from(learning.decay), 1e-3, 1.0),
            ("period", f64::from(learning.period), 1.0, 1e9),
            ("clip", f64::from(learning.clip), 1e-6, 1e9),
            ("l2", f64::from(learning.l2), 0.0, 1.0),
            ("min_buffer", learning.min_buffer as f64, 0.0, learning.buffer as f64),
            ("balance", f64::from(learning.balance), 0.0, 1.0),
            ("window", learning.window as f64, 1.0, 1e9),
            ("ema_decay", f64::from(learning.ema_decay), 0.0, 0.999_999),
            ("policy_weight", f64::from(learning.policy_weight), 0.0, 1e6),
            ("value_weight", f64::from(learning.value_weight), 0.0, 1e6),
            ("held_out", f64::from(learning.held_out), 0.0, 0.9),
            ("max_replay_ratio", f64::from(learning.max_replay_ratio), 0.0, 1e9),
        ];
        let taught = self.teacher.iter().flat_map(|teacher| {
            [
                ("teacher's rounds", teacher.rounds as f64, 1.0, 1e9),
                ("teacher's games", teacher.games as f64, 0.0, 1e9),
                ("scattered", teacher.scattered as f64, 0.0, 1e9),
                ("scattered_pieces", f64::from(teacher.scattered_pieces), 2.0, 64.0),
                ("temperature", f64::from(teacher.temperature), 1e-6, 1e3),
                ("epsilon", f64::from(teacher.epsilon), 0.0, 1.0),
                ("teacher's outcome_share", f64::from(teacher.outcome_share), 0.0, 1.0),
            ]
        });
        let measured = self.evaluation.iter().flat_map(|evaluation| {
            [
                ("evaluation's every", evaluation.every as f64, 1.0, 1e9),
                ("pairs", evaluation.pairs as f64, 1.0, 1e9),
                ("evaluation's simulations", evaluation.simulations as f64, 1.0, 1e6),
                ("exact_pieces", f64::from(evaluation.exact_pieces), 0.0, 64.0),
                ("exact_positions", f64::from(evaluation.exact_positions), 1.0, 1e6),
                ("gate's error", evaluation.gate.error, 1e-4, 0.49),
                ("gate's elo", evaluation.gate.elo, 1.0, 500.0),
            ]
        });
        let resigned = self_play.resign.iter().flat_map(|resign| {
            [
                ("resign's below", f64::from(resign.below), 0.0, 0.5),
                ("resign's turns", f64::from(resign.turns), 1.0, 100.0),
                ("resign's played_on", f64::from(resign.played_on), 0.0, 1.0),
            ]
        });
        let mut numbers = numbers.into_iter().chain(taught).chain(measured).chain(resigned);
        match numbers.find(|(_, number, least, most)| !(*least..=*most).contains(number)) {
            None => Ok(()),
            Some((name, number, least, most)) => {
                Err(ConfigError(format!("{name} is {number}, not {least} to {most}")))
            }
        }
    }

    /// The teacher that plays a round; `None` when the network does.
    pub(super) fn teacher(&self, round: u64) -> Option<&Teacher> {
        self.teacher.as_ref().filter(|teacher| round <= teacher.rounds)
    }

    /// The number of games in the first `rounds` rounds together.
    pub(super) fn games(&self, rounds: u64) -> u64 {
        let (taught, each) =
            self.teacher.as_ref().map_or((0, 0), |teacher| (teacher.rounds, teacher.games));
        rounds.min(taught) * each + rounds.saturating_sub(taught) * self.self_play.games
    }

    /// The architecture of a network for an encoding of this board size, planes and moves.
    pub(super) fn architecture(&self, board: usize, planes: usize, moves: usize) -> Architecture {
        Architecture { board, planes, moves, shape: self.network }
    }
}
