//! Why an experiment cannot be run.

use std::io;
use std::path::{Path, PathBuf};

use wurfel_agents::SpecError;
use wurfel_arena::MatchError;
use wurfel_core::in_one_line;
use wurfel_train::network::RunError;

/// Why an experiment cannot be run. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// A definition, a file of an earlier run, or a request is wrong. The message stays one line,
    /// whatever it quotes.
    #[error("{}", in_one_line(.0))]
    Input(String),
    /// Another program works in the folder.
    #[error("'{0}': another program works in it")]
    Busy(PathBuf),
    /// The system refused.
    #[error("'{path}': {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A match could not be played.
    #[error("{0}")]
    Match(#[from] MatchError),
    /// A network could not be trained.
    #[error("{0}")]
    Training(#[from] RunError),
}

impl LabError {
    /// Makes the error for a file or folder that the system refuses to use.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Io { path: path.clone(), error }
    }
}

impl From<SpecError> for LabError {
    fn from(error: SpecError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<wurfel_games::UnknownName> for LabError {
    fn from(error: wurfel_games::UnknownName) -> Self {
        Self::Input(error.to_string())
    }
}
