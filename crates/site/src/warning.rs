//! Telling the operator, but not too often.

use std::io::Write;
use std::time::{Duration, Instant};

/// Between two warnings of one kind.
const QUIET: Duration = Duration::from_secs(10);

/// Something that may go wrong again and again.
#[derive(Default)]
pub(crate) struct Warning {
    /// When it was told last, since it began.
    told: Option<Instant>,
    /// How often it happened since.
    untold: usize,
}

impl Warning {
    /// It happened `count` times: a line on standard error, the first time and then rarely.
    pub fn raise(&mut self, count: usize, line: impl FnOnce(usize) -> String) {
        self.untold += count;
        if self.told.is_none_or(|told| told.elapsed() >= QUIET) {
            tell(&line(self.untold));
            self.told = Some(Instant::now());
            self.untold = 0;
        }
    }

    /// It does not happen any more.
    pub fn passed(&mut self, line: &str) {
        if self.told.take().is_some() {
            self.untold = 0;
            tell(line);
        }
    }
}

fn tell(line: &str) {
    // Nobody may be there to read it.
    let _ = writeln!(std::io::stderr(), "wurfel: {line}");
}
