//! A game as it is kept and handed out.

use serde::{Deserialize, Serialize};
use wurfel_game::{Dice, DiceError, Game, NotationError, ScriptedDice, Situation};
use wurfel_games::{Playable, UnknownName, UseGame, with_game};

use crate::dice::FairDice;

/// What the record calls itself.
pub const FORMAT: &str = "wurfel-room";
/// The version of the format; a reader refuses a version it does not know.
pub const VERSION: u32 = 1;

/// Everything about a game between people and agents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The name of the game on its server.
    pub id: String,
    /// The game, which is the rule set.
    pub game: String,
    /// The position before the first throw.
    pub start: String,
    /// Who plays, the first side first.
    pub players: [Player; 2],
    /// Where throws come from.
    pub dice: DiceKind,
    /// The clocks, if people have to keep to a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The least time for an agent's move in milliseconds, so that people can follow.
    #[serde(default)]
    pub pace_ms: u64,
    /// How often something has changed: the version for which messages are made.
    #[serde(default)]
    pub changes: u64,
    /// Whether the game has begun.
    #[serde(default)]
    pub begun: bool,
    /// The moves.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// A throw that was typed in and is not played yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thrown: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Player {
    /// A person.
    Person,
    /// An agent.
    Agent {
        /// Its spec.
        spec: String,
    },
}

/// Where throws come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DiceKind {
    /// The server throws.
    Fair(FairDice),
    /// People throw and type what fell.
    Typed,
}

/// The clocks of both sides. Only people's time counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Clock {
    /// What each side has left, in milliseconds.
    pub left_ms: [u64; 2],
    /// What each move adds, in milliseconds.
    pub increment_ms: u64,
}

/// A throw, or what was left of one, and a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The throw, or the rest of one.
    pub roll: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The result that the agent that moved expected for itself, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// Whether `roll` is what the move before left of its throw.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rest: bool,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// `1-0` when the first side won, `0-1`, or `1/2-1/2`.
    pub result: String,
    /// By what.
    pub reason: Reason,
}

/// By what a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The rules.
    Rules,
    /// Somebody resigned.
    Resigned,
    /// Somebody's time was over.
    Time,
    /// An agent crashed or had no legal move to give.
    Fault,
}

/// Why a record is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// It has another format or version.
    #[error("not a game of wurfel's site: expected format {FORMAT}, version {VERSION}")]
    Format,
    /// Its game is not known.
    #[error(transparent)]
    Game(#[from] UnknownName),
    /// Its start is no position.
    #[error("start: {0}")]
    Start(NotationError),
    /// A step is not legal.
    #[error("step {number}: {why}")]
    Step {
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        why: NotationError,
    },
    /// Its end is not what it should be.
    #[error("end: expected {0}")]
    End(&'static str),
    /// A seed that does not fit its commitment.
    #[error("the seed does not have the hash that was committed to")]
    Seed,
    /// A throw that does not follow from the seed.
    #[error("throw {number}: {found} was played, but the dice had fallen {expected}")]
    Throw {
        /// Which one, from 1.
        number: u32,
        /// What the record says.
        found: String,
        /// What follows from seed and salt.
        expected: String,
    },
    /// There is nothing to check.
    #[error("the dice of this game cannot be checked: {0}")]
    Unverifiable(&'static str),
}

/// A record played through.
pub(crate) struct Replay<G: Game> {
    /// Before each step, with its roll.
    pub before: Vec<Situation<G>>,
    /// After the last step.
    pub now: Situation<G>,
    /// Whether its roll is what the last step left of a throw.
    pub rest: bool,
}

impl<G: Game> Replay<G> {
    /// The start.
    pub fn new(start: G) -> Self {
        let now = Situation { position: start, roll: None };
        Self { before: vec![], now, rest: false }
    }

    /// Plays a step whose roll is thrown if the last one left none.
    pub fn step(&mut self, roll: &str, mv: &str) -> Result<(), NotationError> {
        let Situation { position, roll: rest } = &self.now;
        let thrown = match rest {
            Some(rest) if rest.to_string() == roll => *rest,
            Some(rest) => {
                return Err(NotationError::whole("throw", roll, format!("{rest}, which is left")));
            }
            None => usable(position, roll)?,
        };
        let found = position.find_move(thrown, mv)?;
        self.now.roll = Some(thrown);
        self.before.push(self.now.clone());
        self.now.roll = self.now.position.play(thrown, found);
        self.rest = self.now.roll.is_some();
        Ok(())
    }
}

/// Reads a throw that the dice of `G` can show and that leaves something to do.
pub(crate) fn usable<G: Game>(position: &G, text: &str) -> Result<G::Roll, NotationError> {
    if position.outcome().is_some() {
        return Err(NotationError::whole("throw", text, "none: the game is over"));
    }
    match ScriptedDice::new(vec![text.parse()?]).throw(position) {
        Ok(roll) => Ok(roll),
        Err(DiceError::Wrong(error)) => Err(error),
        Err(DiceError::Ended) => Err(NotationError::whole("throw", text, "a throw")),
    }
}

impl Record {
    /// The dice as guests may see them: the seed only after the end.
    pub(crate) fn shown_dice(&self) -> DiceKind {
        let mut dice = self.dice.clone();
        if let (DiceKind::Fair(dice), None) = (&mut dice, &self.end) {
            dice.seed.clear();
        }
        dice
    }

    /// How many throws were played.
    pub(crate) fn throws(&self) -> u32 {
        self.steps.iter().filter(|step| !step.rest).count() as u32
    }

    /// Plays the record through and checks every step.
    pub(crate) fn replay<G: Playable>(&self) -> Result<Replay<G>, RecordError> {
        if self.format != FORMAT || self.version != VERSION {
            return Err(RecordError::Format);
        }
        let start = self.start.parse().map_err(RecordError::Start)?;
        let mut replay = Replay::new(start);
        for (number, step) in (1..).zip(&self.steps) {
            let wrong = |why| RecordError::Step { number, why };
            let rest = replay.rest;
            replay.step(&step.roll, &step.mv).map_err(wrong)?;
            if rest != step.rest {
                return Err(wrong(NotationError::whole(
                    "rest",
                    &step.rest.to_string(),
                    rest.to_string(),
                )));
            }
        }
        Ok(replay)
    }

    /// Checks that the seed is the one committed to, and that every throw follows from
    /// it. Returns how many throws were checked.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<u32, RecordError> {
        with_game(&self.game, Verify(self))?
    }
}

struct Verify<'a>(&'a Record);

impl UseGame for Verify<'_> {
    type Output = Result<u32, RecordError>;

    fn with<G: Playable>(self) -> Self::Output {
        let Self(record) = self;
        let dice = match &record.dice {
            DiceKind::Typed => return Err(RecordError::Unverifiable("they were typed in")),
            DiceKind::Fair(dice) if dice.seed.is_empty() => {
                return Err(RecordError::Unverifiable("the seed is shown when the game is over"));
            }
            DiceKind::Fair(dice) => dice,
        };
        if !dice.is_kept() {
            return Err(RecordError::Seed);
        }
        let replay = record.replay::<G>()?;
        let mut throws = 0;
        let steps = replay.before.iter().zip(&record.steps);
        for (before, step) in steps.filter(|(_, step)| !step.rest) {
            throws += 1;
            let expected = dice.throw(&before.position, throws).to_string();
            if expected != step.roll {
                let found = step.roll.clone();
                return Err(RecordError::Throw { number: throws, found, expected });
            }
        }
        Ok(throws)
    }
}
