//! Tournaments that a TOML file describes: their standings.

use std::io::{self, BufRead};

use wurfel_arena::{CupReader, HeadToHead, Standings, StandingsRow};

use super::lines::Lines;
use super::tournament::{Standing, Tournament};

/// Reads the games of a tournament, which may still be in progress; `None` when the file is of
/// another kind.
pub(super) fn read<R: BufRead>(mut lines: Lines<R>) -> io::Result<Option<Tournament>> {
    let Some(mut reader) = lines.next()?.and_then(CupReader::begin) else { return Ok(None) };
    while let Some(line) = lines.next()? {
        if !line.ends_with('\n') || reader.add_unchecked(line).is_err() {
            break;
        }
    }
    Ok(reader.meetings().map(|(definition, meetings, complete)| {
        let Standings { name, format, rows, .. } = Standings::new(&definition, &meetings, complete);
        let (title, standings) = (name, rows.into_iter().map(shown).collect());
        Tournament { title, format, complete, standings }
    }))
}

fn shown(row: StandingsRow) -> Standing {
    let rate = |against: Option<HeadToHead>| against.map(|against| against.rate);
    Standing {
        agent: row.name,
        spec: row.agent,
        rank: row.rank,
        faults: row.faults,
        games: row.games,
        rate: row.rate,
        low: row.interval.low,
        high: row.interval.high,
        against: row.against.into_iter().map(rate).collect(),
    }
}
