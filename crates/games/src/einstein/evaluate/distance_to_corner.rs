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

//!
//! Only about a thousand of the 15,624 distributions differ. Each is computed once and has a number; a distance code
//! has the number of its distribution.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::marker::PhantomData;

use super::distances::{CODES, Distances, POWERS};
use crate::einstein::rolls::{FACES, RuleSet};

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

/// The number of the distribution [`ARRIVED`].
const ARRIVES: u16 = 0;

/// The distributions of the distance to corner (DTC), for every distance code (see
/// [`Position::distance_code`](crate::einstein::Position::distance_code)).
#[derive(Clone, Debug)]
pub struct DistanceToCorner<R> {
    /// The distinct distributions, by their numbers.
    distributions: Vec<Distribution>,
    /// The expected DTC of each distinct distribution, in units of 6⁻¹⁹.
    means: Vec<u64>,
    /// The number of the distribution of each distance code.
    numbers: Vec<u16>,
    rules: PhantomData<R>,
}

impl<R: RuleSet> DistanceToCorner<R> {
    /// Computes all 15,624 distributions.
    pub fn new() -> Self {
        let mut table = Self {
            distributions: vec![ARRIVED],
            means: vec![expected(&ARRIVED)],
            numbers: vec![ARRIVES; CODES],
            rules: PhantomData,
        };
        // A distribution is determined by the six distributions after each face, in any order, and
        // is often the same as another one.
        let mut known_steps = HashMap::new();
        let mut known = HashMap::from([(ARRIVED, ARRIVES)]);
        // A step lowers one digit, so the codes that a code leads to were computed before.
        for code in 1..CODES {
            let mut steps = table.steps(code);
            steps.sort_unstable();
            table.numbers[code] = *known_steps.entry(steps).or_insert_with(|| {
                let distribution = table.after(steps);
                *known.entry(distribution).or_insert_with(|| {
                    table.means.push(expected(&distribution));
                    table.distributions.push(distribution);
                    table.distributions.len() as u16 - 1
                })
            });
        }
        table
    }

    /// The number of the distribution after the best step with each face of the die.
    fn steps(&self, code: usize) -> [u16; 6] {
        let distances = Distances::of(code);
        let alive = distances.alive();
        let mut after = [ARRIVES; 6];
        for (cube, _) in distances.living().filter(|(_, distance)| *distance > 1) {
            after[cube] = self.numbers[code - POWERS[cube]];
        }
        FACES.map(|face| {
            let movable = R::ROLLS.movable(alive, face.item);
            // The one or two movable cubes: the lowest of the set and the highest.
            let [one, other] = [movable.trailing_zeros(), movable.ilog2()];
            self.better(after[one as usize], after[other as usize])
        })
    }

    /// The better of two distributions: the one with the smaller expected DTC, and among equals the
    /// one that is more likely to arrive early. Any rule for ties would do that does not depend on
    /// the numbers of the cubes, so that reversing the numbers changes nothing.
    fn better(&self, one: u16, other: u16) -> u16 {
        let key = |number: u16| {
            let number = usize::from(number);
            (self.means[number], Reverse(&self.distributions[number]))
        };
        if one == other || key(one) < key(other) { one } else { other }
    }

    /// The distribution before a turn whose faces lead to these distributions.
    fn after(&self, steps: [u16; 6]) -> Distribution {
        let mut sum = [0; LONGEST + 1];
        for number in steps {
            for (turns, share) in
                self.distributions[usize::from(number)][..LONGEST].iter().enumerate()
            {
                sum[turns + 1] += share / 6;
            }
        }
        sum
    }

    /// P(DTC = *turns*) for *turns* from 0 to 19.
    ///
    /// # Panics
    /// When `code` is 0 (no cubes) or more than 15,624.
    pub fn probabilities(&self, code: u16) -> [f64; LONGEST + 1] {
        assert!(code > 0, "a side without cubes has no distance to corner");
        self.distributions[usize::from(self.numbers[usize::from(code)])]
            .map(|share| share as f64 / ONE as f64)
    }

    /// The mean DTC, in turns of this side.
    ///
    /// # Panics
    /// As for [`DistanceToCorner::probabilities`].
    pub fn mean(&self, code: u16) -> f64 {
        assert!(code > 0, "a side without cubes has no distance to corner");
        self.means[usize::from(self.numbers[usize::from(code)])] as f64 / ONE as f64
    }

    /// The distinct distributions, the one with the smallest mean first, and for each distance code
    /// the index of its distribution (0 for code 0).
    pub(super) fn classes(&self) -> (Vec<Distribution>, Vec<u16>) {
        // No side has arrived already.
        let mut order: Vec<usize> = (1..self.distributions.len()).collect();
        order.sort_unstable_by_key(|&number| (self.means[number], &self.distributions[number]));
        let mut classes = vec![0; self.distributions.len()];
        for (class, &number) in (0..).zip(&order) {
            classes[number] = class;
        }
        let distributions = order.iter().map(|&number| self.distributions[number]).collect();
        (distributions, self.numbers.iter().map(|&number| classes[usize::from(number)]).collect())
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
