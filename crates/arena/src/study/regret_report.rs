//! The report on the losses of an agent's decisions, as every front end shows it.

use serde::Serialize;

use crate::study::regret::{Loss, Regret};

/// The reference with which decisions were compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RegretReference {
    /// Exact values of positions with this many pieces.
    Pieces(u32),
    /// The values of the agent with this spec, in whole games.
    Analyser(String),
}

/// How much win probability an agent's decisions lose, for the side that decides.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegretReport {
    /// The agent's spec.
    pub agent: String,
    /// The name of the game.
    pub game: &'static str,
    /// The reference for the decisions.
    #[serde(flatten)]
    pub reference: RegretReference,
    /// The seed of positions, rolls and the agent.
    pub seed: u64,
    /// Decisions that were measured; those with one legal move do not count.
    pub decisions: u64,
    /// The mean win probability that a decision loses, 0 to 1; by the values of an analyser it may be
    /// negative.
    pub regret: f64,
    /// The 95 % interval of `regret`, by its two ends.
    pub interval: [f64; 2],
    /// The share of decisions that lose nothing.
    pub optimal: f64,
    /// The worst decisions, the worst first.
    pub worst: Vec<LossReport>,
    /// How long the measurement took, in seconds; `None` where its parts were measured at different
    /// times.
    pub seconds: Option<f64>,
}

/// A decision and what it loses.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LossReport {
    /// The position with its roll.
    pub position: String,
    /// The move that the agent decided on.
    pub r#move: String,
    /// The best move.
    pub best: String,
    /// The win probability that the decision loses.
    pub lost: f64,
}

impl From<&Loss> for LossReport {
    fn from(Loss { situation, made, best, lost }: &Loss) -> Self {
        let [position, r#move, best] = [situation, made, best].map(String::clone);
        Self { position, r#move, best, lost: *lost }
    }
}

impl RegretReport {
    /// The report on the losses of the agent with this spec.
    pub fn new(
        agent: &str,
        (game, seed): (&'static str, u64),
        reference: RegretReference,
        regret: &Regret,
        seconds: Option<f64>,
    ) -> Self {
        let interval = match reference {
            // Against perfect play no decision can lose less than nothing.
            RegretReference::Pieces(_) => regret.interval(),
            RegretReference::Analyser(_) => regret.signed_interval(),
        };
        Self {
            agent: agent.to_owned(),
            game,
            reference,
            seed,
            decisions: regret.decisions,
            regret: regret.mean(),
            interval: interval.ends(),
            optimal: regret.optimal as f64 / regret.decisions.max(1) as f64,
            worst: regret.worst.iter().map(LossReport::from).collect(),
            seconds,
        }
    }
}
