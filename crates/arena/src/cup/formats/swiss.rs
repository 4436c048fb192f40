//! Swiss tournaments: in each round, participants with similar scores meet, and as few as possible
//! meet again.
//!
//! A meeting that is won counts one point, an even one half a point, and a bye one point. Within a
//! score the upper half meets the lower half, as in the Dutch system of chess; a participant that
//! is left over meets one with the next score. Colours need no balancing, since every meeting
//! consists of mirrored pairs. With an odd number, the lowest-ranked participant that has not had
//! one yet gets a bye, unless that costs a rematch. The pairings follow from the results and the
//! seeding alone.
//!
//! What a pairing should avoid has this order: byes of those who have had more than others, then
//! pairs that have met most often, and so on down to pairs that have met once. The scores decide
//! among the pairings that are equally good in this sense. So one unavoidable rematch never brings
//! others with it.

use std::cmp::Reverse;

use super::super::definition::CupDefinition;
use super::super::meeting::Meeting;
use super::matching::{MAX_COST, pair};

/// The opponent of a participant that has a bye.
const BYE: usize = usize::MAX;

/// How many numbers of earlier meetings are distinguished, from the largest one down.
const LEVELS: u32 = 4;

/// The score of a participant, by which the standings are ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score {
    /// Match points, in halves.
    pub halves: u64,
    /// The match points of all opponents together, in halves (Buchholz).
    pub buchholz: u64,
    /// Points for games, in halves.
    pub games: u64,
}

/// The scores of `count` participants. A meeting counts when all its games have been played.
pub fn scores(count: usize, meetings: &[Meeting]) -> Vec<Score> {
    let mut scores = vec![Score::default(); count];
    for meeting in meetings.iter().filter(|meeting| meeting.games.iter().all(Option::is_some)) {
        let [one, other] = meeting.halves();
        let halves = 1 + u64::from(one > other) - u64::from(one < other);
        let [one, other] = meeting.players;
        scores[one].halves += halves;
        scores[other].halves += 2 - halves;
    }
    for (player, score) in scores.iter_mut().enumerate() {
        score.halves += 2 * byes(player, meetings);
    }
    let halves: Vec<u64> = scores.iter().map(|score| score.halves).collect();
    for meeting in meetings {
        let [one, other] = meeting.players;
        scores[one].buchholz += halves[other];
        scores[other].buchholz += halves[one];
        for (player, halves) in meeting.players.into_iter().zip(meeting.halves()) {
            scores[player].games += halves;
        }
    }
    scores
}

/// How many rounds have been paired.
fn rounds(meetings: &[Meeting]) -> u32 {
    meetings.last().map_or(0, |meeting| meeting.round)
}

/// How many rounds a participant had no opponent.
fn byes(player: usize, meetings: &[Meeting]) -> u64 {
    let met = meetings.iter().filter(|meeting| meeting.place(player).is_some()).count();
    u64::from(rounds(meetings)) - met as u64
}

/// Pairs the next round.
pub fn next(definition: &CupDefinition, meetings: &mut Vec<Meeting>) -> bool {
    let round = rounds(meetings) + 1;
    if round > definition.rounds() {
        return false;
    }
    let count = definition.participants.len();
    let scores = scores(count, meetings);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&player| Reverse(scores[player]));
    if count % 2 == 1 {
        order.insert(0, BYE);
    }
    let cost = costs(count, meetings);
    let candidates = |one: usize, left: &[usize]| {
        if one == BYE {
            return left.iter().rev().copied().collect();
        }
        let equal = left.iter().take_while(|&&other| scores[other].halves == scores[one].halves);
        folded(left, equal.count())
    };
    let games = 2 * definition.pairs();
    let meet = |players: [usize; 2]| Meeting::new(round, players, games);
    let pairs = pair(&order, &candidates, &cost).into_iter();
    let pairs = pairs.filter(|pair| !pair.contains(&BYE));
    let new: Vec<Meeting> = pairs.map(meet).collect();
    meetings.extend(new);
    true
}

