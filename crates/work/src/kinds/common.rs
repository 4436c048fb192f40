//! Functions that several kinds of work share.

use serde::Serialize;
use std::ops::Range;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use wurfel_agents::Spec;
use wurfel_core::files::{FileError, write_whole};
use wurfel_tablebase::TableError;
use wurfel_train::network::RunError;

use crate::WorkError;
use crate::unit::WorkContext;

/// How often to check whether another program still works on something that a unit needs.
const WAIT: Duration = Duration::from_millis(100);

/// The part of `all` items that belongs to a unit.
pub fn part(unit: u64, units: u64, all: u64) -> Range<u64> {
    let bound = |unit: u64| (u128::from(all) * u128::from(unit) / u128::from(units)) as u64;
    bound(unit)..bound(unit + 1)
}

/// Does something that only one program can do at a time, as soon as no other program is doing it;
/// `None` when the wait was stopped.
pub fn in_turn<T>(
    context: &WorkContext<'_>,
    attempt: impl Fn() -> Result<T, WorkError>,
) -> Result<Option<T>, WorkError> {
    while !context.resources.stopped() {
        match attempt() {
            Err(
                WorkError::Training(RunError::File(FileError::InUse(_)))
                | WorkError::Table(TableError::File(FileError::InUse(_))),
            ) => sleep(WAIT),
            done => return done.map(Some),
        }
    }
    Ok(None)
}

pub fn is_timed(spec: &Spec) -> bool {
    spec.options.iter().any(|(name, _)| name == "time" || name == "total")
}

pub fn put_json(path: &Path, value: &impl Serialize) -> Result<(), WorkError> {
    let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    Ok(write_whole(path, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once() {
        for all in [1, 7, 64, 1000] {
            for units in 1..=all.min(40) {
                let parts: Vec<Range<u64>> =
                    (0..units).map(|unit| part(unit, units, all)).collect();
                assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, all));
                assert!(parts.iter().all(|part| part.start < part.end));
                assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            }
        }
    }
}
