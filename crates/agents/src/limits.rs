//! Reads the values of options: times, numbers, `yes` and `no`.

use std::time::Duration;

/// The error of a value that cannot be read: what was expected instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {0}")]
pub struct LimitError(pub String);

/// Reads a time from 0.001ms to a day: a number with `ms`, `s` or `m`, as in `100ms` or `1.5s`.
///
/// ```
/// use std::time::Duration;
///
/// use wurfel_agents::parse_time;
///
/// assert_eq!(parse_time("1.5s")?, Duration::from_millis(1500));
/// assert!(parse_time("soon").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is not such a time.
pub fn parse_time(text: &str) -> Result<Duration, LimitError> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    units
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))
        .and_then(|(number, seconds)| Some(number.parse::<f64>().ok()? * seconds))
        .filter(|seconds| (1e-6..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| LimitError("a time from 0.001ms to 1440m, such as 100ms or 2s".into()))
}

/// Reads an amount of memory from 1MB to 1000GB: a whole number with `MB` or `GB`, as in `500MB`.
/// Returns bytes.
///
/// # Errors
/// When the text is not such an amount.
pub(crate) fn parse_memory(text: &str) -> Result<u64, LimitError> {
    let units = [("MB", 1_000_000), ("GB", 1_000_000_000)];
    units
        .iter()
        .find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, bytes)))
        .and_then(|(number, bytes)| number.parse::<u64>().ok()?.checked_mul(*bytes))
        .filter(|bytes| (1_000_000..=1_000_000_000_000).contains(bytes))
        .ok_or_else(|| LimitError("memory from 1MB to 1000GB, such as 500MB, or none".into()))
}

/// Reads a whole number from `least` to `most`.
///
/// # Errors
/// When the text is no such number.
pub fn parse_number(text: &str, least: u64, most: u64) -> Result<u64, LimitError> {
    text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        LimitError(format!("a whole number from {} to {}", grouped(least), grouped(most)))
    })
}

/// Reads a decimal number from `least` to `most`.
///
/// # Errors
/// When the text is no such number.
pub fn parse_decimal(text: &str, least: f64, most: f64) -> Result<f64, LimitError> {
    text.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        LimitError(format!("a number from {} to {}", with_commas(least), with_commas(most)))
    })
}

/// A number with a comma after every three digits: `1,000,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A decimal number, with commas if it is whole.
fn with_commas(number: f64) -> String {
    if number.fract() == 0.0 {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("{sign}{}", grouped(number.abs() as u64))
    } else {
        number.to_string()
    }
}

pub(crate) fn parse_yes(text: &str) -> Result<bool, LimitError> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(LimitError("yes or no".into())),
    }
}
