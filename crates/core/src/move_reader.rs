//! Games read word by word: rolls, each after an `@`, and moves, as in `@4 a4b4 @1 e1e2`.

use crate::{Game, NotationError, Situation, Transcript};

/// Reads a game word by word and keeps the game so far.
#[derive(Clone, Debug)]
pub struct MoveReader<G: Game> {
    game: Transcript<G>,
    /// The roll that is still to be played.
    roll: Option<G::Roll>,
}

impl<G: Game> MoveReader<G> {
    /// Begins at `start`. The first word is expected to be a move if the situation has a roll.
    pub fn new(start: Situation<G>) -> Self {
        Self { game: Transcript::new(start.position), roll: start.roll }
    }

    /// Begins where a roll may have been partly played: the roll of `start` need not be one that the dice can
    /// show, and the first word may repeat it.
    pub fn mid_turn(start: Situation<G>) -> Self {
        Self { game: Transcript::mid_turn(start), roll: None }
    }

    /// Reads a roll or a move.
    ///
    /// # Errors
    /// When the word is neither, or is not possible here; the game is then unchanged.
    pub fn read(&mut self, word: &str) -> Result<(), NotationError> {
        if let Some(roll) = word.strip_prefix('@') {
            if self.roll.is_some() {
                return Err(NotationError::whole("move", word, "a move after the roll"));
            }
            let roll: G::Roll = roll.parse()?;
            self.game.check(roll)?;
            self.roll = Some(roll);
            return Ok(());
        }
        let Some(roll) = self.roll() else {
            let over = self.game.now().outcome().is_some();
            let expected = if over { "nothing more: the game is over" } else { "a roll, as in @4" };
            return Err(NotationError::whole("move", word, expected));
        };
        let mv = self.game.now().find_move(roll, word)?;
        self.game.push(roll, mv)?;
        self.roll = None;
        Ok(())
    }

    /// The game so far.
    pub const fn game(&self) -> &Transcript<G> {
        &self.game
    }

    /// The roll for which a move is to be made; `None` before a roll.
    pub fn roll(&self) -> Option<G::Roll> {
        self.roll.or(self.game.rest())
    }

    /// The game, which must not end with a roll.
    ///
    /// # Errors
    /// When the last word was a roll.
    pub fn end(self) -> Result<Transcript<G>, NotationError> {
        match self.roll {
            Some(roll) => Err(NotationError::whole("roll", &roll.to_string(), "a move after it")),
            None => Ok(self.game),
        }
    }
}
