//! The outcomes of mirrored pairs as a distribution, and conclusions about its mean.
//!
//! A pair brings its first agent 0, ½, 1, 1½ or 2 points: five outcomes, or three in games without
//! draws. Their counts hold all that pairs say about the strength of the agents. A hypothesis says
//! which mean the distribution has and nothing else about it. Its likelihood is that of the
//! distribution which makes the counts most likely among all that have this mean.
//!
//! Source: M. Van den Bergh, *Comments on normalized Elo* and *The generalized maximum likelihood
//! ratio for the expectation value of a distribution* (both at cantate.be/Fishtest), on which
//! fishtest and fastchess are based as well. The tests compare everything here with results that
//! these programs printed.

use crate::score::{Interval, Z};

/// The scores of a game that the outcomes of a pair stand for.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// How often an outcome that was never seen is counted. With 0, the first pairs would seem to prove
/// things that they cannot prove; fishtest and fastchess count the same number.
const UNSEEN: f64 = 1e-3;

/// Normalised Elo for a mean that is one standard deviation of a game above one half. With this
/// factor, normalised and logistic Elo agree for small differences in games without draws.
const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// The score that an Elo difference stands for.
pub(crate) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference that a score stands for; infinite for 0 and 1.
pub(crate) fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The distribution of the mean score of a pair's games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pentanomial {
    /// The number of pairs behind the distribution.
    pairs: f64,
    /// How likely each outcome is.
    shares: [f64; 5],
}

impl Pentanomial {
    /// The distribution of these pairs, counted by the points won in them: 0, ½, 1, 1½, 2.
    pub fn of(counts: [u64; 5]) -> Self {
        Self::weighted(counts.map(|count| if count == 0 { UNSEEN } else { count as f64 }))
    }

    /// The distribution with these relative weights, none of which is negative.
    pub(crate) fn weighted(weights: [f64; 5]) -> Self {
        let pairs: f64 = weights.iter().sum();
        Self { pairs, shares: weights.map(|weight| weight / pairs) }
    }

    /// The number of pairs.
    pub const fn pairs(&self) -> f64 {
        self.pairs
    }

    /// How likely each outcome is.
    pub const fn shares(&self) -> [f64; 5] {
        self.shares
    }

    /// The mean score of a game.
    pub fn mean(&self) -> f64 {
        self.shares.iter().zip(SCORES).map(|(share, score)| share * score).sum()
    }

