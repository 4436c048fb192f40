//! The settings of a rollout as its answers show them: all but the position and the agent.

use std::fmt;

use serde::Serialize;
use wurfel_arena::RolloutTerms;

/// The settings of a rollout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RolloutSettings {
    /// The bounds on each decision of an agent whose spec has none: turns, positions, microseconds.
    depth: Option<u32>,
    nodes: Option<u64>,
    time_us: Option<u64>,
    /// After how many turns games were ended with an estimate.
    truncate: Option<u32>,
    /// Whether the luck of the rolls was measured, to be taken off.
    luck_adjusted: bool,
    /// Shown as text only: the answers in JSON have it among their own fields.
    #[serde(skip)]
    seed: u64,
}

impl From<&RolloutTerms> for RolloutSettings {
    fn from(terms: &RolloutTerms) -> Self {
        let &RolloutTerms { depth, nodes, time, turns, luck, seed, .. } = terms;
        let time_us = time.map(|time| time / 1000);
        Self { depth, nodes, time_us, truncate: turns, luck_adjusted: luck, seed }
    }
}

impl fmt::Display for RolloutSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, nodes, time_us, truncate, luck_adjusted, seed } = *self;
        let bounds = [
            depth.map(|depth| format!("depth {depth}")),
            nodes.map(|nodes| format!("{nodes} nodes")),
            time_us.map(|time| format!("{} ms", time as f64 / 1000.0)),
        ];
        let bounds = bounds.into_iter().flatten().collect::<Vec<_>>().join(", ");
        write!(f, "each move: {bounds}, unless the agent names a bound")?;
        if let Some(turns) = truncate {
            write!(f, "; games end after {turns} turns")?;
        }
        let luck = if luck_adjusted { "luck taken off" } else { "luck left in" };
        write!(f, "; {luck}; seed {seed}")
    }
}
