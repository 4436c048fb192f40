//! The length of the games that an agent wins: its *turns to win*.
//!
//! Paper `dice-chess-agents` counts turns in this way (figures 15 to 20): only games that were won,
//! and in them only the turns of the winner. So the few wins of a weak agent count, and the long
//! games that it loses do not.

use serde::{Deserialize, Serialize};

use crate::score::{Interval, student_quantile};

/// The games that an agent won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Wins {
    /// How many there are, including those decided by a fault of the opponent.
    pub games: u64,
    /// The agent's own turns in them.
    pub turns: u64,
    /// The sum of the squares of its turns in each game, from which their spread follows.
    pub squares: u64,
    /// The turns of both sides in them.
    pub plies: u64,
}

impl Wins {
    /// Adds a game in which the agent took `turns` of `plies` turns.
    pub fn add(&mut self, turns: u32, plies: u32) {
        let (turns, plies) = (u64::from(turns), u64::from(plies));
        self.merge(&Self { games: 1, turns, squares: turns * turns, plies });
    }

    /// Adds other games. A file may state any number of them, so the sums saturate instead of
    /// overflowing.
    pub fn merge(&mut self, other: &Self) {
        self.games = self.games.saturating_add(other.games);
        self.turns = self.turns.saturating_add(other.turns);
        self.squares = self.squares.saturating_add(other.squares);
        self.plies = self.plies.saturating_add(other.plies);
    }

    /// The agent's own turns in a game that it won, on average; `None` when it won none.
    pub fn mean_turns(&self) -> Option<f64> {
        (self.games > 0).then(|| self.turns as f64 / self.games as f64)
    }

    /// The turns of both sides in a game that it won, on average; `None` when it won none.
    pub fn mean_plies(&self) -> Option<f64> {
        (self.games > 0).then(|| self.plies as f64 / self.games as f64)
    }

    /// The 95 % interval of [`Wins::mean_turns`], as if games were independent of each other;
    /// `None` with fewer than two games.
    pub fn interval_of_turns(&self) -> Option<Interval> {
        let mean = self.mean_turns().filter(|_| self.games > 1)?;
        let (games, freedom) = (self.games as f64, (self.games - 1) as f64);
        let variance = (self.squares as f64 - self.turns as f64 * mean).max(0.0) / freedom;
        let half = student_quantile(freedom) * (variance / games).sqrt();
        Some(Interval { low: mean - half, high: mean + half })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_to_win_have_the_interval_of_a_mean() {
        let mut wins = Wins::default();
        assert_eq!((wins.mean_turns(), wins.interval_of_turns()), (None, None));
        wins.add(4, 8);
        assert_eq!(wins.interval_of_turns(), None);
        for turns in [6, 7, 9, 9] {
            wins.add(turns, 2 * turns - 1);
        }
        // The mean of 4, 6, 7, 9, 9 is 7, their variance 4.5, and the quantile for 4 degrees of
        // freedom 2.776.
        assert_eq!((wins.mean_turns(), wins.mean_plies()), (Some(7.0), Some(13.2)));
        let Interval { low, high } = wins.interval_of_turns().unwrap();
        let half = 2.776 * (4.5f64 / 5.0).sqrt();
        assert!((low - (7.0 - half)).abs() < 0.01 && (high - (7.0 + half)).abs() < 0.01);
    }
}
