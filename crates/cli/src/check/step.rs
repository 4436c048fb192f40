//! The steps of a check, and their results.

use clap::ValueEnum;
use serde::Serialize;

use super::connection::Connection;

/// What an engine is fit for. Each level includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// It plays a match.
    Match,
    /// It does everything that the protocol describes.
    Complete,
    /// It also survives whatever a driver may send.
    Robust,
}

/// A step: one thing that an engine must do.
pub struct CheckStep {
    pub name: &'static str,
    /// What the protocol expects.
    pub expected: &'static str,
    pub check: fn(&mut Connection) -> Checked,
}

/// The step of this name.
pub const fn step(
    name: &'static str,
    expected: &'static str,
    check: fn(&mut Connection) -> Checked,
) -> CheckStep {
    CheckStep { name, expected, check }
}

/// Steps on one subject.
pub struct Group {
    pub title: &'static str,
    /// The level that an engine reaches only with these steps.
    pub level: Level,
    /// The steps that must be passed before these are tried; some of them may belong to this group.
    pub needs: &'static [&'static str],
    /// Its steps, in order.
    pub steps: Vec<CheckStep>,
}

/// The result of a step.
pub type Checked = Result<(), StepError>;

/// Why a step was not passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// The engine did something other than was expected.
    Wrong(String),
    /// The engine said nothing, or ended.
    Silent(String),
    /// The engine does not have this feature, which is optional.
    NotOffered(String),
    /// The game has no such position.
    NoSuchPosition,
}

impl StepError {
    /// The fault of an engine that did something other than was expected.
    pub fn wrong(what: impl Into<String>) -> Self {
        Self::Wrong(what.into())
    }

    /// The fault of an engine without an optional feature.
    pub fn not_offered(what: impl Into<String>) -> Self {
        Self::NotOffered(what.into())
    }
}

/// Turns a condition into a result; `found` describes what was found instead where it does not
/// hold.
pub fn holds(condition: bool, found: impl FnOnce() -> String) -> Checked {
    if condition { Ok(()) } else { Err(StepError::Wrong(found())) }
}

/// The entry of a step in the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepReport {
    pub level: Level,
    pub group: &'static str,
    /// What was checked.
    pub step: &'static str,
    pub result: StepOutcome,
    /// What the protocol expects.
    pub expected: &'static str,
    /// The step that was not passed and that this one needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<&'static str>,
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
    /// The engine lacks what the step needs, or had been silent too often.
    NotTried,
}

impl StepReport {
    /// The entry of a step that was tried.
    pub fn new(group: &Group, step: &CheckStep, checked: Checked) -> Self {
        let (result, found) = match checked {
            Ok(()) => (StepOutcome::Passed, None),
            Err(StepError::Wrong(problem) | StepError::Silent(problem)) => {
                (StepOutcome::Failed, Some(problem))
            }
            Err(StepError::NotOffered(what)) => (StepOutcome::NotOffered, Some(what)),
            Err(StepError::NoSuchPosition) => (StepOutcome::NotInThisGame, None),
        };
        Self::of(group, step, result, None, found)
    }

    /// The entry of a step that was not tried, because it `needs` another one or, without that,
    /// because the engine had been silent too often.
    pub fn not_tried(group: &Group, step: &CheckStep, needs: Option<&'static str>) -> Self {
        Self::of(group, step, StepOutcome::NotTried, needs, None)
    }

    fn of(
        group: &Group,
        step: &CheckStep,
        result: StepOutcome,
        needs: Option<&'static str>,
        found: Option<String>,
    ) -> Self {
        let &Group { title, level, .. } = group;
        let &CheckStep { name, expected, .. } = step;
        Self { level, group: title, step: name, result, expected, needs, found }
    }

    /// Whether the step keeps the engine from its level.
    pub const fn is_missing(&self) -> bool {
        matches!(self.result, StepOutcome::Failed | StepOutcome::NotTried)
    }
}
