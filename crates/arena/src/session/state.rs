//! The state of a session: a fold over its entries.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Budget, BySide, Clocks, Side, Transcript};
use wurfel_games::Playable;
use wurfel_search::ClockState;

use super::clocks::thresholds;
use super::entry::{SessionEntry, SessionEvent};
use super::refusal::Refusal;
use super::settings::SessionSettings;
use super::table::{SessionEnding, SessionGame, Table};

/// The next thing that the arbiter has to enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextEntry<R> {
    /// The set-up of a side.
    SetUp(Side),
    /// The roll of the side to move.
    Roll(Side),
    /// The move of the side to move for this roll, or for the rest of it.
    Move(Side, R),
    /// The game is over, and another one follows.
    Next,
    /// The match is over.
    Nothing,
}

/// The state of a session after some entries.
#[derive(Clone, Debug)]
pub struct Session<G: Playable> {
    settings: SessionSettings,
    table: Table<G>,
    /// For undo: each entry that can be taken back, with the table before it, on which the clocks
    /// are stopped.
    history: Vec<Arc<(SessionEvent, Table<G>)>>,
    log: Vec<Arc<SessionEntry>>,
    /// The time of the last entry.
    at: u64,
}

impl<G: Playable> Session<G> {
    /// A session by these rules in which nothing has happened yet.
    ///
    /// # Errors
    /// When the settings cannot be played.
    pub fn new(rules: &G, settings: SessionSettings) -> Result<Self, Refusal> {
        settings.check(rules)?;
        let table = Table::new(rules.clone(), &settings, vec![], &settings.begun);
        Ok(Self { settings, table, history: vec![], log: vec![], at: 0 })
    }

    /// Applies an entry.
    ///
    /// # Errors
    /// When it is not possible now; the session is then unchanged.
    pub fn apply(&mut self, entry: SessionEntry) -> Result<(), Refusal> {
        if entry.at < self.at {
            return Err(Refusal(format!("time {}: expected {} or later", entry.at, self.at)));
        }
        if let SessionEvent::Undo { reason } = &entry.event {
            if reason.trim().is_empty() {
                return Err(Refusal("undo: expected a reason, as in undo wrong roll".to_owned()));
            }
            let last = self.history.pop();
            let last = last.ok_or_else(|| Refusal("there is nothing to take back".to_owned()))?;
            self.table = last.1.clone();
        } else {
            let mut table = self.table.clone();
            table.apply(&entry, &self.settings)?;
            if entry.event.can_be_undone() {
                let mut before = std::mem::replace(&mut self.table, table);
                before.clocks.stop(entry.at);
                self.history.push(Arc::new((entry.event.clone(), before)));
            } else {
                self.table = table;
            }
        }
        self.at = entry.at;
        self.log.push(Arc::new(entry));
        Ok(())
    }

    /// The players, the clocks and the rules of the session, which its first entry states.
    pub const fn settings(&self) -> &SessionSettings {
        &self.settings
    }

    /// The time of the last entry in milliseconds.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// All entries, including those that were taken back.
    pub fn log(&self) -> impl ExactSizeIterator<Item = &SessionEntry> {
        self.log.iter().map(AsRef::as_ref)
    }

    /// The entry that an undo would take back.
    pub fn undoable(&self) -> Option<&SessionEvent> {
        self.history.last().map(|last| &last.0)
    }

    /// The next thing that the arbiter has to enter.
    pub fn next_entry(&self) -> NextEntry<G::Roll> {
        match &self.table.game {
            _ if self.table.ending.is_some() && self.table.is_decided(&self.settings) => {
                NextEntry::Nothing
            }
            _ if self.table.ending.is_some() => NextEntry::Next,
            None => {
                let missing = |&side: &Side| self.table.setups[side].is_none();
                NextEntry::SetUp(Side::BOTH.into_iter().find(missing).unwrap_or(Side::First))
            }
            Some(game) => {
                let side = game.now().side();
                self.table.roll.map_or(NextEntry::Roll(side), |roll| NextEntry::Move(side, roll))
            }
        }
    }

    /// The number of this game, counted from 1.
    pub fn number(&self) -> u32 {
        self.table.before.len() as u32 + 1
    }

    /// The player, 0 or 1, who plays a side in this game.
    pub fn player(&self, side: Side) -> usize {
        self.table.player(&self.settings, side)
    }

    /// The name of the player who plays a side in this game.
    pub fn name(&self, side: Side) -> &str {
        &self.settings.players[self.player(side)]
    }

    /// The side that begins this game.
    pub fn begins(&self) -> Side {
        self.table.begins(&self.settings)
    }

    /// The half points of each player so far.
    pub fn halves(&self) -> [u64; 2] {
        self.table.halves(&self.settings)
    }

    /// This game as far as it was played, with its players; `None` before both set-ups are known.
    pub fn game(&self) -> Option<Transcript<G>> {
        self.table.record(&self.settings)
    }

    /// How this game ended.
    pub fn ending(&self) -> Option<&SessionEnding> {
        self.table.ending.as_ref()
    }

    /// The file of this game's record, once it has been chosen.
    pub fn file(&self) -> Option<&str> {
        self.table.file.as_deref()
    }

    /// The games before this one.
    pub fn before(&self) -> impl Iterator<Item = &SessionGame<G>> {
        self.table.before.iter().map(AsRef::as_ref)
    }

    /// The claim that the arbiter has not decided yet.
    pub fn claim(&self) -> Option<&str> {
        self.table.claim.as_deref()
    }

    /// The side whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.table.clocks.running()
    }

    /// The time that a side has left on its clock at a moment, in milliseconds; `None` without
    /// clocks.
    pub fn left(&self, side: Side, at: u64) -> Option<i64> {
        self.settings.clock.as_ref().map(|_| self.table.clocks.left(side, at))
    }

    /// The announcement about the clocks that is due at a moment.
    pub fn warning(&self, at: u64) -> Option<SessionEvent> {
        let clock = self.settings.clock.as_ref()?;
        let (side, seconds) = self.table.clocks.warning(thresholds(Some(clock)), at)?;
        Some(SessionEvent::Warned { side: G::SIDES[side].to_owned(), seconds })
    }

    /// The state of the clocks at a moment, for agents that manage their time themselves and have
    /// `budget` for a decision in addition to the clocks; `None` without clocks.
    pub fn clocks(&self, budget: Budget<'_>, at: u64) -> Option<Clocks> {
        let increment = Duration::from_millis(self.settings.clock.as_ref()?.increment);
        let left = |side| self.left(side, at).unwrap_or_default().max(0) as u64;
        Some(Clocks {
            left: BySide::from_fn(|side| Duration::from_millis(left(side))),
            increment: BySide::new(increment, increment),
            decision: budget.time,
        })
    }

    /// `budget` with the share of its clock that a side may take for a decision at a moment. An
    /// eighth of the remaining time is always held in reserve; this fraction was not measured.
    pub fn limit<'a>(&self, budget: Budget<'a>, side: Side, at: u64) -> Budget<'a> {
        let (Some(clock), Some(left)) = (&self.settings.clock, self.left(side, at)) else {
            return budget;
        };
        let time = Duration::from_millis(left.max(0) as u64);
        let left = ClockState {
            time,
            increment: Duration::from_millis(clock.increment),
            made: self.table.turns[side],
            typical: G::TURNS,
        };
        let share = left.share(time / 8);
        Budget {
            time: Some(budget.time.map_or(share, |time| time.min(share))),
            deadline: Some(time),
            ..budget
        }
    }
}
