//! Matches that are played in parts, for both matches and tournaments.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wurfel::{Entrants, MatchSettings, Player};
use wurfel_arena::{Adjusted, Control, MatchTally};
use wurfel_core::Budget;

use crate::LabError;
use crate::difference::Series;
use crate::measure::{Measured, Z, of_parts, standard_errors};
use crate::scale::Scale;
use crate::work::{ExperimentResources, read, seed_of, stored_form};

/// The largest number of parts of a match, and below, the largest number of pairs of a part. The
/// first limits the size of a progress file, the second how much work a killed program loses.
const MAX_PARTS: u64 = 64;
const MAX_PAIRS: u64 = 100;
/// The number of parts and of pairs with which a match begins that then gets as many as its claims
/// need: with fewer pairs the intervals do not yet have their stated coverage.
const INITIAL_PARTS: u64 = 10;
const INITIAL_PAIRS: u64 = 100;

/// A number of pairs of games, divided into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    /// The number of pairs; where it grows, at the beginning.
    pairs: u64,
    each: u64,
    pub grows: bool,
}

impl Parts {
    pub fn new(pairs: u64, scale: Scale) -> Self {
        if scale == Scale::Decide {
            let pairs = pairs.max(INITIAL_PAIRS);
            let each = (pairs / INITIAL_PARTS).min(MAX_PAIRS);
            return Self { pairs, each, grows: true };
        }
        Self { pairs, each: pairs.div_ceil(MAX_PARTS).min(MAX_PAIRS), grows: false }
    }

    /// The number of parts; where it grows, at the beginning.
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
        if !self.grows {
            return Some(measured);
        }
        if measured.unit == "ns" && !reports.is_empty() {
            // Only the first parts of all matches alternate, so that other work of the machine slows
            // them down alike.
            let first = &reports[..reports.len().min(self.count() as usize)];
            return of_parts(first, &sum(first), measure);
        }
        Some(measured.at_every_look(merged, measure))
    }
}

/// The player of a spec.
pub(super) fn player(spec: &str) -> Result<Player, LabError> {
    Ok(Player::Spec(spec.parse()?))
}

/// The set-ups and dice of a match. The pairs of two matches of one game with the same dice begin alike
/// and have the same rolls.
#[derive(Clone)]
pub(super) struct MatchDice {
    name: String,
    seed: u64,
}

impl MatchDice {
    pub fn new(seed: u64, name: String) -> Self {
        Self { seed: seed_of(seed, &name, 0), name }
    }
}

/// A part of a match as it is stored.
#[derive(Serialize, Deserialize)]
struct Part {
    #[serde(flatten)]
    tally: MatchTally,
    /// The name of its dice.
    dice: String,
    /// The points of the first agent in each pair, in halves, a digit each.
    points: String,
    /// Its luck in each pair, in millionths of a game, if luck was measured.
    luck_of_pairs: Vec<i32>,
}

/// The unit in which luck is stored.
const MILLIONTH: f64 = 1e-6;

impl Part {
    /// Whether a match can have this tally, and its pairs agree with it.
    fn is_possible(&self, pairs: u64) -> bool {
        let score = &self.tally.score;
        let counted = (0..5).map(|points| {
            self.points.bytes().filter(|digit| *digit == b'0' + points).count() as u64
        });
        self.tally.is_possible()
            && score.games() / 2 == pairs
            && self.points.len() as u64 == pairs
            && counted.eq(score.pairs)
            && (self.luck_of_pairs.is_empty() || self.luck_of_pairs.len() as u64 == pairs)
    }
}

/// Plays a part of a match of two entrants; `None` when the work was stopped.
pub(super) fn play(
    entrants: &dyn Entrants,
    met: [usize; 2],
    luck: bool,
    parts: Parts,
    (part, dice): (u64, &MatchDice),
    resources: &ExperimentResources<'_>,
) -> Result<Option<Value>, LabError> {
    let budget = Budget { stop: resources.stop, ..Budget::default() };
    let first = part * parts.each;
    let pairs = first..first + parts.pairs(part);
    let settings = MatchSettings { pairs: pairs.end, seed: dice.seed, budget, luck, sprt: None };
    let (mut points, mut luck_of_pairs) = (String::new(), vec![]);
    let tally = entrants.between(met, settings).play_pairs(pairs, 1, &mut |halves, luck| {
        points.push(char::from(b'0' + halves[0] + halves[1]));
        luck_of_pairs.extend(luck.map(|luck| (luck / MILLIONTH).round() as i32));
    })?;
    if !tally.complete {
        return Ok(None);
    }
    stored_form(&Part { tally, dice: dice.name.clone(), points, luck_of_pairs }).map(Some)
}

