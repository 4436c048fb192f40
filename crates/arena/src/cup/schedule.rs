//! Who meets whom next, and which games are due.

use wurfel_core::Random;

use crate::play::matches::Slot;
use crate::play::tournament::seed_of_pairing;

use super::definition::{CupDefinition, CupFormat};
use super::formats;
use super::meeting::Meeting;

/// A game that is due and has not been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DueGame {
    /// Its place in the order of play, from 0.
    pub number: u64,
    /// The index of its meeting among all meetings.
    pub meeting: usize,
    /// Its place in the meeting, from 0.
    pub game: usize,
}

impl Meeting {
    /// The slot of a game: part of a mirrored pair, or, in `ccgc`, in which each game counts by itself,
    /// a place in the order of play.
    pub(crate) fn slot(format: CupFormat, game: u64) -> Slot {
        if format == CupFormat::Ccgc {
            return Slot { pair: game, game: 0, first: formats::ccgc::begins(game) };
        }
        let half = (game % 2) as u8;
        Slot { pair: game / 2, game: half, first: half }
    }

    /// The slot of the game with these numbers, which come from a file.
    pub(crate) fn slot_of(format: CupFormat, pair: u64, game: u8) -> Slot {
        match format {
            CupFormat::Ccgc => Self::slot(format, pair),
            _ => Self::slot(format, pair.saturating_mul(2).saturating_add(u64::from(game % 2))),
        }
    }
}

/// The label of the seeds of rounds. It must differ from those of the streams of a match.
const ROUNDS: u64 = 6;

/// The seed of the set-ups and dice of a meeting. Each meeting has its own, so that results of
/// different meetings are independent. The first round has the games of a tournament with this seed.
pub(crate) fn seed_of(definition: &CupDefinition, round: u32, players: [usize; 2]) -> u64 {
    let round = match round {
        1 => definition.seed,
        _ => Random::seed_for(definition.seed, &[ROUNDS, u64::from(round)]),
    };
    seed_of_pairing(round, players)
}

/// The number of games that are due so far.
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
