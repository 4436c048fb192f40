//! How long an engine may think.

use std::fmt::{self, Display};
use std::time::Duration;

use crate::ProtocolError;

/// The longest time in milliseconds that a line may state, some 31 years.
const MAX_MILLISECONDS: u64 = 1_000_000_000_000;

/// The clocks of both sides, the first side's first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoClock {
    /// The time that each side has left for the rest of the game.
    pub left: [Duration; 2],
    /// The time that each side is given for every turn.
    pub increment: [Duration; 2],
}

/// `go`: the limits of a search, which ends at the first limit that it reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// The clocks; the engine decides how much of its own time it uses.
    pub clock: Option<GoClock>,
    /// The time for this decision.
    pub movetime: Option<Duration>,
    /// Turns to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Whether the search goes on until `stop`.
    pub infinite: bool,
    /// Whether the limits only begin with `ponderhit`, and until then the engine thinks about all
    /// rolls.
    pub ponder: bool,
}

impl Go {
    /// Whether time limits the search.
    pub const fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }

    /// Reads the words after `go` in `line`.
    pub(super) fn read(line: &str, words: &[&str]) -> Result<Self, ProtocolError> {
        let wrong = |expected: &str| ProtocolError::new(line, expected);
        let mut go = Self::default();
        let mut times = [None; 4];
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "movetime" => go.movetime = Some(time(line, word, words.next())?),
                "depth" => go.depth = Some(number(line, word, words.next(), 64)? as u32),
                "nodes" => go.nodes = Some(number(line, word, words.next(), u64::MAX)?),
                "p1time" => times[0] = Some(time(line, word, words.next())?),
                "p2time" => times[1] = Some(time(line, word, words.next())?),
                "p1inc" => times[2] = Some(time(line, word, words.next())?),
                "p2inc" => times[3] = Some(time(line, word, words.next())?),
                _ => return Err(wrong(LIMITS)),
            }
        }
        go.clock = match times {
            [Some(one), Some(other), gains @ ..] => {
                let increment = gains.map(Option::unwrap_or_default);
                Some(GoClock { left: [one, other], increment })
            }
            [None, None, None, None] => None,
            _ => return Err(wrong("both p1time and p2time")),
        };
        let limits = go.is_timed() || go.depth.is_some() || go.nodes.is_some();
        match (limits, go.infinite) {
            (true, true) => Err(wrong("no limit beside infinite")),
            (false, false) => Err(wrong(LIMITS)),
            _ => Ok(go),
        }
    }
}

const LIMITS: &str = "p1time, p2time, p1inc, p2inc, movetime, depth, nodes, infinite or ponder";

fn number(line: &str, name: &str, word: Option<&&str>, most: u64) -> Result<u64, ProtocolError> {
    let number =
        word.and_then(|word| word.parse().ok()).filter(|number| (1..=most).contains(number));
    number
        .ok_or_else(|| ProtocolError::new(line, format!("a number from 1 to {most} after {name}")))
}

/// A time in milliseconds. It may be negative for a clock that has run out, which counts as 0.
fn time(line: &str, name: &str, word: Option<&&str>) -> Result<Duration, ProtocolError> {
    let number = word.and_then(|word| word.parse::<i64>().ok());
    let number = number.map(|number| number.max(0) as u64).filter(|&ms| ms <= MAX_MILLISECONDS);
    number
        .map(Duration::from_millis)
        .ok_or_else(|| ProtocolError::new(line, format!("a time in milliseconds after {name}")))
}

impl Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if let Some(GoClock { left, increment }) = self.clock {
            for (n, time) in (1..).zip(left) {
                write!(f, " p{n}time {}", time.as_millis())?;
            }
            for (n, time) in (1..).zip(increment) {
                write!(f, " p{n}inc {}", time.as_millis())?;
            }
        }
        if let Some(time) = self.movetime {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        Ok(())
    }
}
