#![doc = include_str!("../README.md")]

mod checks;
mod decide;
mod definition;
mod difference;
mod error;
mod experiment;
mod grid;
mod kinds;
mod machine;
mod measure;
mod ordered;
mod plan;
mod plot;
mod progress;
mod report;
mod results;
mod run;
mod scale;
#[cfg(feature = "testkit")]
pub mod testkit;
mod units;
mod work;

pub use checks::{
    CellPattern, CheckDefinition, CheckResult, CheckVerdict, Criterion, MarginPattern, Sentence,
    Tolerance, counted, fits,
};
pub use definition::{Contradiction, Definition, Departure, Origin};
pub use error::LabError;
pub use experiment::{Experiment, Library};
pub use machine::{Machine, SIGNATURES, signature};
pub use plan::ExperimentPlan;
pub use report::write_report;
pub use results::{Figure, Figures, ResultCell, ResultTable};
pub use run::{ResultState, RunRecord, RunSettings, run};
pub use scale::Scale;
pub use units::Units;
pub use work::{ExperimentResources, RunProgress};
