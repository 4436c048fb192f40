//! Matches at a real table without a type parameter.

use std::path::Path;

use wurfel_agents::Catalogued;
use wurfel_arena::{
    NextEntry, RecordedGame, Refusal, SessionEnding, SessionEntry, SessionError, SessionEvent,
    SessionFile, SessionSettings, write_records,
};
use wurfel_core::{Budget, BySide, Clocks, NotationError, Side, Situation};

use crate::position::Position;
use crate::records::FormedGame;

/// A match that an earlier run has left, and the file to which its entries are appended.
pub type ResumedSession = (SessionFile, Box<dyn Session>);

/// A match at a real table, as the arbiter enters it; see [`wurfel_arena::Session`].
pub trait Session: Send {
    /// A copy, to which entries can be made on trial.
    fn copy(&self) -> Box<dyn Session>;

    /// Applies an entry.
    ///
    /// # Errors
    /// When it is not possible now; the session is then unchanged.
    fn apply(&mut self, entry: SessionEntry) -> Result<(), Refusal>;

    /// The players, the clocks and the rules of the session.
    fn settings(&self) -> &SessionSettings;

    /// The names of the sides of the game.
    fn sides(&self) -> BySide<&'static str>;

    /// The time of the last entry in milliseconds.
    fn at(&self) -> u64;

    /// All entries, including those that were taken back.
    fn log(&self) -> Vec<&SessionEntry>;

    /// The entry that an undo would take back.
    fn undoable(&self) -> Option<&SessionEvent>;

    /// The next thing that the arbiter has to enter.
    fn next_entry(&self) -> NextEntry<String>;

    /// The number of this game, counted from 1.
    fn number(&self) -> u32;

    /// The player, 0 or 1, who plays a side in this game.
    fn player(&self, side: Side) -> usize;

    /// The name of the player who plays a side in this game.
    fn name(&self, side: Side) -> &str;

    /// The side that begins this game.
    fn begins(&self) -> Side;

    /// The half points of each player so far.
    fn halves(&self) -> [u64; 2];

    /// The position of this game, with the roll for which a move is due; `None` before both set-ups are
    /// known.
    fn position(&self) -> Option<Position>;

    /// How this game ended.
    fn ending(&self) -> Option<&SessionEnding>;

    /// The record of this game, in the form that the players of the game use, or as JSON lines where
    /// there is no such form; `None` while it goes on.
    ///
    /// # Errors
    /// When the form cannot hold the game.
    fn record(&self) -> Result<Option<FormedGame>, NotationError>;

    /// The file of this game's record, once it has been chosen.
    fn file(&self) -> Option<&str>;

    /// The claim that the arbiter has not decided yet.
    fn claim(&self) -> Option<&str>;

    /// The side whose clock runs.
    fn running(&self) -> Option<Side>;

    /// The time that a side has left on its clock at a moment, in milliseconds; `None` without
    /// clocks.
    fn left(&self, side: Side, at: u64) -> Option<i64>;

    /// The announcement about the clocks that is due at a moment.
    fn warning(&self, at: u64) -> Option<SessionEvent>;

    /// The state of the clocks at a moment, for agents that manage their time themselves; see
    /// [`wurfel_arena::Session::clocks`].
    fn clocks(&self, budget: Budget<'_>, at: u64) -> Option<Clocks>;

    /// `budget` with the share of its clock that a side may take for a decision at a moment; see
    /// [`wurfel_arena::Session::limit`].
    fn limit<'a>(&self, budget: Budget<'a>, side: Side, at: u64) -> Budget<'a>;
}

/// A session in which nothing has happened yet.
pub(crate) fn begin<G: Catalogued>(
    rules: &G,
    settings: SessionSettings,
) -> Result<Box<dyn Session>, Refusal> {
    Ok(Box::new(wurfel_arena::Session::new(rules, settings)?))
}

/// Opens the session that an earlier run has left.
pub(crate) fn resume<G: Catalogued>(
    rules: &G,
    path: &Path,
) -> Result<Option<ResumedSession>, SessionError> {
    let resumed = SessionFile::resume(rules, path)?;
    Ok(resumed.map(|(file, session)| -> ResumedSession { (file, Box::new(session)) }))
}

impl<G: Catalogued> Session for wurfel_arena::Session<G> {
    fn copy(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn apply(&mut self, entry: SessionEntry) -> Result<(), Refusal> {
        self.apply(entry)
    }

    fn settings(&self) -> &SessionSettings {
        self.settings()
    }

    fn sides(&self) -> BySide<&'static str> {
        G::SIDES
    }

    fn at(&self) -> u64 {
        self.at()
    }

    fn log(&self) -> Vec<&SessionEntry> {
        self.log().collect()
    }

    fn undoable(&self) -> Option<&SessionEvent> {
        self.undoable()
    }

    fn next_entry(&self) -> NextEntry<String> {
        match self.next_entry() {
            NextEntry::SetUp(side) => NextEntry::SetUp(side),
            NextEntry::Roll(side) => NextEntry::Roll(side),
            NextEntry::Move(side, roll) => NextEntry::Move(side, roll.to_string()),
            NextEntry::Next => NextEntry::Next,
            NextEntry::Nothing => NextEntry::Nothing,
        }
    }

    fn number(&self) -> u32 {
        self.number()
    }

    fn player(&self, side: Side) -> usize {
        self.player(side)
    }

    fn name(&self, side: Side) -> &str {
        self.name(side)
    }

    fn begins(&self) -> Side {
        self.begins()
    }

    fn halves(&self) -> [u64; 2] {
        self.halves()
    }

    fn position(&self) -> Option<Position> {
        let roll = match self.next_entry() {
            NextEntry::Move(_, roll) => Some(roll),
            _ => None,
        };
        Some(Position::new(Situation { position: self.game()?.now().clone(), roll }))
    }

    fn ending(&self) -> Option<&SessionEnding> {
        self.ending()
    }

    fn record(&self) -> Result<Option<FormedGame>, NotationError> {
        let (Some(game), Some(ending)) = (self.game(), self.ending()) else { return Ok(None) };
        // Not every form can hold a drawn game.
        let form = G::RECORDS.first().filter(|_| ending.outcome.winner().is_some());
        Ok(Some(match form {
            Some(form) => {
                FormedGame { file_name: (form.file_name)(&game), text: (form.write)(&game)? }
            }
            None => FormedGame {
                file_name: format!("game-{}.jsonl", self.number()),
                text: write_records(&[RecordedGame::alone(game)])
                    .expect("one game is between two players"),
            },
        }))
    }

    fn file(&self) -> Option<&str> {
        self.file()
    }

    fn claim(&self) -> Option<&str> {
        self.claim()
    }

    fn running(&self) -> Option<Side> {
        self.running()
    }

    fn left(&self, side: Side, at: u64) -> Option<i64> {
        self.left(side, at)
    }

    fn warning(&self, at: u64) -> Option<SessionEvent> {
        self.warning(at)
    }

    fn clocks(&self, budget: Budget<'_>, at: u64) -> Option<Clocks> {
        self.clocks(budget, at)
    }

    fn limit<'a>(&self, budget: Budget<'a>, side: Side, at: u64) -> Budget<'a> {
        self.limit(budget, side, at)
    }
}
