//! Matches that are played in parts, for both matches and tournaments.

use serde_json::Value;
use wurfel_agents::{Catalogued, Spec};
use wurfel_arena::{Entrant, LuckMeter, Match, MatchReport};
use wurfel_core::Budget;

use crate::LabError;
use crate::work::{Means, read, written};

/// The largest number of parts of a match, and below, the largest number of pairs of a part. The
/// first limits the size of a progress file, the second how much a killed program loses.
const MAX_PARTS: u64 = 64;
const MAX_PAIRS: u64 = 100;

/// A number of pairs of games, divided into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pairs: u64,
    each: u64,
}

impl Parts {
    pub fn new(pairs: u64) -> Self {
        Self { pairs, each: pairs.div_ceil(MAX_PARTS).min(MAX_PAIRS) }
    }

    /// The number of parts.
    pub const fn count(self) -> u64 {
        self.pairs.div_ceil(self.each)
    }

    /// The number of pairs of a part; the last part may have fewer.
    fn pairs(self, part: u64) -> u64 {
        self.each.min(self.pairs - part * self.each)
    }
}

/// The agents of a spec.
pub(super) fn entrant<G: Catalogued>(spec: &str) -> Result<Entrant<G>, LabError> {
    Ok(Entrant::new(spec.parse::<Spec>()?)?)
}

/// Plays a part of a match with a seed of its own; `None` when the work was stopped.
pub(super) fn play<G: Catalogued>(
    entrants: [Entrant<G>; 2],
    luck: Option<&LuckMeter<G>>,
    parts: Parts,
    (part, seed): (u64, u64),
    means: &Means<'_>,
) -> Result<Option<Value>, LabError> {
    let budget = Budget { stop: means.stop, ..Budget::default() };
    let luck = luck.cloned();
    let arranged = Match { budget, luck, ..Match::between(entrants, parts.pairs(part), seed) };
    let report = arranged.run(1, None, &mut |_| ())?;
    if report.complete { written(&report).map(Some) } else { Ok(None) }
}

/// The report of all parts together.
pub(super) fn merged(work: &str, results: &[Value]) -> Result<MatchReport, LabError> {
    let mut report = MatchReport::default();
    for result in results {
        report.merge(&read(work, result)?);
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_pairs_and_are_not_too_large() {
        for (pairs, count) in [(1, 1), (64, 64), (65, 33), (6400, 64), (50_000, 500)] {
            let parts = Parts::new(pairs);
            assert_eq!(parts.count(), count, "{pairs}");
            assert_eq!((0..count).map(|part| parts.pairs(part)).sum::<u64>(), pairs);
            assert!((0..count).all(|part| (1..=MAX_PAIRS).contains(&parts.pairs(part))));
        }
    }
}
