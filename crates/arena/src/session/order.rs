//! The order of play in a match of several games, and when the match is decided.

use crate::cup::formats::ccgc;

/// The number of games in a match for which the Chinese championship prescribes the order of play.
const PRESCRIBED: u32 = 7;

/// How many games a match has and who begins them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    /// The number of games at most.
    pub games: u32,
    /// Whether all of them are played, even when the match is decided.
    pub all: bool,
}

impl Order {
    /// Which player begins game `game`, counted from 0. A match of seven games has the order of the
    /// championship; otherwise the players alternate.
    pub fn begins(self, game: u32) -> usize {
        if self.games == PRESCRIBED {
            usize::from(ccgc::begins(u64::from(game)))
        } else {
            game as usize % 2
        }
    }

    /// Whether the match is over after `played` games, in which the players have scored `halves`
    /// half points each: somebody has more than half of all points, or no game is left.
    pub fn is_over(self, played: u32, halves: [u64; 2]) -> bool {
        let won = halves.iter().any(|&halves| halves > u64::from(self.games));
        played >= self.games || won && !self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_games_are_begun_as_at_the_championship_and_end_with_the_fourth_point() {
        let order = Order { games: 7, all: false };
        let first: Vec<u32> = (1..=7).filter(|game| order.begins(game - 1) == 0).collect();
        assert_eq!(first, [1, 4, 5]);
        assert!(!order.is_over(6, [7, 5]));
        assert!(order.is_over(4, [8, 0]));
        assert!(order.is_over(7, [7, 7]), "drawn games may leave a match even");
        assert!(!Order { all: true, ..order }.is_over(6, [10, 2]));
    }

    #[test]
    fn otherwise_the_players_begin_in_turn_and_more_than_half_wins() {
        let order = Order { games: 4, all: false };
        assert_eq!([0, 1, 2, 3].map(|game| order.begins(game)), [0, 1, 0, 1]);
        assert!(!order.is_over(2, [4, 0]));
        assert!(order.is_over(3, [5, 1]));
        assert!(Order { games: 1, all: false }.is_over(1, [1, 1]));
    }
}
