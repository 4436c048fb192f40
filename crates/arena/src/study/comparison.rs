//! The report on a comparison of moves, for programs and people.

use std::time::Duration;

use serde::Serialize;
use wurfel_games::Playable;

use crate::study::candidates::{Candidates, ComparisonResult};
use wurfel_agents::Spec;

/// A report on moves that were played out. All values are win probabilities of the side that **moves**,
/// luck-adjusted where luck was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparisonReport {
    /// The position with its roll.
    pub position: String,
    /// The spec of the agent that plays both sides.
    pub agent: String,
    /// The largest probability with which the best of the moves may have been dropped.
    pub error_rate: f64,
    /// The moves, the best first; those that were dropped come last.
    pub moves: Vec<ComparedMove>,
    /// The games after all of the moves together.
    pub games: u64,
    /// Games that were lost by a crash, an illegal move or time.
    pub faults: u64,
    /// Whether the comparison was finished.
    pub complete: bool,
    /// The seed of dice and players.
    pub seed: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A move of a comparison, with the results of its games.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedMove {
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    pub mv: String,
    /// The mean result of its games for the **side that moves**, 0 to 1.
    pub value: f64,
    /// The standard error of the value; `None` where it cannot be estimated, because all games ended
    /// alike.
    pub standard_error: Option<f64>,
    /// The 95 % interval of the value.
    pub interval: [f64; 2],
    /// The distance to the best move; `None` for the best move itself.
    pub behind: Option<PairedDifference>,
    /// The number of games played after this move.
    pub games: u64,
    /// Whether it was dropped before the end.
    pub dropped: bool,
}

/// The distance of a move to the best one in the games that both have, on the same dice.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairedDifference {
    /// The difference of their values.
    pub value: f64,
    /// The standard error of the difference; `None` where it cannot be estimated, because the difference
    /// was the same in all games.
    pub standard_error: Option<f64>,
}

impl ComparisonReport {
    /// The report on a comparison that has taken `time` so far. The spec is that of the player.
    pub fn new<G: Playable>(
        candidates: &Candidates<'_, G>,
        results: &ComparisonResult,
        spec: &Spec,
        complete: bool,
        time: Duration,
    ) -> Self {
        let Candidates { rollout, moves, error_rate } = candidates;
        let selection = &results.selection;
        let leader = selection.leader();
        let mut places: Vec<usize> = (0..moves.len()).collect();
        places.sort_by(|&one, &other| {
            let mean = |at: usize| selection.estimate(at).mean;
            let is_in = |at: usize| selection.is_in(at);
            is_in(other).cmp(&is_in(one)).then(mean(other).total_cmp(&mean(one)))
        });
        let move_report = |at: usize| {
            let estimate = selection.estimate(at);
            let behind = (at != leader).then(|| {
                let behind = selection.difference(leader, at);
                PairedDifference { value: behind.mean, standard_error: behind.known_error() }
            });
            ComparedMove {
                mv: moves[at].to_string(),
                value: estimate.mean,
                standard_error: estimate.known_error(),
                interval: estimate.interval.ends(),
                behind,
                games: selection.games(at),
                dropped: !selection.is_in(at),
            }
        };
        Self {
            position: rollout.situation.to_string(),
            agent: spec.to_string(),
            error_rate: *error_rate,
            moves: places.into_iter().map(move_report).collect(),
            games: results.games,
            faults: results.faults,
            complete,
            seed: rollout.seed,
            seconds: time.as_secs_f64(),
        }
    }
}
