//! Estimates after a sequential test, without the bias of stopping.
//!
//! A test stops when the score looks good, or bad, so the score at the end is too good, or too bad.
//! The remedy puts all ways in which a test may end into an order, from the quickest acceptance of
//! H0, through tests that were stopped undecided, to the quickest acceptance of H1. For each true
//! difference it asks how likely a worse end is than the one that was seen. The difference for
//! which this probability is one half is the estimate: its median is the true difference. The
//! differences for which it is 97.5 % and 2.5 % bound the 95 % interval.
//!
//! The probabilities are those of a Brownian motion between two bounds, which is a close
//! approximation of the LLR.
//!
//! Source: D. Siegmund, *Estimation following sequential tests*, Biometrika 65 (1978), and
//! *Sequential analysis* (1985), chapters III and IV, for the order and the approximation at short
//! times; the series is that of W. Feller, *An introduction to probability theory and its
//! applications* II, chapter X.5. fishtest does the same, and the tests of [`sprt`](super::sprt)
//! compare with its figures.

use std::f64::consts::PI;

use serde::Serialize;

use crate::normal::scaled;
use crate::score::Interval;

/// Elo differences beyond this, in either direction, are not estimated.
const MAX_ELO: f64 = 1000.0;

/// An Elo difference that takes into account when the test stopped.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct StoppingAdjusted {
    /// The median-unbiased estimate; `None` where it is beyond ±1,000.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval; `None` where it is open.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval; `None` where it is open.
    pub high: Option<f64>,
}

impl StoppingAdjusted {
    /// Results from which nothing can be estimated.
    pub const NONE: Self = Self { elo: None, low: None, high: None };

    /// Finds the estimate from `worse`, the probability of a worse end for each true Elo
    /// difference. The search begins at `begin`, the estimate that takes no account of stopping.
    pub(crate) fn invert(begin: f64, worse: impl Fn(f64) -> f64) -> Self {
        let find = |probability| crossing(begin, |elo| worse(elo) - probability);
        Self { elo: find(0.5), low: find(0.975), high: find(0.025) }
    }
}

/// Where a falling function changes its sign, within ±[`MAX_ELO`]. Far from `begin` it may stop
/// falling, so the search goes outwards in growing steps and then bisects the first step in which
/// the sign changes.
fn crossing(begin: f64, function: impl Fn(f64) -> f64) -> Option<f64> {
    if begin.is_nan() {
        return None;
    }
    let begin = begin.clamp(-MAX_ELO, MAX_ELO);
    let rising = function(begin) > 0.0;
    let (mut near, mut step) = (begin, if rising { 0.1 } else { -0.1 });
    let mut far = loop {
        let far = near + step;
        if far.abs() > MAX_ELO {
            return None;
        }
        if (function(far) > 0.0) != rising {
            break far;
        }
        near = far;
        step *= 1.3;
    };
    while (far - near).abs() > 1e-6 {
        let middle = f64::midpoint(near, far);
        if (function(middle) > 0.0) == rising {
            near = middle;
        } else {
            far = middle;
        }
    }
    Some(near)
}

/// A Brownian motion from 0 that ends at the first of two bounds it reaches, one below 0 and one
/// above.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Diffusion {
    pub bounds: Interval,
    /// The mean change per unit of time.
    pub drift: f64,
    /// The variance of the change per unit of time.
    pub variance: f64,
}

impl Diffusion {
    /// The probability that a motion does worse than one seen at `time` in `place`: that it ends at
    /// the lower bound before that time, or is still under way then and below that place.
    pub fn worse_than(&self, time: f64, place: f64) -> f64 {
        let width = self.bounds.high - self.bounds.low;
        let tilt = self.drift / self.variance;
        // The series converges quickly unless little time has passed, and in that case no motion
        // has come near both bounds.
        let worse = if self.variance * time < 0.01 * width * width || (tilt * width).abs() > 15.0 {
            self.soon(time, place, tilt)
        } else {
            self.series(time, place, tilt)
        };
        worse.clamp(0.0, 1.0)
    }

    /// The probability for short times, as if each bound were the only one.
    fn soon(&self, time: f64, place: f64, tilt: f64) -> f64 {
        let Interval { low, high } = self.bounds;
        let (spread, travelled) = ((time * self.variance).sqrt(), self.drift * time);
        let below = scaled(0.0, (place - travelled) / spread);
        let ended = scaled(2.0 * tilt * low, (travelled + 2.0 * low - place) / spread);
        let missing = scaled(2.0 * tilt * high, (place - travelled - 2.0 * high) / spread);
        below + ended - missing
    }

