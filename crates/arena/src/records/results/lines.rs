//! The lines of a file of results: reading them, with the luck of their games, and what is missing at
//! the end.

use std::fmt::{self, Display};
use std::io::{self, BufRead};

use wurfel_core::{TextError, TextPosition};

use super::ResultsError;
use crate::play::ordered::run_in_order;
use crate::records::mirrored::Pairs;
use crate::records::replayer::Replayer;

/// The number of lines that are read before they are played again together.
const BATCH: usize = 4096;

/// Calls `see` with each line after the first and with its luck, if `replayer` has measured it on `jobs`
/// threads, until it returns an error or false. An error in a last line that is not complete is
/// ignored; returns whether there was none.
pub(super) fn each_line(
    mut file: impl BufRead,
    jobs: usize,
    replayer: Option<&Replayer>,
    mut see: impl FnMut(&[u8], Option<f64>) -> Result<bool, String>,
) -> Result<bool, ResultsError> {
    let (mut number, mut whole) = (1, true);
    loop {
        let mut lines = vec![];
        while lines.len() < BATCH {
            let mut text = vec![];
            if file.read_until(b'\n', &mut text)? == 0 {
                break;
            }
            number += 1;
            if !text.trim_ascii().is_empty() {
                lines.push((number, text));
            }
        }
        if lines.is_empty() {
            return Ok(whole);
        }
        let mut ended = None;
        let mut look = |at: u64, checked: Result<Option<f64>, String>| {
            let (number, text) = &lines[at as usize];
            match checked.and_then(|luck| see(text, luck)) {
                Ok(true) => {}
                Ok(false) => ended = Some(Ok(whole)),
                Err(problem) if text.ends_with(b"\n") => {
                    ended = Some(Err(wrong(*number, problem).into()));
                }
                Err(_) => whole = false,
            }
            ended.is_none()
        };
        let count = lines.len() as u64;
        match replayer {
            None => {
                let _ = (0..count).all(|at| look(at, Ok(None)));
            }
            Some(replay) => {
                run_in_order(
                    0..count,
                    jobs,
                    || (),
                    |(), at| Some(replay(&lines[at as usize].1)),
                    look,
                );
            }
        }
        if let Some(ended) = ended {
            return ended;
        }
    }
}

pub(super) fn first_line(file: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut text = vec![];
    file.read_until(b'\n', &mut text)?;
    Ok(text)
}

/// The error for a mistake in this line.
pub(super) fn wrong(line: usize, problem: impl Display) -> TextError {
    TextPosition::line(line).wrong(problem)
}

/// What is missing from the file of a match or a tournament. Displays as `30 of 200 games`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingResults {
    /// There are fewer games than the first line names.
    Games {
        /// The number of games in the file.
        found: u64,
        /// The number of games that there should be.
        of: u64,
    },
    /// A tournament is not over.
    Tournament,
    /// The last line is not complete.
    Line,
}

impl Display for MissingResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games { found, of } => write!(f, "{found} of {of} games"),
            Self::Tournament => f.write_str("the tournament is not over"),
            Self::Line => f.write_str("its last line is not complete"),
        }
    }
}

/// The games of a match so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    games: u64,
    pairs: u64,
    /// The number of the last pair.
    last: Option<u64>,
    /// The games of the last pair, and the pairs before it that have a single game.
    in_last: u64,
    singles: u64,
}

impl Seen {
    pub fn add(&mut self, pair: u64) {
        self.games += 1;
        if self.last.replace(pair) == Some(pair) {
            self.in_last += 1;
        } else {
            self.singles += u64::from(self.in_last == 1);
            self.pairs += 1;
            self.in_last = 1;
        }
    }

    /// What is missing of the pairs of the header. Games outside mirrored pairs have a pair number
    /// each.
    pub fn missing(self, of: Pairs) -> Option<MissingResults> {
        let single = self.games == self.pairs && (self.pairs > 1 || of.count == 1);
        let all = if single { of.count } else { 2 * of.count - self.singles };
        let short =
            !of.tested && (self.games < all) && (self.pairs < of.count || self.singles == 0);
        short.then_some(MissingResults::Games { found: self.games, of: all })
    }
}
