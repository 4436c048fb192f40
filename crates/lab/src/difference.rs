//! The difference of two rows that were played on the same dice, or decided in the same positions.
//!
//! Matches of one game in one experiment have the same set-ups and dice, pair by pair, so their results
//! vary together, and the difference of two of them varies less than that of two independent ones. A
//! cell states how precisely it is known, and comes in the table behind the cells that a claim compares;
//! the claim is then decided by it. Results that were not played on the same dice have no such cell.
//!
//! With n and m pairs, the first min(n, m) in common, the variance of the difference is
//! V₁/n + V₂/m − 2C/max(n, m), where C is the covariance of the results in a common pair.

use crate::results::ResultCell;

/// Ends the column of a difference.
const SAME_DICE: &str = " on the same dice";

/// The row and column of the difference of two cells.
pub(crate) fn labels(one: &ResultCell, other: &ResultCell) -> (String, String) {
    let less = |one: &str, other: &str| {
        if one == other { one.to_owned() } else { format!("{one} less {other}") }
    };
    (less(&one.row, &other.row), less(&one.column, &other.column) + SAME_DICE)
}

/// Whether a column is that of differences.
pub(crate) fn is_of_differences(column: &str) -> bool {
    column.ends_with(SAME_DICE)
}

/// The results behind a cell one by one: those of the pairs of a match or of decisions in positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What they have in common with all series of this name: their dice or positions.
    pub alike: String,
    /// Of a match the share of the points that its first agent won in each pair, without luck if the
    /// cell is.
    pub results: Vec<f64>,
    /// How many standard errors the interval of its cell reaches to each side.
    pub reach: f64,
}

impl Series {
    /// The covariance with another one in what both have.
    fn covariance(&self, other: &Self) -> f64 {
        let common = self.results.len().min(other.results.len());
        let (own, others) = (&self.results[..common], &other.results[..common]);
        let mean = |of: &[f64]| of.iter().sum::<f64>() / common as f64;
        let (mean, mean_of_other) = (mean(own), mean(others));
        let products = own.iter().zip(others).map(|(x, y)| (x - mean) * (y - mean_of_other));
        products.sum::<f64>() / (common as f64 - 1.0).max(1.0)
    }
}

/// How far a cell is above another; `None` if their games had different dice.
pub(crate) fn difference(
    (one, own): (&ResultCell, &Series),
    (other, others): (&ResultCell, &Series),
) -> Option<ResultCell> {
    if own.alike != others.alike {
        return None;
    }
    let lengths = [own.results.len(), others.results.len()];
    let (least, most) = (*lengths.iter().min()?, *lengths.iter().max()?);
    // The rarer one of two intervals that are valid at every look is the wider one.
    let reach = own.reach.max(others.reach);
    let together = 2.0 * reach * reach * own.covariance(others) / most.max(1) as f64;
    // Results without any difference do not show how much they can differ: one more pair may.
    let shortest = reach * 0.5 / (least + 1) as f64;
    let half = |own_half: f64, others_half: f64| {
        let (own_half, others_half) =
            (own_half * reach / own.reach, others_half * reach / others.reach);
        let square = own_half * own_half + others_half * others_half - together;
        square.max(0.0).sqrt().max(shortest)
    };
    let ((low, high), (other_low, other_high)) = (one.bounds(), other.bounds());
    let value = one.value - other.value;
    let below = half(one.value - low, other_high - other.value);
    let above = half(high - one.value, other.value - other_low);
    let (row, column) = labels(one, other);
    let cell = ResultCell::new(&row, &column, value).within(value - below, value + above);
    Some(ResultCell { n: one.n.min(other.n), unit: one.unit.clone(), ..cell })
}

#[cfg(test)]
mod tests {
    use wurfel_core::Random;

    use super::*;
    use crate::measure::standard_errors;

