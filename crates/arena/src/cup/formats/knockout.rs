//! Knockouts: whoever loses a match is out.
//!
//! The bracket is the standard one by seeding: the first and the second can meet only in the final.
//! Where the number of participants is not a power of two, those with the best seeding have a free
//! first round. An even match is prolonged by one pair of games at a time, up to a limit, and then
//! the better seed advances. The limit is needed because there may be many such games, and some
//! agents stay even for ever.

use std::cmp::Ordering;

use super::super::definition::CupDefinition;
use super::super::meeting::Meeting;

/// The participants in the order of the bracket, in which neighbours meet; `None` for an empty
/// place.
fn bracket(count: usize) -> Vec<Option<usize>> {
    let mut order = vec![0];
    while order.len() < count {
        let size = 2 * order.len();
        order = order.iter().flat_map(|&seed| [seed, size - 1 - seed]).collect();
    }
    order.into_iter().map(|seed| (seed < count).then_some(seed)).collect()
}

/// The winner of a match, who advances; with equal points, the better seed.
pub fn winner(meeting: &Meeting) -> usize {
    let [one, other] = meeting.players;
    let [points, others] = meeting.halves();
    match points.cmp(&others) {
        Ordering::Greater => one,
        Ordering::Less => other,
        Ordering::Equal => one.min(other),
    }
}

/// The next matches, or further games of those that are even.
pub fn next(definition: &CupDefinition, meetings: &mut Vec<Meeting>) -> bool {
    let most = 2 * (definition.pairs() + definition.tie_pairs()) as usize;
    let mut goes_on = false;
    for meeting in meetings.iter_mut() {
        let [points, others] = meeting.halves();
        if points == others && meeting.games.len() < most {
            meeting.extend(2);
            goes_on = true;
        }
    }
    if goes_on {
        return true;
    }
    let (mut left, mut round) = (bracket(definition.participants.len()), 1);
    while left.len() > 1 {
        let chunks = left.chunks(2).map(|pair| [pair[0], pair[1]]);
        let of_round = meetings.iter().filter(|meeting| meeting.round == round);
        let mut winners = of_round.map(winner).peekable();
        if winners.peek().is_none() {
            let players = chunks.filter_map(|[one, other]| Some([one?, other?]));
            let games = 2 * definition.pairs();
            let new: Vec<_> = players.map(|players| Meeting::new(round, players, games)).collect();
            meetings.extend(new);
            return true;
        }
        left = chunks
            .map(|pair| match pair {
                [Some(_), Some(_)] => winners.next(),
                [one, other] => one.or(other),
            })
            .collect();
        round += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{by_seeding, cup, play_all};
    use super::*;

    /// The matches of each round, by places in the seeding, from 1.
    fn rounds(meetings: &[Meeting]) -> Vec<Vec<[usize; 2]>> {
        let last = meetings.iter().map(|meeting| meeting.round).max().unwrap();
        let of = |round| {
            let own = meetings.iter().filter(move |meeting| meeting.round == round);
            own.map(|meeting| meeting.players.map(|player| player + 1)).collect()
        };
        (1..=last).map(of).collect()
    }

    #[test]
    fn the_bracket_is_the_standard_one() {
        let eight = rounds(&play_all(&cup("format = 'knockout'\npairs = 1", 8), by_seeding));
        assert_eq!(eight[0], [[1, 8], [4, 5], [2, 7], [3, 6]]);
        assert_eq!(eight[1..], [vec![[1, 4], [2, 3]], vec![[1, 2]]]);
        // With five participants, the first three have nobody to play in the first round.
        let five = rounds(&play_all(&cup("format = 'knockout'\npairs = 1", 5), by_seeding));
        assert_eq!(five, [vec![[4, 5]], vec![[1, 4], [2, 3]], vec![[1, 2]]]);
    }

    /// Tries every course of every knockout of up to eight participants, each match won by either
    /// side.
    #[test]
    fn there_is_one_match_less_than_participants_and_each_loser_is_out() {
        for count in 2..=8 {
            let definition = cup("format = 'knockout'\npairs = 1", count);
            for course in 0..1_u32 << (count - 1) {
                let mut last = ([usize::MAX; 2], 0);
                let mut matches = 0;
                let meetings = play_all(&definition, |players, round| {
                    if last != (players, round) {
                        last = (players, round);
                        matches += 1;
                    }
                    2 * (course >> (matches - 1) & 1) as u8
                });
                assert_eq!(meetings.len(), count - 1);
                for (n, meeting) in meetings.iter().enumerate() {
                    let [one, other] = meeting.players;
                    let loser = if winner(meeting) == one { other } else { one };
                    let later = meetings[n + 1..].iter();
                    assert!(later.flat_map(|meeting| meeting.players).all(|next| next != loser));
                }
                let longest = meetings.iter().map(|meeting| meeting.round).max().unwrap();
                assert_eq!(longest, count.next_power_of_two().ilog2());
            }
        }
    }

    #[test]
    fn an_even_match_gets_more_pairs_and_then_the_better_seed_advances() {
        let definition = cup("format = 'knockout'\npairs = 2\ntie_pairs = 3", 2);
        let meetings = play_all(&definition, |_, _| 1);
        assert_eq!((meetings[0].games.len(), winner(&meetings[0])), (10, 0));
        let mut games = 0;
        let meetings = play_all(&definition, |_, _| {
            games += 1;
            u8::from(games != 5)
        });
        assert_eq!((meetings[0].games.len(), winner(&meetings[0])), (6, 1));
        let none = cup("format = 'knockout'\npairs = 2\ntie_pairs = 0", 2);
        assert_eq!(play_all(&none, |_, _| 1)[0].games.len(), 4);
    }
}
