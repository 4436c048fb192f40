//! The requests of a driver to an engine.

use std::fmt::{self, Display};
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::fields::Fields;
use super::{RefusalReply, Warning};
use crate::ProtocolError;

/// The longest time for a position: a day.
const MAX_MILLISECONDS: i64 = 86_400_000;
/// The shortest time between two reports during a search, in seconds.
const MIN_EVERY: f64 = 0.01;

/// A line from the driver to the engine.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Request {
    /// Positions to analyse.
    Query(Box<Query>),
    /// A request that is not an analysis.
    Action {
        /// The name of the request, which its answer repeats.
        id: String,
        /// What the engine is to do.
        action: Action,
    },
}

/// A game with positions to analyse. Everything but the `id` may be left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Query {
    /// The name of the query, which its answers repeat.
    pub id: String,
    /// The game with its rules; the engine's own game by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The position before `moves`, with its roll if it has one; the initial position by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Whether castling rights that the board of `position` rules out are dropped, not refused.
    #[serde(skip_serializing_if = "is_default")]
    pub drop_castling: bool,
    /// The rolls, as `@4`, and moves since then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// After how many words of `moves` the game is analysed; by default after all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analyze_turns: Option<Vec<usize>>,
    /// The agent's spec; the engine's own agent by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Whether positions with few pieces are solved; by default the engine decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// The seed of agents that make random choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What may be spent on each position.
    #[serde(flatten)]
    pub limits: QueryLimits,
    /// How many moves are reported, the best first; by default all.
    #[serde(rename = "multiPV", skip_serializing_if = "Option::is_none")]
    pub multi_pv: Option<usize>,
    /// Queries with a higher priority are begun first; 0 is the default.
    #[serde(skip_serializing_if = "is_default")]
    pub priority: i32,
    /// Time between reports during a search; by default none.
    #[serde(rename = "reportDuringSearchEvery", skip_serializing_if = "Option::is_none")]
    #[serde(serialize_with = "seconds")]
    pub report_every: Option<Duration>,
    /// Whether answers report the luck of each roll of `moves`.
    #[serde(skip_serializing_if = "is_default")]
    pub include_luck: bool,
}

/// What a search may spend on a position; it ends at the first limit that it reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct QueryLimits {
    /// Turns to look ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions to visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time, in milliseconds.
    #[serde(rename = "movetime", skip_serializing_if = "Option::is_none")]
    #[serde(serialize_with = "milliseconds")]
    pub time: Option<Duration>,
}

/// The actions of an engine other than analysing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Action {
    /// Reports the engine's name and version.
    QueryVersion,
    /// Forgets everything that is cached between queries: agents and the files that they have read.
    ClearCache,
    /// Ends the queries with this `id`.
    Terminate {
        /// The `id` of the queries.
        terminate_id: String,
        /// Only these of their turns; by default all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn_numbers: Option<Vec<usize>>,
    },
    /// Ends all queries.
    TerminateAll {
        /// Only these of their turns; by default all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn_numbers: Option<Vec<usize>>,
    },
}

/// Whether a field has its default value, which is left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[allow(clippy::ref_option, reason = "serde hands in a reference to the field")]
fn seconds<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(to)
}

#[allow(clippy::ref_option, reason = "serde hands in a reference to the field")]
fn milliseconds<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_millis() as u64).serialize(to)
}

impl Request {
    /// Reads a line. Unknown fields are returned as warnings beside the request.
    ///
    /// # Errors
    /// When the line is not an object, or a field has a wrong value; the refusal names the field.
    pub fn read(line: &str) -> Result<(Self, Vec<Warning>), RefusalReply> {
        let mut fields = Fields::read(line)?;
        let id = fields.id.clone();
        let request = match fields.text("action")? {
            Some(name) => Self::Action { id, action: action(&name, &mut fields)? },
            None => Self::Query(Box::new(query(id, &mut fields)?)),
        };
        Ok((request, fields.unknown()))
    }

    /// The name that the answers repeat.
    pub fn id(&self) -> &str {
        match self {
            Self::Query(query) => &query.id,
            Self::Action { id, .. } => id,
        }
    }
}

fn action(name: &str, fields: &mut Fields) -> Result<Action, RefusalReply> {
    match name {
        "query_version" => Ok(Action::QueryVersion),
        "clear_cache" => Ok(Action::ClearCache),
        "terminate" => {
            let target = fields.text("terminateId")?;
            let missing = "expected the id of the queries to end";
            let terminate_id = target.ok_or_else(|| fields.refusal("terminateId", missing))?;
            let turn_numbers = fields.turns("turnNumbers", usize::MAX)?;
            Ok(Action::Terminate { terminate_id, turn_numbers })
        }
        "terminate_all" => {
            Ok(Action::TerminateAll { turn_numbers: fields.turns("turnNumbers", usize::MAX)? })
        }
        _ => {
            let expected = "query_version, terminate, terminate_all or clear_cache";
            Err(fields.refusal("action", ProtocolError::new(name, expected).to_string()))
        }
    }
}

fn query(id: String, fields: &mut Fields) -> Result<Query, RefusalReply> {
    let word = |value: &Value| {
        let word = value.as_str().filter(|word| !word.is_empty());
        word.filter(|word| !word.contains(char::is_whitespace)).map(str::to_owned)
    };
    let words = "a list of rolls and moves, as in [\"@4\",\"a4b4\"]";
    let moves =
        fields.take("moves", words, |value| value.as_array()?.iter().map(word).collect())?;
    let moves: Vec<String> = moves.unwrap_or_default();
    let every = format!("seconds, from {MIN_EVERY} to 86400");
    let every = fields.take("reportDuringSearchEvery", &every, |value| {
        value.as_f64().filter(|seconds| (MIN_EVERY..=86_400.0).contains(seconds))
    })?;
    let limits = QueryLimits {
        depth: fields.number("depth", 1, 64)?.map(|depth| depth as u32),
        nodes: fields.number("nodes", 1, i64::MAX)?.map(|nodes| nodes as u64),
        time: fields
            .number("movetime", 1, MAX_MILLISECONDS)?
            .map(|time| Duration::from_millis(time as u64)),
    };
    Ok(Query {
        id,
        game: fields.text("game")?,
        position: fields.text("position")?,
        drop_castling: fields.flag("dropCastling")?.unwrap_or(false),
        analyze_turns: fields.turns("analyzeTurns", moves.len())?,
        moves,
        agent: fields.text("agent")?,
        exact: fields.flag("exact")?,
        seed: fields.number("seed", 0, i64::MAX)?.map(|seed| seed as u64),
        limits,
        multi_pv: fields.number("multiPV", 1, 1000)?.map(|lines| lines as usize),
        priority: fields.number("priority", i64::from(i32::MIN), i64::from(i32::MAX))?.unwrap_or(0)
            as i32,
        report_every: every.map(Duration::from_secs_f64),
        include_luck: fields.flag("includeLuck")?.unwrap_or(false),
    })
}

impl Display for Request {
    /// Writes the line without its line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[derive(Serialize)]
        struct Named<'a> {
            id: &'a str,
            #[serde(flatten)]
            action: &'a Action,
        }
        let text = match self {
            Self::Query(query) => serde_json::to_string(query),
            Self::Action { id, action } => serde_json::to_string(&Named { id, action }),
        };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}
