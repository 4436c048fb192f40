//! Rollouts and comparisons of moves that are stored in a file, to be continued later.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wurfel_core::files::{FileError, write_whole};
use wurfel_core::{Budget, checksum_text, in_one_line};

use crate::records::differences::{Difference, differences};
use crate::study::candidates::ComparisonResult;
use crate::study::rollout::RolloutResult;

const VERSION: u32 = 1;

/// A result that can be stored in a file.
pub trait StoredResult: Clone + Serialize + DeserializeOwned {
    /// Everything that the result depends on except the number of games. A result with other terms
    /// cannot be continued.
    type Terms: Clone + Serialize + DeserializeOwned;
    /// The value of the first field in its files, which names the format.
    const FORMAT: &'static str;
    /// The kind of result, in words.
    const NAME: &'static str;
}

impl StoredResult for RolloutResult {
    type Terms = RolloutTerms;
    const FORMAT: &'static str = "wurfel-rollout";
    const NAME: &'static str = "rollout";
}

impl StoredResult for StoredComparison {
    type Terms = ComparisonTerms;
    const FORMAT: &'static str = "wurfel-comparison";
    const NAME: &'static str = "comparison of moves";
}

/// Everything that a rollout depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RolloutTerms {
    /// The rule set of the position.
    pub game: String,
    /// The position, with its roll if that is given.
    pub position: String,
    /// The spec of the agent.
    pub agent: String,
    /// The bound on the depth of the agent's searches.
    pub depth: Option<u32>,
    /// The bound on the nodes of its searches.
    pub nodes: Option<u64>,
    /// The bound on the time of its searches, in nanoseconds.
    pub time: Option<u64>,
    /// After how many turns games end.
    pub turns: Option<u32>,
    /// Whether the luck of rolls is measured.
    pub luck: bool,
    /// The seed of all games.
    pub seed: u64,
}

impl RolloutTerms {
    /// Sets the bounds from a budget.
    #[must_use]
    pub fn with_budget(self, budget: Budget<'_>) -> Self {
        let Budget { depth, nodes, time, .. } = budget;
        let time = time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        Self { depth, nodes, time, ..self }
    }

    /// The command that compares the best `moves` moves in `games` games each, as a shell reads it. Its result is
    /// the same unless a time bounds the searches.
    pub fn command(&self, moves: usize, games: u64) -> String {
        let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
        let (position, agent) = (quoted(&self.position), quoted(&self.agent));
        let Self { game, depth, nodes, time, turns, seed, .. } = self;
        // The command looks one turn ahead if nothing bounds it.
        let depth = depth.filter(|&depth| depth > 1 || nodes.is_some() || time.is_some());
        let options: String = [
            ("depth", depth.map(|depth| depth.to_string())),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("time", time.map(|time| format!("{}ms", time as f64 / 1e6))),
            ("truncate", turns.map(|turns| turns.to_string())),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some(format!(" --{name} {}", value?)))
        .collect();
        format!(
            "wurfel rollout {position} --game {game} --agent {agent} --moves {moves} --games {games}{options} \
             --seed {seed}"
        )
    }
}

/// Everything that a comparison of moves depends on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ComparisonTerms {
    /// What the rollout of each move depends on.
    #[serde(flatten)]
    pub rollout: RolloutTerms,
    /// The number of moves to be compared.
    pub moves: u32,
    /// The largest probability with which the best of the moves may be dropped. A comparison with
    /// another rate cannot be continued, because the moves that it dropped mean nothing at this
    /// rate.
    pub error_rate: f64,
}

/// The results of a comparison, and the moves to which they belong. The moves are stored because an
/// agent whose searches are bounded by time may choose others the next time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoredComparison {
    /// The moves as text, in their order.
    pub moves: Vec<String>,
    /// The results for these moves.
    #[serde(flatten)]
    pub compared: ComparisonResult,
}

/// The first fields of a file.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// The contents of a file: a JSON object whose `checksum` is that of the text of `terms` and
/// `found`.
#[derive(Serialize, Deserialize)]
struct Content<T, F> {
    format: String,
    version: u32,
    terms: T,
    #[serde(rename = "found")]
    result: F,
    checksum: String,
}

impl<F: StoredResult> Content<F::Terms, F> {
    fn new(terms: F::Terms, result: F) -> Self {
        let text = serde_json::to_vec(&(&terms, &result)).unwrap_or_default();
        let checksum = checksum_text(&text);
        Self { format: F::FORMAT.to_owned(), version: VERSION, terms, result, checksum }
    }

    /// Reads a file, or says why it cannot be used.
    fn read(text: &[u8]) -> Result<Self, String> {
        let Header { format, version } = serde_json::from_slice(text).map_err(in_one_line)?;
        if format != F::FORMAT || version != VERSION {
            return Err(format!("it is {format}, version {version}"));
        }
        let there: Self = serde_json::from_slice(text).map_err(in_one_line)?;
        let checksum = there.checksum;
        let there = Self::new(there.terms, there.result);
        if there.checksum == checksum {
            Ok(there)
        } else {
            Err("the checksum does not match".to_owned())
        }
    }
}

/// Why a stored result cannot be continued. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// The system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is of another kind, or is damaged.
    #[error("expected a stored {expected}, version {VERSION}: {problem}")]
    Damaged {
        /// The kind of file that was expected.
        expected: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The file holds the result of something else.
    #[error("another {what} is stored there: {name} is {there}, not {here}")]
    Other {
        /// The kind of result: a rollout, or a comparison of moves.
        what: &'static str,
        /// The name of the term that differs.
        name: String,
        /// Its value in the file.
        there: String,
        /// Its value now.
        here: String,
    },
}

/// Saves the results of a rollout or of a comparison of moves in a file, which is written whole or
/// not at all and replaces an existing one.
///
/// # Errors
/// When the system refuses.
pub fn save_rollout<F: StoredResult>(
    path: &Path,
    terms: &F::Terms,
    result: &F,
) -> Result<(), FileError> {
    let content = Content::new(terms.clone(), result.clone());
    let mut text =
        serde_json::to_vec(&content).map_err(|error| FileError::at(path)(error.into()))?;
    text.push(b'\n');
    write_whole(path, text)
}

/// Reads the results of a rollout or of a comparison of moves on these terms; `None` when there is
/// no file.
///
/// # Errors
/// When the file is damaged or belongs to other terms, or the system refuses.
pub fn load_rollout<F: StoredResult>(
    path: &Path,
    terms: &F::Terms,
) -> Result<Option<F>, StoredError> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(FileError::at(path))?,
    };
    let content = Content::<_, F>::read(&text);
    let content = content.map_err(|problem| StoredError::Damaged { expected: F::NAME, problem })?;
    match differences(&content.terms, terms).into_iter().next() {
        None => Ok(Some(content.result)),
        Some(Difference { place, there, here }) => {
            let (there, here) = (there.to_string(), here.to_string());
            Err(StoredError::Other { what: F::NAME, name: place, there, here })
        }
    }
}
