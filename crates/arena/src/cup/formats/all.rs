//! Formats with a single round: everybody against everybody, and challengers against all others.

use super::super::definition::CupDefinition;
use super::super::meeting::Meeting;
use crate::play::tournament::pairings;

/// All meetings of a round robin.
pub fn everybody(definition: &CupDefinition, meetings: &mut Vec<Meeting>) -> bool {
    let count = definition.participants.len();
    let pairs = pairings(count);
    begin(definition, meetings, pairs)
}

/// The challengers against all others. They do not meet each other.
pub fn gauntlet(definition: &CupDefinition, meetings: &mut Vec<Meeting>) -> bool {
    let (challengers, count) = (definition.challengers(), definition.participants.len());
    let others = challengers..count;
    let pairs = (0..challengers).flat_map(|one| others.clone().map(move |other| [one, other]));
    begin(definition, meetings, pairs)
}

/// Puts all meetings into one round.
fn begin(
    definition: &CupDefinition,
    meetings: &mut Vec<Meeting>,
    pairs: impl Iterator<Item = [usize; 2]>,
) -> bool {
    if !meetings.is_empty() {
        return false;
    }
    meetings.extend(pairs.map(|players| Meeting::new(1, players, 2 * definition.pairs())));
    true
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{by_seeding, cup, play_all};

    #[test]
    fn all_meet_once_and_challengers_do_not_meet_each_other() {
        let players = |head: &str| {
            let meetings = play_all(&cup(head, 4), by_seeding);
            assert!(meetings.iter().all(|meeting| meeting.games.len() == 6));
            meetings.iter().map(|meeting| meeting.players).collect::<Vec<_>>()
        };
        let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(players("format = 'round-robin'\npairs = 3"), all);
        assert_eq!(players("format = 'tcga'\npairs = 3"), all);
        let gauntlet = "format = 'gauntlet'\npairs = 3";
        assert_eq!(players(gauntlet), [[0, 1], [0, 2], [0, 3]]);
        let two = format!("{gauntlet}\nchallengers = 2");
        assert_eq!(players(&two), [[0, 2], [0, 3], [1, 2], [1, 3]]);
    }
}
