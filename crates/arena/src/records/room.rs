//! The record that the site saves of a game, as far as a reader of games needs it.

use serde::Deserialize;
use wurfel_core::{BySide, Failure, Fault, MoveReader, NotationError, Situation, Transcript};
use wurfel_games::Playable;

use crate::records::filed::FiledGame;
use crate::records::record::{OPEN, outcome};

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
    players: [Player; 2],
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    end: Option<End>,
}

#[derive(Clone, Debug, Deserialize)]
struct Player {
    /// The spec of an agent; `None` for a person.
    #[serde(default)]
    spec: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Step {
    roll: String,
    #[serde(rename = "move")]
    mv: String,
    /// Whether this is not a new roll but the dice that the previous move has left.
    #[serde(default)]
    rest: bool,
}

#[derive(Clone, Debug, Deserialize)]
struct End {
    result: String,
    reason: String,
}

impl Room {
    /// Replays the game and checks every move.
    pub fn read<G: Playable>(&self, rules: &G) -> Result<FiledGame<G>, NotationError> {
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
        if let Some(End { result, reason }) = self.end.as_ref().filter(|end| end.result != OPEN) {
            let expected = "1-0, 0-1 or 1/2-1/2";
            let stated =
                outcome(result).ok_or_else(|| NotationError::whole("result", result, expected))?;
            game.state(stated)?;
            let kind = match reason.as_str() {
                "time" | "absent" => Some(Fault::Time),
                "fault" => Some(Fault::Crash),
                _ => None,
            };
            let kind = kind.map(|fault| Failure::new(fault, ""));
            failure = stated.winner().map(|winner| !winner).zip(kind);
        }
        let [first, second] = self.players.clone();
        game.players = BySide::new(first.spec, second.spec);
        Ok(FiledGame { failure, ..FiledGame::alone(game) })
    }
}
