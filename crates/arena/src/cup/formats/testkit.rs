//! Tournaments without games, for tests: results come from a table of strengths or from a
//! generator.

use super::super::definition::CupDefinition;
use super::super::meeting::{GameScore, Meeting};
use super::super::schedule::next;

/// A tournament of `participants` participants, whose file begins with `head`.
pub fn cup(head: &str, participants: usize) -> CupDefinition {
    let each = |n: usize| format!("[[participant]]\nname = '{n}'\nagent = 'random'\n");
    let all: String = (0..participants).map(each).collect();
    CupDefinition::read(&format!("{head}\n{all}")).unwrap()
}

/// Plays a tournament to its end; `halves` decides each game by the halves of a point for the first
/// of two participants.
pub fn play_all(
    definition: &CupDefinition,
    mut halves: impl FnMut([usize; 2], u32) -> u8,
) -> Vec<Meeting> {
    let mut meetings = vec![];
    while next(definition, &mut meetings) {
        let wanted = meetings.iter().flat_map(|meeting| &meeting.games).flatten().count();
        for meeting in &mut meetings {
            for game in meeting.games.iter_mut().filter(|game| game.is_none()) {
                let halves = halves(meeting.players, meeting.round);
                *game = Some(GameScore { halves, faulted: None });
            }
        }
        let all: usize = meetings.iter().map(|meeting| meeting.games.len()).sum();
        assert!(all > wanted, "a round without games");
    }
    meetings
}

/// Results in which the participant with the better seeding wins every game.
pub fn by_seeding([one, other]: [usize; 2], _: u32) -> u8 {
    if one < other { 2 } else { 0 }
}
