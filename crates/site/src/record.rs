//! The record of a game, which the database stores and guests can download.

use serde::{Deserialize, Serialize};
use wurfel::{Position, UnknownName, game};
use wurfel_arena::{RoomEnd, RoomPlayer, RoomRoll, RoomStep};
use wurfel_core::{NotationError, Side};

use crate::dice::{CommittedDice, MAX_ROLLS};

/// The name of the format, which every record states.
pub const FORMAT: &str = wurfel_arena::ROOM_FORMAT;
/// The version of the format; a reader refuses any other.
pub const VERSION: u32 = wurfel_arena::ROOM_VERSION;

/// Everything about a game between people and agents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomRecord {
    /// The name of the format, `wurfel-room`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The name of the room on its server.
    pub id: String,
    /// The game, which is the rule set.
    pub game: String,
    /// The position before the first roll.
    pub start: String,
    /// The players, the first side first.
    pub players: [RoomPlayer; 2],
    /// The source of the rolls.
    pub dice: DiceKind,
    /// The clocks, in games with a time control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The minimum time for an agent's move in milliseconds, so that people can follow the game.
    #[serde(default)]
    pub pace_ms: u64,
    /// The number of changes so far, which is the version that messages to the page carry.
    #[serde(default)]
    pub changes: u64,
    /// Whether the game has begun.
    #[serde(default)]
    pub begun: bool,
    /// The moves so far, each with its roll.
    #[serde(default)]
    pub steps: Vec<RoomStep>,
    /// The roll that waits for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled: Option<RoomRoll>,
    /// The take-backs, in the order in which they happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakeBack>,
    /// The state between two players on two devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<RemotePlay>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<RoomEnd>,
}

/// The state between two players on two devices.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RecordedRemotePlay")
)]
pub struct RemotePlay {
    /// The side of the invited player, until they join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Side>,
    /// The code with which the invited player can join. It is secret, unless the game is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether the game is in the list of games that anybody may join, until somebody does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub listed: bool,
    /// The salts that the players contribute to the dice. They are secret until the game begins.
    #[serde(default)]
    pub salts: [Option<String>; 2],
    /// The set-ups, where both players arrange their pieces. They are secret until both have been sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setups: Option<[Option<String>; 2]>,
    /// The proposal that waits for an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
    /// The position that the request named instead of set-ups, for the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The time of each clock at the start in seconds, for the rematch.
    #[serde(default)]
    pub seconds: u64,
    /// The room of the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A proposal of one player to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offer {
    /// The side that proposes, 0 or 1.
    pub side: Side,
    /// The proposal.
    pub what: Proposal,
}

/// The possible proposals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Proposal {
    /// To take back the last move that the proposer chose.
    TakeBack,
    /// To play again with the sides exchanged.
    Rematch,
}

/// The source of a game's rolls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Dice"))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DiceKind {
    /// The server rolls.
    Fair(CommittedDice),
    /// People roll the dice themselves and enter the rolls.
    Typed,
}

/// The clocks of both sides. They run only for people, not for agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// The time that each side has left, in milliseconds.
    pub left_ms: [u64; 2],
    /// The increment after each turn of a person, in milliseconds.
    pub increment_ms: u64,
}

/// Moves that were taken back. The player had seen the roll before the first of them, so this roll
/// stays. Later rolls had been seen as well and would be known in advance, so they are rolled
/// again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TakeBack {
    /// The number of steps that remained.
    pub kept: usize,
    /// The steps that were taken back.
    pub steps: Vec<RoomStep>,
    /// The roll that waited for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled: Option<RoomRoll>,
}

