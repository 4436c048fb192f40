//! Reads the values of options: times, numbers, `yes` and `no`.

use std::time::Duration;

/// The error of a value that cannot be read: what was expected instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {0}")]
pub struct LimitError(pub String);

/// Reads a time from 0.001ms to a day: a number with `ms`, `s` or `m`, as in `100ms` or `1.5s`.
///
/// # Errors
/// When the text is no such time.
pub fn parse_time(text: &str) -> Result<Duration, LimitError> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    units
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))
        .and_then(|(number, seconds)| Some(number.parse::<f64>().ok()? * seconds))
        .filter(|seconds| (1e-6..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| LimitError("a time such as 100ms, 2s or 1.5s".into()))
}

/// Reads a whole number from `least` to `most`.
pub(crate) fn parse_number(text: &str, least: u64, most: u64) -> Result<u64, LimitError> {
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| LimitError(format!("a whole number from {least} to {most}")))
}

/// Reads a decimal number from `least` to `most`.
pub(crate) fn parse_decimal(text: &str, least: f64, most: f64) -> Result<f64, LimitError> {
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| LimitError(format!("a number from {least} to {most}")))
}

/// Reads `yes` or `no`.
pub(crate) fn parse_yes(text: &str) -> Result<bool, LimitError> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(LimitError("yes or no".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(parse_time("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_mins(2)));
        for wrong in ["", "2", "s", "-1s", "nans", "infs", "0s", "1e99s", "2 h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