/// What it costs to pair two participants, or one of them with [`BYE`]. One pair that has met more
/// often costs more than all pairs together that have met less often, and one bye that somebody
/// else should have costs more than all rematches.
fn costs(count: usize, meetings: &[Meeting]) -> impl Fn(usize, usize) -> u64 + use<> {
    let had: Vec<u64> = (0..count).map(|player| byes(player, meetings)).collect();
    let fewest = had.iter().copied().min().unwrap_or_default();
    let mut together = vec![vec![0_u32; count]; count];
    for &Meeting { players: [one, other], .. } in meetings {
        together[one][other] += 1;
        together[other][one] += 1;
    }
    let others = |one: usize| (0..count).filter(move |&other| other != one);
    let numbers = (0..count).flat_map(|one| others(one).map(move |other| (one, other)));
    let numbers = numbers.map(|(one, other)| together[one][other]);
    let (least, most) =
        numbers.fold((u32::MAX, 0), |(least, most), times| (least.min(times), most.max(times)));
    let base = count as u64 / 2 + 1;
    let level = move |times: u32| base.pow((times + LEVELS).saturating_sub(most));
    move |one, other| match (one, other) {
        (BYE, player) | (player, BYE) if had[player] > fewest => MAX_COST,
        (BYE, _) | (_, BYE) => 0,
        // Pairs that have met least often cost nothing, since somebody has to meet.
        (one, other) => level(together[one][other]) - level(least),
    }
}

