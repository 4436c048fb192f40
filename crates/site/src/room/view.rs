//! The view of a room: the JSON from which the page draws it.

use serde::Serialize;

use super::ABSENCE;
use crate::record::{DiceKind, Offer, RemotePlay};
use wurfel::Scene;
use wurfel_arena::{PersonName, RoomEnd, RoomPlayer, RoomStep};
use wurfel_core::Side;

/// The state of a room, as the page shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Room"))]
pub(crate) struct View {
    /// The token that acts for the players, for whoever has opened the room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The secret that invites a guest, for whoever has opened the room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// The code by which a guest can join instead, for whoever has opened the room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The name of the room.
    pub id: String,
    /// The game, which is the rule set.
    pub game: String,
    /// The version of the room, which grows with every change.
    pub version: u64,
    /// Who plays, the first side first.
    pub players: [RoomPlayer; 2],
    /// Whether the game has begun.
    pub begun: bool,
    /// The position now.
    pub scene: Scene,
    /// The rolls just before the current one that allowed no move.
    pub void: Vec<String>,
    /// Whether the current roll is what the last move left of a larger one.
    pub rest: bool,
    /// The moves so far.
    pub steps: Vec<ShownStep>,
    /// How the game ended.
    pub end: Option<RoomEnd>,
    /// The time that each side has left; `None` in a game without clocks.
    pub clock: Option<ShownClock>,
    /// The proof of the dice. It has the seed only after the end of the game.
    pub dice: DiceKind,
    /// Whether the last move of a person can be taken back.
    pub undo: bool,
    /// The number of take-backs.
    pub taken_back: usize,
    /// The state between two players on two devices.
    pub apart: Option<ShownRemotePlay>,
}

/// The state between two players on two devices.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RemotePlay"))]
pub(crate) struct ShownRemotePlay {
    /// The side of the invited player, until they join.
    pub open: Option<Side>,
    /// Whether anybody on this server may take that side.
    pub listed: bool,
    /// Which sides are ready.
    pub ready: [bool; 2],
    /// Which sides have sent their set-ups, where both players arrange their pieces.
    pub arranged: Option<[bool; 2]>,
    /// The proposal that waits for an answer.
    pub offer: Option<Offer>,
    /// The room of the rematch.
    pub next: Option<String>,
    /// How long a player must have been away on their own turn, in milliseconds, before the other
    /// player may end the game. In games with clocks, the clock decides instead.
    pub absence_ms: u64,
}

impl ShownRemotePlay {
    pub fn new(apart: &RemotePlay) -> Self {
        let there = |all: &[Option<String>; 2]| all.each_ref().map(Option::is_some);
        Self {
            open: apart.open,
            listed: apart.listed,
            ready: there(&apart.salts),
            arranged: apart.setups.as_ref().map(there),
            offer: apart.offer,
            next: apart.next.clone(),
            absence_ms: ABSENCE.as_millis() as u64,
        }
    }
}

/// A move with the situation before it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ShownStep {
    /// The position before the move, with its roll.
    pub position: String,
    /// The side that moved, 0 or 1.
    pub side: Side,
    /// The roll and the move in words.
    #[serde(flatten)]
    pub step: RoomStep,
}

/// The clocks at the time of the view.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ShownClock {
    /// The time that each side has left, in milliseconds.
    pub left_ms: [u64; 2],
    /// The side whose clock is running.
    pub running: Option<Side>,
}

/// A game that waits for anybody who wants to play.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct OpenGame {
    /// The name of the room.
    pub id: String,
    /// The code with which to join.
    pub code: String,
    /// The game, which is the rule set.
    pub game: String,
    /// The name of whoever waits; empty if they have none.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub name: PersonName,
    /// The side that is free, 0 or 1.
    pub side: Side,
    /// The time control; `None` for a game without clocks.
    pub clock: Option<OpenClock>,
    /// Whether people roll the dice themselves.
    pub typed_dice: bool,
}

/// The time control of a game that has not begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct OpenClock {
    /// The time for the whole game, in seconds.
    pub seconds: u64,
    /// The increment after each turn, in seconds.
    pub increment: u64,
}
