//! Comments on a game and variations of it, as JSON lines store them.

use serde::{Deserialize, Serialize};
use wurfel_core::{Game, MoveReader, NotationError, Situation, Transcript};

/// What readers have written into a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// The comments on positions of the game.
    pub comments: Vec<Comment>,
    /// Moves that were not played.
    pub variations: Vec<Variation>,
}

/// A comment on a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GameComment"))]
pub struct Comment {
    /// The number of moves of its line before the position.
    pub after: usize,
    /// The comment.
    pub text: String,
}

/// Moves that could have been played instead of those of the line above.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variation {
    /// The number of moves of the line above before its first move.
    pub after: usize,
    /// Rolls, each before the moves that were made with it: `@4 a5b4 @1 …`.
    pub moves: String,
    /// The comments on positions of the variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// The variations of the variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Self>,
}

impl Notes {
    /// Checks that the notes belong to positions of a game, and that the moves of the variations
    /// are legal. An error says which note is wrong and what was expected.
    pub(crate) fn check<G: Game>(&self, game: &Transcript<G>) -> Result<(), String> {
        if *self == Self::default() {
            return Ok(());
        }
        let mut now = Situation { position: game.start().clone(), roll: None };
        let mut line = vec![now.clone()];
        for &(roll, mv) in game.decisions() {
            now.roll = now.position.play(roll, mv);
            line.push(now.clone());
        }
        check(&line, &self.comments, &self.variations)
    }
}

/// Checks the notes of a line, whose positions are given with what is left of their rolls.
fn check<G: Game>(
    line: &[Situation<G>],
    comments: &[Comment],
    variations: &[Variation],
) -> Result<(), String> {
    let most = line.len() - 1;
    for Comment { after, text } in comments {
        if *after > most {
            return Err(format!("comment after {after} moves: expected at most {most}"));
        }
        if text.chars().any(|letter| letter.is_control() && letter != '\n') {
            return Err(format!("comment {text:?}: expected no control characters"));
        }
    }
    for Variation { after, moves, comments, variations } in variations {
        let from = line.get(*after);
        let from =
            from.ok_or_else(|| format!("variation after {after} moves: expected at most {most}"))?;
        let line = play_moves(from, moves)
            .map_err(|error| format!("variation after {after} moves: {error}"))?;
        check(&line, comments, variations)?;
    }
    Ok(())
}

/// The positions of a variation, each with what is left of its roll.
fn play_moves<G: Game>(
    from: &Situation<G>,
    moves: &str,
) -> Result<Vec<Situation<G>>, NotationError> {
    let mut reader = MoveReader::mid_turn(from.clone());
    let mut line = vec![from.clone()];
    for word in moves.split_whitespace() {
        reader.read(word)?;
        let game = reader.game();
        if line.len() == game.decisions().len() {
            line.push(Situation { position: game.now().clone(), roll: game.rest() });
        }
    }
    reader.end()?;
    if line.len() == 1 {
        return Err(NotationError::whole("moves", moves, "rolls, each with a move after it"));
    }
    Ok(line)
}
