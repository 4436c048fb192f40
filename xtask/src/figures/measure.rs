//! The definition of a measure: its work, a command whose output has the figure, a unit, a peer,
//! and a limit.

use super::reading::{Json, Meaning, Reading};

/// A figure of the table.
pub struct Measure {
    /// The name for `cargo xtask figures NAME`.
    pub name: &'static str,
    /// The work that is measured, on one thread unless it says otherwise.
    pub work: &'static str,
    pub source: Source,
    pub unit: Unit,
    /// The instructions that it requires, as `/proc/cpuinfo` names them; without them it is not
    /// measured.
    pub needs: Option<&'static str>,
    pub peer: Option<Peer>,
    /// What keeps the work from being faster, and why.
    pub limit: &'static str,
}

/// Another program that does the same work.
pub struct Peer {
    pub name: &'static str,
    pub source: Source,
}

/// A command, and the place of the figure in its output.
#[derive(Clone, Copy)]
pub struct Source {
    pub line: &'static str,
    pub reading: Reading,
}

/// The unit of a figure.
#[derive(Clone, Copy)]
pub struct Unit {
    pub name: &'static str,
    /// The size of one unit: a number per second, or a number of seconds.
    pub one: f64,
    pub is_time: bool,
}

/// A unit for rates: this many per second.
pub const fn rate(name: &'static str, one: f64) -> Unit {
    Unit { name, one, is_time: false }
}

const fn time(name: &'static str, one: f64) -> Unit {
    Unit { name, one, is_time: true }
}

pub const GAMES: Unit = rate("M games/s", 1e6);
pub const NODES: Unit = rate("M nodes/s", 1e6);
pub const PLAYOUTS: Unit = rate("M playouts/s", 1e6);
pub const POSITIONS: Unit = rate("positions/s", 1.0);
pub const NANOSECONDS: Unit = time("ns", 1e-9);
pub const MICROSECONDS: Unit = time("µs", 1e-6);
pub const MILLISECONDS: Unit = time("ms", 1e-3);
pub const SECONDS: Unit = time("s", 1.0);

/// A command, and the place of its figure.
pub const fn source(line: &'static str, reading: Reading) -> Source {
    Source { line, reading }
}

/// A measure for any CPU and without a peer.
pub const fn measure(
    name: &'static str,
    work: &'static str,
    source: Source,
    unit: Unit,
    limit: &'static str,
) -> Measure {
    Measure { name, work, source, unit, needs: None, peer: None, limit }
}

impl Measure {
    /// The measure with a peer.
    pub const fn beside(mut self, name: &'static str, source: Source) -> Self {
        self.peer = Some(Peer { name, source });
        self
    }

    /// The measure restricted to CPUs with these instructions.
    pub const fn needs(mut self, instructions: &'static str) -> Self {
        self.needs = Some(instructions);
        self
    }

    /// Its own command, and that of its peer.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        std::iter::once(&self.source).chain(self.peer.as_ref().map(|peer| &peer.source))
    }
}

/// A search of `wurfel bench`.
pub const fn searched(having: &'static [(&'static str, &'static str)]) -> Source {
    let meaning = Meaning::PerSecond;
    let json = Json { within: "", having, field: "nodes_per_second", meaning };
    source("wurfel bench --json", Reading::Json(json))
}

/// The time of `wurfel analyse … --json`.
pub const fn analysed(line: &'static str) -> Source {
    let json = Json { within: "", having: &[], field: "seconds", meaning: Meaning::Seconds };
    source(line, Reading::Json(json))
}

/// The playouts or simulations per second of `wurfel analyse … --json`.
pub const fn simulated(line: &'static str) -> Source {
    let meaning = Meaning::In("seconds");
    source(line, Reading::Json(Json { within: "", having: &[], field: "nodes", meaning }))
}

/// An evaluation of `wurfel bench --eval`.
pub const fn evaluated(
    line: &'static str,
    having: &'static [(&'static str, &'static str)],
) -> Source {
    let meaning = Meaning::Nanoseconds;
    source(line, Reading::Json(Json { within: "evaluations", having, field: "fastest", meaning }))
}

/// The games per second of `wurfel match … --json`.
pub const fn played(line: &'static str) -> Source {
    let meaning = Meaning::PerSecond;
    let json = Json { within: "", having: &[], field: "games_per_second", meaning };
    source(line, Reading::Json(json))
}
