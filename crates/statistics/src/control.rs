//! Luck as a control variate: taking the luck off results narrows their interval.
//!
//! A result *y* comes with its luck *x*, whose mean is known to be 0. Therefore *y* − *c x* has the
//! same mean as *y* for every *c* that does not depend on *x*, and less variance for the right *c*,
//! the regression slope of *y* on *x*. A slope that was fitted on the same results to which it is
//! applied would bias them. The results are therefore dealt into [`FOLDS`] folds, and each fold
//! gets the slope of the others (cross-fitting). Results may come from strata of known probability;
//! then only the variance within strata counts.
//!
//! Control variates and stratification: A. Owen, *Monte Carlo theory, methods and
//! examples*, chapter 8 (2013).

use serde::{Deserialize, Serialize};

use crate::score::{Interval, Z, student_quantile, wilson_interval};

/// The number of folds into which results are dealt.
pub(crate) const FOLDS: usize = 10;
/// Standard errors below this are rounding: the results do not vary.
const NO_ERROR: f64 = 1e-9;
/// With fewer results than this nothing is adjusted, because the slope would be too uncertain.
const MIN_COUNT: u64 = 20;

/// The sums over results from which means and variances follow.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Moments {
    count: f64,
    y: f64,
    x: f64,
    yy: f64,
    xy: f64,
    xx: f64,
}

impl Moments {
    fn add(&mut self, y: f64, x: f64) {
        let one = Self { count: 1.0, y, x, yy: y * y, xy: x * y, xx: x * x };
        *self = self.plus(&one, 1.0);
    }

    fn plus(&self, other: &Self, times: f64) -> Self {
        Self {
            count: self.count + times * other.count,
            y: self.y + times * other.y,
            x: self.x + times * other.x,
            yy: self.yy + times * other.yy,
            xy: self.xy + times * other.xy,
            xx: self.xx + times * other.xx,
        }
    }

    /// The sums of *y* − *c x* and of its square.
    fn adjusted(&self, c: f64) -> (f64, f64) {
        (self.y - c * self.x, self.yy - 2.0 * c * self.xy + c * c * self.xx)
    }
}

/// Results and their luck.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Control {
    /// The probability of each stratum, and its results by fold.
    strata: Vec<(f64, [Moments; FOLDS])>,
    count: u64,
}

impl Default for Control {
    /// Results of a single stratum.
    fn default() -> Self {
        Self::stratified([1.0])
    }
}

/// A mean with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean of the results, 0 to 1, for the side whose results were added.
    pub mean: f64,
    /// Its standard error; 0 where the results do not vary, see [`Estimate::known_error`].
    pub error: f64,
    /// Its 95 % interval, within 0 to 1.
    pub interval: Interval,
}

impl Estimate {
    /// The standard error; `None` where it cannot be estimated because the results do not vary: they
    /// are all alike, or there is a single one.
    pub fn known_error(&self) -> Option<f64> {
        (self.error >= NO_ERROR).then_some(self.error)
    }

    /// The standard error after this number of results. Where they do not vary, it assumes that one more could
    /// have been another.
    pub fn error_after(&self, results: u64) -> f64 {
        self.known_error().unwrap_or(1.0 / (results + 1) as f64)
    }
}

/// The mean of results with their luck taken off.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adjusted {
    /// The adjusted mean.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The share of the luck that was taken off: the mean of *c* over the folds.
    pub coefficient: f64,
    /// The factor by which more results would be needed for the same interval without adjustment.
    pub gain: f64,
}

impl Control {
    /// An empty control for strata with these probabilities, which sum to 1.
    pub fn stratified(likely: impl IntoIterator<Item = f64>) -> Self {
        let strata = likely.into_iter().map(|likely| (likely, Default::default())).collect();
        Self { strata, count: 0 }
    }

    /// Adds a result *y* from 0 to 1 and its luck *x*.
    pub fn add(&mut self, stratum: usize, y: f64, x: f64) {
        let (_, folds) = &mut self.strata[stratum];
        let before: f64 = folds.iter().map(|fold| fold.count).sum();
        folds[before as usize % FOLDS].add(y, x);
        self.count += 1;
    }

