//! The protocol for programs that analyse many positions at once: one JSON object per line, in both
//! directions. It follows the analysis engine of `KataGo` and adds rolls.
//!
//! A driver writes [`Request`]s and reads [`Reply`] lines. Fields are read one by one, so that an
//! error can name the field that is wrong; a field that is not known is a warning, not an error.

mod fields;
mod query;
mod reply;
#[cfg(test)]
mod tests;

pub use query::{Action, Query, QueryLimits, Request};
pub use reply::{
    AnalysisReply, DoneReply, Luck, MoveInfo, NoResults, RefusalReply, Reply, RollInfo, Warning,
};
