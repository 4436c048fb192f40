//! The Zweistein evaluation as paper `zweistein` computes it (Algorithm 1): a sum of 19 products for
//! each call.
//!
//! The value is that of [`Zweistein`](super::Zweistein), which looks it up. This form is here so that
//! both can be timed beside each other; no search needs it. Its databases hold a distribution and its
//! sums for each of the 15,625 distance arrays, as in the paper: 5 MB of numbers.

use std::marker::PhantomData;

use wurfel_core::Evaluator;

use super::distance_to_corner::DistanceToCorner;
use super::distances::CODES;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;

/// For each distance code a number for each DTC from 0 to 19.
type Database = Box<[[f64; 20]]>;

/// The win probability of the side to roll in EWN-simple, summed at each call.
#[derive(Clone, Debug)]
pub struct ZweisteinSum<R> {
    /// P(DTC = i).
    pdf: Database,
    /// P(DTC ≤ i).
    cdf: Database,
    rules: PhantomData<R>,
}

impl<R: RuleSet> ZweisteinSum<R> {
    /// Builds the databases (Algorithm 2).
    pub fn new() -> Self {
        let dtc = DistanceToCorner::<R>::new();
        let mut pdf: Database = vec![[0.0; 20]; CODES].into();
        for (code, shares) in (0..).zip(pdf.iter_mut()).skip(1) {
            *shares = dtc.probabilities(code);
        }
        let mut cdf = pdf.clone();
        for sums in &mut cdf {
            for turns in 1..20 {
                sums[turns] += sums[turns - 1];
            }
        }
        Self { pdf, cdf, rules: PhantomData }
    }

    /// The win probability of the side to roll, from the distance codes of both sides. The side that
    /// waits wins when it arrives in an earlier turn.
    pub fn value(&self, to_roll: u16, other: u16) -> f32 {
        let (there, arrived) = (&self.pdf[usize::from(to_roll)], &self.cdf[usize::from(other)]);
        let products = there[1..].iter().zip(arrived).map(|(there, arrived)| there * arrived);
        // Rounding can leave the sum a hair above 1.
        (1.0 - products.sum::<f64>()).max(0.0) as f32
    }

    /// How many bytes the databases take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.pdf) + size_of_val(&*self.cdf)
    }
}

impl<R: RuleSet> Default for ZweisteinSum<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: RuleSet> Evaluator<Position<R>> for ZweisteinSum<R> {
    fn evaluate(&self, position: &Position<R>) -> f32 {
        let (mover, other) = position.distance_codes();
        self.value(mover, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::evaluate::Zweistein;
    use crate::einstein::{Nearest, Official};

    #[test]
    fn the_sum_is_what_the_table_holds_for_every_distance_array() {
        fn compare<R: RuleSet>() {
            let (sum, table) = (ZweisteinSum::<R>::new(), Zweistein::<R>::new());
            // Sides from one cube before its goal to the start, and three drawn at random.
            let others = [1, 5, 1000, 7812, 9_371, 14_999, 15_500, 15_624];
            for code in 1..CODES as u16 {
                for other in others {
                    for (mover, waits) in [(code, other), (other, code)] {
                        let values = [sum.value(mover, waits), table.value(mover, waits)];
                        assert!((values[0] - values[1]).abs() < 2e-7, "{mover} {waits} {values:?}");
                    }
                }
            }
        }
        compare::<Official>();
        compare::<Nearest>();
    }

    #[test]
    fn the_databases_take_a_few_megabytes() {
        // 15,625 arrays, 20 numbers of eight bytes for each, twice.
        assert_eq!(ZweisteinSum::<Official>::new().bytes(), 5_000_000);
    }
}