    /// Adds the results of another control of the same strata, as if they had been added one by one.
    ///
    /// # Panics
    /// When the strata differ in number.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.strata.len(), other.strata.len(), "only equal strata can be added up");
        for ((_, folds), (_, more)) in self.strata.iter_mut().zip(&other.strata) {
            // Dealing continues with the fold after the one that received the last result.
            let dealt: f64 = folds.iter().map(|fold| fold.count).sum();
            for (number, fold) in more.iter().enumerate() {
                let place = (dealt as usize + number) % FOLDS;
                folds[place] = folds[place].plus(fold, 1.0);
            }
        }
        self.count += other.count;
    }

    /// Whether another control has the same strata.
    pub fn has_same_strata(&self, other: &Self) -> bool {
        self.strata.len() == other.strata.len()
            && self
                .strata
                .iter()
                .zip(&other.strata)
                .all(|((one, _), (other, _))| one.total_cmp(other).is_eq())
    }

    /// Whether the sums can be those of results, as far as can be checked; needed because they may
    /// come from a file with any content.
    pub fn is_sound(&self) -> bool {
        let folds = || self.strata.iter().flat_map(|(_, folds)| folds);
        let numbers = |of: &Moments| [of.count, of.y, of.x, of.yy, of.xy, of.xx];
        let counted: f64 = folds().map(|fold| fold.count).sum();
        let whole = |count: f64| count >= 0.0 && count.fract() == 0.0;
        folds().all(|fold| whole(fold.count) && numbers(fold).iter().all(|sum| sum.is_finite()))
            && counted as u64 == self.count
    }

    /// The number of results.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean without adjustment.
    pub fn raw(&self) -> Estimate {
        self.with_coefficient(0.0)
    }

    /// The mean with this share of the luck taken off. It is unbiased if the coefficient was chosen
    /// without looking at these results.
    pub fn with_coefficient(&self, coefficient: f64) -> Estimate {
        self.estimate(&[coefficient; FOLDS])
    }

    /// The luck-adjusted mean. `None` while there are too few results, when their luck does not
    /// vary, or when luck explains them completely.
    pub fn adjusted(&self) -> Option<Adjusted> {
        let slopes = self.slopes()?;
        let estimate = self.estimate(&slopes);
        Some(Adjusted {
            estimate,
            coefficient: slopes.iter().sum::<f64>() / FOLDS as f64,
            gain: (self.raw().error / estimate.error).powi(2),
        })
        .filter(|adjusted| adjusted.gain.is_finite())
    }

    /// The slope for each fold, under the same conditions as [`Control::adjusted`].
    pub fn slopes(&self) -> Option<[f64; FOLDS]> {
        if self.count < MIN_COUNT {
            return None;
        }
        let slopes: Vec<f64> = (0..FOLDS).map(|fold| self.slope(fold)).collect::<Option<_>>()?;
        slopes.try_into().ok()
    }

    /// The slope of results on luck within the strata, fitted without one fold.
    fn slope(&self, without: usize) -> Option<f64> {
        let (mut covariance, mut variance) = (0.0, 0.0);
        for (likely, folds) in &self.strata {
            let all = folds.iter().fold(Moments::default(), |sum, fold| sum.plus(fold, 1.0));
            let Moments { count, y, x, xy, xx, .. } = all.plus(&folds[without], -1.0);
            if count > 0.5 {
                covariance += likely * (xy - x * y / count) / count;
                variance += likely * (xx - x * x / count) / count;
            }
        }
        (variance > 1e-12).then(|| covariance / variance)
    }

    /// The mean when each fold has luck taken off with its own slope.
    fn estimate(&self, slopes: &[f64; FOLDS]) -> Estimate {
        let (mut mean, mut squared_error) = (0.0, 0.0);
        for (likely, folds) in &self.strata {
            let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
            for (fold, &slope) in folds.iter().zip(slopes) {
                let (own, own_squares) = fold.adjusted(slope);
                count += fold.count;
                sum += own;
                squares += own_squares;
            }
            if count > 0.0 {
                let centre = sum / count;
                mean += likely * centre;
                let variance = (squares - sum * centre).max(0.0) / (count - 1.0).max(1.0);
                squared_error += likely * likely * variance / count;
            }
        }
        let error = squared_error.sqrt();
        let freedom = self.count.saturating_sub(self.strata.len() as u64).max(1);
        let half = student_quantile(freedom as f64) * error;
        let interval =
            Interval { low: (mean - half).clamp(0.0, 1.0), high: (mean + half).clamp(0.0, 1.0) };
        // Results that are all alike do not show how much they can vary. They are then taken for
        // the share of games won: no result between 0 and 1 varies more than that.
        let interval = match self.count {
            0 => Interval { low: 0.0, high: 1.0 },
            count if error < NO_ERROR => wilson_interval(mean.clamp(0.0, 1.0), Z, count as f64),
            _ => interval,
        };
        Estimate { mean, error, interval }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::Random;

    /// A simulated game that is half decided by luck, which is measured with a distortion.
    /// Returns the result and the measured luck.
    fn game(random: &mut Random, chance: f64) -> (f64, f64) {
        // Luck raises the win probability as often as it lowers it.
        let luck = random.unit() - 0.5;
        let won = random.unit() < chance + 0.6 * luck;
        (f64::from(u8::from(won)), 1.7 * luck)
    }

    /// Over many small samples the adjusted mean is unbiased, its interval contains the true mean
    /// in 95 % of the samples, and it is shorter than the raw interval.
    #[test]
    fn taking_luck_off_changes_no_mean_and_the_interval_holds() {
        let mut random = Random::new(5);
        for (results, chance) in [(20, 0.5), (40, 0.6), (400, 0.35)] {
            let samples = 4000;
            let (mut sum, mut squares, mut covered, mut gain) = (0.0, 0.0, 0, 0.0);
            for _ in 0..samples {
                let mut control = Control::default();
                for _ in 0..results {
                    let (y, x) = game(&mut random, chance);
                    control.add(0, y, x);
                }
                let Adjusted { estimate, gain: more, .. } = control.adjusted().unwrap();
                sum += estimate.mean - chance;
                squares += ((estimate.mean - chance) / estimate.error).powi(2);
                let Interval { low, high } = estimate.interval;
                covered += u32::from(low <= chance && chance <= high);
                gain += more / f64::from(samples);
            }
            let samples = f64::from(samples);
            // Four standard errors of the mean of all samples.
            let bound = 4.0 * 0.5 / f64::from(results).sqrt() / samples.sqrt();
            assert!((sum / samples).abs() < bound, "{results}: {}", sum / samples);
            let share = f64::from(covered) / samples;
            assert!((0.93..0.965).contains(&share), "{results}: {share}");
            let spread = squares / samples;
            assert!(results < 40 || (0.9..1.15).contains(&spread), "{results}: {spread}");
            assert!(results < 40 || gain > 1.05, "{results}: {gain}");
        }
    }

    /// A slope that was fitted on the same results to which it is applied biases them; one that was
    /// fitted on other results does not.
    #[test]
    fn the_slope_comes_from_other_results() {
        let mut random = Random::new(9);
        let (mut crossed, mut own) = (0.0, 0.0);
        let samples = 40_000;
        for _ in 0..samples {
            let mut control = Control::default();
            let mut all = Moments::default();
            for _ in 0..20 {
                // Much luck of either sign wins, so that no straight line fits.
                let luck = random.unit() - 0.5;
                control.add(0, 2.0 * luck.abs(), luck);
                all.add(2.0 * luck.abs(), luck);
            }
            let adjusted = control.adjusted().map_or(control.raw(), |adjusted| adjusted.estimate);
            crossed += (adjusted.mean - 0.5) / f64::from(samples);
            let Moments { count, y, x, xy, xx, .. } = all;
            let slope = (xy - x * y / count) / (xx - x * x / count).max(1e-9);
            own += ((y - slope * x) / count - 0.5) / f64::from(samples);
        }
        assert!(crossed.abs() < 0.0015, "{crossed}");
        assert!(own.abs() > 0.004, "{own}");
    }

    /// After games that were all lost, or a single one, the interval and the standard error were once
    /// 0, as if no game could be won.
    #[test]
    fn results_that_are_all_alike_leave_an_interval() {
        let mut control = Control::stratified([0.5, 0.5]);
        assert_eq!(control.raw().interval, Interval { low: 0.0, high: 1.0 });
        for (count, high) in [(1, 0.793), (10, 0.278), (100, 0.037)] {
            while control.count() < count {
                control.add(control.count() as usize % 2, 0.0, 0.0);
            }
            let Estimate { mean, error, interval } = control.raw();
            assert!(mean.abs() < 1e-12 && error.abs() < 1e-12);
            assert_eq!(control.raw().known_error(), None);
            assert!(
                interval.low.abs() < 1e-12 && (interval.high - high).abs() < 1e-3,
                "{interval:?}"
            );
        }
    }

    #[test]
    fn strata_count_by_how_likely_they_are() {
        let mut control = Control::stratified([0.25, 0.75]);
        for n in 0..40 {
            // Both strata have as many results, although the first is rarer.
            control.add(0, 1.0, 0.0);
            control.add(1, f64::from(n % 2), 0.0);
        }
        let raw = control.raw();
        assert!((raw.mean - 0.625).abs() < 1e-12);
        let within: f64 = 0.75 * (0.25 * 40.0 / 39.0 / 40.0f64).sqrt();
        assert!((raw.error - within).abs() < 1e-12, "{}", raw.error);
        assert_eq!(control.adjusted(), None);
    }

    /// Results added in parts of any size, even smaller than the number of folds, give the same as
    /// all at once.
    #[test]
    fn results_that_were_added_in_parts_are_adjusted_alike() {
        let mut random = Random::new(3);
        let (mut whole, mut merged) = (Control::default(), Control::default());
        for size in [1, 1, 1, 7, 3, 25, 1, 61] {
            let mut part = Control::default();
            for _ in 0..size {
                // Multiples of 1/64 add up exactly in any order.
                let (y, x) = game(&mut random, 0.5);
                let x = (64.0 * x).round() / 64.0;
                whole.add(0, y, x);
                part.add(0, y, x);
            }
            merged.merge(&part);
        }
        assert_eq!(merged, whole);
        assert!(merged.adjusted().is_some());
    }

    #[test]
    fn few_results_are_not_adjusted() {
        let mut control = Control::default();
        assert_eq!(control.adjusted(), None);
        (0..19).for_each(|n| control.add(0, f64::from(n % 2), f64::from(n % 3)));
        assert_eq!(control.adjusted(), None);
        control.add(0, 1.0, 1.0);
        assert!(control.adjusted().is_some());
    }
}
