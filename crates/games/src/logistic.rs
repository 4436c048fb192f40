//! The logistic function, which turns log-odds or a lead into a win probability.

use std::f32::consts::LOG2_E;

/// The logistic function 1 / (1 + e⁻ˣ), from 0 (lost) over ½ (even, at 0) to 1 (won), correct to
/// five decimals.
///
/// Every evaluation ends with this function, so it consists of a few additions and multiplications:
/// 2ʸ is the power of the nearest integer, written directly into the bits of a float, times a
/// polynomial for the rest. The polynomial equals 2ʸ at the Chebyshev points of −½ to ½.
#[inline(always)]
pub(crate) fn logistic(x: f32) -> f32 {
    // Added to a number below 2²², this leaves the nearest integer in the low bits.
    const WHOLE: f32 = 12_582_912.0;
    let y = (-x * LOG2_E).clamp(-60.0, 60.0);
    let shifted = y + WHOLE;
    let rest = y - (shifted - WHOLE);
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    let part =
        1.0 + rest * (0.693_121 + rest * (0.240_223 + rest * (0.055_922 + rest * 0.009_666)));
    1.0 / (1.0 + power * part)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "numbers that floats hold exactly")]
mod tests {
    use super::logistic;

    #[test]
    fn it_is_right_to_five_decimals_everywhere() {
        for n in -40_000..=40_000 {
            let x = n as f32 / 1000.0;
            let exact = 1.0 / (1.0 + f64::from(-x).exp());
            assert!((f64::from(logistic(x)) - exact).abs() < 1e-5, "{x}");
        }
        assert_eq!(logistic(0.0), 0.5);
        assert!(logistic(f32::MAX) <= 1.0 && logistic(-f32::MAX) >= 0.0);
    }
}
