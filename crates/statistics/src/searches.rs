//! Statistics of an agent's searches, over its decisions.
//!
//! A decision reports its nodes and its depth, and an agent may report further figures about it
//! ([`Agent::statistics`]), such as how much of its tree was pruned. The mean and the maximum of
//! each figure are stored. Nodes and depth have fields of their own, so that an agent without further
//! figures costs no allocation.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize, Serializer};
use wurfel_core::{Agent, Decision, Game};

/// The values of one figure: their number, their sum and the largest one. In JSON it is a list of
/// these three numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "(u64, f64, f64)", into = "(u64, f64, f64)")]
pub struct Tally {
    /// The number of values.
    pub count: u64,
    /// The sum of the values, in their unit.
    pub sum: f64,
    /// The largest value; 0 where there are none.
    pub max: f64,
}

impl Tally {
    /// Adds a value. A value that is not a number, or infinite, is left out.
    pub fn add(&mut self, value: f64) {
        if value.is_finite() {
            self.merge(&Self { count: 1, sum: value, max: value });
        }
    }

    /// Adds the values of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.max = match (self.count, other.count) {
            (_, 0) => self.max,
            (0, _) => other.max,
            _ => self.max.max(other.max),
        };
        // The counts may come from a file, which may have any number.
        self.count = self.count.saturating_add(other.count);
        self.sum += other.sum;
    }

    /// The mean of the values; `None` where there are none.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl From<(u64, f64, f64)> for Tally {
    fn from((count, sum, max): (u64, f64, f64)) -> Self {
        Self { count, sum, max }
    }
}

impl From<Tally> for (u64, f64, f64) {
    fn from(Tally { count, sum, max }: Tally) -> Self {
        (count, sum, max)
    }
}

/// The names of nodes and depth among the figures.
const NODES: &str = "nodes";
const DEPTH: &str = "depth";

/// The figures of an agent's decisions by their names: `depth`, `nodes`, and the figures that the
/// agent itself reports. In JSON it is an object.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(from = "BTreeMap<String, Tally>")]
pub struct Searches {
    depth: Tally,
    nodes: Tally,
    /// The figures that the agent itself reports, sorted by name.
    others: Vec<(Cow<'static, str>, Tally)>,
}

impl Searches {
    /// Adds the last decision of `agent`. An agent without search, which reports neither nodes nor
    /// depth, is not queried for further figures, because its games take only a few microseconds.
    pub fn add<G: Game>(&mut self, decision: &Decision<G::Move>, agent: &dyn Agent<G>) {
        if decision.nodes == 0 && decision.depth == 0 {
            return;
        }
        self.depth.add(f64::from(decision.depth));
        self.nodes.add(decision.nodes as f64);
        // An agent that reports nothing, or panics when asked, has not failed its game.
        let figures = catch_unwind(AssertUnwindSafe(|| agent.statistics()));
        for figure in figures.unwrap_or_default() {
            self.tally(figure.name.into()).add(figure.value);
        }
    }

    /// Adds the figures of other decisions.
    pub fn merge(&mut self, other: &Self) {
        self.depth.merge(&other.depth);
        self.nodes.merge(&other.nodes);
        for (name, tally) in &other.others {
            self.tally(name.clone()).merge(tally);
        }
    }

    /// Whether no decision reported any figure.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The figure of this name.
    pub fn get(&self, name: &str) -> Option<&Tally> {
        self.iter().find(|(own, _)| *own == name).map(|(_, tally)| tally)
    }

    /// All figures that were reported, with their names: depth, nodes, then the agent's own.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tally)> {
        let own = [(DEPTH, &self.depth), (NODES, &self.nodes)];
        let others = self.others.iter().map(|(name, tally)| (&**name, tally));
        own.into_iter().chain(others).filter(|(_, tally)| tally.count > 0)
    }

    fn tally(&mut self, name: Cow<'static, str>) -> &mut Tally {
        let place = match &*name {
            DEPTH => return &mut self.depth,
            NODES => return &mut self.nodes,
            name => self.others.binary_search_by(|(own, _)| (**own).cmp(name)),
        };
        let place = place.unwrap_or_else(|place| {
            self.others.insert(place, (name, Tally::default()));
            place
        });
        &mut self.others[place].1
    }
}

impl Serialize for Searches {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl From<BTreeMap<String, Tally>> for Searches {
    fn from(figures: BTreeMap<String, Tally>) -> Self {
        let mut searches = Self::default();
        for (name, tally) in figures {
            *searches.tally(name.into()) = tally;
        }
        searches
    }
}