/// The participants that are left, in the order in which they are tried as opponents. The first
/// `equal` of them have the same score as the one looking for an opponent. First comes the lower
/// half of this group (the seeker included) from its top, then the upper half from its bottom, then
/// all others.
fn folded(left: &[usize], equal: usize) -> Vec<usize> {
    let (own, others) = left.split_at(equal);
    let middle = equal.div_ceil(2);
    let (upper, lower) = own.split_at(middle.saturating_sub(1));
    lower.iter().chain(upper.iter().rev()).chain(others).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{by_seeding, cup, play_all};
    use super::*;
    use std::collections::HashSet;
    use wurfel_core::Random;

    fn swiss(participants: usize, rounds: usize) -> CupDefinition {
        cup(&format!("format = 'swiss'\npairs = 1\nrounds = {rounds}"), participants)
    }

    /// The pairs of a round, by their places in the seeding, from 1.
    fn round(meetings: &[Meeting], round: u32) -> Vec<[usize; 2]> {
        let own = meetings.iter().filter(|meeting| meeting.round == round);
        own.map(|meeting| meeting.players.map(|player| player + 1)).collect()
    }

    #[test]
    fn eight_who_play_as_they_are_seeded_meet_as_in_a_textbook() {
        let meetings = play_all(&swiss(8, 3), by_seeding);
        assert_eq!(round(&meetings, 1), [[1, 5], [2, 6], [3, 7], [4, 8]]);
        assert_eq!(round(&meetings, 2), [[1, 3], [2, 4], [5, 7], [6, 8]]);
        assert_eq!(round(&meetings, 3), [[1, 2], [3, 5], [4, 6], [7, 8]]);
        let halves: Vec<u64> = scores(8, &meetings).iter().map(|score| score.halves).collect();
        assert_eq!(halves, [6, 4, 4, 4, 2, 2, 2, 0]);
        // The first participant met the fifth, the third and the second.
        assert_eq!(scores(8, &meetings)[0].buchholz, 2 + 4 + 4);
    }

    /// All pairings of these participants.
    fn pairings(left: &[usize]) -> Vec<Vec<[usize; 2]>> {
        let Some((&one, rest)) = left.split_first() else { return vec![vec![]] };
        let with = |&other: &usize| {
            let left: Vec<usize> = rest.iter().copied().filter(|&third| third != other).collect();
            pairings(&left).into_iter().map(move |pairing| [&[[one, other]], &*pairing].concat())
        };
        rest.iter().flat_map(with).collect()
    }

    /// What a pairing should avoid: the byes that its participant without an opponent has had, then
    /// for each number of meetings, from the largest one on, the pairs that have met as often.
    fn avoided(pairing: &[[usize; 2]], before: &[Meeting]) -> Vec<usize> {
        let resting = pairing.iter().find(|pair| pair.contains(&BYE));
        let byes = resting.map_or(0, |[one, other]| byes(*one.min(other), before) as usize);
        let met = |&[one, other]: &[usize; 2]| {
            let both = |meeting: &&Meeting| meeting.place(one).and(meeting.place(other)).is_some();
            before.iter().filter(both).count()
        };
        let times: Vec<usize> = pairing.iter().map(met).collect();
        let pairs = |level| times.iter().filter(|&&times| times == level).count();
        std::iter::once(byes).chain((1..=20).rev().map(pairs)).collect()
    }

    /// Plays tournaments with random results, far beyond the round in which all have met all, and
    /// compares each round with all pairings.
    #[test]
    fn no_pairing_has_fewer_second_byes_and_then_fewer_rematches() {
        let mut random = Random::new(7);
        let mut unavoidable = 0;
        for (participants, times) in
            [(2, 1), (3, 9), (4, 9), (5, 20), (6, 20), (7, 12), (8, 9), (9, 3)]
        {
            let mut everybody: Vec<usize> = (0..participants).collect();
            everybody.extend((participants % 2 == 1).then_some(BYE));
            let all = pairings(&everybody);
            for _ in 0..times {
                let meetings =
                    play_all(&swiss(participants, participants + 4), |_, _| random.below(3) as u8);
                for number in 1..=participants as u32 + 4 {
                    let first = meetings.partition_point(|meeting| meeting.round < number);
                    let (before, rest) = meetings.split_at(first);
                    let own = rest.iter().take_while(|meeting| meeting.round == number);
                    let mut pairing: Vec<[usize; 2]> = own.map(|meeting| meeting.players).collect();
                    let rests = |player: &usize| !pairing.as_flattened().contains(player);
                    let resting = (0..participants).find(rests);
                    pairing.extend(resting.map(|player| [player, BYE]));
                    let least = all.iter().map(|pairing| avoided(pairing, before)).min();
                    assert_eq!(Some(avoided(&pairing, before)), least, "{pairing:?}, {before:?}");
                    unavoidable += least.unwrap_or_default()[1..].iter().sum::<usize>();
                }
            }
        }
        assert!(unavoidable > 500, "{unavoidable} rematches");
    }

    /// The pairs that have met, each once.
    fn different(meetings: &[Meeting]) -> HashSet<[usize; 2]> {
        let ordered =
            |&Meeting { players: [one, other], .. }: &Meeting| [one.min(other), one.max(other)];
        meetings.iter().map(ordered).collect()
    }

    /// All pairs of the second round met again in the fourth where one of them had to.
    #[test]
    fn an_unavoidable_rematch_brings_no_others_with_it() {
        let mut courses = [0; 4];
        for course in 0..1_u32 << 9 {
            let mut games = 0;
            let meetings = play_all(&swiss(6, 4), |_, _| {
                games += 1;
                2 * (course >> ((games - 1) / 2 % 9) & 1) as u8
            });
            courses[meetings.len() - different(&meetings).len()] += 1;
        }
        assert!(courses[1] > 0, "{courses:?}");
        assert_eq!(courses[2..], [0, 0]);
    }

    /// Plays on after most pairs have met, which takes milliseconds a round in a release build.
    #[test]
    fn a_large_field_is_paired_until_pairs_run_out() {
        let mut random = Random::new(8);
        let meetings = play_all(&swiss(64, 66), |_, _| random.below(3) as u8);
        let mut together = vec![0; 64 * 64];
        for &Meeting { players: [one, other], .. } in &meetings {
            together[64 * one.min(other) + one.max(other)] += 1;
        }
        assert_eq!(together.iter().copied().max(), Some(2));
        let (pairs, again) = (64 * 63 / 2, meetings.len() - different(&meetings).len());
        assert!(again < pairs / 10, "{again} rematches");
    }

    /// With random results, everybody plays every round, nobody has a second bye, and nobody meets
    /// anybody twice, up to the round in which all have met all.
    #[test]
    fn there_is_no_rematch_and_no_second_bye_while_that_is_possible() {
        let mut random = Random::new(3);
        for participants in 2..=11_usize {
            let rounds = participants - 1 + participants % 2;
            // For this few rounds, every pairing that can arise leaves another one for the next
            // round.
            let safe = rounds.div_ceil(2);
            for _ in 0..30 {
                let definition = swiss(participants, safe);
                let meetings = play_all(&definition, |_, _| random.below(3) as u8);
                assert_eq!(meetings.len(), safe * (participants / 2));
                assert_eq!(different(&meetings).len(), meetings.len(), "{participants}: a rematch");
                let most = (0..participants).map(|player| byes(player, &meetings)).max();
                assert!(most <= Some(1), "{participants}: {most:?} byes");
            }
        }
    }

    /// Tries all 2⁸ courses of the first two rounds of four participants and their consequences:
    /// three rounds are always a round robin, whatever happens in them.
    #[test]
    fn four_meet_everybody_in_three_rounds_and_again_in_three_more() {
        for course in 0..1_u32 << 8 {
            let mut games = 0;
            let meetings = play_all(&swiss(4, 6), |_, _| {
                games += 1;
                2 * (course >> (games % 8) & 1) as u8
            });
            for half in meetings.chunks(6) {
                assert_eq!(different(half).len(), 6, "course {course}");
            }
        }
    }

    #[test]
    fn the_last_has_the_first_bye() {
        let meetings = play_all(&swiss(5, 3), by_seeding);
        assert_eq!(round(&meetings, 1), [[1, 3], [2, 4]]);
        let had = |player| byes(player, &meetings);
        assert_eq!((had(4), (0..5).map(had).sum::<u64>()), (1, 3));
        // The fifth participant has won its bye and then lost twice.
        assert_eq!(scores(5, &meetings)[4].halves, 2);
    }

    /// The second and the third participant had one point each, and the third, with more points of
    /// its opponents, had the bye of the third round.
    #[test]
    fn the_bye_goes_to_the_last_in_the_standings_who_has_had_none() {
        let mut buchholz = 0;
        for course in 0..1_u32 << 4 {
            let mut games = 0;
            let meetings = play_all(&swiss(5, 3), |_, _| {
                games += 1;
                2 * (course >> ((games - 1) / 2 % 4) & 1) as u8
            });
            let before = &meetings[..4];
            let scores = scores(5, before);
            // With three who have had no bye, each of them leaves four who have not all met.
            let fresh = |&player: &usize| byes(player, before) == 0;
            let last = (0..5).filter(fresh).max_by_key(|&player| (Reverse(scores[player]), player));
            let mut rests = (0..5).filter(|&player| byes(player, &meetings) > byes(player, before));
            assert_eq!(rests.next(), last, "course {course}: {scores:?}");
            let points = |&player: &usize| (Reverse(scores[player].halves), player);
            buchholz += u32::from((0..5).filter(fresh).max_by_key(points) != last);
        }
        assert!(buchholz > 0, "match points and the seeding decided all of them");
    }

    #[test]
    fn a_score_is_folded_in_the_middle() {
        assert_eq!(folded(&[2, 3, 4, 5, 6, 7, 8], 7), [5, 6, 7, 8, 4, 3, 2]);
        assert_eq!(folded(&[2, 3, 4], 2), [2, 3, 4]);
        assert_eq!(folded(&[2, 3, 4], 1), [2, 3, 4]);
        assert_eq!(folded(&[2, 3], 0), [2, 3]);
    }
}
