//! Prepared puzzles: positions from games in which, by the estimates of a deep search, one turn is
//! much better than all others.
//!
//! Such a search takes seconds for a position, and most positions are not puzzles, so making one
//! takes too long for a request. The example `make_puzzles` of this crate makes them in advance and
//! stores them with their values, one per line, in the files
//! `*.puzzles` of `crates/games/nets`. The price is that the puzzles are
//! limited in number, and that a better agent needs a new file.

use std::str::Lines;

use wurfel_games::ShippedFile;

/// The puzzles of a game.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleBook {
    /// The spec of the agent whose values are stored.
    pub analyser: &'static str,
    /// How many turns it looks ahead.
    pub depth: u32,
    /// The spec of a quick agent that values all turns. A puzzle has the same best turn for both
    /// agents, and the values of this one are used where the analyser did not look.
    pub first_look: &'static str,
    /// The file of the puzzles, which [`PuzzleBook::lines`] reads.
    pub file: &'static ShippedFile,
}

impl PuzzleBook {
    /// How much less than the best turn another right turn may win, in win probability. Not measured:
    /// values of different depths differ by more.
    pub const TOLERANCE: f64 = 0.01;
    /// How much less than the best turn each wrong turn wins at least.
    pub const APART: f64 = 0.05;

    /// The puzzles, one a line: the difficulty from 1 to 4, the position with its roll, and turns
    /// with their values for the side that moves, the best first, all with ` | ` between them. There is none where the
    /// file is missing ([`ShippedFile::bytes`]).
    pub fn lines(&self) -> Lines<'static> {
        str::from_utf8(self.file.bytes().unwrap_or_default()).unwrap_or_default().lines()
    }
}
