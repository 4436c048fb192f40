//! The record that the site saves of a game: what a reader of games needs of it, in the types with
//! which the site writes it.

use serde::{Deserialize, Serialize};
use wurfel_core::{BySide, Failure, Fault, MoveReader, NotationError, Situation, Transcript};
use wurfel_games::Playable;

use crate::records::person_name::PersonName;
use crate::records::record::{OPEN, outcome};
use crate::records::recorded_game::RecordedGame;

/// The name of the format of the site's records.
pub const ROOM_FORMAT: &str = "wurfel-room";
/// The version of [`ROOM_FORMAT`].
pub const ROOM_VERSION: u32 = 2;

/// A record of the site. Its other fields (clocks, commitments) are not needed here.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Room {
    pub version: u32,
    /// The game, which is the rule set.
    pub game: String,
    start: String,
    players: [RoomPlayer; 2],
    #[serde(default)]
    steps: Vec<RoomStep>,
    #[serde(default)]
    end: Option<RoomEnd>,
}

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Player"))]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    deny_unknown_fields,
    expecting = "a player, as an object with its kind"
)]
pub enum RoomPlayer {
    /// Somebody with a browser.
    Person {
        /// The name that they have chosen; empty if they have none.
        #[serde(default, skip_serializing_if = "PersonName::is_empty")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        name: PersonName,
    },
    /// An agent of the site.
    Agent {
        /// The spec of the agent.
        spec: String,
    },
}

/// A move, with its roll or what was left of one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Step"))]
pub struct RoomStep {
    /// The roll, or the rest of one.
    pub roll: String,
    /// The number of the roll in the game, from 1; 0 where people roll, and of a rest.
    #[serde(default, skip_serializing_if = "no_number")]
    pub number: u32,
    /// The rolls just before it that allowed no move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    pub mv: String,
    /// The result that the agent that moved expected for itself, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// Whether `roll` is what the previous move left of its roll.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rest: bool,
}

/// A roll that waits for a move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Roll"))]
pub struct RoomRoll {
    /// What the dice show, in the notation of the game.
    pub roll: String,
    /// The number of the roll in the game, from 1; 0 where people roll.
    #[serde(default, skip_serializing_if = "no_number")]
    pub number: u32,
    /// The rolls just before it that allowed no move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "End"))]
pub struct RoomEnd {
    /// `1-0` when the first side won, `0-1` when the second did, `1/2-1/2` for a draw, or `*` when
    /// the game does not count.
    pub result: String,
    /// The reason why it ended.
    pub reason: RoomEndReason,
    /// What happened at a fault, in one line for people; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fault: String,
}

/// The reason why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Reason"))]
#[serde(rename_all = "kebab-case")]
pub enum RoomEndReason {
    /// The rules ended it.
    Rules,
    /// A player resigned.
    Resigned,
    /// A player's clock reached zero.
    Time,
    /// An agent crashed or gave no legal move.
    Fault,
    /// A player aborted it before both sides had moved.
    Aborted,
    /// A player stayed away.
    Absent,
}

impl RoomStep {
    /// The roll of a step that has one of its own.
    pub fn roll(&self) -> RoomRoll {
        RoomRoll { roll: self.roll.clone(), number: self.number, void: self.void.clone() }
    }
}

impl RoomPlayer {
    /// Whether it is somebody with a browser.
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Person { .. })
    }

    /// The spec of an agent, or the name of a person, which may be empty.
    fn label(self) -> String {
        match self {
            Self::Person { name } => name.into(),
            Self::Agent { spec } => spec,
        }
    }
}

impl Room {
    /// Replays the game and checks every move.
    pub fn read<G: Playable>(&self, rules: &G) -> Result<RecordedGame<G>, NotationError> {
        let position = rules.read_at_rest_alike(&self.start)?;
        let mut reader = MoveReader::new(Situation { position, roll: None });
        for step in &self.steps {
            if !step.rest {
                reader.read(&format!("@{}", step.roll))?;
            }
            reader.read(&step.mv)?;
        }
        let mut game: Transcript<G> = reader.end()?;
        let mut failure = None;
        // A game that was abandoned counts as open.
        if let Some(RoomEnd { result, reason, .. }) =
            self.end.as_ref().filter(|end| end.result != OPEN)
        {
            let expected = "1-0, 0-1 or 1/2-1/2";
            let stated =
                outcome(result).ok_or_else(|| NotationError::whole("result", result, expected))?;
            game.state(stated)?;
            let kind = match reason {
                RoomEndReason::Time | RoomEndReason::Absent => Some(Fault::Time),
                RoomEndReason::Fault => Some(Fault::Crash),
                RoomEndReason::Rules | RoomEndReason::Resigned | RoomEndReason::Aborted => None,
            };
            let kind = kind.map(|fault| Failure::new(fault, ""));
            failure = stated.winner().map(|winner| !winner).zip(kind);
        }
        let [first, second] = self.players.clone().map(RoomPlayer::label);
        game.players = BySide::new(first, second);
        Ok(RecordedGame { failure, ..RecordedGame::alone(game) })
    }
}

/// Whether a roll has no number, which is then left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn no_number(number: &u32) -> bool {
    *number == 0
}
