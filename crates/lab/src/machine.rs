//! The circumstances of a result: the machine, the program, the day.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use wurfel_core::checksum_text;

/// The signatures of the searches, as `wurfel bench` prints them. A test compares the file with the
/// program.
pub const SIGNATURES: &str = include_str!("../signature.txt");

/// The signature of all searches of this program, sixteen hexadecimal digits. A result that was
/// made by a program with another signature is stale.
pub fn signature() -> String {
    checksum_text(SIGNATURES)
}

/// The computer that made a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The operating system.
    pub system: String,
    /// The kind of CPU, in the terms of compilers.
    pub architecture: String,
    /// The name of the CPU, where the system tells it.
    pub cpu: Option<String>,
    /// The number of CPUs that the program may use.
    pub cpus: usize,
}

impl Machine {
    /// The computer on which the program runs.
    pub fn this() -> Self {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpu = info.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == "model name").then(|| value.trim().to_owned())
        });
        Self {
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            cpu,
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The commit that the program was built from, followed by `+` if its source had been changed
/// since; `None` if it was not built in a repository.
pub const COMMIT: Option<&str> = option_env!("WURFEL_COMMIT");

/// The present time in UTC, as 2026-01-31 14:05.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(since / 86_400);
    let minutes = since % 86_400 / 60;
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// The date `days` days after the first of January 1970, as year, month and day (H. Hinnant,
/// "chrono-compatible low-level date algorithms", 2013, for years after 0). The calculation counts
/// years from March.
const fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (next, month_of_ours) = if month < 10 { (0, month + 3) } else { (1, month - 9) };
    (era * 400 + year + next, month_of_ours, of_year - (153 * month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_819, (2027, 1, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
