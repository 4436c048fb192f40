//! Rollouts of the best moves of a turn, which continue as long as somebody watches.
//!
//! A rollout gives the same result as `wurfel rollout --moves` with the same seed. It takes up to a
//! minute, and other clients must not wait that long. So it is done in slices, each of which waits
//! its turn among all searches and ends with a report. The price is that the games interrupted by
//! the end of a slice are played again in the next one.

use std::fmt::Display;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::Sender;
use wurfel::{Agents, Game, Position, Rollout, RolloutSettings, Spec, game};
use wurfel_agents::DEFAULT_AGENT;
use wurfel_arena::{ComparisonReport, ComparisonResult, DEFAULT_ERROR_RATE, StoppingRule};
use wurfel_core::{Budget, NotationError};

use crate::agents::{self, AgentCache};
use crate::http::answers::Problem;
use crate::pool::{Class, Pool, Stop};

/// The number of moves that can be compared.
const MOVES: RangeInclusive<u64> = 2..=10;
/// The number of games for each move, before it is rounded up to whole blocks.
const GAMES: RangeInclusive<u64> = 1..=10_000;
/// The number of turns after which games can be truncated.
const TURNS: RangeInclusive<u64> = 1..=1000;
/// The time of a slice, after which there is a report.
const SLICE: Duration = Duration::from_millis(500);
/// The longest time for a slice, and for the choice of the moves. If one game of each move takes
/// longer, no rollout is possible.
const MAX_SLICE: Duration = Duration::from_secs(4);
/// The search time after which a rollout ends with the results it has.
const MAX_TIME: Duration = Duration::from_mins(1);

/// A request for a rollout.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "moves to roll out, as an object")]
pub(crate) struct RolloutRequest {
    /// The game, which is the rule set.
    pub game: String,
    /// The position with its roll.
    pub position: String,
    /// Whether castling rights that the board rules out are dropped and not refused.
    #[serde(default)]
    drop_castling: bool,
    /// The spec of the agent that plays both sides.
    #[serde(default)]
    agent: Option<String>,
    /// The number of compared moves, 2 to 10, the best ones according to the agent.
    moves: u64,
    /// The number of games for each move, 1 to 10,000.
    games: u64,
    /// After how many turns games end with the value that the agent gives the position, 1 to 1,000.
    #[serde(default)]
    truncate: Option<u32>,
    /// The seed of dice and players (default: 1).
    #[serde(default = "first")]
    seed: u64,
    /// A number that is sent back with each report, so that a page knows which request the report
    /// answers.
    #[serde(default)]
    tag: u32,
}

const fn first() -> u64 {
    1
}

impl RolloutRequest {
    /// Refuses requests that are too large and agents that guests may not use; returns the agent's
    /// spec.
    pub fn check(&self) -> Result<Spec, Problem> {
        let turns = self.truncate.map(u64::from);
        for (name, number, range) in [
            ("moves", Some(self.moves), MOVES),
            ("games", Some(self.games), GAMES),
            ("truncate", turns, TURNS),
        ] {
            if let Some(number) = number.filter(|number| !range.contains(number)) {
                let (least, most) = range.into_inner();
                let expected = format!("expected a number from {least} to {most}");
                return Err(Problem::bad(format!("{name} '{number}': {expected}")));
            }
        }
        agents::read(self.agent.as_deref().unwrap_or(DEFAULT_AGENT)).map_err(|error| bad(&error))
    }
}

fn bad(error: &dyn Display) -> Problem {
    Problem::bad(error.to_string())
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RolloutReport"))]
pub(crate) struct RolloutReply<'a> {
    /// The number of the request.
    tag: u32,
    /// Whether this is the last report.
    last: bool,
    /// The number of games that were requested for each move.
    wanted: u64,
    /// After how many turns games end with the value that the agent gives the position.
    truncate: Option<u32>,
    /// The command that gives the same result elsewhere, provided that the rollout is complete.
    command: &'a str,
    #[serde(flatten)]
    report: ComparisonReport,
}

/// Answers a request with several reports. Dropping the future stops the games.
pub(crate) async fn roll_out(
    request: RolloutRequest,
    pool: &Arc<Pool>,
    client: IpAddr,
    tell: &Sender<String>,
) -> Result<(), Problem> {
    let spec = request.check()?;
    let game = game(&request.game)?;
    let position =
        game.read(&request.position, request.drop_castling).map_err(|error| bad(&error))?;
    let (tag, wanted, truncate) = (request.tag, request.games, request.truncate);
    let class = Class::Long(client);
    let choose = || {
        let (request, position, spec) = (request.clone(), position.clone(), spec.clone());
        move |_: &mut AgentCache, stop: Stop<'_>| Plan::choose(&request, game, position, spec, stop)
    };
    let (plan, mut results) = pool.run_patiently(class, MAX_SLICE, choose).await??;
    let plan = Arc::new(plan);
    let (mut slice, mut spent) = (SLICE, Duration::ZERO);
    loop {
        let work = || {
            let (plan, results) = (Arc::clone(&plan), results.clone());
            move |_: &mut AgentCache, stop: Stop<'_>| plan.resume(results, spent, stop)
        };
        let done = pool.run_patiently(class, slice, work).await?;
        spent = done.spent;
        if done.results.games == results.games && !done.is_over {
            slice *= 2;
            if slice > MAX_SLICE {
                return Err(Problem::bad(TOO_SLOW));
            }
            continue;
        }
        results = done.results;
        let last = done.is_over || spent >= MAX_TIME;
        let report = done.report;
        let reply = RolloutReply { tag, last, wanted, truncate, command: &plan.command, report };
        let text = serde_json::to_string(&reply).map_err(|error| bad(&error))?;
        if tell.send(text).await.is_err() || last {
            return Ok(());
        }
    }
}

