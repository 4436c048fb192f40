//! Jobs: the work to be done, as a TOML file states it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use wurfel::default_game;
use wurfel_arena::CupLimits;
use wurfel_core::files::FileError;
use wurfel_core::{at_line, read_text};
use wurfel_train::network::TrainingConfig;

use crate::WorkError;

/// The largest number of units of a plan, which limits the search in its folder.
const MAX_UNITS: u64 = 1_000_000;

/// A job. `kind` in the file chooses one of these variants.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Job {
    /// A match of mirrored pairs.
    Match(MatchJob),
    /// Everybody against everybody.
    Tournament(TournamentJob),
    /// Decisions of an agent against perfect play.
    Regret(RegretJob),
    /// Positions with labels, to fit evaluations to.
    Positions(PositionsJob),
    /// The exact values of all positions with few pieces.
    Tables(TablesJob),
    /// The training of a network.
    Training(TrainingJob),
    /// An experiment of `wurfel reproduce`.
    Experiment(ExperimentJob),
}

fn default_game_name() -> String {
    default_game().name().to_owned()
}

const fn default_seed() -> u64 {
    1
}

const fn default_units() -> u64 {
    64
}

/// A match of mirrored pairs, as `wurfel match` plays it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchJob {
    /// The rule set, as `wurfel games` names it.
    #[serde(default = "default_game_name")]
    pub game: String,
    /// The specs of the two agents.
    pub agents: [String; 2],
    /// The number of pairs of games.
    pub pairs: u64,
    /// The seed of set-ups, dice and agents.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// What both agents may spend on a move, unless their spec sets a bound.
    #[serde(default)]
    pub budget: CupLimits,
    /// Whether luck is measured and taken off.
    #[serde(default)]
    pub luck: bool,
    /// How many units the pairs are split into.
    #[serde(default = "default_units")]
    pub units: u64,
}

/// Everybody against everybody, as `wurfel tournament` plays it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentJob {
    /// The rule set, as `wurfel games` names it.
    #[serde(default = "default_game_name")]
    pub game: String,
    /// The specs of the agents.
    pub agents: Vec<String>,
    /// The number of pairs of games in each pairing.
    pub pairs: u64,
    /// The seed of set-ups, dice and agents.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// What the agents may spend on a move, unless their spec sets a bound.
    #[serde(default)]
    pub budget: CupLimits,
    /// Whether luck is measured and taken off.
    #[serde(default)]
    pub luck: bool,
    /// How many units each pairing is split into.
    #[serde(default = "one")]
    pub units: u64,
}

const fn one() -> u64 {
    1
}

/// Decisions of an agent against perfect play, as `wurfel regret` measures them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegretJob {
    /// The rule set, as `wurfel games` names it.
    #[serde(default = "default_game_name")]
    pub game: String,
    /// The spec of the agent.
    pub agent: String,
    /// The number of pieces on the board.
    pub pieces: u32,
    /// The number of decisions.
    pub positions: u64,
    /// Whether positions come from games of random moves, and not from pieces scattered at random.
    #[serde(default)]
    pub played: bool,
    /// The seed of positions, rolls and agent.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// What the agent may spend on a decision, unless its spec sets a bound.
    #[serde(default)]
    pub budget: CupLimits,
    /// How many units the decisions are split into.
    #[serde(default = "default_units")]
    pub units: u64,
}

/// Positions with labels, as `wurfel train positions` makes them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionsJob {
    /// The rule set, as `wurfel games` names it.
    #[serde(default = "default_game_name")]
    pub game: String,
    /// The evaluation at the leaves of the search.
    pub eval: String,
    /// The number of games that the positions come from.
    pub games: u64,
    /// Turns that the search looks ahead.
    pub depth: u32,
    /// The λ of TD(λ), 0 to 1.
    #[serde(default)]
    pub lambda: f32,
    /// With `lambda`, how many rolls are sampled for each value; 0 takes the mean over all, or with
    /// `without_wins` a single one.
    #[serde(default)]
    pub rolls: u32,
    /// Whether only rolls that do not win at once are rolled.
    #[serde(default)]
    pub without_wins: bool,
    /// With `without_wins`, whether a value is the mean over all rolls instead of a sample.
    #[serde(default)]
    pub all_rolls: bool,
    /// With `without_wins`, how many further alternatives of each turn are labelled.
    #[serde(default)]
    pub alternatives: u32,
    /// The seed of the games.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// How many units the games are split into.
    #[serde(default = "default_units")]
    pub units: u64,
}

/// The exact values of all positions with few pieces, as `wurfel tables build` computes them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesJob {
    /// The rule set, as `wurfel games` names it.
    #[serde(default = "default_game_name")]
    pub game: String,
    /// The largest number of pieces.
    pub pieces: u32,
    /// The memory that a unit may use, in 2²⁰ bytes.
    #[serde(default = "default_memory")]
    pub memory: u64,
}

const fn default_memory() -> u64 {
    4096
}

/// The training of a network, as `wurfel train network` does it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingJob {
    /// The configuration of the training run, or the path of its file.
    pub config: Configuration,
    /// How many units the games of a round are split into, at most.
    #[serde(default = "default_parts")]
    pub units: u64,
}