    /// The variance of a pair's mean score.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.shares.iter().zip(SCORES).map(|(share, score)| share * (score - mean).powi(2)).sum()
    }

    /// The Elo difference that the mean stands for, with its 95 % interval from the normal
    /// distribution.
    pub fn elo(&self) -> (f64, Interval) {
        let half = Z * (self.variance() / self.pairs).sqrt();
        let [low, high] = [-half, half].map(|by| elo_of((self.mean() + by).clamp(0.0, 1.0)));
        (elo_of(self.mean()), Interval { low, high })
    }

    /// The mean above one half in standard deviations of a game, as normalised Elo, with its 95 %
    /// interval.
    pub fn normalised_elo(&self) -> (f64, Interval) {
        let deviation = (2.0 * self.variance()).sqrt();
        let half = Z * (self.variance() / self.pairs).sqrt();
        let [low, middle, high] =
            [-half, 0.0, half].map(|by| (self.mean() + by - 0.5) / deviation * NORMALISED);
        (middle, Interval { low, high })
    }

    /// The mean score that a normalised Elo stands for at this variance.
    pub(crate) fn score_of_normalised(&self, elo: f64) -> f64 {
        0.5 + elo / NORMALISED * (2.0 * self.variance()).sqrt()
    }

    /// The distribution, among all with this mean (strictly between 0 and 1), under which the pairs
    /// are most likely.
    pub(crate) fn with_mean(&self, mean: f64) -> Self {
        self.tilted(SCORES.map(|score| score - mean))
    }

    /// The distribution, among all with this normalised Elo, under which the pairs are most likely.
    ///
    /// The constraint sets the mean to a multiple of the standard deviation, which itself depends
    /// on the distribution. So the constraint is linearised around the latest distribution and
    /// solved again until the distribution no longer changes (*Comments on normalized Elo*, section
    /// 4.1). For values from −200 to 200 this always converges.
    pub(crate) fn with_normalised(&self, elo: f64) -> Self {
        /// It usually takes seven steps.
        const MAX_STEPS: usize = 50;
        // A pair has half the variance of a game.
        let multiple = std::f64::consts::SQRT_2 * elo / NORMALISED;
        let mut distribution = Self { shares: [0.2; 5], ..*self };
        for _ in 0..MAX_STEPS {
            let (mean, variance) = (distribution.mean(), distribution.variance());
            let deviation = variance.sqrt();
            let next = self.tilted(SCORES.map(|score| {
                let apart = (score - mean).powi(2) / variance;
                score - 0.5 - multiple * deviation * (1.0 + apart) / 2.0
            }));
            let change =
                next.shares.iter().zip(distribution.shares).map(|(new, old)| (new - old).abs());
            let change = change.fold(0.0, f64::max);
            distribution = next;
            if change < 1e-10 {
                break;
            }
        }
        distribution
    }

    /// The distribution, among all in which these numbers are 0 on average, under which the pairs
    /// are most likely: share / (1 + θ·number), with the θ that makes the mean 0. Unchanged where
    /// all numbers have the same sign.
    fn tilted(&self, numbers: [f64; 5]) -> Self {
        let greatest = numbers.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let least = numbers.into_iter().fold(f64::INFINITY, f64::min);
        if least >= 0.0 || greatest <= 0.0 {
            return *self;
        }
        // The mean falls from ∞ to −∞ between the poles. Newton's steps find where it is 0; a step
        // that leaves the interval is replaced by the interval's middle.
        let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
        let mut theta = 0.0;
        for _ in 0..100 {
            let (mut mean, mut slope) = (0.0, 0.0);
            for (share, number) in self.shares.iter().zip(numbers) {
                let term = number / (1.0 + theta * number);
                mean += share * term;
                slope += share * term * term;
            }
            if mean > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
            let before = theta;
            theta += mean / slope;
            if !(low < theta && theta < high) {
                theta = f64::midpoint(low, high);
            }
            if (theta - before).abs() < 1e-14 * (1.0 + theta.abs()) {
                break;
            }
        }
        let mut shares = self.shares;
        for (share, number) in shares.iter_mut().zip(numbers) {
            *share /= 1.0 + theta * number;
        }
        Self { shares, ..*self }
    }

    /// The logarithm of how much more likely the pairs are under `one` than under `other`.
    pub(crate) fn evidence(&self, one: &Self, other: &Self) -> f64 {
        let ratios = one.shares.iter().zip(other.shares).map(|(one, other)| (one / other).ln());
        self.pairs * self.shares.iter().zip(ratios).map(|(share, ratio)| share * ratio).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number with two digits after the point.
    fn shown(value: f64) -> String {
        format!("{value:.2}")
    }

    /// What fastchess printed after matches: the points in pairs, then Elo and normalised Elo with
    /// half the width of their intervals. The first two examples are from its unit tests
    /// (`elo_test.cpp`), the others from published logs.
    #[test]
    fn elo_is_what_fastchess_prints() {
        for (counts, printed) in [
            ([34, 54, 63, 64, 75], ["55.58", "27.65", "57.94", "28.28"]),
            ([332, 433, 498, 333, 334], ["-8.64", "10.33", "-9.17", "10.96"]),
            ([352, 579, 1264, 743, 464], ["19.83", "6.77", "24.25", "8.26"]),
            ([77, 111, 231, 149, 111], ["27.17", "15.93", "31.68", "18.48"]),
            ([770, 1594, 2798, 1591, 651], ["-5.66", "4.33", "-7.31", "5.60"]),
            ([1, 0, 191, 10, 275], ["232.74", "23.37", "292.26", "22.05"]),
            ([16, 25, 42, 12, 3], ["-70.07", "35.86", "-98.03", "48.64"]),
        ] {
            // For these figures fastchess does not add the small counts for unseen outcomes.
            let pairs = Pentanomial::weighted(counts.map(f64::from));
            let half = |interval: Interval| (interval.high - interval.low) / 2.0;
            let ((elo, interval), (normalised, other)) = (pairs.elo(), pairs.normalised_elo());
            let actual = [elo, half(interval), normalised, half(other)].map(shown);
            assert_eq!(actual, printed, "{counts:?}");
        }
    }

    #[test]
    fn the_most_likely_distribution_keeps_its_constraint() {
        let pairs = [
            [0, 0, 0, 0, 5],
            [3, 0, 0, 0, 0],
            [0, 0, 7, 0, 0],
            [50, 0, 100, 0, 50],
            [1, 2, 3, 4, 100],
            [0, 0, 1000, 0, 1],
        ];
        for counts in pairs {
            let pairs = Pentanomial::of(counts);
            for elo in [-1000.0, -200.0, -5.0, 0.0, 0.5, 200.0, 1000.0] {
                let tilted = pairs.with_mean(score_of(elo));
                assert!((tilted.mean() - score_of(elo)).abs() < 1e-9, "{counts:?} {elo}");
                assert!((tilted.shares.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{counts:?} {elo}");
            }
            for elo in [-200.0, -5.0, 0.0, 0.5, 200.0] {
                let (mean, _) = pairs.with_normalised(elo).normalised_elo();
                assert!((mean - elo).abs() < 1e-4, "{counts:?} {elo}: {mean}");
            }
        }
    }

    /// The slow, obvious check: of many distributions with this mean, none makes the pairs more
    /// likely.
    #[test]
    fn no_other_distribution_with_this_mean_is_more_likely() {
        let pairs = Pentanomial::weighted([3.0, 1.0, 10.0, 2.0, 8.0]);
        let best = pairs.with_mean(0.5);
        let mut random = wurfel_core::Random::new(2);
        for _ in 0..1000 {
            // Changes that keep sum and mean: probability goes from the middle to both neighbours,
            // or back.
            let mut other = best;
            for (at, by) in [(1, 1e-2), (2, 1e-2), (3, 1e-2)] {
                let by = by * (random.unit() - 0.5);
                other.shares[at] -= 2.0 * by;
                other.shares[at - 1] += by;
                other.shares[at + 1] += by;
            }
            assert!((other.mean() - 0.5).abs() < 1e-9);
            let is_possible = other.shares.iter().all(|share| *share > 0.0);
            assert!(!is_possible || pairs.evidence(&best, &other) > 0.0);
        }
    }
}
