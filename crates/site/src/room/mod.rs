//! A room: one game between people and agents, with its dice and clocks.
//!
//! A room knows its game and the rules of the site, but nothing about the network. Everything that
//! happens in it is written to its [`RoomRecord`], so a room that is opened again from its record
//! continues where it was.

mod play;
mod remote_play;
mod request;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_remote_play;
mod view;

use std::time::Duration;

use serde::Deserialize;
use wurfel::{SpecError, UnknownName};
use wurfel_arena::PersonName;
use wurfel_core::{BySide, Instant, NotationError};

use crate::agents::{AgentCache, Stop};
use crate::record::{Proposal, RecordError};
pub(crate) use play::{MAX_STEPS, Room};
pub(crate) use remote_play::ABSENCE;
pub(crate) use request::GameRequest;
pub(crate) use view::{OpenGame, View};

/// An action of somebody in the room.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Action {
    /// Declares the player ready. The salt becomes part of the dice. The game begins when all players are
    /// ready.
    Begin {
        #[serde(default)]
        salt: String,
    },
    /// Enters the roll, in games whose dice people roll themselves.
    Roll { roll: String },
    /// Plays a move for the side to move.
    Move {
        #[serde(rename = "move")]
        mv: String,
    },
    /// Takes back the roll that people have entered and that waits for its move, or else the last move
    /// that a person chose, and everything after it.
    Undo,
    /// Resigns, for the player's only side, or for the side to move on a device that plays both.
    Resign,
    /// Subscribes to the presence of players and is counted as present. Accepted on a socket only.
    Enter,
    /// Joins as the invited player, with a token that the client has made up.
    Join {
        invitation: String,
        #[serde(default)]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        name: PersonName,
    },
    /// Sends a set-up, in games whose players arrange their pieces at the same time.
    Arrange { setup: String },
    /// Proposes something to the other player.
    Offer { what: Proposal },
    /// Accepts the proposal of the other player.
    Accept,
    /// Declines the other player's proposal, or withdraws one of their own.
    Decline,
    /// Aborts the game before both sides have moved.
    Abort,
    /// Ends the game because the other player stays away.
    Claim { what: Claim },
}

/// The ways to end a game that the other player has left; the player who is still there chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Claim {
    Win,
    Draw,
}

/// The person who acts, with the moment of the action and how long each side has been away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    /// The sides that they play.
    pub sides: BySide<bool>,
    /// The time for which each side has been away.
    pub away: BySide<Duration>,
    pub now: Instant,
}

/// Why an action is refused. Displays as one line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Game(#[from] UnknownName),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("set-up '{0}': {1} has no such set-up")]
    Setup(String, &'static str),
    #[error("{0}")]
    Not(&'static str),
    #[error("no random numbers: {0}")]
    Random(String),
}

/// An agent's answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    pub mv: String,
    pub value: Option<f32>,
}

/// The search for an agent's move, for a thread of the pool; an error says in one line why the
/// agent found none.
pub(crate) type Work = Box<dyn FnOnce(&mut AgentCache, Stop<'_>) -> Result<Answer, String> + Send>;

/// A search for an agent's move.
pub(crate) struct Thought {
    /// The version of the room when the search began. The answer is dropped if the room has changed since.
    pub version: u64,
    /// The minimum time from the start of the search until the answer is played.
    pub pace: Duration,
    pub work: Work,
}
