//! What the agent requires of a protocol, from the driver's end.

use std::time::Duration;

use wurfel_core::{BySide, Clocks, Instant, Random, Side};
use wurfel_protocol::ugi::PositionWord;

use crate::ahead::Ahead;
use crate::error::EngineError;
use crate::process::EngineProcess;

/// How often the request to stop is checked.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// A turn as it is described to an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    /// The position with its roll, in the game's notation.
    pub situation: &'a str,
    /// The position without the roll, and the roll, as two texts.
    pub at_rest: [&'a str; 2],
    /// The same by the moves that led to it, as the words after `position`, if they are known.
    pub history: Option<&'a str>,
    /// The side that is to decide.
    pub side: Side,
    /// How long the engine may think.
    pub limits: Limits,
    /// The moment after which its answer no longer counts.
    pub deadline: Instant,
}

/// How long an engine may think about a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Turns to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time for this turn.
    pub time: Option<Duration>,
    /// The clocks of both sides, in a game with clocks.
    pub clocks: Option<Clocks>,
}

impl Limits {
    /// The longest time that the engine may take when it plays this side.
    pub fn allowed(&self, side: Side) -> Option<Duration> {
        let left = self.clocks.map(|clocks| clocks.left[side]);
        self.time.map(|time| left.map_or(time, |left| time.min(left))).or(left)
    }

    /// The limits of the side's next turn, after one that took `time`. How much of its own clock
    /// the opponent will use is not known.
    pub fn after(self, side: Side, time: Duration) -> Self {
        let spent = |Clocks { left, increment, decision }| {
            let spent = left[side].saturating_sub(time) + increment[side];
            let next = |of: Side| if of == side { spent } else { left[of] };
            Clocks { left: BySide::from_fn(next), increment, decision }
        };
        Self { clocks: self.clocks.map(spent), ..self }
    }
}

/// A move as the engine reports it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Line {
    /// The move, in the game's notation.
    pub mv: String,
    /// The expected result for the side that decides, 0 to 1.
    pub value: Option<f64>,
    /// Whether the engine says that the value is the true one.
    pub exact: bool,
}

/// An engine's answer about a turn.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Answer {
    /// The move that it plays.
    pub best: Line,
    /// All moves that the engine reports, if it was asked for them.
    pub lines: Vec<Line>,
    /// The rolls and moves that it expects after its own move.
    pub expected: Vec<PositionWord>,
    /// Positions visited.
    pub nodes: u64,
    /// Turns looked ahead.
    pub depth: u32,
}

/// A conversation with an engine in some protocol.
pub(crate) trait Conversation: Send {
    /// Introduces the driver and the engine to each other. The engine must be ready by `deadline`.
    fn open(&mut self, engine: &mut EngineProcess, deadline: Instant) -> Result<(), EngineError>;

    /// Says that a new game begins, in which the engine draws its random numbers from `random`.
    fn begin(
        &mut self,
        engine: &mut EngineProcess,
        random: &mut Random,
        deadline: Instant,
    ) -> Result<(), EngineError>;

    /// Asks for a move, and with `all` for the values of all moves. When `stopped` turns true, the
    /// engine is asked to answer with what it has.
    fn decide(
        &mut self,
        engine: &mut EngineProcess,
        task: Task<'_>,
        all: bool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Answer, EngineError>;

    /// Lets the engine think while its opponent does. If its next turn turns out to be the one that
    /// it has been thinking about, it goes on from there; `limits` are those of that turn.
    fn ponder(
        &mut self,
        _engine: &mut EngineProcess,
        _ahead: Ahead,
        _limits: Limits,
        _deadline: Instant,
    ) -> Result<(), EngineError> {
        Ok(())
    }

    /// Ends the thinking on the opponent's time.
    fn rest(&mut self, _engine: &mut EngineProcess, _deadline: Instant) -> Result<(), EngineError> {
        Ok(())
    }

    /// The name that the engine reports, if the protocol asks for it.
    fn identity(&self) -> Option<&str> {
        None
    }

    /// The last error that the engine reported.
    fn last_error(&self) -> Option<&str>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_clock_is_that_after_the_move() {
        let ms = Duration::from_millis;
        let clocks = Clocks {
            left: BySide::new(ms(1000), ms(700)),
            increment: BySide::new(ms(50), ms(60)),
            decision: None,
        };
        let limits = Limits { depth: None, nodes: None, time: None, clocks: Some(clocks) };
        let next = limits.after(Side::First, ms(300)).clocks.unwrap();
        assert_eq!(next.left, BySide::new(ms(750), ms(700)));
        let next = limits.after(Side::Second, ms(800)).clocks.unwrap();
        assert_eq!(next.left, BySide::new(ms(1000), ms(60)));
    }
}
