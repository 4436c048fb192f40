#![doc = include_str!("../README.md")]

mod error;
mod folder;
mod job;
mod kinds;
mod plan;
#[cfg(feature = "testkit")]
pub mod testkit;
mod unit;

pub use error::WorkError;
pub use folder::{Manifest, Plan};
pub use job::{ExperimentJob, Job, MatchJob, PositionsJob, RegretJob, TablesJob, TournamentJob};
pub use plan::{PlanState, Planned};
pub use unit::{Merged, Resources};