const TOO_SLOW: &str = "one game of each move takes too long here: expected a quicker agent, or \
                        games that are cut sooner";

/// The moves that are played out, and the settings for their games.
struct Plan {
    position: Position,
    spec: Spec,
    agents: Agents,
    /// The moves or whole turns.
    moves: Vec<String>,
    /// The command that gives the same result.
    command: String,
    turns: Option<u32>,
    seed: u64,
    enough: StoppingRule,
}

/// The results of a slice.
struct Done {
    results: ComparisonResult,
    report: ComparisonReport,
    is_over: bool,
    /// The time that all slices have taken.
    spent: Duration,
}

impl Plan {
    /// Chooses the moves, for which there are no results yet.
    fn choose(
        request: &RolloutRequest,
        game: Game,
        position: Position,
        spec: Spec,
        stop: Stop<'_>,
    ) -> Result<(Self, ComparisonResult), Problem> {
        let agents = game.agents_of(&spec).map_err(|error| bad(&error))?;
        let enough = StoppingRule { games: Some(request.games), error: None };
        let (turns, seed) = (request.truncate, request.seed);
        let (moves, command) = (vec![], String::new());
        let mut plan = Self { position, spec, agents, moves, command, turns, seed, enough };
        let rollout = plan.rollout(stop).map_err(|error| bad(&error))?;
        let command = rollout.terms(&plan.spec).command(request.moves as usize, request.games);
        let best = rollout.best_moves(request.moves as usize, DEFAULT_ERROR_RATE);
        let best = best.map_err(|error| bad(&error))?;
        let (can_end, results, moves) = (rollout.can_end(), best.empty_result(), best.names());
        if stop.load(Ordering::Relaxed) {
            return Err(Problem::bad(TOO_SLOW));
        }
        if !can_end {
            let expected = "gives no values for truncated games: expected an agent that does";
            return Err(Problem::bad(format!("agent '{}' {expected}", plan.spec)));
        }
        (plan.moves, plan.command) = (moves, command);
        Ok((plan, results))
    }

    /// The rollout. Like the command without bounds, it looks one turn ahead if the agent has no bounds
    /// of its own.
    fn rollout<'a>(&self, stop: Stop<'a>) -> Result<Box<dyn Rollout + 'a>, NotationError> {
        let budget = Budget { depth: Some(1), stop: Some(stop), ..Budget::default() };
        let settings = RolloutSettings { budget, luck: true, turns: self.turns, seed: self.seed };
        self.agents.rollout(&self.position, settings)
    }

    /// Continues the rollout until the slice ends, and counts all games that were finished.
    fn resume(&self, results: ComparisonResult, spent: Duration, stop: Stop<'_>) -> Done {
        let began = Instant::now();
        let rollout = self.rollout(stop).expect("its moves were chosen in this position");
        let moves = rollout.moves(&self.moves, DEFAULT_ERROR_RATE);
        let moves = moves.expect("the moves were chosen here");
        let results = moves.resume(results, 1, self.enough, &mut |_| true);
        let is_over = moves.is_over(&results, self.enough);
        let spent = spent + began.elapsed();
        let report = moves.report(&results, &self.spec, is_over, spent);
        Done { results, report, is_over, spent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> RolloutRequest {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let refused = |more: &str| {
            let text = r#"{"game":"einstein","position":"","moves":2,"games":1000"#;
            let text = format!("{text},{more}}}");
            // serde refuses two fields with the same name.
            serde_json::from_str::<RolloutRequest>(&text)
                .map(|request| request.check().unwrap_err().message)
        };
        assert!(refused(r#""moves":3"#).is_err());
        assert_eq!(
            refused(r#""truncate":1001"#).unwrap(),
            "truncate '1001': expected a number from 1 to 1000"
        );
        assert!(refused(r#""agent":"champion:time=1s""#).unwrap().contains("guests may not set"));
        let of = |moves: u64, games: u64| {
            request(&format!(r#"{{"game":"x","position":"","moves":{moves},"games":{games}}}"#))
                .check()
                .map_err(|problem| problem.message)
        };
        assert!(of(2, 1).is_ok() && of(10, 10_000).is_ok());
        assert_eq!(of(11, 1).unwrap_err(), "moves '11': expected a number from 2 to 10");
        assert_eq!(of(1, 1).unwrap_err(), "moves '1': expected a number from 2 to 10");
        assert_eq!(of(2, 10_001).unwrap_err(), "games '10001': expected a number from 1 to 10000");
        assert_eq!(of(2, 0).unwrap_err(), "games '0': expected a number from 1 to 10000");
    }
}
