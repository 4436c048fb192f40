//! Why work cannot be planned, done or merged.

use std::path::PathBuf;

use wurfel_agents::SpecError;
use wurfel_arena::MatchError;
use wurfel_core::files::FileError;
use wurfel_core::{UnknownName, in_one_line};
use wurfel_lab::LabError;
use wurfel_tablebase::TableError;
use wurfel_train::network::RunError;

/// Why work cannot be planned, done or merged. Displays as one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// A request, or the contents of a file, is wrong. The message stays one line,
    /// whatever it quotes.
    #[error("{}", in_one_line(.0))]
    Input(String),
    /// Units are missing that must be done first.
    #[error("'{folder}': {missing} of {of} units are missing, the first of them {first}")]
    Missing {
        /// The folder of the plan.
        folder: PathBuf,
        /// How many are missing.
        missing: u64,
        /// How many units there are.
        of: u64,
        /// The first one that is missing.
        first: u64,
    },
    /// The program's searches differ from those of the program that wrote the plan.
    #[error(
        "this program's searches have the signature {found}, and those of the plan {expected}: \
         all units must be done by the same version of wurfel"
    )]
    Signature {
        /// The signature of this program.
        found: String,
        /// The signature in the plan.
        expected: String,
    },
    /// Units whose results depend on speed were done on machines of different kinds.
    #[error(
        "units {one} and {other} were bounded by time and done on machines of different speed \
         ({slow:.2} and {fast:.2} M nodes/s): do one of them again, or allow the mixture"
    )]
    Mixed {
        /// A unit of the slowest machine.
        one: u64,
        /// A unit of the fastest machine.
        other: u64,
        /// The speed of the slowest, in millions of nodes a second.
        slow: f64,
        /// The speed of the fastest.
        fast: f64,
    },
    /// The system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// A match cannot be played, or its games are not what they should be.
    #[error("{0}")]
    Match(#[from] MatchError),
    /// An agent cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There is no game of that name.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// A table cannot be built.
    #[error("{0}")]
    Table(#[from] TableError),
    /// A network cannot be trained.
    #[error("{0}")]
    Training(#[from] RunError),
    /// An experiment cannot be run.
    #[error("{0}")]
    Lab(#[from] LabError),
}
