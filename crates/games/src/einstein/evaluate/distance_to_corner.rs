//! EWN-simple: how many turns a side needs to reach its corner when nothing is ever captured (paper
//! `zweistein`, sections 3.1 and 3.2, Algorithm 2).
//!
//! In EWN-simple every move brings a cube one step closer to its corner, and cubes do not meet. A
//! side is then described by the distances of its cubes alone. The number of its turns until a cube
//! arrives, its distance to corner (DTC), is a random variable: for each roll the side moves the
//! cube that leaves the smallest expected DTC.
//!
//! All probabilities are multiples of 6⁻¹⁹, because no side needs more than 19 turns. They are kept
//! as integers in this unit, so that sums are exact, equal distributions are equal to the last bit,
//! and ties are true ties.

use std::cmp::Reverse;
use std::marker::PhantomData;

use super::distances::{BASE, CODES, Distances};
use crate::einstein::rolls::RuleSet;

/// The largest number of turns that a side can need: 6 cubes × 3 steps, and the last step.
const LONGEST: usize = 19;
/// The probability 1 in units of 6⁻¹⁹.
const ONE: u64 = 6u64.pow(LONGEST as u32);

/// The probability of each DTC from 0 to 19, in units of 6⁻¹⁹.
type Distribution = [u64; LONGEST + 1];

/// The distribution of a side that has a cube in its corner.
const ARRIVED: Distribution = {
    let mut arrived = [0; LONGEST + 1];
    arrived[0] = ONE;
    arrived
};

/// The distributions of the distance to corner, for every distance code (see
/// [`Position::distance_code`](crate::einstein::Position::distance_code)).
#[derive(Clone, Debug)]
pub struct DistanceToCorner<R> {
    distributions: Vec<Distribution>,
    /// The expected DTC of each of them, in units of 6⁻¹⁹.
    means: Vec<u64>,
    rules: PhantomData<R>,
}

impl<R: RuleSet> DistanceToCorner<R> {
    /// Computes all 15,624 distributions.
    pub fn new() -> Self {
        let mut table = Self {
            distributions: vec![[0; LONGEST + 1]; CODES],
            means: vec![0; CODES],
            rules: PhantomData,
        };
        // A step lowers one digit, so the codes that a code leads to were computed before.
        for code in 1..CODES {
            let distribution = table.distribution_from_steps(code);
            table.means[code] = expected(&distribution);
            table.distributions[code] = distribution;
        }
        table
    }

    fn distribution_from_steps(&self, code: usize) -> Distribution {
        let mut sum = [0; LONGEST + 1];
        let distances = Distances::of(code);
        let alive = distances.alive();
        for roll in R::ROLLS.merged(alive) {
            let best = self.best_step(code, distances, R::ROLLS.movable(alive, roll.item));
            for (turns, &share) in best.iter().enumerate().take(LONGEST) {
                sum[turns + 1] += share / 6 * u64::from(roll.weight);
            }
        }
        sum
    }

    /// The distribution after the best step with one of the `movable` cubes: that with the smallest
    /// expected DTC, and among equals the one that is more likely to arrive early. Any rule for
    /// ties would do that does not depend on the numbers of the cubes, so that reversing the
    /// numbers changes nothing.
    fn best_step(&self, code: usize, distances: Distances, movable: u8) -> &Distribution {
        let after = |(cube, distance)| match distance {
            1 => (0, &ARRIVED),
            _ => {
                let next = code - BASE.pow(cube as u32);
                (self.means[next], &self.distributions[next])
            }
        };
        let cubes = distances.living().filter(|(cube, _)| movable >> cube & 1 == 1);
        let best = cubes.map(after).min_by_key(|&(mean, shares)| (mean, Reverse(shares)));
        best.expect("a roll lets at least one cube move").1
    }

    /// P(DTC = *turns*) for *turns* from 0 to 19.
    ///
    /// # Panics
    /// When `code` is 0 (no cubes) or more than 15,624.
    pub fn probabilities(&self, code: u16) -> [f64; LONGEST + 1] {
        assert!(code > 0, "a side without cubes has no distance to corner");
        self.distributions[usize::from(code)].map(|share| share as f64 / ONE as f64)
    }

    /// The mean DTC, in turns of this side.
    ///
    /// # Panics
    /// As for [`DistanceToCorner::probabilities`].
    pub fn mean(&self, code: u16) -> f64 {
        assert!(code > 0, "a side without cubes has no distance to corner");
        self.means[usize::from(code)] as f64 / ONE as f64
    }

    /// The distinct distributions, the one with the smallest mean first, and for each distance code
    /// the index of its distribution (0 for code 0).
    pub(super) fn classes(&self) -> (Vec<Distribution>, Vec<u16>) {
        let key = |&code: &usize| (self.means[code], &self.distributions[code]);
        let mut codes: Vec<usize> = (1..CODES).collect();
        codes.sort_unstable_by_key(key);
        let (mut different, mut classes) = (vec![], vec![0; CODES]);
        for equal in codes.chunk_by(|one, other| key(one) == key(other)) {
            for &code in equal {
                classes[code] = different.len() as u16;
            }
            different.push(self.distributions[equal[0]]);
        }
        (different, classes)
    }
}

impl<R: RuleSet> Default for DistanceToCorner<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// The expected DTC in units of 6⁻¹⁹; at most 19 · 6¹⁹ < 2⁶⁴.
fn expected(shares: &Distribution) -> u64 {
    shares.iter().zip(0..).map(|(share, turns)| share * turns).sum()
}

/// A probability in units of 6⁻¹⁹ as a number from 0 to 1.
pub(super) fn as_probability(share: u64) -> f64 {
    share as f64 / ONE as f64
}
