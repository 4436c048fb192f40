//! Warnings to the operator of the site, with a limit on warnings about the same problem.

use std::io::Write;
use std::time::Duration;

use wurfel_core::Instant;

/// The minimum time between two warnings of one kind.
const QUIET: Duration = Duration::from_secs(10);

/// A problem that may occur repeatedly.
#[derive(Default)]
pub(crate) struct Warning {
    /// The time of the last warning to the operator.
    warned_at: Option<Instant>,
    /// The number of occurrences since then.
    unreported: usize,
}

impl Warning {
    /// Reports that the problem occurred `count` times. Writes a line to standard error at the
    /// first occurrence, and after that only rarely.
    pub fn raise(&mut self, count: usize, line: impl FnOnce(usize) -> String) {
        self.unreported += count;
        if self.warned_at.is_none_or(|at| at.elapsed() >= QUIET) {
            tell(&line(self.unreported));
            self.warned_at = Some(Instant::now());
            self.unreported = 0;
        }
    }

    /// Reports that the problem is over.
    pub fn passed(&mut self, line: &str) {
        if self.warned_at.take().is_some() {
            self.unreported = 0;
            tell(line);
        }
    }
}

fn tell(line: &str) {
    // Standard error may be closed.
    let _ = writeln!(std::io::stderr(), "wurfel: {line}");
}
