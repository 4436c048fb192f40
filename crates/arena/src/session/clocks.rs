//! The clocks of a session. They do not read the time: every call states the moment, in
//! milliseconds of the session.

use wurfel_core::{BySide, Side};

use super::settings::SessionClock;

/// Both clocks of a game, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clocks {
    /// The time left when a clock was last started, stopped or set; negative when it was
    /// overstepped.
    left: BySide<i64>,
    /// The side whose clock runs, and since when.
    running: Option<(Side, u64)>,
    /// The last announcement for each side, in seconds.
    announced: BySide<Option<u64>>,
}

impl Clocks {
    /// The stopped clocks before a game.
    pub fn new(total: u64) -> Self {
        Self {
            left: BySide::from_fn(|_| milliseconds(total)),
            running: None,
            announced: BySide::default(),
        }
    }

    /// The time that a side has left at a moment, in milliseconds.
    pub fn left(&self, side: Side, at: u64) -> i64 {
        match self.running {
            Some((runs, since)) if runs == side => {
                self.left[side].saturating_sub(milliseconds(at.saturating_sub(since)))
            }
            _ => self.left[side],
        }
    }

    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    pub fn stop(&mut self, at: u64) {
        if let Some(side) = self.running() {
            self.left[side] = self.left(side, at);
        }
        self.running = None;
    }

    /// Starts the clock of a side and stops the other one.
    pub fn start(&mut self, side: Side, at: u64) {
        self.stop(at);
        self.running = Some((side, at));
    }

    /// Adds the increment for a turn to a side's clock.
    pub fn add(&mut self, side: Side, increment: u64) {
        self.left[side] = self.left[side].saturating_add(milliseconds(increment));
    }

    /// Sets a clock. A threshold that it has now passed is no longer announced.
    pub fn set(&mut self, side: Side, left: i64, at: u64, thresholds: &[u64]) {
        let running = self.running();
        self.stop(at);
        self.left[side] = left;
        self.announced[side] = reached(thresholds, left);
        if let Some(side) = running {
            self.start(side, at);
        }
    }

    /// The announcement that is due at a moment: the side whose clock runs, and the seconds left.
    pub fn warning(&self, thresholds: &[u64], at: u64) -> Option<(Side, u64)> {
        let side = self.running()?;
        let reached = reached(thresholds, self.left(side, at))?;
        let is_new = self.announced[side].is_none_or(|before| reached < before);
        is_new.then_some((side, reached))
    }

    pub fn announce(&mut self, side: Side, seconds: u64) {
        self.announced[side] = Some(seconds);
    }
}

/// The smallest of the thresholds and zero that a clock has reached.
fn reached(thresholds: &[u64], left: i64) -> Option<u64> {
    let seconds = thresholds.iter().copied().chain([0]);
    seconds.filter(|&seconds| left <= milliseconds(seconds.saturating_mul(1000))).min()
}

fn milliseconds(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// A time as a clock shows it, in minutes and started seconds: `3:05`, or `-0:07` for a clock that
/// was overstepped by seven seconds.
pub fn clock_text(left: i64) -> String {
    let (sign, seconds) = match left {
        ..=-1000 => ("-", (left / 1000).unsigned_abs()),
        -999..=0 => ("", 0),
        _ => ("", (left as u64).div_ceil(1000)),
    };
    format!("{sign}{}:{:02}", seconds / 60, seconds % 60)
}

/// The thresholds of a clock, none without a clock.
pub(super) fn thresholds(clock: Option<&SessionClock>) -> &[u64] {
    clock.map_or(&[], |clock| &clock.warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_only_while_it_is_started() {
        let mut clocks = Clocks::new(240_000);
        assert_eq!(clocks.left(Side::First, 99_000), 240_000);
        clocks.start(Side::First, 1_000);
        assert_eq!(clocks.left(Side::First, 31_000), 210_000);
        clocks.start(Side::Second, 31_000);
        clocks.stop(41_000);
        assert_eq!(clocks.left(Side::First, 999_000), 210_000);
        assert_eq!(clocks.left(Side::Second, 999_000), 230_000);
    }

    #[test]
    fn each_threshold_is_announced_once_and_only_the_lowest_that_was_reached() {
        let thresholds = [60, 30];
        let mut clocks = Clocks::new(100_000);
        clocks.start(Side::Second, 0);
        assert_eq!(clocks.warning(&thresholds, 39_999), None);
        assert_eq!(clocks.warning(&thresholds, 40_000), Some((Side::Second, 60)));
        assert_eq!(clocks.warning(&thresholds, 75_000), Some((Side::Second, 30)));
        clocks.announce(Side::Second, 30);
        assert_eq!(clocks.warning(&thresholds, 99_999), None);
        assert_eq!(clocks.warning(&thresholds, 100_000), Some((Side::Second, 0)));
        clocks.set(Side::Second, 50_000, 100_000, &thresholds);
        assert_eq!(clocks.warning(&thresholds, 100_000), None);
        assert_eq!(clocks.warning(&thresholds, 120_000), Some((Side::Second, 30)));
    }

    #[test]
    fn clocks_show_seconds_that_have_begun() {
        let texts =
            [(240_000, "4:00"), (239_001, "4:00"), (59_000, "0:59"), (1, "0:01"), (0, "0:00")];
        for (left, text) in texts.into_iter().chain([(-999, "0:00"), (-61_500, "-1:01")]) {
            assert_eq!(clock_text(left), text);
        }
    }
}
