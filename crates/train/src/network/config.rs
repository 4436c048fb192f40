//! How a network is learned, as a TOML file.

use serde::{Deserialize, Serialize};
use wurfel_net::Architecture;

/// How a network is learned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingConfig {
    /// The game.
    pub game: String,
    /// One of its encodings.
    pub encoding: String,
    /// The seed of all chance.
    pub seed: u64,
    /// Rounds of games and steps, at least 1.
    pub rounds: u64,
    /// The shape of the network.
    pub network: NetworkConfig,
    /// Who plays the first rounds, when it is not the network itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teacher: Option<Teacher>,
    /// The games of a round.
    pub self_play: SelfPlay,
    /// The steps of a round.
    pub learning: LearningConfig,
    /// How often and how the network's strength is measured, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationConfig>,
}

/// Matches that say how strong the network is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Games between two evaluations, at least 1: one follows the round that reaches them.
    pub every: u64,
    /// Mirrored pairs of each match, at least 1.
    pub pairs: u64,
    /// Simulations of the network's search for each decision, at least 1.
    pub simulations: u64,
    /// The specs of agents that it plays against besides the best network before it.
    #[serde(default)]
    pub opponents: Vec<String>,
    /// Evaluations in a row that find no better network before one more ends the run;
    /// 0: the run goes on.
    #[serde(default)]
    pub patience: u64,
}

/// An agent that plays and evaluates the games of the first rounds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teacher {
    /// Its spec; bounded by depth or nodes, so that it finds the same everywhere.
    pub agent: String,
    /// Rounds that it plays.
    pub rounds: u64,
    /// Games of each.
    pub games: u64,
    /// Turns of each round that come from no game: their pieces are scattered at random.
    #[serde(default)]
    pub scattered: u64,
    /// The most pieces of those, at least 2.
    #[serde(default = "two_pieces", alias = "scattered_men")]
    pub scattered_pieces: u32,
    /// How much worse a move must be, in win probability, to have its share of the policy
    /// to learn divided by e; above 0.
    pub softness: f32,
    /// The most of the moves of a game that are made at random, 0 to 1; each game draws
    /// its own share.
    pub careless: f32,
    /// How much of the value to learn is the game's outcome, 0 to 1, where the agent is not
    /// certain; the rest is what it found.
    pub outcome_share: f32,
}

const fn two_pieces() -> u32 {
    2
}

/// An [`Architecture`] without what the encoding says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// Channels of the tower.
    pub filters: usize,
    /// Plain convolutions at its foot.
    pub convolutions: usize,
    /// Residual blocks over them.
    #[serde(default)]
    pub blocks: usize,
    /// Channels of the policy head.
    #[serde(default = "four")]
    pub policy_channels: usize,
    /// Channels of the value head.
    #[serde(default = "two")]
    pub value_channels: usize,
    /// Hidden units of the value head.
    #[serde(default = "sixty_four")]
    pub value_hidden: usize,
    /// Whether the logits of the policy are planes, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spatial_policy: bool,
    /// Whether it learns what positions at rest are worth, too, and searches ask it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub afterstate_value: bool,
}

const fn four() -> usize {
    4
}

const fn two() -> usize {
    2
}

const fn sixty_four() -> usize {
    64
}

/// The games of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// How many, at least 1.
    pub games: u64,
    /// How many of them one thread plays side by side, whose turns are evaluated together,
    /// 1 to 4,096.
    pub together: u64,
    /// Simulations of the search for each decision, at least 1.
    pub simulations: u32,
    /// The share of the decisions that get those simulations and are learned from, 0 to 1; the
    /// others only lead the game on (playout-cap randomisation of D. Wu, "Accelerating
    /// self-play learning in Go", 2019).
    #[serde(default = "one")]
    pub full_share: f32,
    /// Simulations for those others, without noise, at least 1.
    #[serde(default = "one_pass")]
    pub quick_simulations: u32,
    /// The most pieces of positions whose exact values the search looks up in tables; 0: none.
    #[serde(default)]
    pub tables: u32,
    /// The weight of exploration, at least 0.
    pub c: f32,
    /// How much worse than its turn a move counts that was never tried, at least 0.
    pub fpu: f32,
    /// Moves among which sequential halving chooses; 0: by PUCT with noise.
    #[serde(default)]
    pub gumbel: usize,
    /// The noise's concentration, above 0.
    pub noise_alpha: f32,
    /// The noise's share of the prior at the root, 0 to 1.
    pub noise_share: f32,
    /// How freely moves are drawn by their visits, at least 0.
    pub temperature: f32,
    /// Turns of a game after which the move that was tried most is made.
    pub temperature_turns: u32,
    /// How much of the value to learn is the game's outcome, 0 to 1; the rest is what the
    /// search found.
    pub outcome_share: f32,
}

const fn one_pass() -> u32 {
    1
}