/// Why a record is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// It has another format or version.
    #[error("not a game of wurfel's site: expected format {FORMAT}, version {VERSION}")]
    Format,
    /// The game is not known.
    #[error(transparent)]
    Game(#[from] UnknownName),
    /// The start is not a position.
    #[error("start: {0}")]
    Start(NotationError),
    /// A step is not legal.
    #[error("step {number}: {why}")]
    Step {
        /// The number of the step, from 1.
        number: usize,
        /// What is wrong.
        why: NotationError,
    },
    /// The end does not follow from the moves.
    #[error("end: expected {0}")]
    End(&'static str),
    /// The record counts more rolls than a game can have.
    #[error("its dice were rolled {0} times, expected at most {MAX_ROLLS}")]
    TooManyRolls(u32),
    /// The seed does not match the commitment.
    #[error("the seed does not match the commitment")]
    Seed,
    /// The commitment or a salt differs from the one that was shown before the game.
    #[error("the {0} is not the one that was shown before the game")]
    NotAsShown(&'static str),
    /// A take-back has more moves than there were.
    #[error("a take-back keeps more moves than the game has")]
    TakenBack,
    /// A roll is missing.
    #[error("roll {number}: expected {expected}")]
    Numbering {
        /// The number of the roll, from 1.
        number: u32,
        /// The expected roll.
        expected: String,
    },
    /// A roll does not follow from the seed.
    #[error("roll {number}: {found} was played, but the dice showed {expected}")]
    Roll {
        /// The number of the roll, from 1.
        number: u32,
        /// The roll in the record.
        found: String,
        /// The roll that follows from seed and salt.
        expected: String,
    },
    /// The record has no proof of its dice that could be checked.
    #[error("the dice of this game cannot be checked: {0}")]
    Unverifiable(&'static str),
}

/// A game that was replayed from its record.
pub(crate) struct Replay {
    /// The position before each step, with its roll.
    pub before: Vec<Position>,
    /// The position after the last step.
    pub now: Position,
    /// Whether the roll of `now` is what the last step left of one.
    pub rest: bool,
}

impl Replay {
    /// The position before the first step.
    pub const fn new(start: Position) -> Self {
        Self { before: vec![], now: start, rest: false }
    }

    /// Plays a step, and returns the move as it is written. If the last step left dice of its roll, the
    /// roll of this step must be those dice.
    pub fn step(&mut self, roll: &str, mv: &str) -> Result<String, NotationError> {
        let rolled = match self.now.roll() {
            Some(rest) if rest == roll => self.now.clone(),
            Some(rest) => {
                return Err(NotationError::whole("roll", roll, format!("{rest}, which is left")));
            }
            None => rolled(&self.now, roll)?,
        };
        let legal = rolled.find_move(mv)?;
        self.now = rolled.played(&legal)?;
        self.before.push(rolled);
        self.rest = self.now.roll().is_some();
        Ok(legal)
    }
}

/// The position with a roll, which must be possible with the dice of the game and allow a move.
pub(crate) fn rolled(position: &Position, text: &str) -> Result<Position, NotationError> {
    if position.outcome().is_some() {
        return Err(NotationError::whole("roll", text, "none: the game is over"));
    }
    position.rolled(text)
}

impl RoomRecord {
    /// The record as guests may see it: without the seed before the end of the game, and without
    /// the secrets that the two players still have from each other.
    pub(crate) fn shown(mut self) -> Self {
        self.dice = self.shown_dice();
        let begun = self.begun;
        if let Some(apart) = &mut self.apart {
            apart.code = None;
            if !begun {
                apart.salts = [None, None];
            }
            if let Some(setups) = &mut apart.setups
                && setups.iter().any(Option::is_none)
            {
                *setups = [None, None];
            }
        }
        self
    }

    /// The dice as guests may see them: with the seed only after the end of the game.
    pub(crate) fn shown_dice(&self) -> DiceKind {
        let mut dice = self.dice.clone();
        if let (DiceKind::Fair(dice), None) = (&mut dice, &self.end) {
            dice.seed.clear();
        }
        dice
    }

    /// Replays the game and checks every step.
    pub(crate) fn replay(&self) -> Result<Replay, RecordError> {
        if self.format != FORMAT || self.version != VERSION {
            return Err(RecordError::Format);
        }
        let start = game(&self.game)?.read_at_rest(&self.start).map_err(RecordError::Start)?;
        let mut replay = Replay::new(start);
        for (number, step) in (1..).zip(&self.steps) {
            let wrong = |why| RecordError::Step { number, why };
            let rest = replay.rest;
            replay.step(&step.roll, &step.mv).map_err(wrong)?;
            if rest != step.rest {
                return Err(wrong(NotationError::whole(
                    "rest",
                    &step.rest.to_string(),
                    rest.to_string(),
                )));
            }
        }
        Ok(replay)
    }
}
