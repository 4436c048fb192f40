//! Numbers for tables and messages.

use std::fmt;

/// A number for people to read, which is never a negative zero: what rounds to nothing has no minus sign.
/// Width, precision and a plus sign in a format are those of `f64`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decimal(pub f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        let rounded = match f.precision() {
            Some(places) => format!("{value:.places$}"),
            None => value.to_string(),
        };
        let is_nothing = rounded.bytes().all(|byte| b"-.0".contains(&byte));
        fmt::Display::fmt(if is_nothing { &0.0 } else { &value }, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_a_negative_zero() {
        for (value, plain, signed) in [
            (-0.004, "0.00", "+0.00"),
            (-0.0, "0.00", "+0.00"),
            (-0.004_9, "0.00", "+0.00"),
            (-0.006, "-0.01", "-0.01"),
            (0.004, "0.00", "+0.00"),
            (-12.346, "-12.35", "-12.35"),
            (f64::NEG_INFINITY, "-inf", "-inf"),
        ] {
            assert_eq!(format!("{:.2}", Decimal(value)), plain);
            assert_eq!(format!("{:+.2}", Decimal(value)), signed);
            assert_eq!(format!("{:>8.2}", Decimal(value)), format!("{plain:>8}"));
        }
        assert_eq!(Decimal(-0.0).to_string(), "0");
        assert_eq!(Decimal(-0.5).to_string(), "-0.5");
    }
}
