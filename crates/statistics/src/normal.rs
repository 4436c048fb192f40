//! The normal distribution: its tail, accurate to the last digit however far out, and normally
//! distributed random numbers.

use std::f64::consts::PI;

use wurfel_core::Random;

/// Beyond this the continued fraction of the tail is exact with [`TERMS`] terms; below it the
/// series is.
const FAR: f64 = 2.5;
const TERMS: u32 = 80;

/// The standard normal distribution function.
pub(crate) fn normal(x: f64) -> f64 {
    scaled(0.0, x)
}

/// e to the power of `exponent`, times the normal distribution function at `x`. The product is
/// accurate even where the first factor alone would overflow and the second one underflow.
///
/// Near the middle the function is ½ + φ(x)·(x + x³/3 + x⁵/15 + …), in the tail φ(x) divided by Laplace's
/// continued fraction (Abramowitz and Stegun 26.2.11 and 26.2.14).
pub(crate) fn scaled(exponent: f64, x: f64) -> f64 {
    let density = |exponent: f64| libm::exp(exponent - x * x / 2.0) / (2.0 * PI).sqrt();
    if x.abs() < FAR {
        let (mut sum, mut term) = (x, x);
        for n in 1..TERMS {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return libm::exp(exponent) * (0.5 + density(0.0) * sum);
    }
    let distance = x.abs();
    let fraction = (1..=TERMS).rev().fold(0.0, |below, n| f64::from(n) / (distance + below));
    let tail = density(exponent) / (distance + fraction);
    if x < 0.0 { tail } else { libm::exp(exponent) - tail }
}

/// A number with the standard normal distribution, by Box and Muller.
pub(crate) fn draw(random: &mut Random) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - random.unit())).sqrt();
    radius * libm::cos(2.0 * PI * random.unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_is_that_of_the_tables() {
        // Abramowitz and Stegun, tables 26.1 and 26.2; the last one from 26.2.12.
        for (x, probability) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.5, 0.993_790_334_674_224),
            (3.0, 0.998_650_101_968_370),
            (-1.959_963_984_540_054, 0.025),
            (-5.0, 2.866_515_719e-7),
        ] {
            let actual = normal(x);
            assert!((actual / probability - 1.0).abs() < 1e-9, "{x}: {actual}");
        }
    }

    #[test]
    fn series_and_fraction_meet() {
        for x in [-FAR, FAR] {
            let (before, behind) = (normal(x * (1.0 - 1e-12)), normal(x * (1.0 + 1e-12)));
            assert!((before / behind - 1.0).abs() < 1e-10, "{before} {behind}");
        }
    }

    #[test]
    fn factors_that_would_overflow_do_not() {
        // e^800 Φ(−40): the tail is φ(40)/40 · (1 − 1/1600 + …).
        let expected =
            1.0 / (2.0 * PI).sqrt() / 40.0 * (1.0 - 1.0 / 1600.0 + 3.0 / 1600f64.powi(2));
        assert!((scaled(800.0, -40.0) / expected - 1.0).abs() < 1e-7);
        assert!(scaled(-2000.0, -60.0) < 1e-300);
    }

    #[test]
    fn draws_have_mean_0_and_variance_1() {
        let mut random = Random::new(4);
        let numbers: Vec<f64> = (0..100_000).map(|_| draw(&mut random)).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.015 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }
}
