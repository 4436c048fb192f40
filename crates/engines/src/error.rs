//! Why a program does not answer.

use std::io;

/// Why a program does not answer. Displayed as one line.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The command is empty or malformed, or the program cannot be started.
    #[error("'{command}' cannot be started: {error}")]
    NotStarted {
        /// The command line, as the spec states it.
        command: String,
        /// What is wrong.
        error: io::Error,
    },
    /// The time was up.
    #[error("no answer in time")]
    Timeout,
    /// It answered, but not in the protocol in which it was asked.
    #[error("{0}")]
    Protocol(String),
    /// The program ended, closed a pipe, or cannot do what is asked of it.
    #[error("{0}")]
    Failed(String),
}
