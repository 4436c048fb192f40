//! What can go wrong with tables.

use std::io;
use std::path::{Path, PathBuf};

/// Why tables cannot be built or used. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system refused.
    #[error("'{path}': {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is no table, or not the one that it should be.
    #[error("'{path}' {why}: remove it and build it again")]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Another program builds it.
    #[error("'{0}' is being built by another program")]
    Busy(PathBuf),
    /// The game's positions are not solved for so many pieces.
    #[error("tables of {game} go up to {most} pieces, not {pieces}")]
    TooMany {
        /// The game.
        game: String,
        /// The pieces that were asked for.
        pieces: u32,
        /// The most there can be.
        most: u32,
    },
    /// A unit does not fit into the memory that is allowed.
    #[error("solving {pieces} pieces takes {needed} MB of memory, and {allowed} MB are allowed")]
    Memory {
        /// Pieces.
        pieces: u32,
        /// What is needed with one thread, in 2²⁰ bytes.
        needed: u64,
        /// What is allowed.
        allowed: u64,
    },
}

impl TableError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }

    pub(crate) fn refused(path: &Path, why: impl Into<String>) -> Self {
        Self::Refused { path: path.to_owned(), why: why.into() }
    }
}
