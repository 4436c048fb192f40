//! The report of a round robin as every front end shows it, with the names and units of a
//! [`MatchReport`].

use serde::Serialize;
use wurfel_core::{BySide, sort_by_score};
use wurfel_statistics::{AgentReport, AgentTally, MatchReport, SetUps};

use crate::play::ranking::games_won;
use crate::play::tournament::{Pairing, adjusted_standing, pairings, seed_of_pairing, standing};

/// The report of a tournament in which every agent meets every other one.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentReport {
    /// Pairs of games in each pairing.
    pub pairs: u64,
    /// The seed of the tournament.
    pub seed: u64,
    /// Where the set-ups came from.
    pub setups: SetUps,
    /// Whether all pairings were played.
    pub complete: bool,
    /// The program that could not be restarted, if that ended the tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up: Option<String>,
    /// The agents, the one with the best win rate first.
    pub standings: Vec<StandingReport>,
    /// The matches, in the order of play.
    pub matches: Vec<MatchReport>,
}

/// The result of an agent in a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingReport {
    /// The agent in all its games.
    #[serde(flatten)]
    pub agent: AgentReport,
    /// The mean of its win rates against the others, each of whom counts the same.
    pub win_rate: f64,
    /// The interval of the win rate.
    pub interval: [f64; 2],
    /// The mean of its luck-adjusted win rates; `None` unless luck was measured in all its matches.
    pub luck_adjusted: Option<MeanRate>,
    /// The games that it won.
    pub won: u64,
    /// Its rank by the games that it won: 1 for the most. Equal agents share a rank.
    pub rank: usize,
}

/// A mean of win rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeanRate {
    /// Points per game.
    pub win_rate: f64,
    /// The interval of the win rate.
    pub interval: [f64; 2],
}

/// The conditions of a tournament that its report repeats.
#[derive(Clone, Copy, Debug)]
pub struct TournamentTerms<'a> {
    /// The name of the game and those of its sides.
    pub game: (&'static str, BySide<&'static str>),
    /// The spec and the name of each agent.
    pub agents: &'a [(String, String)],
    /// Pairs of games in each pairing.
    pub pairs: u64,
    /// The seed of the tournament.
    pub seed: u64,
    /// Where the set-ups came from.
    pub setups: SetUps,
}

impl TournamentReport {
    /// The report of a tournament after these pairings.
    pub fn new(terms: TournamentTerms<'_>, played: &[Pairing]) -> Self {
        let TournamentTerms { game, agents, pairs, seed, setups } = terms;
        let report = |number: usize, tally: &AgentTally| {
            let (spec, name) = &agents[number];
            AgentReport::new(tally, spec, name)
        };
        let won = games_won(agents.len(), played);
        let standing = |number: usize| {
            let mut tally = AgentTally::default();
            for own in played.iter().filter_map(|pairing| pairing.of(number)) {
                tally.merge(&own);
            }
            let (win_rate, interval) = standing(number, played);
            let adjusted = adjusted_standing(number, played);
            StandingReport {
                agent: report(number, &tally),
                win_rate,
                interval: interval.ends(),
                luck_adjusted: adjusted
                    .map(|(win_rate, interval)| MeanRate { win_rate, interval: interval.ends() }),
                won: won[number].sum,
                rank: won[number].rank,
            }
        };
        let mut standings: Vec<StandingReport> = (0..agents.len()).map(standing).collect();
        sort_by_score(&mut standings, |standing| standing.win_rate);
        let of_match = |Pairing { agents, tally }: &Pairing| {
            let both = [0, 1].map(|place| report(agents[place], &tally.agent(place)));
            let settings = (seed_of_pairing(seed, *agents), setups);
            MatchReport::new(game, both, settings, tally, None)
        };
        Self {
            pairs,
            seed,
            setups,
            complete: played.len() == pairings(agents.len()).count(),
            given_up: None,
            standings,
            matches: played.iter().map(of_match).collect(),
        }
    }
}
