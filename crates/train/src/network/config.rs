//! How a network is learned, as a TOML file.

use serde::{Deserialize, Serialize};
use wurfel_net::Architecture;

/// How a network is learned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The game.
    pub game: String,
    /// One of its encodings.
    pub encoding: String,
    /// The seed of all chance.
    pub seed: u64,
    /// Rounds of games and steps, at least 1.
    pub rounds: u64,
    /// The shape of the network.
    pub network: Network,
    /// The games of a round.
    pub self_play: SelfPlay,
    /// The steps of a round.
    pub learning: Learning,
}

/// An [`Architecture`] without what the encoding says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
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
    /// How many of them one thread plays side by side, whose turns are judged together,
    /// 1 to 4,096.
    pub together: u64,
    /// Passes of the search for each decision, at least 1.
    pub simulations: u32,
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

/// The steps of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// Positions that are kept, the oldest dropped first.
    pub buffer: usize,
    /// Positions of a batch, at least 1.
    pub batch: usize,
    /// Batches whose gradients are averaged for one step, at least 1.
    pub accumulate: u32,
    /// Steps.
    pub steps: u32,
    /// The length of the first step.
    pub rate: f32,
    /// What `period` steps multiply it with, above 0.
    pub decay: f32,
    /// In steps, above 0.
    pub period: f32,
    /// The longest gradient.
    pub clip: f32,
    /// The λ of λ Σ θ².
    pub l2: f32,
    /// What the policy's cross-entropy counts.
    #[serde(default = "one")]
    pub policy_weight: f32,
    /// What the value's squared error counts.
    #[serde(default = "one")]
    pub value_weight: f32,
    /// Whether positions are seen through the symmetries of the game.
    pub augment: bool,
}

const fn one() -> f32 {
    1.0
}

/// Why a configuration cannot be used. Displays as one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

impl Config {
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
            ("rate", f64::from(learning.rate), 0.0, 1.0),
            ("decay", f64::from(learning.decay), 1e-3, 1.0),
            ("period", f64::from(learning.period), 1.0, 1e9),
            ("clip", f64::from(learning.clip), 1e-6, 1e9),
            ("l2", f64::from(learning.l2), 0.0, 1.0),
            ("policy_weight", f64::from(learning.policy_weight), 0.0, 1e6),
            ("value_weight", f64::from(learning.value_weight), 0.0, 1e6),
        ];
        match numbers.iter().find(|(_, number, least, most)| !(*least..=*most).contains(number)) {
            None => Ok(()),
            Some((name, number, least, most)) => {
                Err(ConfigError(format!("{name} is {number}, not {least} to {most}")))
            }
        }
    }

    /// The shape of a network for an encoding with so many planes and moves on a board.
    pub(super) fn architecture(&self, board: usize, planes: usize, moves: usize) -> Architecture {
        let Network {
            filters,
            convolutions,
            blocks,
            policy_channels,
            value_channels,
            value_hidden,
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
        }
    }
}
