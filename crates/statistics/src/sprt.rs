//! The sequential probability ratio test: it plays on until one of two hypotheses about the
//! difference in strength is clearly likelier, and no longer.
//!
//! After each pair, the LLR, the logarithm of how much more likely the pairs are under H1 than
//! under H0, is compared with two bounds. The hypotheses state the mean of the outcomes of pairs
//! and leave the rest of their distribution open; each is represented by its most likely
//! distribution ([`Pentanomial`]). This makes the test a generalised one, whose bounds hold
//! approximately; [`SprtSimulation`](crate::SprtSimulation) shows how well.
//!
//! With luck taken off, results are no longer five outcomes but arbitrary numbers. The hypotheses
//! are then compared as for normally distributed numbers of unknown variance: LLR = n/2 · ln((v +
//! (m − s₀)²) / (v + (m − s₁)²)).
//!
//! Source: A. Wald, *Sequential tests of statistical hypotheses*, 1945; M. Van den Bergh's papers
//! (see [`Pentanomial`]) for pairs and normalised Elo.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::match_tally::MatchTally;
use crate::pentanomial::{Pentanomial, elo_of, score_of};
use crate::score::Interval;
use crate::stopping::{Diffusion, StoppingAdjusted};

/// The scale on which the hypotheses of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo: an expected score of 1 / (1 + 10^(−Elo/400)).
    #[default]
    Logistic,
    /// Normalised Elo: the expected score above one half in standard deviations of a game, times
    /// 800/ln 10. On this scale, the length of a test no longer depends on how often games are
    /// drawn.
    Normalised,
}

impl EloModel {
    const ALL: [(Self, &'static str); 2] =
        [(Self::Logistic, "logistic"), (Self::Normalised, "normalised")];

    /// The largest difference that a hypothesis can claim. At 1,000 Elo every 300th game is lost;
    /// from 230 normalised Elo on there may be no distribution of pairs with that mean.
    const fn limit(self) -> f64 {
        match self {
            Self::Logistic => 1000.0,
            Self::Normalised => 200.0,
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(model, _)| model == self).map_or("", |(_, name)| name);
        f.pad(name)
    }
}

impl FromStr for EloModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let model = Self::ALL.iter().find(|(_, name)| *name == text);
        model.map(|(model, _)| *model).ok_or_else(|| SprtError::Model(text.to_owned()))
    }
}

/// Why the parameters do not define a test.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// An unknown model.
    #[error("unknown model '{0}': expected logistic or normalised")]
    Model(String),
    /// The hypotheses are not in order.
    #[error("elo0 is {0} and elo1 {1}: expected elo0 below elo1")]
    Order(f64, f64),
    /// A hypothesis is out of range.
    #[error("Elo {0}: expected a number from −{1} to {1}")]
    Range(f64, f64),
    /// An error rate is not one.
    #[error("error rates {0} and {1}: expected two numbers above 0 whose sum is below 1")]
    Rates(f64, f64),
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sprt {
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1, above that under H0.
    pub elo1: f64,
    /// How often H1 may be accepted although H0 is true: above 0.
    pub alpha: f64,
    /// How often H0 may be accepted although H1 is true: above 0.
    pub beta: f64,
    /// The scale of the hypotheses.
    pub model: EloModel,
    /// Whether the luck of the dice is taken off the results, where it was measured.
    pub luck: bool,
}

impl Default for Sprt {
    /// 0 against 5 Elo with 5 % errors of each kind.
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
            luck: false,
        }
    }
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// The difference is not that of H1.
    H0,
    /// The difference is not that of H0.
    H1,
    /// The games ended before the test was decided.
    Inconclusive,
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::H0 => "H0 accepted",
            Self::H1 => "H1 accepted",
            Self::Inconclusive => "inconclusive",
        })
    }
}

/// The results so far as a test sees them: a mean and its variation.
#[derive(Clone, Copy, Debug)]
struct Sample {
    pairs: f64,
    /// The mean score of a game.
    mean: f64,
    /// The variance of a pair's mean score.
    variance: f64,
}

impl Sprt {
    /// The test itself, if its parameters define one.
    ///
    /// # Errors
    /// When the hypotheses are not in order or out of range, or an error rate is not one.
    pub fn checked(self) -> Result<Self, SprtError> {
        let Self { elo0, elo1, alpha, beta, .. } = self;
        self.in_range(elo0)?;
        self.in_range(elo1)?;
        if elo0 >= elo1 {
            return Err(SprtError::Order(elo0, elo1));
        }
        if alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0 {
            return Ok(self);
        }
        Err(SprtError::Rates(alpha, beta))
    }

