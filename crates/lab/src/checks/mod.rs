//! Criteria and their verdicts.
//!
//! A verdict is never written by hand: it is computed from intervals. A criterion *holds* when the
//! whole interval satisfies it, *fails* when the whole interval violates it, and is *undecided*
//! otherwise; deciding it then takes more games. No number of them tells equal players apart, so a
//! criterion may have a margin, within which what would be undecided is *equal*. A figure without an
//! interval, such as an exact value or a sum of games, is compared as it is, but for a time, which
//! depends on the load of the machine and decides nothing without an interval. A row is named after
//! the settings that a scale changes, so a claim about a setting finds no row at a scale that does
//! not reach it, and is then *not at this scale*, however many games are played.

mod cells;
mod compare;
mod definition;
#[cfg(test)]
mod tests;
mod verdict;

pub use cells::{CellPattern, MarginPattern, Tolerance, fits};
pub use definition::{CheckDefinition, Criterion, Sentence};
pub(crate) use verdict::counts;
pub use verdict::{CheckResult, CheckVerdict, counted};
