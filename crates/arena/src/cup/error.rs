//! Why a tournament cannot be played.

use std::path::PathBuf;

use wurfel_agents::{LimitError, SpecError};

use crate::play::entrant::{ChoiceError, NotStarted};
use crate::records::draft::OutputError;

/// Why a tournament cannot be played. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CupError {
    /// An agent cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent is a program that does not start.
    #[error(transparent)]
    NotStarted(#[from] NotStarted),
    /// An agent cannot choose its set-ups.
    #[error(transparent)]
    Nothing(#[from] ChoiceError),
    /// The games cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The tablebases that would end games are missing.
    // The error is no source of this one, since a chain of errors would show it twice.
    #[error("adjudication: {0}")]
    Tables(LimitError),
    /// The game does not have this set-up.
    #[error("participant '{name}': set-up '{setup}': expected one such as {example}")]
    SetUp {
        /// The participant with this set-up.
        name: String,
        /// Its set-up.
        setup: String,
        /// A set-up that the game has.
        example: String,
    },
    /// The file was begun with another description of the tournament.
    #[error(
        "'{path}' was begun with another tournament: {} (remove it or choose another name)",
        differences.join("; ")
    )]
    Changed {
        /// The file of the earlier run.
        path: PathBuf,
        /// Where the descriptions differ.
        differences: Vec<String>,
    },
    /// The file has a game that does not follow from those before it.
    #[error("'{0}' has games that this tournament does not have: remove it or choose another name")]
    Strange(PathBuf),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    /// The program shows an error with its sources, and this one was shown twice in one line.
    #[test]
    fn a_problem_with_tables_is_shown_once() {
        let error = CupError::Tables(LimitError("from 2 to 7".to_owned()));
        assert_eq!(error.to_string().matches("from 2 to 7").count(), 1);
        assert!(error.source().is_none());
    }
}
