//! The Zweistein evaluation (paper `zweistein`, section 3.3): the exact win
//! probability of EWN-simple.
//!
//! For each evaluation the paper sums P(DTC ≤ i − 1) · P(DTC' = i) over i. Only about a thousand of
//! the 15,624 distance codes have different distributions, so the sums for all pairs fit into one
//! table of some 5 MB. An evaluation then looks up two classes and one entry of this table.

use std::array;
use std::marker::PhantomData;

use wurfel_core::Evaluator;

use super::distance_to_corner::{DistanceToCorner, as_probability};
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;
use crate::learned::LogOdds;

/// The win probability of the side to roll in EWN-simple, where nothing is ever captured.
#[derive(Clone, Debug)]
pub struct Zweistein<R> {
    /// The class of each distance code.
    classes: Vec<u16>,
    /// The values, by the class of the side to roll and then by the class of the other side.
    values: Vec<f32>,
    /// How many classes there are.
    count: usize,
    rules: PhantomData<R>,
}

impl<R: RuleSet> Zweistein<R> {
    /// Computes the table, in some thousandths of a second.
    pub fn new() -> Self {
        let (distributions, classes) = DistanceToCorner::<R>::new().classes();
        let pdfs: Vec<_> = distributions.iter().map(|shares| shares.map(as_probability)).collect();
        // For each number of turns, the probability of every waiting side not to arrive before.
        let tails: Vec<_> = pdfs.iter().map(tail).collect();
        let columns = array::from_fn(|turns| tails.iter().map(|tail| tail[turns]).collect());
        let values = pdfs.iter().flat_map(|mover| against_all(mover, &columns)).collect();
        Self { classes, values, count: pdfs.len(), rules: PhantomData }
    }

    /// The win probability of the side to roll, from the distance codes of both sides. Meaningful
    /// as long as both sides have cubes and none of these is on its goal.
    #[inline(always)]
    pub fn value(&self, to_roll: u16, other: u16) -> f32 {
        let row = usize::from(self.classes[usize::from(to_roll)]) * self.count;
        self.values[row + usize::from(self.classes[usize::from(other)])]
    }

    /// How many different distributions there are.
    pub fn classes(&self) -> usize {
        self.count
    }
}

impl<R: RuleSet> Default for Zweistein<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// The win probability of the side to roll against every waiting side: it wins when it arrives in
/// the same turn or earlier.
fn against_all(mover: &[f64; 20], columns: &[Vec<f64>; 20]) -> impl Iterator<Item = f32> {
    let mut sums = vec![0.0; columns[0].len()];
    for (there, column) in mover.iter().zip(columns).filter(|(there, _)| **there > 0.0) {
        for (sum, not_before) in sums.iter_mut().zip(column) {
            *sum += there * not_before;
        }
    }
    sums.into_iter().map(|sum| sum as f32)
}

/// P(DTC ≥ i) for each i.
fn tail(pdf: &[f64; 20]) -> [f64; 20] {
    let mut tail = *pdf;
    for turns in (0..19).rev() {
        tail[turns] += tail[turns + 1];
    }
    tail
}

impl<R: RuleSet> Evaluator<Position<R>> for Zweistein<R> {
    #[inline(always)]
    fn evaluate(&self, position: &Position<R>) -> f32 {
        let (mover, other) = position.distance_codes();
        self.value(mover, other)
    }
}

/// The same win probability as log-odds, ln(p / (1 − p)), which is the base of the learned
/// evaluation. Certainty counts as ±7.
#[derive(Clone, Debug)]
pub struct ZweisteinOdds<R>(Zweistein<R>);

/// The log-odds of a probability of 0.999: the race alone is never more certain than that.
const CERTAIN: f32 = 7.0;

impl<R: RuleSet> Default for ZweisteinOdds<R> {
    fn default() -> Self {
        let mut zweistein = Zweistein::new();
        for value in &mut zweistein.values {
            *value = (*value / (1.0 - *value)).ln().clamp(-CERTAIN, CERTAIN);
        }
        Self(zweistein)
    }
}

impl<R: RuleSet> LogOdds<Position<R>> for ZweisteinOdds<R> {
    #[inline(always)]
    fn log_odds(&self, position: &Position<R>) -> f32 {
        let (mover, other) = position.distance_codes();
        self.0.value(mover, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Nearest, Official};

    /// The distance code of cubes 1 to 6.
    fn code(distances: [u16; 6]) -> u16 {
        distances.iter().rev().fold(0, |code, distance| code * 5 + distance)
    }

    #[test]
    fn the_published_means_come_out() {
        let dtc = DistanceToCorner::<Official>::new();
        for (distances, mean) in [
            ([0, 0, 0, 0, 3, 3], 3.532_407),
            ([0, 3, 3, 3, 3, 0], 5.581_104),
            ([0, 2, 2, 0, 3, 0], 3.305_556),
            ([4, 4, 4, 4, 4, 4], 11.213_757),
            ([4, 4, 4, 3, 4, 4], 10.213_757),
            ([3, 4, 4, 4, 4, 4], 10.213_757),
        ] {
            assert!((dtc.mean(code(distances)) - mean).abs() < 5e-7, "{distances:?}");
        }
    }

    #[test]
    fn the_published_values_come_out() {
        let zweistein = Zweistein::<Official>::new();
        let waiting = |own, other| 1.0 - zweistein.value(code(other), code(own));
        // Paper `zweistein`, section 4.3, figure 12.
        let value = waiting([0, 2, 2, 0, 3, 0], [0, 3, 3, 3, 3, 0]);
        assert!((value - 0.837_577_2).abs() < 1e-6, "{value}");
        let start = [4, 4, 4, 4, 3, 4];
        let value = waiting(start, start);
        assert!((value - 0.452_178).abs() < 1e-6, "{value}");
    }

    #[test]
    fn every_distribution_sums_to_one_exactly() {
        let dtc = DistanceToCorner::<Official>::new();
        for code in 1..15_625 {
            let sum: f64 = dtc.probabilities(code).iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{code}: {sum}");
        }
    }

    #[test]
    fn the_table_holds_what_the_plain_sum_of_the_paper_gives() {
        let dtc = DistanceToCorner::<Nearest>::new();
        let zweistein = Zweistein::<Nearest>::new();
        let mut random = wurfel_core::Random::new(1);
        for _ in 0..20_000 {
            let own = random.below(15_624) as u16 + 1;
            let other = random.below(15_624) as u16 + 1;
            // Equation 4: the side that waits wins when it is there strictly first.
            let (pdf_own, pdf_other) = (dtc.probabilities(own), dtc.probabilities(other));
            let sum: f64 = (1..20).map(|i| pdf_own[..i].iter().sum::<f64>() * pdf_other[i]).sum();
            let value = f64::from(zweistein.value(other, own));
            assert!((1.0 - sum - value).abs() < 1e-6, "{own} {other}");
        }
    }
}
