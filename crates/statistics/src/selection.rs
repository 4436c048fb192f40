//! Selects the best of several candidates: all are measured on common dice, and those that are
//! behind are dropped, at a stated error rate.
//!
//! Every pair of candidates is compared by the differences of their results on the same dice, with
//! the difference of their luck taken off ([`Control`]). A candidate is dropped when it is further
//! behind the leader than chance explains. There are many looks and many rivals, and each
//! comparison may err, so the error rate is divided: look *j* gets 6 / (π² *j*²) of it, and each
//! rival an equal part of this. The parts sum to the whole, so the best candidate is dropped with
//! at most this probability, however many looks there are. Dropping at a fixed number of standard
//! errors at every look would have no such bound.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::control::{Control, Estimate};
use crate::normal::normal;

/// The result of a candidate in one game: its value from 0 to 1 and the luck in it, both for the
/// side that chooses among the candidates.
pub type MeasuredGame = (f64, f64);

/// A comparison of candidates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CandidateSelection {
    /// The largest probability with which the best candidate may be dropped.
    rate: f64,
    /// The results of each candidate.
    own: Vec<Control>,
    /// The differences of each pair: of the candidates 1 and 0, of 2 and 0, of 2 and 1, and so on.
    pairs: Vec<Control>,
    /// After how many games a candidate was dropped.
    dropped: Vec<Option<u64>>,
    looks: u32,
}

impl CandidateSelection {
    /// A selection among `candidates` candidates that drops the best of them with at most the
    /// probability `rate`. The games have strata with these probabilities, which sum to 1.
    pub fn new(candidates: usize, strata: &[f64], rate: f64) -> Self {
        let control = || Control::stratified(strata.iter().copied());
        Self {
            rate,
            own: (0..candidates).map(|_| control()).collect(),
            pairs: (0..candidates * candidates.saturating_sub(1) / 2).map(|_| control()).collect(),
            dropped: vec![None; candidates],
            looks: 0,
        }
    }

    /// Adds a game of each candidate that is still in, all on the same dice.
    pub fn add(&mut self, stratum: usize, measured: &[Option<MeasuredGame>]) {
        for (one, result) in measured.iter().enumerate() {
            let Some((y, x)) = *result else { continue };
            self.own[one].add(stratum, y, x);
            for (other, rival) in measured[..one].iter().enumerate() {
                if let Some((other_y, other_x)) = *rival {
                    self.pairs[pair(one, other)].add(stratum, y - other_y, x - other_x);
                }
            }
        }
    }

    /// Drops the candidates that are behind the leader by more than chance explains.
    pub fn look(&mut self) {
        self.looks += 1;
        let rivals = self.own.len().saturating_sub(1).max(1) as f64;
        let looks = f64::from(self.looks);
        let share = self.rate * 6.0 / (PI * looks).powi(2) / rivals;
        let leader = self.leader();
        for candidate in 0..self.own.len() {
            if candidate != leader && self.is_in(candidate) {
                let behind = self.difference(leader, candidate);
                if chance(behind.mean / behind.error, self.own[candidate].count()) < share {
                    self.dropped[candidate] = Some(self.own[candidate].count());
                }
            }
        }
    }

    /// The candidate with the highest mean of those that are still in.
    pub fn leader(&self) -> usize {
        let candidates = (0..self.own.len()).filter(|&candidate| self.is_in(candidate));
        let mean = |&candidate: &usize| self.estimate(candidate).mean;
        // Of equal candidates, the first one.
        candidates.rev().max_by(|one, other| mean(one).total_cmp(&mean(other))).unwrap_or(0)
    }

    /// The number of candidates, including those that were dropped.
    pub fn len(&self) -> usize {
        self.own.len()
    }

    /// Whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// Whether a candidate has not been dropped.
    pub fn is_in(&self, candidate: usize) -> bool {
        self.dropped[candidate].is_none()
    }

    /// How many looks there were.
    pub const fn looks(&self) -> u32 {
        self.looks
    }

    /// Whether this selection can have developed from `empty`, a comparison without games, as far as
    /// can be checked; needed because it may come from a file with any content.
    pub fn follows(&self, empty: &Self) -> bool {
        let count = |candidate: usize| self.own[candidate].count();
        let alike = |own: &[Control], empty: &[Control]| {
            let sound =
                |(own, empty): (&Control, &Control)| own.is_sound() && own.has_same_strata(empty);
            own.len() == empty.len() && own.iter().zip(empty).all(sound)
        };
        if self.rate.to_bits() != empty.rate.to_bits()
            || self.dropped.len() != empty.own.len()
            || !alike(&self.own, &empty.own)
            || !alike(&self.pairs, &empty.pairs)
        {
            return false;
        }
        let candidates = || 0..self.own.len();
        let most = candidates().map(count).max().unwrap_or(0);
        candidates().any(|candidate| self.is_in(candidate))
            && candidates().all(|one| {
                count(one) == self.dropped[one].unwrap_or(most)
                    && (0..one).all(|other| {
                        self.pairs[pair(one, other)].count() == count(one).min(count(other))
                    })
            })
    }

    /// After how many of its games a candidate was dropped; `None` while it is still in.
    pub fn dropped(&self, candidate: usize) -> Option<u64> {
        self.dropped[candidate]
    }

    /// How many games a candidate has.
    pub fn games(&self, candidate: usize) -> u64 {
        self.own[candidate].count()
    }

