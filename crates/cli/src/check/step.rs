//! The steps of a check, and their results.

use serde::Serialize;

/// A step: one thing that an engine must do. `T` is the conversation in which it is checked.
pub struct CheckStep<T> {
    /// What is checked.
    pub name: &'static str,
    /// What the protocol expects.
    pub expected: &'static str,
    pub check: fn(&mut T) -> Checked,
}

/// Steps on one subject.
pub struct Group<T> {
    pub title: &'static str,
    /// Its steps, in order.
    pub steps: Vec<CheckStep<T>>,
}

/// The result of a step.
pub type Checked = Result<(), StepError>;

/// Why a step was not passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// The engine did something other than was expected.
    Found(String),
    /// The engine said nothing, or ended.
    Silent(String),
    /// The engine does not have this feature, which is optional.
    NotOffered(String),
    /// The game has no such position.
    NoSuchPosition,
}

impl StepError {
    /// The fault of an engine that did something other than was expected.
    pub fn found(what: impl Into<String>) -> Self {
        Self::Found(what.into())
    }

    /// The fault of an engine without an optional feature.
    pub fn not_offered(what: impl Into<String>) -> Self {
        Self::NotOffered(what.into())
    }
}

/// Turns a condition into a result; `found` describes what was found instead where it does not
/// hold.
pub fn holds(condition: bool, found: impl FnOnce() -> String) -> Checked {
    if condition { Ok(()) } else { Err(StepError::Found(found())) }
}

/// The entry of a step in the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepReport {
    pub group: &'static str,
    /// What was checked.
    pub step: &'static str,
    pub result: StepOutcome,
    /// What the protocol expects.
    pub expected: &'static str,
    /// What the engine did instead, or which feature it lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

/// The result of a step, as the report names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// The engine did what was expected.
    Passed,
    /// The engine did something else.
    Failed,
    /// The engine does not have this feature, which is optional.
    NotOffered,
    /// The game has nothing to check here.
    NotInThisGame,
    /// The engine had been silent too often.
    NotTried,
}

impl StepReport {
    /// The entry of a step that was tried.
    pub fn new<T>(group: &'static str, step: &CheckStep<T>, checked: Checked) -> Self {
        let (result, found) = match checked {
            Ok(()) => (StepOutcome::Passed, None),
            Err(StepError::Found(found) | StepError::Silent(found)) => {
                (StepOutcome::Failed, Some(found))
            }
            Err(StepError::NotOffered(what)) => (StepOutcome::NotOffered, Some(what)),
            Err(StepError::NoSuchPosition) => (StepOutcome::NotInThisGame, None),
        };
        Self { group, step: step.name, result, expected: step.expected, found }
    }

    /// The entry of a step that was not tried.
    pub const fn not_tried<T>(group: &'static str, step: &CheckStep<T>) -> Self {
        let result = StepOutcome::NotTried;
        Self { group, step: step.name, result, expected: step.expected, found: None }
    }
}