    /// The probability from the series: that of ending at the lower bound at all, corrected by the
    /// motions that are still under way.
    fn series(&self, time: f64, place: f64, tilt: f64) -> f64 {
        let Interval { low, high } = self.bounds;
        let width = high - low;
        let (start, place) = (-low, place - low);
        let ended = if (tilt * width).abs() < 1e-8 {
            high / width
        } else {
            (2.0 * tilt * high).exp_m1() / (2.0 * tilt * width).exp_m1()
        };
        let rate = |n: f64| {
            let angle = n * PI / width;
            0.5 * (angle * angle * self.variance + self.drift * tilt)
        };
        let first = (tilt * (place - start) - rate(1.0) * time).exp();
        let mut sum = 0.0;
        for n in 1..1000 {
            let n = f64::from(n);
            let angle = n * PI / width;
            let left = ((rate(1.0) - rate(n)) * time).exp();
            let passed = 2.0 / width
                * (tilt * (angle * place).sin() - angle * (angle * place).cos())
                / (tilt * tilt + angle * angle);
            sum += left * passed * (angle * start).sin();
            if (first * left * passed).abs() < 1e-12 {
                break;
            }
        }
        ended + first * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::draw;
    use crate::pentanomial::elo_of;
    use wurfel_core::Random;

    fn diffusion(drift: f64) -> Diffusion {
        Diffusion { bounds: Interval { low: -2.0, high: 3.0 }, drift, variance: 0.04 }
    }

    /// The slow, obvious check: simulates motions in small steps.
    #[test]
    fn the_probability_of_worse_is_that_of_simulated_motions() {
        let mut random = Random::new(6);
        for (drift, time, place) in
            [(0.01, 200.0, 3.0), (0.01, 150.0, 1.0), (-0.02, 60.0, -2.0), (0.03, 20.0, 0.5)]
        {
            let motion = diffusion(drift);
            let (steps, trials) = (20.0, 4000);
            let mut worse = 0;
            for _ in 0..trials {
                let mut at = 0.0;
                let mut under_way = true;
                for _ in 0..(time * steps) as u32 {
                    at += drift / steps + (motion.variance / steps).sqrt() * draw(&mut random);
                    under_way = motion.bounds.low < at && at < motion.bounds.high;
                    if !under_way {
                        break;
                    }
                }
                worse += i32::from(if under_way { at <= place } else { at <= motion.bounds.low });
            }
            let share = f64::from(worse) / f64::from(trials);
            let actual = motion.worse_than(time, place);
            assert!((share - actual).abs() < 0.03, "{drift} {time} {place}: {share} {actual}");
        }
    }

    /// The two ways to calculate the probability agree where one takes over from the other.
    #[test]
    fn series_and_approximation_meet() {
        for drift in [-0.02, 0.0, 0.02, 0.1] {
            let motion = diffusion(drift);
            let time = 0.01 * 25.0 / motion.variance;
            for place in [-1.0, 0.0, 0.2, 1.0, 2.9] {
                let tilt = drift / motion.variance;
                let (one, other) =
                    (motion.soon(time, place, tilt), motion.series(time, place, tilt));
                assert!((one - other).abs() < 1e-5, "{drift} {place}: {one} {other}");
            }
        }
    }

    #[test]
    fn without_drift_the_nearer_bound_is_reached_more_often() {
        // Wald: the bounds −2 and 3 are reached with probabilities 3/5 and 2/5.
        assert!((diffusion(0.0).worse_than(1e5, 0.0) - 0.6).abs() < 1e-9);
    }

    #[test]
    fn a_result_that_no_elo_difference_explains_has_no_estimate() {
        let estimate = StoppingAdjusted::invert(1e9, |_| 0.4);
        assert_eq!(estimate, StoppingAdjusted { elo: None, low: None, high: None });
        let estimate = StoppingAdjusted::invert(5.0, |elo| 0.5 - elo / 1000.0);
        assert!(estimate.elo.unwrap().abs() < 1e-5);
        assert!((estimate.low.unwrap() + 475.0).abs() < 1e-5);
    }

    /// Results without their luck can have a mean above 1, for which there is no Elo.
    #[test]
    fn a_mean_outside_0_to_1_has_no_adjusted_elo() {
        let nothing = StoppingAdjusted::invert(f64::NAN, |_| f64::NAN);
        assert_eq!((nothing.elo, nothing.low, nothing.high), (None, None, None));
        assert!(elo_of(1.0066) > 1e300);
        assert!(elo_of(-0.01) < -1e300);
    }
}
