//! A roll as records keep it.

use serde::{Deserialize, Serialize};

/// A roll that waits for a move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Roll {
    /// What the dice show, in the notation of the game.
    pub roll: String,
    /// The number of the roll in the game, from 1; 0 where people roll.
    #[serde(default, skip_serializing_if = "is_none")]
    pub number: u32,
    /// The rolls just before it that allowed no move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
pub(crate) fn is_none(number: &u32) -> bool {
    *number == 0
}
