//! A player's action in a room, as a message describes it.

use serde::Deserialize;
use wurfel_arena::PersonName;

use super::error::RegistryError;
use crate::room::{Action, Refusal, Room};

/// An action of somebody who has a token of the room.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(expecting = "an action, as an object")]
pub(crate) struct PlayerAction {
    pub token: String,
    /// The version of the room on which the player based the action. If the room has changed since,
    /// perhaps by this very message, the action is not carried out. Only entering needs no version.
    #[serde(default)]
    pub version: Option<u64>,
    #[serde(flatten)]
    pub action: Action,
}

/// A request to join a game by its code.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a code to join with, as an object")]
pub(crate) struct JoinRequest {
    /// The code, in upper or lower case.
    pub code: String,
    /// A token that the client has made up.
    pub token: String,
    /// What the player calls themselves, in at most 24 characters.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub name: PersonName,
}

impl PlayerAction {
    /// Checks that the room still has the version on which the action was based.
    pub fn is_made_for(&self, room: &Room) -> Result<(), RegistryError> {
        let now = room.version();
        match self.version {
            Some(made) if made == now => Ok(()),
            Some(made) => Err(RegistryError::Stale { made, now }),
            None => {
                Err(Refusal::Not("expected the version of the game that the message was made for")
                    .into())
            }
        }
    }
}
