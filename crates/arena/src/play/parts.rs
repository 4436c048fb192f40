//! Matches that are played in parts, on any machines, and put together again.

use std::ops::Range;
use std::sync::Mutex;

use wurfel_games::Playable;
use wurfel_statistics::{MatchTally, Timing};

use crate::play::matches::{GivenUp, Match, MatchError, taken};
use crate::play::ordered::ordered;
use crate::records::record::GameRecord;
use crate::records::scribe::Kept;

impl<G: Playable> Match<'_, G> {
    /// Plays some of the pairs on `jobs` threads, and returns the lines of their games as
    /// [`Match::run`] writes them; `None` when `budget.stop` ended it.
    ///
    /// # Errors
    /// When a program does not start any more.
    pub fn play_part(&self, pairs: Range<u64>, jobs: usize) -> Result<Option<Vec<u8>>, MatchError> {
        let (end, mut next, given_up) = (pairs.end, pairs.start, Mutex::new(None));
        let mut lines = vec![];
        ordered(
            pairs,
            jobs,
            || self.agents(),
            |agents, pair| {
                self.play_pair(pair, agents, &Kept::Game).map_err(|why| why.note(&given_up)).ok()
            },
            |pair, (_, text)| {
                lines.extend(text.records);
                next = pair + 1;
                true
            },
        );
        match taken(given_up) {
            Some(reason) if next < end => {
                let report = MatchTally::default();
                Err(MatchError::GivenUp(Box::new(GivenUp { reason, report })))
            }
            _ => Ok((next == end).then_some(lines)),
        }
    }

    /// Adds the pairs of a part to the report of the parts before it, after playing their games again.
    /// The lines do not hold the times of the moves, which stay 0.
    ///
    /// # Errors
    /// Names the game that is not the next one of this match, or cannot have been played.
    pub fn add_part(&self, report: &mut MatchTally, lines: &str) -> Result<(), MatchError> {
        let mut lines = lines.lines();
        while let Some(one) = lines.next() {
            let pair = report.score.games() / 2;
            let game = |game: u8, line: Option<&str>| {
                let refused = || MatchError::Part { pair, game };
                let record: GameRecord =
                    line.and_then(|line| serde_json::from_str(line).ok()).ok_or_else(refused)?;
                if (record.pair, record.game) != (pair, game) {
                    return Err(refused());
                }
                self.played_before(&record, [Timing::default(); 2])
            };
            let games = [game(0, Some(one))?, game(1, lines.next())?];
            report.add(&games);
        }
        report.complete = report.score.games() == 2 * self.pairs;
        Ok(())
    }
}
