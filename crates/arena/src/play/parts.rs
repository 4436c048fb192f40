//! Matches that are played in parts, on any machines, and put together again.

use std::ops::Range;
use std::sync::Mutex;

use wurfel_games::Playable;
use wurfel_statistics::{FinishedGame, MatchTally, Timing};

use crate::play::matches::{GivenUp, Match, MatchError, into_inner};
use crate::play::ordered::run_in_order;
use crate::records::game_recorder::Recording;
use crate::records::output::PairText;
use crate::records::record::GameRecord;

impl<G: Playable> Match<'_, G> {
    /// Plays some of the pairs on `jobs` threads, and returns the lines of their games as
    /// [`Match::run`] writes them; `None` when `budget.stop` ended it.
    ///
    /// # Errors
    /// When a program cannot be restarted.
    pub fn play_part(&self, pairs: Range<u64>, jobs: usize) -> Result<Option<Vec<u8>>, MatchError> {
        let mut lines = vec![];
        let see = &mut |_: [FinishedGame; 2], text: PairText| lines.extend(text.records);
        Ok(self.each_pair(pairs, jobs, &Recording::Game, see)?.then_some(lines))
    }

    /// Plays some of the pairs on `jobs` threads and passes the result of each to `see`, in their order:
    /// the first agent's points in its two games, in halves, and its luck in them, if that is
    /// measured. Returns their tally, which is not complete when `budget.stop` ended it.
    ///
    /// # Errors
    /// When a program cannot be restarted.
    pub fn play_pairs(
        &self,
        pairs: Range<u64>,
        jobs: usize,
        see: &mut dyn FnMut([u8; 2], Option<f64>),
    ) -> Result<MatchTally, MatchError> {
        let mut tally = MatchTally::default();
        let see = &mut |games: [FinishedGame; 2], _: PairText| {
            tally.add(&games);
            let (halves, luck) = MatchTally::result_of(&games);
            see(halves, luck);
        };
        tally.complete = self.each_pair(pairs, jobs, &Recording::Nothing, see)?;
        Ok(tally)
    }

    /// Plays some of the pairs; false when `budget.stop` ended it.
    fn each_pair(
        &self,
        pairs: Range<u64>,
        jobs: usize,
        recording: &Recording<G>,
        see: &mut dyn FnMut([FinishedGame; 2], PairText),
    ) -> Result<bool, MatchError> {
        let (end, mut next, given_up) = (pairs.end, pairs.start, Mutex::new(None));
        run_in_order(
            pairs,
            jobs,
            || self.agents(),
            |agents, pair| {
                self.play_pair(pair, agents, recording).map_err(|why| why.note(&given_up)).ok()
            },
            |pair, (games, text)| {
                see(games, text);
                next = pair + 1;
                true
            },
        );
        match into_inner(given_up) {
            Some(reason) if next < end => {
                let report = MatchTally::default();
                Err(MatchError::GivenUp(Box::new(GivenUp { reason, report })))
            }
            _ => Ok(next == end),
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
