//! How long an engine may think.

use std::fmt::{self, Display};
use std::time::Duration;

use crate::ProtocolError;

/// The longest time in milliseconds that a line may state, some 31 years.
const MAX_MILLISECONDS: u64 = 1_000_000_000_000;
/// The largest depth that a line may state.
const MAX_DEPTH: u64 = 64;

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

    /// Reads the words after `go` in `line`. The driver waits for a move, so a limit out of range
    /// counts as the nearest one in range, and unknown words are ignored. Notes on these adjustments
    /// are returned beside the limits.
    pub(super) fn read(
        line: &str,
        words: &[&str],
    ) -> Result<(Self, Vec<ProtocolError>), ProtocolError> {
        let wrong = |expected: &str| ProtocolError::new(line, expected);
        let mut go = Self::default();
        let mut times = [None; 4];
        let mut reader = Limits { line, words: words.iter(), notes: vec![] };
        let mut ignored: Vec<&str> = vec![];
        while let Some(&word) = reader.words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "movetime" => go.movetime = Some(reader.time(word)?),
                "depth" => go.depth = Some(reader.number(word, MAX_DEPTH)? as u32),
                "nodes" => go.nodes = Some(reader.number(word, u64::MAX)?),
                "p1time" => times[0] = Some(reader.time(word)?),
                "p2time" => times[1] = Some(reader.time(word)?),
                "p1inc" => times[2] = Some(reader.time(word)?),
                "p2inc" => times[3] = Some(reader.time(word)?),
                _ => ignored.push(word),
            }
        }
        let mut notes = reader.notes;
        if !ignored.is_empty() {
            notes.push(ProtocolError::new(&ignored.join(" "), format!("{LIMITS}; it is ignored")));
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
            _ => Ok((go, notes)),
        }
    }
}

const LIMITS: &str = "p1time, p2time, p1inc, p2inc, movetime, depth, nodes, infinite or ponder";

/// The limits in a line, as they are read one by one.
struct Limits<'a> {
    line: &'a str,
    words: std::slice::Iter<'a, &'a str>,
    /// The limits that were out of their range.
    notes: Vec<ProtocolError>,
}

impl Limits<'_> {
    /// The number after `name`, at least 1.
    fn number(&mut self, name: &str, most: u64) -> Result<u64, ProtocolError> {
        self.within(name, "number", 1, most)
    }

    /// The time in milliseconds after `name`. It may be negative for a clock that has run out, which
    /// counts as 0.
    fn time(&mut self, name: &str) -> Result<Duration, ProtocolError> {
        self.within(name, "time in milliseconds", 0, MAX_MILLISECONDS).map(Duration::from_millis)
    }

    fn within(
        &mut self,
        name: &str,
        what: &str,
        least: u64,
        most: u64,
    ) -> Result<u64, ProtocolError> {
        let number = self.words.next().and_then(|word| word.parse::<i128>().ok());
        let number = number
            .ok_or_else(|| ProtocolError::new(self.line, format!("a {what} after {name}")))?;
        let taken = number.clamp(least.into(), most.into()) as u64;
        if number != taken.into() && (number > 0 || least > 0) {
            let expected = format!("a {what} from {least} to {most}; it is taken as {taken}");
            self.notes.push(ProtocolError::new(&format!("{name} {number}"), expected));
        }
        Ok(taken)
    }
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
