//! Why an entry is refused.

use std::fmt::Display;

/// The reason for refusing an entry, in one line. The state from before the entry is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    pub(super) fn of(problem: impl Display) -> Self {
        Self(problem.to_string())
    }
}
