//! Meetings of participants, and the games in them.

use crate::play::matches::Slot;

use super::definition::{CupDefinition, CupFormat};
use super::formats;

/// What the standings need to know of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// The points of the meeting's first participant, in halves.
    pub halves: u8,
    /// Which of the two lost by a fault, 0 or 1.
    pub faulted: Option<u8>,
}

/// A game that has not been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    /// Its place in the order of play, from 0.
    pub number: u64,
    /// Its meeting, by its place among all.
    pub meeting: usize,
    /// Its place in the meeting, from 0.
    pub game: usize,
}

/// Two participants who meet in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The round, from 1.
    pub round: u32,
    /// The two, by their places in the file, from 0.
    pub players: [usize; 2],
    /// The games that are wanted so far, in order; `None` for those that have not been played.
    pub games: Vec<Option<Point>>,
}

impl Meeting {
    pub(crate) fn new(round: u32, players: [usize; 2], games: u64) -> Self {
        Self { round, players, games: vec![None; games as usize] }
    }

    /// Wants more games.
    pub(crate) fn extend(&mut self, games: u64) {
        self.games.resize(self.games.len() + games as usize, None);
    }

    /// The games that have been played.
    pub fn played(&self) -> impl Iterator<Item = Point> {
        self.games.iter().flatten().copied()
    }

    /// The points of both, in halves.
    pub fn halves(&self) -> [u64; 2] {
        self.played().fold([0, 0], |[one, other], game| {
            [one + u64::from(game.halves), other + u64::from(2 - game.halves)]
        })
    }

    /// Which of the two a participant is, 0 or 1; `None` if it is another one.
    pub fn place(&self, player: usize) -> Option<usize> {
        self.players.iter().position(|&known| known == player)
    }

    /// The slot of a game: mirrored pairs, or the order of play of `ccgc`, in which each game is
    /// alone.
    pub(crate) fn slot(format: CupFormat, game: u64) -> Slot {
        if format == CupFormat::Ccgc {
            return Slot { pair: game, game: 0, first: formats::ccgc::begins(game) };
        }
        let half = (game % 2) as u8;
        Slot { pair: game / 2, game: half, first: half }
    }
}

/// All games that are wanted so far.
pub(crate) fn games(meetings: &[Meeting]) -> u64 {
    meetings.iter().map(|meeting| meeting.games.len() as u64).sum()
}

/// Adds the games that follow from the meetings so far, all of which have been played; false when
/// the tournament is over.
pub(crate) fn next(definition: &CupDefinition, meetings: &mut Vec<Meeting>) -> bool {
    match definition.format {
        CupFormat::RoundRobin | CupFormat::Tcga => formats::all::everybody(definition, meetings),
        CupFormat::Gauntlet => formats::all::gauntlet(definition, meetings),
        CupFormat::Ccgc => formats::ccgc::next(definition, meetings),
        CupFormat::Swiss => formats::swiss::next(definition, meetings),
        CupFormat::Knockout => formats::knockout::next(definition, meetings),
    }
}
