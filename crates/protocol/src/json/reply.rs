//! The answers of an engine.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Action;
use crate::ProtocolError;

/// A line from the engine to the driver.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Reply {
    /// The analysis of a position, final or during the search.
    Analysis(Box<AnalysisReply>),
    /// A position that was not analysed because its query was terminated.
    NoResults(NoResults),
    /// An action that has been carried out.
    Done(DoneReply),
    /// A line that was refused, or a position that could not be analysed.
    Refused(RefusalReply),
    /// A part of a query that is not used.
    Warning(Warning),
}

/// The analysis of a position. Its values are those of the side that is **to roll or to move** in
/// this position, 0 to 1.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisReply {
    /// The `id` of the query.
    pub id: String,
    /// How many words of the query's `moves` lie before this position.
    pub turn_number: usize,
    /// Whether the search goes on, and another answer about this position follows.
    pub is_during_search: bool,
    /// The position, with its roll.
    pub position: String,
    /// The player who is to roll or to move, 1 or 2.
    pub player: u8,
    /// How the game has ended: `p1win`, `p2win` or `draw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The value; `None` from an agent that does not estimate.
    pub value: Option<f64>,
    /// Whether the value is the true one under best play.
    pub exact: bool,
    /// Turns looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub time: u64,
    /// With a roll: its moves, the best first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_infos: Option<Vec<MoveInfo>>,
    /// Before the roll: all rolls that differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll_infos: Option<Vec<RollInfo>>,
    /// The luck of each roll among the words before this position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Vec<Luck>>,
}

/// A move and its value.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveInfo {
    /// The rank, from 0.
    pub order: usize,
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    pub mv: String,
    /// The value for the side that moves; `None` where this move was not estimated.
    pub value: Option<f64>,
    /// Whether the value is the true one under best play.
    pub exact: bool,
    /// The move and those that are expected to follow it, with the rolls between them.
    pub pv: Vec<String>,
}

/// A roll and its value.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RollInfo {
    /// The roll, as `@4`.
    pub roll: String,
    /// The number of equally likely outcomes of the dice that lead to it.
    pub weight: u32,
    /// The value of its best move for the side that rolls.
    pub value: Option<f64>,
    /// Whether the value is the true one under best play.
    pub exact: bool,
    /// Its moves, the best first.
    pub move_infos: Vec<MoveInfo>,
}

/// How lucky a roll was.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Luck {
    /// The index of the roll among the query's `moves`, from 0.
    pub word: usize,
    /// The roll, as `@4`.
    pub roll: String,
    /// The player who rolled, 1 or 2.
    pub player: u8,
    /// The value after the best move for this roll, less the mean over all rolls, for the side that
    /// **rolled**, −1 to 1.
    pub luck: f64,
}

/// A position that was not analysed because its query was terminated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NoResults {
    /// The `id` of the query.
    pub id: String,
    /// How many words of the query's `moves` lie before this position.
    pub turn_number: usize,
    /// Always false.
    pub is_during_search: bool,
    /// Always true.
    pub no_results: bool,
}

/// An action that has been carried out, repeated as an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DoneReply {
    /// The `id` of the request.
    pub id: String,
    /// The action of the request, which the answer repeats.
    #[serde(flatten)]
    pub action: Action,
    /// The engine's name, after `query_version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The engine's version, after `query_version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefusalReply {
    /// The `id` of the query; `None` where the line has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What was wrong and what was expected.
    pub error: String,
    /// The field that is wrong; `None` where the line as a whole is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A part of a query that is not used; the query is answered nevertheless.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Warning {
    /// The `id` of the query.
    pub id: String,
    /// Why the field is not used.
    pub warning: String,
    /// The field that is not used.
    pub field: String,
}

impl NoResults {
    /// The answer about a position of a terminated query.
    pub fn new(id: String, turn_number: usize) -> Self {
        Self { id, turn_number, is_during_search: false, no_results: true }
    }
}

impl FromStr for Reply {
    type Err = ProtocolError;

    fn from_str(line: &str) -> Result<Self, ProtocolError> {
        let expected = "an answer of the engine: an object of JSON";
        serde_json::from_str(line).map_err(|_| ProtocolError::new(line, expected))
    }
}

impl Display for Reply {
    /// Writes the line without its line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}