    /// The mean result of a candidate, luck-adjusted where that is possible.
    pub fn estimate(&self, candidate: usize) -> Estimate {
        best(&self.own[candidate])
    }

    /// The lead of a candidate over another one, in the games that both have. The interval is cut at
    /// 0.
    pub fn difference(&self, ahead: usize, behind: usize) -> Estimate {
        if ahead > behind {
            return best(&self.pairs[pair(ahead, behind)]);
        }
        let mut estimate = best(&self.pairs[pair(behind, ahead)]);
        estimate.mean = -estimate.mean;
        estimate
    }
}

/// The index of a pair of candidates, the one with the higher number first.
const fn pair(one: usize, other: usize) -> usize {
    one * (one - 1) / 2 + other
}

/// The luck-adjusted estimate, or the raw one where there is nothing to adjust.
fn best(control: &Control) -> Estimate {
    control.adjusted().map_or_else(|| control.raw(), |adjusted| adjusted.estimate)
}

/// The probability that a mean lies at least `errors` of its estimated standard errors above 0 by
/// chance: the tail of Student's distribution (Abramowitz and Stegun 26.7.8). It is 1 where there
/// is no difference at all.
fn chance(errors: f64, games: u64) -> f64 {
    if errors.is_nan() || errors <= 0.0 {
        return 1.0;
    }
    if errors.is_infinite() {
        return 0.0;
    }
    let freedom = games.saturating_sub(1).max(1) as f64;
    let z =
        errors * (1.0 - 1.0 / (4.0 * freedom)) / (1.0 + errors * errors / (2.0 * freedom)).sqrt();
    normal(-z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::Random;

    /// Plays out candidates with these win probabilities, on common luck that is measured, and
    /// looks whenever the number of games has doubled. The flag says whether at any look the first
    /// candidate was behind another by more than 1.96 standard errors.
    fn select(chances: &[f64], games: u64, seed: u64) -> (CandidateSelection, bool) {
        let mut random = Random::new(seed);
        let mut selection = CandidateSelection::new(chances.len(), &[1.0], 0.05);
        let (mut next, mut behind) = (120, false);
        for game in 1..=games {
            // The common dice decide a part of every game in the same way for all candidates.
            let (common, luck) = (random.unit(), random.unit() - 0.5);
            let measured: Vec<_> = (0..chances.len())
                .map(|candidate| {
                    let own = random.unit();
                    let decisive = if own < 0.5 { common } else { random.unit() };
                    let won = decisive < chances[candidate] + 0.4 * luck;
                    selection.is_in(candidate).then_some((f64::from(u8::from(won)), luck))
                })
                .collect();
            selection.add(0, &measured);
            if game == next {
                behind |= (1..chances.len())
                    .map(|rival| selection.difference(rival, 0))
                    .any(|ahead| ahead.mean > 1.96 * ahead.error);
                selection.look();
                next *= 2;
            }
        }
        (selection, behind)
    }

    /// The most difficult case: all candidates are equal, and every one that is dropped could be
    /// the best. With a bound of 1.96 standard errors at each of the seven looks, it would be dropped in far
    /// more than 5 % of the trials.
    #[test]
    fn the_best_is_dropped_no_more_often_than_stated() {
        let trials = 500;
        let (mut wrong, mut naive) = (0, 0);
        for seed in 0..trials {
            let (selection, behind) = select(&[0.5; 4], 7680, seed);
            wrong += u32::from(!selection.is_in(0));
            naive += u32::from(behind);
        }
        // 5 % of 500, plus four standard deviations.
        assert!(wrong <= 25 + 20, "{wrong} of {trials}");
        assert!(naive > 100, "{naive} of {trials}");
    }

    #[test]
    fn a_worse_move_is_dropped_and_a_larger_difference_drops_it_sooner() {
        let (mut far, mut near) = (0, 0);
        for seed in 0..50 {
            let (selection, _) = select(&[0.5, 0.6, 0.3], 7680, seed);
            assert_eq!(selection.leader(), 1, "{seed}");
            assert!(selection.is_in(1));
            far += selection.dropped(2).unwrap();
            near += selection.dropped(0).unwrap_or(7680);
            let ahead = selection.difference(1, 2);
            assert!((ahead.mean - 0.3).abs() < 5.0 * ahead.error, "{ahead:?}");
            assert!((selection.difference(2, 1).mean + ahead.mean).abs() < 1e-12);
        }
        assert!(2 * far < near, "{far} {near}");
    }

    #[test]
    fn equal_results_are_no_evidence_and_certain_ones_are() {
        let mut selection = CandidateSelection::new(3, &[1.0], 0.05);
        for _ in 0..200 {
            selection.add(0, &[Some((1.0, 0.0)), Some((1.0, 0.0)), Some((0.0, 0.0))]);
        }
        selection.look();
        assert_eq!(
            [0, 1, 2].map(|candidate| selection.dropped(candidate)),
            [None, None, Some(200)]
        );
        assert_eq!(selection.leader(), 0);
    }

    #[test]
    fn the_tail_is_that_of_the_tables() {
        // Student's distribution with 120 degrees of freedom: one-sided quantiles.
        for (errors, probability) in [(1.658, 0.05), (2.358, 0.01), (3.160, 0.001)] {
            let actual = chance(errors, 121);
            assert!((actual / probability - 1.0).abs() < 0.01, "{errors}: {actual}");
        }
    }
}