/// The report of all parts together.
pub(super) fn merged<'a>(
    work: &str,
    (parts, dice): (Parts, &MatchDice),
    results: impl IntoIterator<Item = &'a Value>,
) -> Result<MatchTally, LabError> {
    reports(work, (parts, dice), results).map(|reports| sum(&reports))
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
    (parts, dice): (Parts, &MatchDice),
    results: impl IntoIterator<Item = &'a Value>,
) -> Result<Vec<MatchTally>, LabError> {
    let parts = stored(work, (parts, dice), results)?;
    Ok(parts.into_iter().map(|part| part.tally).collect())
}

/// The parts, which must be those of this match.
fn stored<'a>(
    work: &str,
    (parts, dice): (Parts, &MatchDice),
    results: impl IntoIterator<Item = &'a Value>,
) -> Result<Vec<Part>, LabError> {
    let wrong = |problem: &str| LabError::Input(format!("the progress of '{work}': {problem}"));
    let mut all = vec![];
    for (result, number) in results.into_iter().zip(0..) {
        let part: Part = read(work, result)?;
        if part.dice != dice.name {
            return Err(wrong("games on other dice: choose another --out"));
        }
        if !part.is_possible(parts.pairs(number)) {
            return Err(wrong("a report that no match can have"));
        }
        all.push(part);
    }
    Ok(all)
}

/// The results of a match pair by pair, for a measure that is a share of its points; `None` for others.
pub(super) fn series(
    work: &str,
    (parts, dice): (Parts, &MatchDice),
    results: &[Value],
    measure: &str,
) -> Result<Option<Series>, LabError> {
    let stored = stored(work, (parts, dice), results)?;
    let won = stored.iter().flat_map(|part| part.points.bytes());
    let won = won.map(|digit| f64::from(digit - b'0') / 4.0);
    let results: Vec<f64> = match measure {
        "score" => won.collect(),
        "luck_adjusted" => {
            let tallies: Vec<MatchTally> = stored.iter().map(|part| part.tally.clone()).collect();
            let adjusted = sum(&tallies).luck.as_ref().and_then(Control::adjusted);
            let Some(Adjusted { coefficient, .. }) = adjusted else { return Ok(None) };
            let luck = stored.iter().flat_map(|part| &part.luck_of_pairs);
            let luck = luck.map(|&luck| f64::from(luck) * MILLIONTH);
            won.zip(luck).map(|(won, luck)| won - coefficient * luck).collect()
        }
        _ => return Ok(None),
    };
    let reach = if parts.grows { standard_errors(2.0 * results.len() as f64) } else { Z };
    Ok(Some(Series { alike: dice.name.clone(), results, reach }))
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
        let dice = MatchDice::new(1, "d".into());
        let of = |part| play(&*entrants, [0, 1], true, parts, (part, &dice), &resources);
        let part = of(0).unwrap().unwrap();
        let merged = |results: &[Value]| merged("a", (parts, &dice), results);
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
            ("/points", json!("44444")),
            ("/points", json!("99999")),
            ("/luck_of_pairs", json!([1])),
        ] {
            let mut damaged = part.clone();
            *damaged.pointer_mut(pointer).unwrap() = value;
            let error = merged(&[part.clone(), damaged]).unwrap_err().to_string();
            let expected = "the progress of 'a': a report that no match can have";
            assert_eq!(error, expected, "{pointer}");
        }
        let mut other = part.clone();
        other["dice"] = json!("e");
        let error = merged(&[other]).unwrap_err().to_string();
        assert_eq!(error, "the progress of 'a': games on other dice: choose another --out");
    }

    /// However a match is divided into parts, its pairs are the same.
    #[test]
    fn pairs_do_not_depend_on_the_parts() {
        let players = ["greedy", "random"].map(|spec| player(spec).unwrap());
        let entrants = wurfel::game("einstein").unwrap().entrants(&players).unwrap();
        let resources =
            ExperimentResources { jobs: 1, stop: None, until: None, out: std::path::Path::new("") };
        let dice = MatchDice::new(1, "d".into());
        let results = |each: u64| {
            let parts = Parts { pairs: 24, each, grows: false };
            let part = |part| play(&*entrants, [0, 1], true, parts, (part, &dice), &resources);
            let parts_of_it: Vec<Value> =
                (0..parts.count()).map(|number| part(number).unwrap().unwrap()).collect();
            series("a", (parts, &dice), &parts_of_it, "luck_adjusted").unwrap().unwrap().results
        };
        let whole = results(24);
        assert_eq!(whole.len(), 24);
        for (one, other) in whole.iter().zip(results(7)) {
            assert!((one - other).abs() < 1e-9, "{one} {other}");
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
