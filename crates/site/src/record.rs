//! A game as it is kept and handed out.

use serde::{Deserialize, Serialize};
use wurfel_arena::Catalogued;
use wurfel_core::{Dice, DiceError, Game, NotationError, ScriptedDice, Situation};
use wurfel_games::UnknownName;

use crate::dice::CommittedDice;

/// What the record calls itself.
pub const FORMAT: &str = wurfel_arena::ROOM_FORMAT;
/// The version of the format; a reader refuses a version it does not know. In version 1
/// rolls had no numbers, and the dice fell otherwise.
pub const VERSION: u32 = wurfel_arena::ROOM_VERSION;

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
    /// The position before the first roll.
    pub start: String,
    /// Who plays, the first side first.
    pub players: [Player; 2],
    /// Where rolls come from.
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
    pub steps: Vec<RecordedStep>,
    /// A roll that is not played yet; in version 1 only if it was typed in.
    #[serde(default, alias = "thrown", skip_serializing_if = "Option::is_none")]
    pub rolled: Option<Roll>,
    /// What was taken back, the first time first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakeBack>,
    /// What two people on two devices have agreed on, and not yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<Apart>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// Two people, each with a device.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Apart {
    /// The side whose seat nobody has taken yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<usize>,
    /// What each adds to the dice; nobody is told of them before the game begins.
    #[serde(default)]
    pub salts: [Option<String>; 2],
    /// The set-ups, where both arrange; nobody is told of one before both are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setups: Option<[Option<String>; 2]>,
    /// What one proposes to the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
    /// The position that was wished for instead of set-ups, for the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The seconds of the clock at the start, for the rematch.
    #[serde(default)]
    pub seconds: u64,
    /// The room of the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// What one of two people proposes to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// Who proposes it, 0 or 1.
    pub side: usize,
    /// What.
    pub what: Proposal,
}

/// What can be proposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proposal {
    /// To take back the last choice of whoever proposes it.
    TakeBack,
    /// To play again with changed sides.
    Rematch,
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

/// Where rolls come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DiceKind {
    /// The server rolls.
    Fair(CommittedDice),
    /// People roll and type what fell.
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

/// What the dice show.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "RollForm")]
pub struct Roll {
    /// How they fell.
    pub roll: String,
    /// The number of the roll in the game, from 1; 0 where people roll.
    #[serde(skip_serializing_if = "is_none")]
    pub number: u32,
    /// The rolls just before it, which left nothing to do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
}

/// How a roll is written: in version 1 as a text.
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
fn is_none(number: &u32) -> bool {
    *number == 0
}

/// Moves that were taken back. The roll at which the first of them was chosen stays: it had
/// been seen. What followed is rolled anew, as it had been seen, too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TakeBack {
    /// How many steps stayed.
    pub kept: usize,
    /// Those that did not.
    pub steps: Vec<RecordedStep>,
    /// The roll that was not played yet.
    #[serde(default, alias = "thrown", skip_serializing_if = "Option::is_none")]
    pub rolled: Option<Roll>,
}

/// A roll, or what was left of one, and a move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RecordedStep {
    /// The roll, or the rest of one.
    pub roll: String,
    /// The number of the roll in the game, from 1; 0 where people roll, and of a rest.
    #[serde(default, skip_serializing_if = "is_none")]
    pub number: u32,
    /// The rolls just before it, which left nothing to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The result that the agent that moved expected for itself, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// Whether `roll` is what the move before left of its roll.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rest: bool,
}

