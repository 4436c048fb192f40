//! A room: one game between people and agents, with its dice and clocks.
//!
//! A room knows its game and the rules of the site, nothing of the network. Everything
//! that happens in it is in its [`Record`]: a room made again from the record goes on
//! where it was.

mod apart;
mod play;
mod request;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_apart;
mod view;

use std::time::{Duration, Instant};

use serde::Deserialize;
use wurfel_arena::{Catalogued, SpecError, UseGame, with_game};
use wurfel_core::{BySide, NotationError};
use wurfel_games::UnknownName;

use crate::agents::AgentCache;
use crate::pool::Stop;
use crate::record::{Proposal, Record, RecordError};
pub(crate) use apart::ABSENCE;
pub(crate) use play::MAX_STEPS;
use play::Room;
pub(crate) use request::GameRequest;
pub(crate) use view::View;

/// What somebody in the room does. Lobby, ratings or games by post would be more of these.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Action {
    /// Says that one is ready. The salt goes into the dice. The game begins when all who
    /// play are ready.
    Begin {
        #[serde(default)]
        salt: String,
    },
    /// Says what the dice show, where people roll them.
    #[serde(alias = "throw")]
    Roll { roll: String },
    /// Moves for the side whose turn it is.
    Move {
        #[serde(rename = "move")]
        mv: String,
    },
    /// Takes back the last choice of a person, and what followed.
    Undo,
    /// Gives up, for the side whose turn it is or the only person there.
    Resign,
    /// Is told from now on who is there, and counts among them. On a socket only.
    Enter,
    /// Takes the seat to which the invitation invites, with a token that is made up for it.
    Join { invitation: String },
    /// Arranges the own pieces, where both do at the same time.
    Arrange { setup: String },
    /// Proposes something to the other person.
    Offer { what: Proposal },
    /// Agrees to what is proposed.
    Accept,
    /// Does not, or does not propose it any more.
    Decline,
    /// Breaks the game off before both have moved.
    Abort,
    /// Ends the game when the other person stays away.
    Claim { what: Claim },
}

/// How a game ends when one person stays away, as the other wishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Claim {
    Win,
    Draw,
}

/// Who does something, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    /// The sides for which they stand.
    pub sides: BySide<bool>,
    /// For how long each side has not been there.
    pub away: BySide<Duration>,
    pub now: Instant,
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
pub(crate) type Work = Box<dyn FnOnce(&mut AgentCache, Stop<'_>) -> Option<Answer> + Send>;

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
    fn act(&mut self, action: &Action, by: &Actor) -> Result<(), Refusal>;

    /// Whether a rematch is proposed that somebody can agree to.
    fn can_play_again(&self, by: &Actor) -> bool;

    /// The room of the rematch, with the sides changed.
    fn again(&self, id: String) -> Result<Box<dyn AnyRoom>, Refusal>;

    /// Leads to the room of the rematch.
    fn lead_to(&mut self, id: String);

    /// The work to do, if it is an agent's turn.
    fn thought(&self) -> Option<Thought>;

    /// Plays what an agent answered; false when the room has changed since. Without an
    /// answer, or with an illegal one, the agent has lost.
    fn answer(&mut self, version: u64, answer: Option<Answer>, now: Instant) -> bool;

    /// When the clock that runs is at its end.
    fn flag(&self) -> Option<Instant>;

    /// After the room was away, the clock that runs has so much left.
    fn resume(&mut self, left: Duration, now: Instant);

    /// Ends the game if that time has come; false if not.
    fn drop_flag(&mut self, now: Instant) -> bool;
}

/// Opens a new room.
pub(crate) fn open(
    id: String,
    request: GameRequest,
    cache: &mut AgentCache,
) -> Result<Box<dyn AnyRoom>, Refusal> {
    struct Open<'a>(String, GameRequest, &'a mut AgentCache);

    impl UseGame for Open<'_> {
        type Output = Result<Box<dyn AnyRoom>, Refusal>;

        fn with<G: Catalogued>(self) -> Self::Output {
            Ok(Box::new(Room::<G>::open(self.0, self.1, self.2)?))
        }
    }
    with_game(&request.game.clone(), Open(id, request, cache))?
}

/// Opens a room again from its record.
pub(crate) fn reopen(record: Record) -> Result<Box<dyn AnyRoom>, Refusal> {
    struct Reopen(Record);

    impl UseGame for Reopen {
        type Output = Result<Box<dyn AnyRoom>, Refusal>;

        fn with<G: Catalogued>(self) -> Self::Output {
            Ok(Box::new(Room::<G>::reopen(self.0)?))
        }
    }
    with_game(&record.game.clone(), Reopen(record))?
}
