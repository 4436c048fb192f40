//! The matches of the Chinese Computer Games Championship: whoever first has 4 points out of at
//! most 7 games wins. The first player of a match begins games 1, 4 and 5, the other one games 2,
//! 3, 6 and 7. A drawn game, which EWN does not have, is half a point for each player, so a match
//! can end even.

use super::super::definition::CupDefinition;
use super::super::meeting::Meeting;
use crate::play::tournament::pairings;

/// The largest number of games of a match.
const GAMES: usize = 7;
/// The points that win a match, in halves.
const WINS: u64 = 8;
/// Who begins each game: the first player of the match (0) or the other one.
const BEGINS: [u8; GAMES] = [0, 1, 1, 0, 0, 1, 1];

/// Who begins a game of a match: the first player (0) or the other one (1). Games are counted from
/// 0.
pub fn begins(game: u64) -> u8 {
    BEGINS[game as usize % GAMES]
}

/// The matches of everybody against everybody, each with as many games as are certain to be needed.
pub fn next(definition: &CupDefinition, meetings: &mut Vec<Meeting>) -> bool {
    if meetings.is_empty() {
        let count = definition.participants.len();
        let pairs = pairings(count);
        meetings.extend(pairs.map(|players| Meeting::new(1, players, 0)));
    }
    let mut goes_on = false;
    for meeting in meetings {
        let more = needed(meeting);
        meeting.extend(more);
        goes_on |= more > 0;
    }
    goes_on
}

/// How many games are certain to be needed before the match can be decided.
fn needed(meeting: &Meeting) -> u64 {
    let most = meeting.halves().into_iter().max().unwrap_or_default();
    let left = (GAMES - meeting.games.len()) as u64;
    WINS.saturating_sub(most).div_ceil(2).min(left)
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{cup, play_all};
    use super::*;

    /// Tries all 3⁷ courses of a match: it ends with the game in which somebody gets 4 points, and
    /// otherwise with the seventh.
    #[test]
    fn every_match_ends_as_soon_as_it_is_decided_and_not_before() {
        let definition = cup("format = 'ccgc'", 2);
        for course in 0..3_u32.pow(7) {
            let mut games = 0;
            let meetings = play_all(&definition, |_, _| {
                let halves = course / 3_u32.pow(games) % 3;
                games += 1;
                halves as u8
            });
            let mut sums = [0, 0];
            let decided = (0..7).find(|&game| {
                let halves = course / 3_u32.pow(game) % 3;
                sums = [sums[0] + halves, sums[1] + 2 - halves];
                sums.iter().any(|&sum| sum >= 8)
            });
            assert_eq!(games, decided.map_or(7, |game| game + 1), "course {course}");
            assert_eq!(meetings[0].halves(), sums.map(u64::from));
        }
    }

    #[test]
    fn the_order_of_play_is_that_of_the_championship() {
        let first = |side: u8| (1..=7).filter(move |game| begins(game - 1) == side);
        assert_eq!(first(0).collect::<Vec<_>>(), [1, 4, 5]);
        assert_eq!(first(1).collect::<Vec<_>>(), [2, 3, 6, 7]);
    }
}