impl RecordedStep {
    /// The roll of a step that is not played with the rest of one.
    pub(crate) fn roll(&self) -> Roll {
        Roll { roll: self.roll.clone(), number: self.number, void: self.void.clone() }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// `1-0` when the first side won, `0-1`, `1/2-1/2`, or `*` when nothing counts.
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
    /// Somebody broke it off before both had moved.
    Aborted,
    /// Somebody stayed away.
    Absent,
}

/// Why a record is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// It has another format or version.
    #[error("not a game of wurfel's site: expected format {FORMAT}, version 1 or {VERSION}")]
    Format,
    /// Its game is not known.
    #[error(transparent)]
    Game(#[from] UnknownName),
    /// Its start is no position.
    #[error("start: {0}")]
    Start(NotationError),
    /// A step is not legal.
    #[error("step {number}: {why}")]
    RecordedStep {
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
    /// A commitment or a salt that is not what was shown before the game.
    #[error("the {0} is not the one that was shown before the game")]
    Kept(&'static str),
    /// More taken back than there was.
    #[error("more moves stayed at a take-back than there are")]
    TakenBack,
    /// Rolls that are not all there.
    #[error("roll {number}: expected {expected}")]
    Numbering {
        /// Which one, from 1.
        number: u32,
        /// What should be there.
        expected: String,
    },
    /// A roll that does not follow from the seed.
    #[error("roll {number}: {found} was played, but the dice had fallen {expected}")]
    Roll {
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
    /// Whether its roll is what the last step left of a roll.
    pub rest: bool,
}

impl<G: Game> Replay<G> {
    /// The start.
    pub fn new(start: G) -> Self {
        let now = Situation { position: start, roll: None };
        Self { before: vec![], now, rest: false }
    }

    /// Plays a step whose roll is rolled if the last one left none.
    pub fn step(&mut self, roll: &str, mv: &str) -> Result<(), NotationError> {
        let Situation { position, roll: rest } = &self.now;
        let rolled = match rest {
            Some(rest) if rest.to_string() == roll => *rest,
            Some(rest) => {
                return Err(NotationError::whole("roll", roll, format!("{rest}, which is left")));
            }
            None => usable(position, roll)?,
        };
        let found = position.find_move(rolled, mv)?;
        self.now.roll = Some(rolled);
        self.before.push(self.now.clone());
        self.now.roll = self.now.position.play(rolled, found);
        self.rest = self.now.roll.is_some();
        Ok(())
    }
}

/// Reads a roll that the dice of `G` can show and that leaves something to do.
pub(crate) fn usable<G: Game>(position: &G, text: &str) -> Result<G::Roll, NotationError> {
    if position.outcome().is_some() {
        return Err(NotationError::whole("roll", text, "none: the game is over"));
    }
    match ScriptedDice::new(vec![text.parse()?]).roll(position) {
        Ok(roll) => Ok(roll),
        Err(DiceError::Wrong(error)) => Err(error),
        Err(DiceError::Ended) => Err(NotationError::whole("roll", text, "a roll")),
    }
}

impl Record {
    /// The record as guests may see it: without the seed before the end, and without what
    /// two people must not know of each other yet.
    pub(crate) fn shown(mut self) -> Self {
        self.dice = self.shown_dice();
        let begun = self.begun;
        if let Some(apart) = &mut self.apart {
            if !begun {
                apart.salts = [None, None];
            }
            if let Some(setups) = &mut apart.setups
                && setups.iter().any(Option::is_none)
            {
                *setups = [None, None];
            }
        }
        self
    }

    /// The dice as guests may see them: the seed only after the end.
    pub(crate) fn shown_dice(&self) -> DiceKind {
        let mut dice = self.dice.clone();
        if let (DiceKind::Fair(dice), None) = (&mut dice, &self.end) {
            dice.seed.clear();
        }
        dice
    }

    /// Plays the record through and checks every step.
    pub(crate) fn replay<G: Catalogued>(&self) -> Result<Replay<G>, RecordError> {
        if self.format != FORMAT || !(1..=VERSION).contains(&self.version) {
            return Err(RecordError::Format);
        }
        let start = self.start.parse().map_err(RecordError::Start)?;
        let mut replay = Replay::new(start);
        for (number, step) in (1..).zip(&self.steps) {
            let wrong = |why| RecordError::RecordedStep { number, why };
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
}
