//! A room: one game between people and agents, with its dice and clocks.
//!
//! A room knows its game and the rules of the site, nothing of the network. Everything
//! that happens in it is in its [`Record`]: a room made again from the record goes on
//! where it was.

mod play;
#[cfg(test)]
mod tests;
mod view;
mod wish;

use std::time::{Duration, Instant};

use serde::Deserialize;
use wurfel_arena::SpecError;
use wurfel_game::NotationError;
use wurfel_games::{Playable, UnknownName, UseGame, with_game};

use crate::agents::Shelf;
use crate::pool::Stop;
use crate::record::{Record, RecordError};
use play::Room;
pub(crate) use view::View;
pub(crate) use wish::Wish;

/// What somebody in the room does.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Action {
    /// Begins the game. The salt goes into the dice.
    Begin {
        #[serde(default)]
        salt: String,
    },
    /// Says what the dice show, where people throw them.
    Throw { roll: String },
    /// Moves for the side whose turn it is.
    Move {
        #[serde(rename = "move")]
        mv: String,
    },
    /// Takes back the last choice of a person, and what followed.
    Undo,
    /// Gives up, for the side whose turn it is or the only person.
    Resign,
}

/// Why an action is not done. Displays as one line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Game(#[from] UnknownName),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("set-up '{0}': {1} has none like it")]
    Setup(String, &'static str),
    #[error("{0}")]
    Not(&'static str),
    #[error("no random numbers: {0}")]
    Random(String),
}

/// An agent's answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Answer {
    pub mv: String,
    pub value: Option<f32>,
}

/// What a thread does for an answer.
pub(crate) type Work = Box<dyn FnOnce(&mut Shelf, Stop) -> Option<Answer> + Send>;

/// Work on an agent's move.
pub(crate) struct Thought {
    /// Of the room when the thought began: a later room has no use for the answer.
    pub version: u64,
    /// Before this time has passed the answer is not played.
    pub pace: Duration,
    /// The work.
    pub work: Work,
}

/// A room of any game.
pub(crate) trait AnyRoom: Send {
    /// Everything about the game.
    fn record(&self) -> &Record;

    /// Grows with every change, and is kept: the same version is the same state, for good.
    fn version(&self) -> u64;

    /// What a page is told.
    fn view(&self, now: Instant) -> View;

    /// Does something that a person in the room asks for.
    fn act(&mut self, action: &Action, now: Instant) -> Result<(), Refusal>;

    /// The work to do, if it is an agent's turn.
    fn thought(&self) -> Option<Thought>;

    /// Plays what an agent answered; false when the room has changed since. Without an
    /// answer, or with an illegal one, the agent has lost.
    fn answer(&mut self, version: u64, answer: Option<Answer>, now: Instant) -> bool;

    /// When the clock that runs is at its end.
    fn flag(&self) -> Option<Instant>;

    /// Ends the game if that time has come; false if not.
    fn drop_flag(&mut self, now: Instant) -> bool;
}

/// Opens a new room.
pub(crate) fn open(id: String, wish: Wish, shelf: &mut Shelf) -> Result<Box<dyn AnyRoom>, Refusal> {
    struct Open<'a>(String, Wish, &'a mut Shelf);

    impl UseGame for Open<'_> {
        type Output = Result<Box<dyn AnyRoom>, Refusal>;

        fn with<G: Playable>(self) -> Self::Output {
            Ok(Box::new(Room::<G>::open(self.0, self.1, self.2)?))
        }
    }
    with_game(&wish.game.clone(), Open(id, wish, shelf))?
}

/// Opens a room again from its record.
pub(crate) fn reopen(record: Record) -> Result<Box<dyn AnyRoom>, Refusal> {
    struct Reopen(Record);

    impl UseGame for Reopen {
        type Output = Result<Box<dyn AnyRoom>, Refusal>;

        fn with<G: Playable>(self) -> Self::Output {
            Ok(Box::new(Room::<G>::reopen(self.0)?))
        }
    }
    with_game(&record.game.clone(), Reopen(record))?
}
