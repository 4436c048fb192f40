//! Matches that are played in parts, for both matches and tournaments.

use serde_json::Value;
use wurfel::{Entrants, MatchSettings, Player};
use wurfel_arena::MatchTally;
use wurfel_core::Budget;

use crate::LabError;
use crate::measure::{Measured, of_parts};
use crate::scale::Scale;
use crate::work::{ExperimentResources, read, written};

/// The largest number of parts of a match, and below, the largest number of pairs of a part. The
/// first limits the size of a progress file, the second how much a killed program loses.
const MAX_PARTS: u64 = 64;
const MAX_PAIRS: u64 = 100;
/// The same of a match that has as many parts as its claims need, and the pairs with which it
/// begins: with fewer the intervals do not yet keep what they promise.
const PARTS_AT_FIRST: u64 = 10;
const PAIRS_AT_FIRST: u64 = 100;

/// A number of pairs of games, divided into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    /// The pairs; those with which it begins where it grows.
    pairs: u64,
    each: u64,
    pub grows: bool,
}

impl Parts {
    pub fn new(pairs: u64, scale: Scale) -> Self {
        if scale == Scale::Decide {
            let pairs = pairs.max(PAIRS_AT_FIRST);
            let each = (pairs / PARTS_AT_FIRST).min(MAX_PAIRS);
            return Self { pairs, each, grows: true };
        }
        Self { pairs, each: pairs.div_ceil(MAX_PARTS).min(MAX_PAIRS), grows: false }
    }

    /// The number of parts; those with which it begins where it grows.
    pub const fn count(self) -> u64 {
        self.pairs.div_ceil(self.each)
    }

    /// The number of pairs of a part; the last part of a fixed number may have fewer.
    fn pairs(self, part: u64) -> u64 {
        if self.grows { self.each } else { self.each.min(self.pairs - part * self.each) }
    }

    /// A measure of a match in these parts; `None` where there is no such figure. Where they grow,
    /// its interval is valid at every look.
    pub fn measure(self, report: &MatchTally, measure: &str) -> Option<Measured> {
        self.measure_of(&[], report, measure)
    }

    /// The same where the reports of the parts are at hand.
    pub fn measure_of(
        self,
        reports: &[MatchTally],
        merged: &MatchTally,
        measure: &str,
    ) -> Option<Measured> {
        let measured = of_parts(reports, merged, measure)?;
        Some(if self.grows { measured.at_every_look(merged, measure) } else { measured })
    }
}

/// The player of a spec.
pub(super) fn player(spec: &str) -> Result<Player, LabError> {
    Ok(Player::Spec(spec.parse()?))
}

/// Plays a part of a match of two entrants with a seed of its own; `None` when the work was
/// stopped.
pub(super) fn play(
    entrants: &dyn Entrants,
    met: [usize; 2],
    luck: bool,
    parts: Parts,
    (part, seed): (u64, u64),
    resources: &ExperimentResources<'_>,
) -> Result<Option<Value>, LabError> {
    let budget = Budget { stop: resources.stop, ..Budget::default() };
    let settings = MatchSettings { pairs: parts.pairs(part), seed, budget, luck, sprt: None };
    let report = entrants.between(met, settings).run(1, None, &mut |_| ())?;
    if report.complete { written(&report).map(Some) } else { Ok(None) }
}

/// The report of all parts together.
pub(super) fn merged<'a>(
    work: &str,
    parts: Parts,
    results: impl IntoIterator<Item = &'a Value>,
) -> Result<MatchTally, LabError> {
    reports(work, parts, results).map(|reports| sum(&reports))
}

/// Several reports together.
pub(super) fn sum(reports: &[MatchTally]) -> MatchTally {
    let mut all = MatchTally::default();
    for report in reports {
        all.merge(report);
    }
    all
}

/// The reports of the parts.
pub(super) fn reports<'a>(
    work: &str,
    parts: Parts,
    results: impl IntoIterator<Item = &'a Value>,
) -> Result<Vec<MatchTally>, LabError> {
    let mut reports = vec![];
    for (result, number) in results.into_iter().zip(0..) {
        let part: MatchTally = read(work, result)?;
        if !part.is_possible() || part.score.games() / 2 != parts.pairs(number) {
            let error = format!("the progress of '{work}': a report that no match can have");
            return Err(LabError::Input(error));
        }
        reports.push(part);
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_report_that_no_match_can_have_is_refused() {
        let players = ["random", "greedy"].map(|spec| player(spec).unwrap());
        let entrants = wurfel::game("einstein").unwrap().entrants(&players).unwrap();
        let resources =
            ExperimentResources { jobs: 1, stop: None, until: None, out: std::path::Path::new("") };
        let parts = Parts { pairs: 10, each: 5, grows: false };
        let part = play(&*entrants, [0, 1], true, parts, (0, 1), &resources).unwrap().unwrap();
        let merged = |results: &[Value]| merged("a", parts, results);
        assert_eq!(merged(&[part.clone(), part.clone()]).unwrap().score.games(), 20);
        for (pointer, value) in [
            // Of 5 pairs that random lost: more games won than there are, and those of another
            // part.
            ("/score/wins", json!(9)),
            ("/score", json!({"wins": 0, "draws": 0, "losses": 8, "pairs": [4, 0, 0, 0, 0]})),
            ("/score/wins", json!(u64::MAX)),
            ("/first_side_wins", json!(1000)),
            ("/plies", json!(u64::MAX)),
            ("/faults/0", json!([u64::MAX, 1, 0])),
            ("/timing/1/total/secs", json!(u64::MAX)),
            ("/timing/1/moves", json!(u64::MAX)),
            ("/luck/strata", json!([])),
            ("/luck/count", json!(u64::MAX)),
        ] {
            let mut damaged = part.clone();
            *damaged.pointer_mut(pointer).unwrap() = value;
            let error = merged(&[part.clone(), damaged]).unwrap_err().to_string();
            let expected = "the progress of 'a': a report that no match can have";
            assert_eq!(error, expected, "{pointer}");
        }
    }

    #[test]
    fn parts_have_all_pairs_and_are_not_too_large() {
        for (pairs, count) in [(1, 1), (64, 64), (65, 33), (6400, 64), (50_000, 500)] {
            let parts = Parts::new(pairs, Scale::Full);
            assert_eq!(parts.count(), count, "{pairs}");
            assert_eq!((0..count).map(|part| parts.pairs(part)).sum::<u64>(), pairs);
            assert!((0..count).all(|part| (1..=MAX_PAIRS).contains(&parts.pairs(part))));
        }
        for (pairs, count, each) in [(1, 10, 10), (150, 10, 15), (155, 11, 15), (2000, 20, 100)] {
            let parts = Parts::new(pairs, Scale::Decide);
            assert_eq!((parts.count(), parts.pairs(0), parts.pairs(1000)), (count, each, each));
        }
    }
}
