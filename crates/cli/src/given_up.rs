//! A match that ends early because one of its programs does not start any more: what was played until
//! then is shown, after a line that says so.

use std::fmt::Display;
use std::io::{self, Write};

use wurfel_arena::{GivenUp, MatchError, MatchTally, NotStarted};

use crate::Done;

/// The tally of a match, and the program that was given up if this has ended the match. Fails when
/// the match could not be played, or a program was given up before a pair was played.
pub fn split(
    run: Result<MatchTally, MatchError>,
) -> Result<(MatchTally, Option<NotStarted>), MatchError> {
    match run {
        Err(MatchError::GivenUp(given_up)) if given_up.report.score.games() > 0 => {
            let GivenUp { reason, report } = *given_up;
            Ok((report, Some(reason)))
        }
        run => Ok((run?, None)),
    }
}

/// What has ended work early: in words, and as the way in which the command ends.
pub const fn early_end(given_up: Option<&NotStarted>) -> (&'static str, Done) {
    match given_up {
        Some(_) => ("given up", Done::GivenUp),
        None => ("stopped", Done::Stopped),
    }
}

/// Writes the line that comes before a report in text.
pub fn text(given_up: Option<&impl Display>, out: &mut dyn Write) -> io::Result<()> {
    given_up.map_or(Ok(()), |reason| writeln!(out, "given up         {reason}"))
}