/// The configuration of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected the path of a configuration")]
pub enum Configuration {
    /// A TOML file, which is read when the work is planned.
    File(PathBuf),
    /// The contents of such a file.
    Read(Box<TrainingConfig>),
}

impl TrainingJob {
    /// The configuration, which must have been read.
    pub(crate) fn config(&self) -> Result<&TrainingConfig, WorkError> {
        match &self.config {
            Configuration::Read(config) => Ok(config),
            Configuration::File(path) => {
                Err(WorkError::Input(format!("'{}' was not read", path.display())))
            }
        }
    }
}

const fn default_parts() -> u64 {
    16
}

/// An experiment, as `wurfel reproduce` runs it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentJob {
    /// Its name, or the path of its folder.
    pub experiment: String,
    /// The scale: `tiny`, `quick`, `full`, or a factor of full.
    #[serde(default = "quick")]
    pub scale: String,
    /// The seed of all chance.
    #[serde(default = "default_seed")]
    pub seed: u64,
}

fn quick() -> String {
    "quick".to_owned()
}

impl Job {
    /// The rule set of its games; `None` where an experiment or a configuration says it.
    pub(crate) fn game(&self) -> Option<&str> {
        match self {
            Self::Match(MatchJob { game, .. })
            | Self::Tournament(TournamentJob { game, .. })
            | Self::Regret(RegretJob { game, .. })
            | Self::Positions(PositionsJob { game, .. })
            | Self::Tables(TablesJob { game, .. }) => Some(game),
            Self::Training(_) | Self::Experiment(_) => None,
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Names the entry that is missing, unknown or out of its range, in one line.
    pub fn read(text: &str) -> Result<Self, WorkError> {
        let job: Self = toml::from_str(text).map_err(|error| {
            WorkError::Input(at_line(text, error.span().map(|span| span.start), error.message()))
        })?;
        job.check()?;
        Ok(job)
    }

    /// Checks the numbers that nothing else would refuse.
    pub(crate) fn check(&self) -> Result<(), WorkError> {
        let wanted = |ok: bool, what: &str| {
            ok.then_some(()).ok_or_else(|| WorkError::Input(format!("expected {what}")))
        };
        let parts = |units: u64, of: u64, what: &str| {
            wanted((1..=1 << 40).contains(&of), &format!("{what} from 1 to 2^40, not {of}"))?;
            wanted(
                (1..=MAX_UNITS.min(of)).contains(&units),
                &format!("units from 1 to {}, not {units}", MAX_UNITS.min(of)),
            )
        };
        match self {
            Self::Match(job) => parts(job.units, job.pairs, "pairs"),
            Self::Tournament(job) => {
                let agents = job.agents.len() as u64;
                wanted((2..=128).contains(&agents), &format!("2 to 128 agents, not {agents}"))?;
                parts(job.units, job.pairs, "pairs")?;
                let all = job.units.saturating_mul(agents * (agents - 1) / 2);
                wanted(all <= MAX_UNITS, &format!("at most {MAX_UNITS} units in all, not {all}"))
            }
            Self::Regret(job) => parts(job.units, job.positions, "positions"),
            Self::Positions(job) => {
                wanted((0.0..=1.0).contains(&job.lambda), "lambda from 0 to 1")?;
                let sampled = job.lambda > 0.0 || job.without_wins;
                wanted(job.rolls == 0 || sampled, "lambda or without_wins beside rolls")?;
                let alone = job.alternatives == 0 || job.without_wins;
                wanted(alone, "without_wins beside alternatives")?;
                wanted(!job.all_rolls || job.without_wins, "without_wins beside all_rolls")?;
                wanted(!job.all_rolls || job.rolls == 0, "either rolls or all_rolls")?;
                wanted((1..=64).contains(&job.depth), "depth from 1 to 64")?;
                parts(job.units, job.games, "games")
            }
            Self::Tables(job) => {
                let known = (2..=16).contains(&job.pieces);
                wanted(known, &format!("pieces from 2 to 16, not {}", job.pieces))?;
                let memory = (1..=1 << 30).contains(&job.memory);
                wanted(memory, &format!("memory from 1 to 2^30, not {}", job.memory))
            }
            Self::Training(job) => {
                wanted(
                    (1..=65_536).contains(&job.units),
                    &format!("units from 1 to 65536, not {}", job.units),
                )?;
                let Configuration::Read(config) = &job.config else { return Ok(()) };
                config.check().map_err(|error| WorkError::Input(format!("config: {error}")))?;
                let all = (job.units + 1).saturating_mul(config.rounds);
                wanted(
                    all <= MAX_UNITS,
                    &format!("at most {MAX_UNITS} units in all rounds, not {all}"),
                )
            }
            Self::Experiment(_) => Ok(()),
        }
    }

    /// The job with the contents of the files it names, so that these are no longer needed.
    pub(crate) fn read_files(mut self) -> Result<Self, WorkError> {
        if let Self::Training(job) = &mut self
            && let Configuration::File(path) = &job.config
        {
            let text = read_text(path).map_err(FileError::at(path))?;
            let config = TrainingConfig::read(&text)
                .map_err(|error| WorkError::Input(format!("'{}': {error}", path.display())))?;
            job.config = Configuration::Read(Box::new(config));
        }
        self.check()?;
        Ok(self)
    }
}