    /// The Elo difference itself, if a hypothesis can claim it.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn in_range(&self, elo: f64) -> Result<f64, SprtError> {
        let limit = self.model.limit();
        if elo.abs() <= limit { Ok(elo) } else { Err(SprtError::Range(elo, limit)) }
    }

    /// The bounds of the LLR: H0 is accepted at the lower one, H1 at the upper one.
    pub fn bounds(&self) -> Interval {
        Interval {
            low: (self.beta / (1.0 - self.alpha)).ln(),
            high: ((1.0 - self.beta) / self.alpha).ln(),
        }
    }

    /// The LLR of these pairs: positive where H1 is likelier. Luck is used when the test is to take
    /// it off and there are enough pairs to fit how much of it to take off.
    pub fn llr(&self, pairs: [u64; 5], luck: Option<&Control>) -> f64 {
        let outcomes = Pentanomial::of(pairs);
        if let Some(Sample { pairs, mean, variance }) = self.without_luck(luck) {
            let [from0, from1] = self.scores(&outcomes).map(|score| (mean - score).powi(2));
            return pairs / 2.0 * ((variance + from0) / (variance + from1)).ln();
        }
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => outcomes.with_mean(score_of(elo)),
            EloModel::Normalised => outcomes.with_normalised(elo),
        });
        outcomes.evidence(&h1, &h0)
    }

    /// The verdict for this LLR; inconclusive between the bounds.
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        let Interval { low, high } = self.bounds();
        match llr {
            llr if llr >= high => SprtVerdict::H1,
            llr if llr <= low => SprtVerdict::H0,
            _ => SprtVerdict::Inconclusive,
        }
    }

    /// The verdict for the games of a match.
    pub fn verdict_of(&self, report: &MatchTally) -> SprtVerdict {
        self.verdict(self.llr_of(report))
    }

    /// The LLR of the games of a match.
    pub fn llr_of(&self, report: &MatchTally) -> f64 {
        self.llr(report.score.pairs, report.luck.as_ref())
    }

    /// The Elo difference, in logistic Elo and without the bias that comes from stopping when it
    /// looked large or small: median-unbiased, with a 95 % interval. It applies both to tests that
    /// were decided and to those that were stopped undecided. Pairs that all ended alike give no estimate,
    /// because they do not show how much pairs vary.
    pub fn estimate(&self, pairs: [u64; 5], luck: Option<&Control>) -> StoppingAdjusted {
        let outcomes = Pentanomial::of(pairs);
        let raw = Sample {
            pairs: outcomes.pairs(),
            mean: outcomes.mean(),
            variance: outcomes.variance(),
        };
        let vary = pairs.iter().filter(|count| **count > 0).count() > 1;
        let Some(sample) = self.without_luck(luck).or_else(|| vary.then_some(raw)) else {
            return StoppingAdjusted::NONE;
        };
        let [score0, score1] = self.scores(&outcomes);
        let middle = f64::midpoint(score0, score1);
        let bounds = self.bounds();
        // The LLR is treated as a diffusion that ends exactly at its bound, not beyond it.
        let slope = (sample.mean - middle) * (score1 - score0) / sample.variance;
        let llr = (sample.pairs * slope).clamp(bounds.low, bounds.high);
        let time = if slope == 0.0 { sample.pairs } else { llr / slope };
        StoppingAdjusted::invert(elo_of(sample.mean), |elo| {
            let score = score_of(elo);
            // The most likely variance if this score were the true mean.
            let variance = sample.variance + (score - sample.mean).powi(2);
            let diffusion = Diffusion {
                bounds,
                drift: (score - middle) * (score1 - score0) / variance,
                variance: (score1 - score0).powi(2) / variance,
            };
            diffusion.worse_than(time, llr)
        })
    }

    /// The mean scores under both hypotheses. Normalised Elo always refers to standard deviations
    /// of games with their luck, because taking luck off must not change the hypotheses.
    fn scores(&self, outcomes: &Pentanomial) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => score_of(elo),
            EloModel::Normalised => outcomes.score_of_normalised(elo),
        })
    }

    /// The results without their luck; `None` if it is not to be taken off or cannot be.
    fn without_luck(&self, luck: Option<&Control>) -> Option<Sample> {
        let control = luck.filter(|_| self.luck)?;
        let estimate = control.adjusted()?.estimate;
        let pairs = control.count() as f64;
        let variance = estimate.error.powi(2) * pairs;
        (variance > 0.0).then_some(Sample { pairs, mean: estimate.mean, variance })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt { elo0, elo1, model, ..Sprt::default() }
    }

    /// LLRs from fastchess's unit tests (`sprt_test.cpp`), from logs of matches that fastchess
    /// ended, and from fishtest.
    #[test]
    fn llrs_are_those_that_were_printed() {
        use EloModel::{Logistic, Normalised};
        for (counts, elo0, elo1, model, printed) in [
            ([223, 9863, 21_279, 10_037, 246], 0.5, 2.5, Logistic, "-3.07"),
            ([871, 26_175, 55_983, 26_678, 821], 0.0, 2.0, Logistic, "-4.98"),
            ([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, Normalised, "2.25"),
            ([127, 4883, 10_712, 5150, 104], -1.75, 0.25, Normalised, "3.01"),
            ([352, 579, 1264, 743, 464], 9.0, 16.0, Normalised, "4.60"),
            ([153, 402, 1102, 831, 565], 70.0, 75.0, Normalised, "4.61"),
            ([382, 787, 1612, 879, 588], 10.0, 15.0, Normalised, "4.61"),
            ([77, 111, 231, 149, 111], 0.0, 10.0, Normalised, "2.97"),
            ([152, 94, 434, 116, 201], 0.0, 10.0, Normalised, "3.00"),
            ([45, 207, 407, 267, 49], -5.0, 5.0, Normalised, "2.96"),
            ([770, 1594, 2798, 1591, 651], -5.0, 0.0, Normalised, "-2.95"),
            ([16, 25, 42, 12, 3], -10.0, 10.0, Normalised, "-2.95"),
            ([1, 0, 191, 10, 275], 0.0, 2.0, Normalised, "2.95"),
            // Every game was lost.
            ([71, 0, 0, 0, 0], 0.0, 10.0, Normalised, "-2.95"),
        ] {
            let llr = test(elo0, elo1, model).llr(counts, None);
            assert_eq!(format!("{llr:.2}"), printed, "{counts:?}");
        }
    }

    /// The reference values of fishtest's tests (`test_stats_sprt.py`).
    #[test]
    fn estimates_without_stopping_bias_are_those_of_fishtest() {
        let sprt = test(0.0, 2.0, EloModel::Normalised);
        for (counts, elo, low, high) in [
            ([1, 60, 500, 1200, 600], 188.3595, 170.7252, 214.8484),
            ([1, 20, 300, 900, 779], 245.4729, 223.6370, 289.7981),
        ] {
            let estimate = sprt.estimate(counts, None);
            for (actual, printed) in
                [(estimate.elo, elo), (estimate.low, low), (estimate.high, high)]
            {
                assert!((actual.unwrap() - printed).abs() < 0.0005, "{counts:?}: {actual:?}");
            }
        }
    }

    #[test]
    fn bounds_are_walds() {
        let Interval { low, high } = Sprt::default().bounds();
        assert_eq!((format!("{low:.2}"), format!("{high:.2}")), ("-2.94".into(), "2.94".into()));
        let sprt = Sprt { alpha: 0.01, beta: 0.1, ..Sprt::default() };
        assert!((sprt.bounds().low - (0.1f64 / 0.99).ln()).abs() < 1e-12);
        assert_eq!(sprt.verdict(4.6), SprtVerdict::H1);
        assert_eq!(sprt.verdict(4.4), SprtVerdict::Inconclusive);
        assert_eq!(sprt.verdict(-2.3), SprtVerdict::H0);
    }

    #[test]
    fn exchanging_the_agents_changes_the_sign() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let [one, other] = [(-3.0, 10.0), (-10.0, 3.0)].map(|(a, b)| test(a, b, model));
            let counts = [4, 9, 30, 12, 8];
            let mut mirrored = counts;
            mirrored.reverse();
            let sum = one.llr(counts, None) + other.llr(mirrored, None);
            assert!(sum.abs() < 1e-8, "{model}: {sum}");
        }
    }

    /// First pairs, pairs that are all equal, and tests of every width: nothing is certain too
    /// early, and all results are finite numbers.
    #[test]
    fn few_and_equal_pairs_prove_little() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            for width in [1.0, 5.0, 100.0] {
                let sprt = test(0.0, width, model);
                assert!(sprt.llr([0; 5], None).abs() < 0.01);
                for place in 0..5 {
                    let mut counts = [0; 5];
                    counts[place] = 1;
                    let llr = sprt.llr(counts, None);
                    assert!(llr.abs() < 1.0, "{counts:?} {sprt:?}: {llr}");
                    let estimate = sprt.estimate(counts, None);
                    assert_eq!(estimate, StoppingAdjusted::NONE, "{counts:?}");
                    counts[place] = 1_000_000;
                    assert!(sprt.llr(counts, None).is_finite(), "{counts:?} {sprt:?}");
                    counts[4 - place] += 1;
                    let estimate = sprt.estimate(counts, None);
                    let numbers = [estimate.elo, estimate.low, estimate.high];
                    assert!(numbers.iter().flatten().all(|elo| elo.is_finite()), "{estimate:?}");
                }
            }
        }
    }

    #[test]
    fn tests_that_cannot_be_made_say_why() {
        for (sprt, expected) in [
            (test(5.0, 5.0, EloModel::Logistic), "expected elo0 below elo1"),
            (test(f64::NAN, 5.0, EloModel::Logistic), "from −1000 to 1000"),
            (test(0.0, 300.0, EloModel::Normalised), "from −200 to 200"),
            (Sprt { alpha: 0.0, ..Sprt::default() }, "above 0"),
            (Sprt { alpha: 0.5, beta: 0.5, ..Sprt::default() }, "below 1"),
        ] {
            let error = sprt.checked().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!("normalised".parse(), Ok(EloModel::Normalised));
        assert!("bayesian".parse::<EloModel>().is_err());
        assert_eq!(Sprt::default().checked(), Ok(Sprt::default()));
    }
}
