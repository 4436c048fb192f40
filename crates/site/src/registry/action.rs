//! What a player does in a room, as a message says it.

use serde::Deserialize;

use super::error::RegistryError;
use crate::room::{Action, AnyRoom, Refusal};

/// What somebody does who has the token of the room.
#[derive(Deserialize)]
pub(crate) struct PlayerAction {
    pub token: String,
    /// That of the room when it was decided to do this. When the room has gone on
    /// since, perhaps by this very message, nothing is done. Only who enters needs none.
    #[serde(default)]
    pub version: Option<u64>,
    #[serde(flatten)]
    pub action: Action,
}

impl PlayerAction {
    /// Whether a room is still as it was when it was decided to do this.
    pub fn is_made_for(&self, room: &dyn AnyRoom) -> Result<(), RegistryError> {
        let now = room.version();
        match self.version {
            Some(made) if made == now => Ok(()),
            Some(made) => Err(RegistryError::Stale { made, now }),
            None => Err(Refusal::Not("expected the version for which this is made").into()),
        }
    }
}
