//! Standings of a tournament.

use serde::Serialize;
use wurfel_agents::Spec;
use wurfel_arena::{CupFormat, Pairing, read_pairings, standing};

/// A tournament of any format.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Tournament {
    /// Its name; empty if it has none.
    pub title: String,
    /// The format of the tournament.
    pub format: CupFormat,
    /// Whether it is over.
    pub complete: bool,
    /// The agents, the best first.
    pub standings: Vec<Standing>,
}

/// An agent of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Standing {
    /// Its name; the spec where it has none.
    pub agent: String,
    pub spec: String,
    /// Its rank; equal agents share one.
    pub rank: usize,
    /// Games that it lost by a crash, an illegal move or exceeding its time.
    pub faults: u64,
    /// Games that it has played.
    pub games: u64,
    /// The mean of its win rates, and below, its 95 % interval.
    pub rate: f64,
    pub low: f64,
    pub high: f64,
    /// Its win rate against each other agent, in the order of this list; `None` where they have not
    /// met.
    pub against: Vec<Option<f64>>,
}

/// Reads the file of a tournament; `None` when the file is of another kind.
pub(super) fn read(text: &str) -> Option<Tournament> {
    let (agents, pairings) = read_pairings(text)?;
    let rate = |one: usize, other: usize| {
        let met = pairings.iter().find(|pairing| {
            pairing.agents.contains(&one) && pairing.agents.contains(&other) && one != other
        });
        met.and_then(|pairing| pairing.rate(one)).map(|(rate, _)| rate)
    };
    let played = |agent| {
        let of = |pairing: &&Pairing| pairing.agents.contains(&agent);
        pairings.iter().filter(of).map(|pairing| pairing.tally.score.games()).sum()
    };
    let standings: Vec<_> = (0..agents.len()).map(|agent| standing(agent, &pairings)).collect();
    let mut order: Vec<usize> = (0..agents.len()).collect();
    order.sort_by(|&one, &other| standings[other].0.total_cmp(&standings[one].0));
    let faults = |agent: usize| {
        let own = pairings.iter().filter_map(|pairing| pairing.of(agent));
        own.map(|tally| tally.faults.iter().sum::<u64>()).sum()
    };
    let shown = |(place, &agent): (usize, &usize)| Standing {
        agent: agents[agent]
            .parse::<Spec>()
            .map_or_else(|_| agents[agent].clone(), |spec| spec.label()),
        spec: agents[agent].clone(),
        rank: place + 1,
        faults: faults(agent),
        games: played(agent),
        rate: standings[agent].0,
        low: standings[agent].1.low,
        high: standings[agent].1.high,
        against: order.iter().map(|&other| rate(agent, other)).collect(),
    };
    let complete = pairings.len() == agents.len() * agents.len().saturating_sub(1) / 2;
    let standings = order.iter().enumerate().map(shown).collect();
    Some(Tournament { title: String::new(), format: CupFormat::RoundRobin, complete, standings })
}