/// The steps of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningConfig {
    /// Positions that are kept, the oldest dropped first.
    pub buffer: usize,
    /// Positions of a batch, at least 1.
    pub batch: usize,
    /// Batches whose gradients are averaged for one step, at least 1.
    pub accumulate: u32,
    /// Steps.
    pub steps: u32,
    /// The learning rate of the first step.
    #[serde(alias = "rate")]
    pub learning_rate: f32,
    /// What `period` steps multiply it with, above 0.
    pub decay: f32,
    /// In steps, above 0.
    pub period: f32,
    /// The longest gradient.
    pub clip: f32,
    /// The λ of λ Σ θ².
    pub l2: f32,
    /// Positions that the buffer must have before the first step.
    #[serde(default)]
    pub warm_up: usize,
    /// What the policy's cross-entropy counts.
    #[serde(default = "one")]
    pub policy_weight: f32,
    /// What the value's squared error counts.
    #[serde(default = "one")]
    pub value_weight: f32,
    /// How far the two losses are made to count the same, 0 to 1: each weight is divided by
    /// this power of its loss's mean over the last rounds, and both are scaled to their old
    /// sum.
    #[serde(default)]
    pub balance: f32,
    /// The last rounds over which losses are averaged for that, and their variance is
    /// taken, at least 1.
    #[serde(default = "ten")]
    pub window: usize,
    /// How much of the moving average of its weights a step keeps, 0 to below 1. The average
    /// is the network that plays and is kept.
    #[serde(default)]
    pub average: f32,
    /// Whether positions are seen through the symmetries of the game.
    pub augment: bool,
}

const fn one() -> f32 {
    1.0
}

const fn ten() -> usize {
    10
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
            let before = error.span().map_or("", |span| &text[..span.start]);
            let line = 1 + before.matches('\n').count();
            ConfigError(format!("line {line}: {}", error.message().replace('\n', "; ")))
        })?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        let Self { self_play, learning, .. } = self;
        let numbers = [
            ("rounds", self.rounds as f64, 1.0, 1e9),
            ("games", self_play.games as f64, 1.0, 1e9),
            ("together", self_play.together as f64, 1.0, 4096.0),
            ("simulations", f64::from(self_play.simulations), 1.0, 1e6),
            ("c", f64::from(self_play.c), 0.0, 100.0),
            ("full_share", f64::from(self_play.full_share), 0.0, 1.0),
            ("quick_simulations", f64::from(self_play.quick_simulations), 1.0, 1e6),
            ("fpu", f64::from(self_play.fpu), 0.0, 1.0),
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
            ("warm_up", learning.warm_up as f64, 0.0, learning.buffer as f64),
            ("balance", f64::from(learning.balance), 0.0, 1.0),
            ("window", learning.window as f64, 1.0, 1e9),
            ("average", f64::from(learning.average), 0.0, 0.999_999),
            ("policy_weight", f64::from(learning.policy_weight), 0.0, 1e6),
            ("value_weight", f64::from(learning.value_weight), 0.0, 1e6),
        ];
        let taught = self.teacher.iter().flat_map(|teacher| {
            [
                ("teacher's rounds", teacher.rounds as f64, 1.0, 1e9),
                ("teacher's games", teacher.games as f64, 0.0, 1e9),
                ("scattered", teacher.scattered as f64, 0.0, 1e9),
                ("scattered_pieces", f64::from(teacher.scattered_pieces), 2.0, 64.0),
                ("softness", f64::from(teacher.softness), 1e-6, 1e3),
                ("careless", f64::from(teacher.careless), 0.0, 1.0),
                ("teacher's outcome_share", f64::from(teacher.outcome_share), 0.0, 1.0),
            ]
        });
        let measured = self.evaluation.iter().flat_map(|evaluation| {
            [
                ("every", evaluation.every as f64, 1.0, 1e9),
                ("pairs", evaluation.pairs as f64, 1.0, 1e9),
                ("evaluation's simulations", evaluation.simulations as f64, 1.0, 1e6),
            ]
        });
        let mut numbers = numbers.into_iter().chain(taught).chain(measured);
        match numbers.find(|(_, number, least, most)| !(*least..=*most).contains(number)) {
            None => Ok(()),
            Some((name, number, least, most)) => {
                Err(ConfigError(format!("{name} is {number}, not {least} to {most}")))
            }
        }
    }

    /// Who plays a round, when it is not the network itself.
    pub(super) fn teacher(&self, round: u64) -> Option<&Teacher> {
        self.teacher.as_ref().filter(|teacher| round <= teacher.rounds)
    }

    /// Games of the first so many rounds.
    pub(super) fn games(&self, rounds: u64) -> u64 {
        let (taught, each) =
            self.teacher.as_ref().map_or((0, 0), |teacher| (teacher.rounds, teacher.games));
        rounds.min(taught) * each + rounds.saturating_sub(taught) * self.self_play.games
    }

    /// The shape of a network for an encoding with so many planes and moves on a board.
    pub(super) fn architecture(&self, board: usize, planes: usize, moves: usize) -> Architecture {
        let NetworkConfig {
            filters,
            convolutions,
            blocks,
            policy_channels,
            value_channels,
            value_hidden,
            spatial_policy,
            afterstate_value,
        } = self.network;
        Architecture {
            board,
            planes,
            moves,
            filters,
            convolutions,
            blocks,
            policy_channels,
            value_channels,
            value_hidden,
            spatial_policy,
            afterstate_value,
        }
    }
}
