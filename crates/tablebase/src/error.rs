//! Errors of tablebases.

use std::path::{Path, PathBuf};

use wurfel_core::files::FileError;

use crate::NoHome;

/// Why a tablebase cannot be built or used. It is displayed as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Another program is building the table, or the system refused access to its file.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no folder in which tables could be.
    #[error("no folder for the tables (WURFEL_TABLES names one): {0}")]
    NoFolder(#[from] NoHome),
    /// The file is not a table, or not the one that its name promises.
    #[error("'{path}' {why}: remove it and build it again")]
    Refused {
        /// The file of the table.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The game does not solve positions with this many pieces.
    #[error("{}", too_many(game, *most, *pieces))]
    TooMany {
        /// The name of the rule set.
        game: String,
        /// How many pieces were asked for.
        pieces: u32,
        /// The largest possible number of pieces.
        most: u32,
    },
    /// Solving a unit takes more memory than is allowed.
    #[error("solving {pieces} pieces takes {needed} MB of memory, and {allowed} MB are allowed")]
    Memory {
        /// The number of pieces of the layer.
        pieces: u32,
        /// The memory that one thread needs, in 2²⁰ bytes.
        needed: u64,
        /// The memory that is allowed, in 2²⁰ bytes.
        allowed: u64,
    },
}

impl TableError {
    /// Whether the system refuses to read or write tables that are not at fault: a search to the
    /// end of the game does without.
    pub const fn is_refusal(&self) -> bool {
        matches!(self, Self::File(FileError::Io { .. }) | Self::NoFolder(_))
    }

    pub(crate) fn refused(path: &Path, why: impl Into<String>) -> Self {
        Self::Refused { path: path.to_owned(), why: why.into() }
    }
}

fn too_many(game: &str, most: u32, pieces: u32) -> String {
    if most == 0 {
        format!("{game} has no tables")
    } else {
        format!("tables of {game} go up to {most} pieces, not {pieces}")
    }
}
