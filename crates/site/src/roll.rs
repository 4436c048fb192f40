//! A roll as records keep it.

use serde::{Deserialize, Serialize};

/// A roll that waits for a move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "RollForm")]
pub struct Roll {
    /// What the dice show, in the notation of the game.
    pub roll: String,
    /// The number of the roll in the game, from 1; 0 where people roll.
    #[serde(skip_serializing_if = "is_none")]
    pub number: u32,
    /// The rolls just before it that allowed no move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
}

/// The forms of a roll in JSON; in version 1 of the record it is a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum RollForm {
    Text(String),
    Whole {
        roll: String,
        #[serde(default)]
        number: u32,
        #[serde(default)]
        void: Vec<String>,
    },
}

impl From<RollForm> for Roll {
    fn from(form: RollForm) -> Self {
        match form {
            RollForm::Text(roll) => Self { roll, ..Self::default() },
            RollForm::Whole { roll, number, void } => Self { roll, number, void },
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
pub(crate) fn is_none(number: &u32) -> bool {
    *number == 0
}
