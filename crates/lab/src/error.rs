//! Why an experiment cannot be run.

use wurfel_agents::SpecError;
use wurfel_arena::MatchError;
use wurfel_core::files::FileError;
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
    /// Another program works in the folder, or the system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// A match could not be played.
    #[error("{0}")]
    Match(#[from] MatchError),
    /// A network could not be trained.
    #[error("{0}")]
    Training(#[from] RunError),
}

impl From<SpecError> for LabError {
    fn from(error: SpecError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<wurfel_core::UnknownName> for LabError {
    fn from(error: wurfel_core::UnknownName) -> Self {
        Self::Input(error.to_string())
    }
}
