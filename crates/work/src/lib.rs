#![doc = include_str!("../README.md")]

mod error;
mod folder;
mod job;
mod kinds;
mod plan;

pub use error::WorkError;
pub use folder::{Manifest, Plan};
pub use job::{ExperimentJob, Job, MatchJob, PositionsJob, RegretJob, TablesJob, TournamentJob};
pub use kinds::Merged;
pub use plan::{Means, Planned, State};
