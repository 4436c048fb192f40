//! The reports of an engine about its search.

use std::fmt::{self, Display};
use std::time::Duration;

use super::PositionWord;

/// `info …`: the findings of a search so far. Every part may be left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// Turns looked ahead.
    pub depth: Option<u32>,
    /// Time since the search began.
    pub time: Option<Duration>,
    /// Positions visited since the search began.
    pub nodes: Option<u64>,
    /// Positions visited per second.
    pub nps: Option<u64>,
    /// The rank of this line among several, from 1.
    pub multipv: Option<u32>,
    /// The score in centipoints for the **engine's side**, see [`centipoints`](Self::centipoints).
    pub cp: Option<i32>,
    /// The expected result for the **engine's side**, 0 to 1.
    pub value: Option<f64>,
    /// Whether the value is the true one under best play.
    pub exact: bool,
    /// The number of equally likely outcomes of the dice that lead to the roll of this line.
    pub weight: Option<u32>,
    /// The best moves, with rolls between them.
    pub pv: Vec<PositionWord>,
}

impl Info {
    /// An expected result as a score, as chess programs show it: 400 · log₁₀(v / (1 − v)) points of
    /// Elo, at most 10,000 either way.
    pub fn centipoints(value: f64) -> i32 {
        let score = 400.0 * (value / (1.0 - value)).log10();
        if score.is_nan() { 0 } else { score.clamp(-10_000.0, 10_000.0).round() as i32 }
    }

    /// The expected result that a score stands for: the inverse of
    /// [`centipoints`](Self::centipoints).
    pub fn value_of(cp: i32) -> f64 {
        1.0 / (1.0 + 10_f64.powf(-f64::from(cp) / 400.0))
    }

    /// Reads the words after `info`. Unknown words of other programs are ignored, and so are
    /// numbers that cannot be read, because an engine must never lose a game by anything but its
    /// move.
    pub(super) fn read(words: &[&str]) -> Self {
        let mut info = Self::default();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = next(&mut words),
                "time" => info.time = next(&mut words).map(Duration::from_millis),
                "nodes" => info.nodes = next(&mut words),
                "nps" => info.nps = next(&mut words),
                "multipv" => info.multipv = next(&mut words),
                "cp" => info.cp = next(&mut words),
                "value" => {
                    info.value = next(&mut words).filter(|value| (0.0..=1.0).contains(value));
                }
                "exact" => info.exact = true,
                "weight" => info.weight = next(&mut words),
                "pv" => info.pv = words.by_ref().map(PositionWord::from).collect(),
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

fn next<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

impl Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = |name: &str, value: Option<String>| match value {
            Some(value) => write!(f, " {name} {value}"),
            None => Ok(()),
        };
        number("depth", self.depth.map(|depth| depth.to_string()))?;
        number("time", self.time.map(|time| time.as_millis().to_string()))?;
        number("nodes", self.nodes.map(|nodes| nodes.to_string()))?;
        number("nps", self.nps.map(|nps| nps.to_string()))?;
        number("multipv", self.multipv.map(|rank| rank.to_string()))?;
        number("score cp", self.cp.map(|cp| cp.to_string()))?;
        number("value", self.value.map(|value| format!("{value:.6}")))?;
        if self.exact {
            f.write_str(" exact")?;
        }
        if let Some(weight) = self.weight {
            write!(f, " weight {weight}")?;
        }
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|step| write!(f, " {step}"))
    }
}