    /// The cell and the series of these results, with an interval that is valid at every look.
    fn row(name: &str, results: &[f64]) -> (ResultCell, Series) {
        let pairs = results.len() as f64;
        let mean = results.iter().sum::<f64>() / pairs;
        let squares = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>();
        let reach = standard_errors(2.0 * pairs);
        let half = reach * (squares / (pairs - 1.0) / pairs).sqrt();
        let cell = ResultCell::new(name, "rate", mean).within(mean - half, mean + half);
        (cell, Series { alike: "d".into(), results: results.to_vec(), reach })
    }

    /// The difference of the first pairs of two rows.
    fn between(one: &[f64], other: &[f64]) -> ResultCell {
        let ((cell, own), (second, others)) = (row("one", one), row("other", other));
        difference((&cell, &own), (&second, &others)).unwrap()
    }

    /// Results of two rows: a common part, which the dice decide, and one of its own for each.
    fn results(random: &mut Random, pairs: usize, common: f64) -> [Vec<f64>; 2] {
        let (mut one, mut other) = (vec![], vec![]);
        for _ in 0..pairs {
            let dice = random.unit();
            let mut own = || {
                let won = if random.unit() < common { dice } else { random.unit() };
                (won * 5.0).floor() / 4.0
            };
            one.push(own());
            other.push(own());
        }
        [one, other]
    }

    #[test]
    fn what_both_rows_owe_to_the_dice_is_not_in_their_difference() {
        let [one, other] = results(&mut Random::new(1), 1000, 0.9);
        let half = |cell: &ResultCell| (cell.bounds().1 - cell.bounds().0) / 2.0;
        let cell = between(&one, &other);
        let independent = half(&row("one", &one).0).hypot(half(&row("other", &other).0));
        assert!(half(&cell) < 0.55 * independent, "{} of {independent}", half(&cell));
        // It is what the results of each pair say of their difference.
        let each: Vec<f64> = one.iter().zip(&other).map(|(one, other)| one - other).collect();
        let paired = row("each", &each).0;
        assert!((half(&cell) - half(&paired)).abs() < 1e-9);
        assert!((cell.value - paired.value).abs() < 1e-12);
        assert_eq!((&*cell.row, &*cell.column), ("one less other", "rate on the same dice"));
        // Pairs that only one of them has played are independent of the other.
        let more = between(&one, &other[..100]);
        assert!(half(&more) > half(&cell));
    }

    #[test]
    fn other_dice_have_no_difference_and_equal_results_leave_an_interval() {
        let ((cell, own), (other, mut others)) = (row("a", &[0.5; 100]), row("b", &[0.5; 100]));
        let (low, high) = difference((&cell, &own), (&other, &others)).unwrap().bounds();
        assert!(low < -0.01 && high > 0.01, "{low} {high}");
        others.alike = "e".into();
        assert_eq!(difference((&cell, &own), (&other, &others)), None);
    }

    /// The difference of two equal rows, to which games are added while looking: to both, or to one of
    /// them after the other.
    #[test]
    fn the_truth_is_missed_at_no_look_as_rarely_as_promised() {
        const SEQUENCES: u32 = 1000;
        for (common, alternating) in [(0.0, false), (0.8, false), (0.8, true)] {
            let mut random = Random::new(2);
            let mut missed = 0;
            for _ in 0..SEQUENCES {
                let [one, other] = results(&mut random, 3200, common);
                let mut lengths = [100, 100];
                let mut wrong = false;
                while lengths[0] <= one.len() && lengths[1] <= other.len() {
                    let cell = between(&one[..lengths[0]], &other[..lengths[1]]);
                    let (low, high) = cell.bounds();
                    wrong |= low > 0.0 || high < 0.0;
                    let place = usize::from(lengths[0] > lengths[1]);
                    let grown = if alternating { place..=place } else { 0..=1 };
                    for place in grown {
                        lengths[place] = lengths[place] * 3 / 2;
                    }
                }
                missed += u32::from(wrong);
            }
            let share = f64::from(missed) / f64::from(SEQUENCES);
            // 1 %, and three standard errors.
            assert!(share <= 0.0195, "{common}, {alternating}: {share}");
        }
    }
}
