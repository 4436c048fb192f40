//! Clocks for whole games, which the referee runs.
//!
//! A side that oversteps its clock loses. Agents get a time limit for each decision, so
//! that every agent can play by a clock. An agent that manages its time itself (`total=` in its
//! spec) continues to do so. In either case the clock counts the time that a decision really takes.

use std::time::Duration;

use wurfel_core::Budget;
use wurfel_search::ClockState;

/// The time that each side has for a game.
///
/// ```
/// use std::time::Duration;
///
/// use wurfel_arena::{Match, TimeControl};
/// use wurfel_games::einstein::Einstein;
///
/// let specs = ["greedy".parse()?, "random".parse()?];
/// let mut arranged = Match::new(&Einstein::default(), specs, 1, 1)?;
/// arranged.clock = Some(TimeControl {
///     total: Duration::from_secs(60),
///     increment: Duration::from_secs(1),
///     margin: Duration::ZERO,
///     typical_turns: 15,
/// });
/// let tally = arranged.run(1, None, &mut |_| {})?;
/// assert_eq!(tally.lost_by_fault(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The time at the start.
    pub total: Duration,
    /// The increment for a side after each of its turns; zero for sudden death.
    pub increment: Duration,
    /// The time by which a clock may be overstepped before that loses.
    pub margin: Duration,
    /// The number of turns of a side that the time is planned for at the start of a game.
    pub typical_turns: u32,
}

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameClock {
    control: TimeControl,
    left: Duration,
    turns: u32,
    /// Whether the side has made a move of its turn.
    is_amid_turn: bool,
}

impl GameClock {
    pub const fn new(control: TimeControl) -> Self {
        Self { control, left: control.total, turns: 0, is_amid_turn: false }
    }

    /// The budget of a decision, bounded by the share of the clock that it may take. An eighth of
    /// the remaining time is always held in reserve; this fraction was not measured. A turn of several
    /// decisions is given one increment, which the first of them may use.
    pub fn limit<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        let left = ClockState {
            time: self.left,
            increment: if self.is_amid_turn { Duration::ZERO } else { self.control.increment },
            made: self.turns,
            typical: self.control.typical_turns,
        };
        let share = left.share(self.left / 8);
        let time = Some(budget.time.map_or(share, |time| time.min(share)));
        Budget { time, deadline: Some(self.left + self.control.margin), ..budget }
    }

    /// The time that is left on the clock.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// The time that each turn adds to the clock.
    pub const fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Takes the time of a decision from the clock; false when it oversteps the clock.
    #[must_use]
    pub fn spend(&mut self, time: Duration) -> bool {
        let in_time = time <= self.left + self.control.margin;
        self.left = self.left.saturating_sub(time);
        self.is_amid_turn = true;
        in_time
    }

    /// Ends a turn, after the side has made all its moves.
    pub fn end_turn(&mut self) {
        self.left += self.control.increment;
        self.turns += 1;
        self.is_amid_turn = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn a_clock_is_enforced_to_the_millisecond() {
        let control =
            TimeControl { total: ms(1000), increment: ms(100), margin: ms(5), typical_turns: 15 };
        let mut clock = GameClock::new(control);
        assert!(clock.spend(ms(900)));
        clock.end_turn();
        assert_eq!(clock.left, ms(200));
        let late = |time| {
            let mut clock = clock;
            clock.spend(time)
        };
        assert!(late(ms(205)), "the margin is forgiven");
        assert!(!late(ms(206)), "and no more than that");
        assert!(clock.spend(ms(203)));
        clock.end_turn();
        assert_eq!(clock.left, ms(100), "what was forgiven is not taken from the increment");
    }

    #[test]
    fn a_decision_may_take_its_share_of_the_clock_and_no_more_than_the_budget() {
        let control =
            TimeControl { total: ms(60_000), increment: ms(0), margin: ms(0), typical_turns: 15 };
        let mut clock = GameClock::new(control);
        assert_eq!(clock.limit(Budget::default()).time, Some(ms(4000)));
        let short = Budget { time: Some(ms(50)), depth: Some(3), ..Budget::default() };
        let limited = clock.limit(short);
        assert_eq!((limited.time, limited.depth), (Some(ms(50)), Some(3)));
        assert!(clock.spend(ms(59_000)));
        clock.end_turn();
        let richer = TimeControl { increment: ms(4000), ..control };
        let clock = GameClock { control: richer, ..clock };
        assert_eq!(
            clock.limit(Budget::default()).time,
            Some(ms(875)),
            "an eighth stays in reserve"
        );
    }

    /// Three dice lead to three decisions in a turn, which is given one increment.
    #[test]
    fn the_decisions_of_a_turn_share_its_increment() {
        let control = TimeControl {
            total: ms(60_000),
            increment: ms(2_000),
            margin: ms(0),
            typical_turns: 40,
        };
        let mut clock = GameClock::new(control);
        for _ in 0..200 {
            for _ in 0..3 {
                let budget = clock.limit(Budget::default());
                assert!(clock.spend(budget.time.unwrap()));
            }
            clock.end_turn();
            assert!(clock.left > ms(500), "{:?}", clock.left);
        }
    }
}
