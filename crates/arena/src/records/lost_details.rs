//! The details that games lose when they are written in a format that cannot hold everything.

use std::fmt;

use wurfel_core::Side;
use wurfel_games::Playable;

use crate::RecordedGame;

/// The number of games that lost each kind of detail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LostDetails {
    /// For each of [`NAMES`], the number of games.
    games: [usize; NAMES.len()],
}

/// The kinds of detail that can be lost. Starts, rolls and moves are not among them: a format that
/// cannot hold them refuses the game.
const NAMES: [&str; 9] = [
    "the players",
    "the result",
    "the faults with their reasons",
    "the time",
    "the place",
    "the event",
    "the pairs",
    "the comments",
    "the variations",
];

impl LostDetails {
    /// Compares a game with the game that was read back after writing it.
    pub fn add<G: Playable>(&mut self, one: &RecordedGame<G>, other: &RecordedGame<G>) {
        let (game, again) = (&one.game, &other.game);
        let named = |side: &Side| !game.players[*side].is_empty();
        let renamed = |side: Side| game.players[side] != again.players[side];
        let (was, is) = (&game.event_info, &again.event_info);
        let lost = [
            Side::BOTH.iter().filter(|side| named(side)).any(|&side| renamed(side)),
            game.result != again.result,
            one.failure.is_some() && one.failure != other.failure,
            was.time != is.time,
            was.place != is.place,
            was.event != is.event,
            one.pair.is_some() && other.pair.is_none(),
            one.notes.comments != other.notes.comments,
            one.notes.variations != other.notes.variations,
        ];
        for (count, lost) in self.games.iter_mut().zip(lost) {
            *count += usize::from(lost);
        }
    }

    /// Whether nothing was lost.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for LostDetails {
    /// Writes, for instance, `the players (4 games), the event (1 game)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for (name, count) in NAMES.iter().zip(self.games).filter(|&(_, count)| count > 0) {
            let plural = if count == 1 { "" } else { "s" };
            write!(f, "{comma}{name} ({count} game{plural})")?;
            comma = ", ";
        }
        Ok(())
    }
}
