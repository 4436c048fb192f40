//! The position that the driver has set.

use wurfel::{Game, Position};
use wurfel_core::{NotationError, Outcome, Side};
use wurfel_protocol::ugi::{PositionCommand, Response, Start};

/// The position that is to be searched.
pub struct CurrentGame {
    game: Game,
    now: Position,
}

impl CurrentGame {
    /// The initial position of a game.
    pub fn new(game: Game) -> Self {
        Self { game, now: game.start() }
    }

    /// Sets the position. With `drop_castling`, castling rights that the board rules out are dropped
    /// and not refused. Fails when a position, a roll or a move is wrong; the old position then stays.
    pub fn set(
        &mut self,
        command: &PositionCommand,
        drop_castling: bool,
    ) -> Result<(), NotationError> {
        let start = match &command.start {
            Start::Usual => self.game.start(),
            Start::Text(text) => self.game.read(text, drop_castling)?,
        };
        let words: Vec<String> = command.steps.iter().map(ToString::to_string).collect();
        self.now = start.after(&words.join(" "))?;
        Ok(())
    }

    /// Adds a roll. Fails when the roll is not possible here; nothing is changed then.
    pub fn roll(&mut self, roll: &str) -> Result<(), NotationError> {
        self.now = self.now.after(&format!("@{roll}"))?;
        Ok(())
    }

    /// The position, with the roll that is to be played if there is one.
    pub const fn now(&self) -> &Position {
        &self.now
    }

    /// Whether the first side is to roll or to move.
    pub fn first_side_to_move(&self) -> bool {
        self.now.side() == Side::First
    }

    /// How the game ended.
    pub fn result(&self) -> Response {
        match self.now.outcome() {
            None => Response::None,
            Some(Outcome::Win(side)) => Response::Won { first: side == Side::First },
            Some(Outcome::Draw) => Response::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> PositionCommand {
        match text.parse() {
            Ok(wurfel_protocol::ugi::Command::Position(position)) => position,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let mut board = CurrentGame::new(wurfel::game("einstein").unwrap());
        board.set(&command("position startpos moves @4"), false).unwrap();
        let before = board.now().clone();
        for line in [
            "position startpos moves @4 @4",
            "position startpos moves @4 a1a2",
            "position startpos moves @7",
            "position startpos moves a4b4",
            "position fen nonsense",
        ] {
            assert!(board.set(&command(line), false).is_err(), "{line}");
            assert_eq!(board.now(), &before);
        }
        assert!(board.roll("3").is_err());
    }
}
