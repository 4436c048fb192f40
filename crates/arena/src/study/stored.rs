//! Rollouts that are kept in a file, to go on with later.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wurfel_core::{Budget, checksum_text};

use crate::records::differences::{Difference, differences};
use crate::records::whole::write_whole;
use crate::study::rollout::RolledOut;

const FORMAT: &str = "wurfel-rollout";
const VERSION: u32 = 1;

/// What a rollout depends on but for the number of its games: with another of these it is another rollout.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RolloutTerms {
    /// The game.
    pub game: String,
    /// The position, with its roll if that is given.
    pub position: String,
    /// The spec of the agent.
    pub agent: String,
    /// The bound on the depth of its searches.
    pub depth: Option<u32>,
    /// The bound on their nodes.
    pub nodes: Option<u64>,
    /// The bound on their time in nanoseconds.
    pub time: Option<u64>,
    /// After how many turns games end.
    pub turns: Option<u32>,
    /// Whether the luck of rolls is measured.
    pub luck: bool,
    /// The seed.
    pub seed: u64,
}

impl RolloutTerms {
    /// Sets the bounds from a budget.
    #[must_use]
    pub fn bounded(self, budget: Budget<'_>) -> Self {
        let Budget { depth, nodes, time, .. } = budget;
        let time = time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        Self { depth, nodes, time, ..self }
    }
}

/// A rollout in a file: a JSON object whose `checksum` is that of the text of `terms` and `found`.
#[derive(Serialize, Deserialize)]
struct Stored {
    format: String,
    version: u32,
    terms: RolloutTerms,
    found: RolledOut,
    checksum: String,
}

impl Stored {
    fn new(terms: RolloutTerms, found: RolledOut) -> Self {
        let text = serde_json::to_vec(&(&terms, &found)).unwrap_or_default();
        let checksum = checksum_text(&text);
        Self { format: FORMAT.to_owned(), version: VERSION, terms, found, checksum }
    }
}

/// Why a stored rollout cannot be gone on with. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a stored rollout, or is damaged.
    #[error("expected a stored rollout, version {VERSION}: {0}")]
    Damaged(String),
    /// It is another rollout.
    #[error("another rollout is stored there: {name} is {there}, not {here}")]
    Other {
        /// What is different.
        name: String,
        /// In the file.
        there: String,
        /// Now.
        here: String,
    },
}

/// Keeps what a rollout has found: in a file that is there whole or not at all, and replaces what was there.
///
/// # Errors
/// When the system refuses.
pub fn keep_rollout(path: &Path, terms: &RolloutTerms, found: &RolledOut) -> io::Result<()> {
    let stored = Stored::new(terms.clone(), found.clone());
    let mut text = serde_json::to_vec(&stored).map_err(io::Error::other)?;
    text.push(b'\n');
    write_whole(path, text)
}

/// Reads what a rollout on these terms has found; `None` when there is no file.
///
/// # Errors
/// When the file is damaged or is that of another rollout, or the system refuses.
pub fn kept_rollout(path: &Path, terms: &RolloutTerms) -> Result<Option<RolledOut>, StoredError> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    let stored: Stored =
        serde_json::from_slice(&text).map_err(|error| StoredError::Damaged(error.to_string()))?;
    if stored.format != FORMAT || stored.version != VERSION {
        let (format, version) = (stored.format, stored.version);
        return Err(StoredError::Damaged(format!("it is {format}, version {version}")));
    }
    let checksum = stored.checksum;
    let stored = Stored::new(stored.terms, stored.found);
    if stored.checksum != checksum {
        return Err(StoredError::Damaged("its checksum is another one".to_owned()));
    }
    match differences(&stored.terms, terms).into_iter().next() {
        None => Ok(Some(stored.found)),
        Some(Difference { place, there, here }) => {
            let (there, here) = (there.to_string(), here.to_string());
            Err(StoredError::Other { name: place, there, here })
        }
    }
}
