//! Games as they were played, independent of the form in which they were written down.

use crate::{BySide, Game, NotationError, Outcome, Situation, Turn, check_roll};

/// A game as it was played, finished or not. All its decisions are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript<G: Game> {
    start: G,
    decisions: Vec<(G::Roll, G::Move)>,
    /// The position that the game has reached.
    now: G,
    /// The rest of the last roll, if the same side goes on.
    rest: Option<G::Roll>,
    /// The names of the players; empty where unknown.
    pub players: BySide<String>,
    /// How the game ended, by the rules or otherwise, if known.
    pub result: Option<Outcome>,
    /// When, where and at which event it was played.
    pub event_info: EventInfo,
}

/// When, where and at which event a game was played; unknown fields are empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct EventInfo {
    /// The date and the time of day.
    pub time: String,
    /// The town, or the address of a site.
    pub place: String,
    /// The name of the tournament or match.
    pub event: String,
}

/// A decision of a [`Transcript`].
#[derive(Debug)]
pub struct TranscriptStep<'a, G: Game> {
    /// The position and the roll, or the rest of a roll in the middle of a turn.
    pub turn: Turn<'a, G>,
    /// The move that was decided on.
    pub mv: G::Move,
    /// Whether the dice were rolled for this decision. If not, the same side goes on with the rest.
    pub rolled: bool,
}

impl<G: Game> Transcript<G> {
    /// A game in which nothing has happened yet.
    pub fn new(start: G) -> Self {
        Self {
            now: start.clone(),
            start,
            decisions: vec![],
            rest: None,
            players: BySide::default(),
            result: None,
            event_info: EventInfo::default(),
        }
    }

    /// A game that goes on from a position in which this much of the last roll is left.
    pub(crate) fn mid_turn(start: Situation<G>) -> Self {
        Self { rest: start.roll, ..Self::new(start.position) }
    }

    /// The position in which the game began.
    pub const fn start(&self) -> &G {
        &self.start
    }

    /// The position that the game has reached.
    pub const fn now(&self) -> &G {
        &self.now
    }

    /// The rest of the last roll, if the same side goes on.
    pub const fn rest(&self) -> Option<G::Roll> {
        self.rest
    }

    /// Every decision with its roll, in order.
    pub fn decisions(&self) -> &[(G::Roll, G::Move)] {
        &self.decisions
    }

    /// Refuses a roll that cannot be the next one.
    ///
    /// # Errors
    /// When the roll is refused; the error says which rolls are possible.
    pub fn check(&self, roll: G::Roll) -> Result<(), NotationError> {
        if self.now.outcome().is_some() {
            let none = "nothing more: the game is over";
            return Err(NotationError::whole("roll", &roll.to_string(), none));
        }
        match self.rest {
            None => check_roll(&self.now, roll),
            Some(rest) if rest == roll => Ok(()),
            Some(rest) => {
                let left = format!("{rest}, which has not been played yet");
                Err(NotationError::whole("roll", &roll.to_string(), left))
            }
        }
    }

    /// Adds a decision.
    ///
    /// # Errors
    /// When the roll or the move is not legal; the game is then unchanged.
    pub fn push(&mut self, roll: G::Roll, mv: G::Move) -> Result<(), NotationError> {
        self.check(roll)?;
        self.rest = self.now.try_play(roll, mv)?;
        self.decisions.push((roll, mv));
        if let Some(outcome) = self.now.outcome() {
            self.result = Some(outcome);
        }
        Ok(())
    }

    /// Sets the result that a text states.
    ///
    /// # Errors
    /// When the rules have ended the game with a different result.
    pub fn state(&mut self, result: Outcome) -> Result<(), NotationError> {
        match self.now.outcome() {
            Some(outcome) if outcome != result => {
                let ended = format!("{outcome}, as the game ended");
                Err(NotationError::whole("result", &result.to_string(), ended))
            }
            _ => {
                self.result = Some(result);
                Ok(())
            }
        }
    }

    /// Calls `see` with each decision, in order, and with the turn in which it was made.
    pub fn replay(&self, mut see: impl FnMut(TranscriptStep<'_, G>)) {
        let mut position = self.start.clone();
        let mut rolled = true;
        for &(roll, mv) in &self.decisions {
            see(TranscriptStep { turn: Turn { position: &position, roll }, mv, rolled });
            rolled = position.play(roll, mv).is_none();
        }
    }
}
