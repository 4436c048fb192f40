//! How much of a clock to spend on a turn.

use std::time::Duration;

use crate::share;

/// The shortest time for a turn, because a search looks one turn ahead in any case.
const MIN_TIME: Duration = Duration::from_millis(1);

/// The state of a side's clock before one of its turns.
#[derive(Clone, Copy, Debug)]
pub struct ClockState {
    /// The time that the side has left.
    pub time: Duration,
    /// The time that the side is given for each turn.
    pub increment: Duration,
    /// How many turns the side has already made.
    pub made: u32,
    /// How many turns of a side a typical game has.
    pub typical: u32,
}

impl ClockState {
    /// The time for the next turn: its share of the time left, and most of the increment.
    /// `overhead`, the time that the answer takes to reach the clock, is always reserved.
    pub fn share(self, overhead: Duration) -> Duration {
        let wanted = share(self.time, self.made, self.typical) + self.increment * 3 / 4;
        wanted.min(self.time.saturating_sub(overhead)).max(MIN_TIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn a_share_is_that_of_the_paper_and_never_more_than_what_is_left() {
        let left = ClockState { time: ms(60_000), increment: ms(0), made: 0, typical: 15 };
        assert_eq!(left.share(ms(10)), ms(4_000));
        assert_eq!(ClockState { made: 12, ..left }.share(ms(10)), ms(20_000));
        assert_eq!(ClockState { made: 500, ..left }.share(ms(10)), ms(20_000));
        assert_eq!(ClockState { increment: ms(1_000), ..left }.share(ms(10)), ms(4_750));
        let poor = ClockState { time: ms(100), increment: ms(1_000), made: 3, typical: 15 };
        assert_eq!(poor.share(ms(10)), ms(90));
        assert_eq!(ClockState { time: ms(5), ..poor }.share(ms(10)), ms(1));
    }

    #[test]
    fn a_game_of_any_length_stays_within_its_clock() {
        let mut time = ms(10_000);
        for made in 0..400 {
            let used =
                ClockState { time, increment: ms(20), made, typical: 15 }.share(ms(5)) + ms(4);
            let left =
                time.checked_sub(used).unwrap_or_else(|| panic!("{made}: {used:?} of {time:?}"));
            time = left + ms(20);
        }
    }
}
