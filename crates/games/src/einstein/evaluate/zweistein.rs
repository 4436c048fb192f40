//! The Zweistein evaluation (paper `zweistein`, section 3.3): the exact win
//! probability of EWN-simple.
//!
//! For each evaluation the paper sums P(DTC ≤ i − 1) · P(DTC' = i) over i. Only about a thousand of
//! the 15,624 distance codes have different distributions, so the sums for all pairs fit into one
//! table of some 5 MB. An evaluation then looks up two classes and one entry of this table.
//!
//! [`Zweistein`] computes the whole table in advance, because its evaluations do nothing but look
//! entries up. [`ZweisteinOdds`] is the base of the learned evaluation, which takes many times as
//! long as a look-up, and most programs need few of its million logarithms. So it computes an entry
//! when it is first asked for.

use std::array;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::allocation::zeroed_slice_box;
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
    count: usize,
    rules: PhantomData<R>,
}

impl<R: RuleSet> Zweistein<R> {
    /// Computes the table, in some thousandths of a second.
    pub fn new() -> Self {
        let Arrivals { classes, pdfs, tails } = Arrivals::new::<R>();
        let columns = array::from_fn(|turns| tails.iter().map(|tail| tail[turns]).collect());
        let mut values = Vec::with_capacity(pdfs.len().pow(2));
        let mut sums = vec![0.0; pdfs.len()];
        for mover in &pdfs {
            against_all(mover, &columns, &mut sums);
            values.extend(sums.iter().map(|&sum| sum as f32));
        }
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

/// For every class of sides, when such a side arrives in its corner.
#[derive(Debug)]
struct Arrivals {
    /// The class of each distance code.
    classes: Vec<u16>,
    /// P(DTC = i) for each class and each i.
    pdfs: Vec<[f64; 20]>,
    /// P(DTC ≥ i) for each class and each i: the probability of not having arrived before turn i.
    tails: Vec<[f64; 20]>,
}

impl Arrivals {
    fn new<R: RuleSet>() -> Self {
        let (distributions, classes) = DistanceToCorner::<R>::new().classes();
        let pdfs: Vec<_> = distributions.iter().map(|shares| shares.map(as_probability)).collect();
        let tails = pdfs.iter().map(tail).collect();
        Self { classes, pdfs, tails }
    }

    fn class(&self, code: u16) -> usize {
        usize::from(self.classes[usize::from(code)])
    }
}

/// Adds up in `sums` the win probability of the side to roll against every waiting side. The side
/// to roll wins when it arrives in the same turn or earlier.
fn against_all(mover: &[f64; 20], columns: &[Vec<f64>; 20], sums: &mut [f64]) {
    sums.fill(0.0);
    for (there, column) in mover.iter().zip(columns).filter(|(there, _)| **there > 0.0) {
        for (sum, not_before) in sums.iter_mut().zip(column) {
            *sum += there * not_before;
        }
    }
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
#[derive(Debug)]
pub struct ZweisteinOdds<R> {
    arrivals: Arrivals,
    /// The log-odds of each pair of classes, ordered as in [`Zweistein`]. An entry holds the bits
    /// of a number, all inverted, or 0 until it is first asked for. Threads that ask for the same
    /// entry at once all compute the same number.
    odds: Box<[AtomicU32]>,
    rules: PhantomData<R>,
}

/// The log-odds of a probability of 0.999: the race alone is never taken to be more certain than
/// this.
const CERTAIN: f32 = 7.0;

impl<R: RuleSet> ZweisteinOdds<R> {
    /// The log-odds of a win for the side to roll, from the distance codes of both sides, as in
    /// [`Zweistein::value`].
    #[inline(always)]
    fn value(&self, to_roll: u16, other: u16) -> f32 {
        let [mover, other] = [to_roll, other].map(|code| self.arrivals.class(code));
        match self.odds[mover * self.arrivals.pdfs.len() + other].load(Ordering::Relaxed) {
            0 => self.compute(mover, other),
            bits => f32::from_bits(!bits),
        }
    }

    #[cold]
    fn compute(&self, mover: usize, other: usize) -> f32 {
        let Arrivals { pdfs, tails, .. } = &self.arrivals;
        let sum = |sum, (there, not_before): (&f64, &f64)| sum + there * not_before;
        let value = pdfs[mover].iter().zip(&tails[other]).fold(0.0, sum) as f32;
        let odds = libm::logf(value / (1.0 - value)).clamp(-CERTAIN, CERTAIN);
        self.odds[mover * pdfs.len() + other].store(!odds.to_bits(), Ordering::Relaxed);
        odds
    }
}

impl<R: RuleSet> Default for ZweisteinOdds<R> {
    fn default() -> Self {
        let arrivals = Arrivals::new::<R>();
        // The system provides each page of this memory only when something is first written there.
        let odds = zeroed_slice_box(arrivals.pdfs.len().pow(2));
        Self { arrivals, odds, rules: PhantomData }
    }
}

impl<R: RuleSet> LogOdds<Position<R>> for ZweisteinOdds<R> {
    #[inline(always)]
    fn log_odds(&self, position: &Position<R>) -> f32 {
        let (mover, other) = position.distance_codes();
        self.value(mover, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Nearest, Official};

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

    #[test]
    fn log_odds_are_those_of_the_table_to_the_bit_whenever_they_are_asked_for() {
        fn compare<R: RuleSet>() {
            let (table, odds) = (Zweistein::<R>::new(), ZweisteinOdds::<R>::default());
            let mut codes = vec![0; table.classes()];
            for code in 1..15_625 {
                codes[usize::from(table.classes[usize::from(code)])] = code;
            }
            for &own in &codes {
                for &other in &codes {
                    let value = table.value(own, other);
                    let expected = libm::logf(value / (1.0 - value)).clamp(-CERTAIN, CERTAIN);
                    let actual = [(); 2].map(|()| odds.value(own, other).to_bits());
                    assert_eq!(actual, [expected.to_bits(); 2], "{own} {other}");
                }
            }
        }
        compare::<Official>();
        compare::<Nearest>();
    }
}
