//! How an engine is run: its command, its protocol, its time and its memory.

use std::time::Duration;

use wurfel_core::Budget;

use crate::course;

/// How many bytes of memory each process of an engine may take by default: much more than small
/// engines need, and little enough that a machine survives a few that never stop taking more. The
/// number was not measured. Other systems than Linux have no such limit.
pub const MEMORY: Option<u64> = if cfg!(target_os = "linux") { Some(2_000_000_000) } else { None };

/// The protocol that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The Universal Game Interface with rolls.
    Ugi,
    /// That of course cups.
    Course,
}

/// How an engine is run.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// The command line.
    pub command: String,
    /// The protocol.
    pub dialect: Dialect,
    /// What the engine may spend on a decision, if that is limited.
    pub budget: Budget<'static>,
    /// The clock for a game, and what each move adds to it.
    pub clock: Option<(Duration, Duration)>,
    /// How late an answer may be.
    pub margin: Duration,
    /// How long the engine may take to start and to report that it is ready.
    pub start: Duration,
    /// How long the engine may take over a move without a time limit.
    pub patience: Duration,
    /// How many bytes of memory each process of the engine may take, if that is limited.
    pub memory: Option<u64>,
    /// Whether the engine thinks on its opponent's time.
    pub ponders: bool,
    /// Whether the engine is told the moves of the game; `None` leaves that to the engine.
    pub history: Option<bool>,
    /// The engine's own options with their values.
    pub options: Vec<(String, String)>,
}

impl EngineSettings {
    /// The clock for a game of an engine that must have one, where neither its settings nor the match
    /// have one.
    pub(crate) fn default_clock(&self) -> Option<(Duration, Duration)> {
        (self.dialect == Dialect::Course).then_some((course::GAME_TIME, Duration::ZERO))
    }

    /// The engine's own clock, which that of the match may replace if it is only the default.
    pub(crate) fn own_clock(&self) -> Option<(Duration, Duration)> {
        self.clock.or_else(|| self.default_clock())
    }
}
