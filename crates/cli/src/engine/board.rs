//! The position that the driver has set.

use wurfel_core::{NotationError, Outcome, Side, Situation};
use wurfel_games::{MoveReader, Playable, Transcript};
use wurfel_protocol::ugi::{PositionCommand, PositionWord, Response, Start};

/// A game up to the position that is to be searched.
pub struct CurrentGame<G: Playable> {
    /// The position as the driver described it.
    said: PositionCommand,
    game: MoveReader<G>,
}

impl<G: Playable> Default for CurrentGame<G> {
    fn default() -> Self {
        let said = PositionCommand { start: Start::Usual, steps: vec![] };
        Self { said, game: MoveReader::new(Situation { position: G::default(), roll: None }) }
    }
}

impl<G: Playable> CurrentGame<G> {
    /// Sets the position. A driver repeats all moves of the game each time, so if the new
    /// description only continues the old one, only the additional moves are played. With
    /// `drop_castling`, rights to castle that the board rules out are dropped and not refused.
    ///
    /// # Errors
    /// When a position, a roll or a move is wrong; the old position is then kept.
    pub fn set(&mut self, said: PositionCommand, drop_castling: bool) -> Result<(), NotationError> {
        let goes_on = said.start == self.said.start && said.steps.starts_with(&self.said.steps);
        let (mut game, known) = if goes_on {
            (self.game.clone(), self.said.steps.len())
        } else {
            let start = match &said.start {
                Start::Usual => Situation { position: G::default(), roll: None },
                Start::Text(text) => G::read_position(text, drop_castling)?,
            };
            (MoveReader::new(start), 0)
        };
        for step in &said.steps[known..] {
            match step {
                PositionWord::Roll(_) => game.read(&step.to_string())?,
                PositionWord::Move(mv) => game.read(mv)?,
            }
        }
        *self = Self { said, game };
        Ok(())
    }

    /// Adds a roll.
    ///
    /// # Errors
    /// When the roll is not possible here; nothing is changed then.
    pub fn roll(&mut self, roll: String) -> Result<(), NotationError> {
        let mut said = self.said.clone();
        said.steps.push(PositionWord::Roll(roll));
        // The position before it is not read again.
        self.set(said, false)
    }

    /// The game so far.
    pub const fn game(&self) -> &Transcript<G> {
        self.game.game()
    }

    /// The position, with the roll that is to be played if there is one.
    pub fn now(&self) -> Situation<G> {
        Situation { position: self.game().now().clone(), roll: self.game.roll() }
    }

    /// Whether the first side is to roll or to move.
    pub fn first_side_to_move(&self) -> bool {
        self.game().now().side() == Side::First
    }

    /// How the game ended.
    pub fn result(&self) -> Response {
        match self.game().now().outcome() {
            None => Response::None,
            Some(Outcome::Win(side)) => Response::Won { first: side == Side::First },
            Some(Outcome::Draw) => Response::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::Einstein;

    fn said(text: &str) -> PositionCommand {
        match text.parse() {
            Ok(wurfel_protocol::ugi::Command::Position(position)) => position,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn moves_that_follow_and_moves_that_differ_lead_to_the_same_as_anew() {
        let lines = [
            "position startpos",
            "position startpos moves @4 a4b4",
            "position startpos moves @4 a4b4 @1 e1d2 @6",
            "position startpos moves @4 a4a3",
            "position fen 5/1A3/2B2/2c1a/5 b moves @4",
            "position fen 5/1A3/2B2/2c1a/5 b 4 1",
        ];
        let mut board = CurrentGame::<Einstein>::default();
        for line in lines.iter().chain(lines.iter().rev()) {
            let mut anew = CurrentGame::<Einstein>::default();
            assert_eq!(
                board.set(said(line), false).is_ok(),
                anew.set(said(line), false).is_ok(),
                "{line}"
            );
            assert_eq!(board.now(), anew.now(), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let mut board = CurrentGame::<Einstein>::default();
        board.set(said("position startpos moves @4"), false).unwrap();
        let before = board.now();
        for line in [
            "position startpos moves @4 @4",
            "position startpos moves @4 a1a2",
            "position startpos moves @7",
            "position startpos moves a4b4",
            "position fen nonsense",
        ] {
            assert!(board.set(said(line), false).is_err(), "{line}");
            assert_eq!(board.now(), before);
        }
        assert!(board.roll("3".to_owned()).is_err());
    }
}
