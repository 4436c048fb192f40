//! The analysis of one position, and its answers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wurfel::{Agent, Agents, NoAnswer, Position};
use wurfel_arena::{AnalysisError, PositionReport, ScoredMove, ScoredRoll};
use wurfel_core::{Budget, Outcome, Random, Side};
use wurfel_protocol::json::{
    AnalysisReply, Luck, MoveInfo, NoResults, RefusalReply, Reply, RollInfo,
};

use super::slot::AgentSlot;
use crate::engine::send;

/// The settings that the positions of a query share.
pub struct QuerySettings {
    /// The query's `id`.
    pub id: String,
    /// The key that identifies the agent.
    pub agent: String,
    /// The agents.
    pub agents: Agents,
    /// The seed of an agent that makes random choices.
    pub seed: u64,
    /// What may be spent on a position.
    pub bounds: Budget<'static>,
    /// How many moves are reported.
    pub lines: usize,
    /// The time between reports during a search.
    pub every: Option<Duration>,
    /// The luck of all rolls, if requested.
    pub luck: Option<Vec<Luck>>,
}

/// A position to be analysed.
pub struct Task {
    /// The settings that it shares with the other positions of its query.
    pub order: Arc<QuerySettings>,
    /// How many words of the query's moves come before it.
    pub turn: usize,
    /// The position, with its roll if there is one.
    pub position: Position,
}

impl Task {
    /// Analyses the position and sends all answers about it. An agent that panics costs only this
    /// answer.
    pub fn run(&self, slot: &mut AgentSlot) {
        let QuerySettings { id, agent, agents, seed, .. } = &*self.order;
        let stop = Arc::clone(&slot.stop);
        let work = |agent: &mut dyn Agent| {
            // The answer must not depend on the positions before this one.
            agent.begin(Random::new(*seed));
            self.answer(agent, Budget { stop: Some(&stop), ..self.order.bounds })
        };
        let reported = catch_unwind(AssertUnwindSafe(|| {
            if self.position.outcome().is_some() {
                return self.over();
            }
            slot.with(agent, agents, work)
        }));
        send(&reported.unwrap_or_else(|_| {
            let error = format!("turn {}: the agent failed", self.turn);
            Reply::Refused(RefusalReply { id: Some(id.clone()), error, field: None })
        }));
    }

    /// The last answer; those during the search are sent on the way.
    fn answer(&self, agent: &mut dyn Agent, bounds: Budget<'_>) -> Reply {
        match self.search(agent, bounds) {
            Ok(report) => self.analysis(&report, false),
            Err(NoAnswer::Analysis(AnalysisError::Stopped)) => {
                Reply::NoResults(NoResults::new(self.order.id.clone(), self.turn))
            }
            Err(NoAnswer::Analysis(AnalysisError::Over { .. })) => self.over(),
            Err(error) => {
                let id = Some(self.order.id.clone());
                Reply::Refused(RefusalReply { id, error: error.to_string(), field: None })
            }
        }
    }

    /// Analyses the position. With reports on the way, it searches several times, each time for
    /// longer, and in the end for as long as is left, with the nodes that are left. The entries
    /// that a search keeps in its table make up for most of the repeated work.
    fn search(
        &self,
        agent: &mut dyn Agent,
        bounds: Budget<'_>,
    ) -> Result<PositionReport, NoAnswer> {
        // An agent with limits of its own does not stop when those of the query are reached.
        let short = Budget { time: Some(MIN_LOOK), ..Budget::default() };
        let can_be_cut = agent.bounds(short).time == short.time;
        let mut look = |time: Option<Duration>, spent: u64| {
            let nodes = bounds.nodes.map(|limit| limit.saturating_sub(spent));
            let budget = Budget { time, nodes, ..bounds };
            agent.analyse(&self.order.agent, &self.position, budget)
        };
        let Some(mut slice) = self.order.every.filter(|_| can_be_cut) else {
            return look(bounds.time, 0);
        };
        let began = Instant::now();
        let mut best: Option<PositionReport> = None;
        let mut nodes = 0;
        loop {
            let left = bounds.time.map(|time| time.saturating_sub(began.elapsed()));
            let last = left.is_some_and(|left| left <= slice);
            let time = if last { left.map(|left| left.max(MIN_LOOK)) } else { Some(slice) };
            let looked = Instant::now();
            let latest = look(time, nodes);
            let done = !Budget { time, ..bounds }.may_have_cut(looked.elapsed());
            nodes += latest.as_ref().map_or(0, |report| report.nodes);
            let report = match (latest, best.take()) {
                (Ok(report), None) => report,
                (Ok(report), Some(best)) if best.depth <= report.depth => report,
                (_, Some(best)) => best,
                (Err(error), None) => return Err(error),
            };
            let seconds = began.elapsed().as_secs_f64();
            let report = PositionReport { nodes, seconds, ..report };
            let reached = self.order.bounds.depth.is_some_and(|depth| report.depth >= depth)
                || self.order.bounds.nodes.is_some_and(|limit| nodes >= limit);
            if last || done || reached || bounds.stopped() || is_exact(&report) {
                return Ok(report);
            }
            send(&self.analysis(&report, true));
            best = Some(report);
            slice *= 2;
        }
    }

    /// The answer with the results of a search.
    fn analysis(&self, report: &PositionReport, is_during_search: bool) -> Reply {
        let lines = self.order.lines;
        let line = report.line.as_deref().unwrap_or_default();
        let rolls = report
            .rolls
            .as_ref()
            .map(|rolls| rolls.iter().map(|roll| roll_info(roll, lines)).collect());
        Reply::Analysis(Box::new(AnalysisReply {
            is_during_search,
            value: report.value,
            exact: is_exact(report),
            depth: report.depth,
            nodes: report.nodes,
            time: (report.seconds * 1e3) as u64,
            move_infos: report.moves.as_ref().map(|moves| move_infos(moves, line, lines)),
            roll_infos: rolls,
            ..self.empty()
        }))
    }

    /// The answer about a position in which the game is over.
    fn over(&self) -> Reply {
        let outcome = self.position.outcome();
        let result = outcome.map(|outcome| match outcome {
            Outcome::Win(Side::First) => "p1win",
            Outcome::Win(Side::Second) => "p2win",
            Outcome::Draw => "draw",
        });
        let value = outcome.map(|outcome| f64::from(outcome.value_for(self.position.side())));
        let result = result.map(str::to_owned);
        Reply::Analysis(Box::new(AnalysisReply { result, value, exact: true, ..self.empty() }))
    }

    /// The luck of the rolls before the position.
    fn luck(&self) -> Option<Vec<Luck>> {
        let before = |luck: &&Luck| luck.word < self.turn;
        self.order.luck.as_ref().map(|all| all.iter().filter(before).cloned().collect())
    }

    /// An answer without results of a search.
    fn empty(&self) -> AnalysisReply {
        AnalysisReply {
            id: self.order.id.clone(),
            turn_number: self.turn,
            position: self.position.to_string(),
            player: player(&self.position),
            luck: self.luck(),
            ..AnalysisReply::default()
        }
    }
}

/// The shortest time for a search.
const MIN_LOOK: Duration = Duration::from_millis(1);

/// Whether the value of the position is the true one: that of the best move, or of the best move of
/// every roll.
fn is_exact(report: &PositionReport) -> bool {
    let best = |moves: &[ScoredMove]| moves.first().is_some_and(|best| best.exact);
    match (&report.moves, &report.rolls) {
        (Some(moves), _) => best(moves),
        (None, Some(rolls)) => rolls.iter().all(|roll| best(&roll.moves)),
        (None, None) => false,
    }
}

fn roll_info(scored: &ScoredRoll, lines: usize) -> RollInfo {
    let ScoredRoll { roll, weight, value, moves, .. } = scored;
    RollInfo {
        roll: format!("@{roll}"),
        weight: *weight,
        value: *value,
        exact: moves.first().is_some_and(|best| best.exact),
        move_infos: move_infos(moves, &[], lines),
    }
}

/// The moves that are reported; `line` is the principal variation, as rolls with their moves.
fn move_infos(moves: &[ScoredMove], line: &[String], lines: usize) -> Vec<MoveInfo> {
    let reported = moves.iter().take(lines).enumerate();
    reported
        .map(|(order, ScoredMove { mv, value, exact })| {
            // The roll before the first move is that of the position, so it is skipped.
            let words = line.iter().flat_map(|step| step.split(' ')).skip(1).map(str::to_owned);
            let pv: Vec<String> = if order == 0 { words.collect() } else { vec![] };
            let pv = if pv.is_empty() { vec![mv.clone()] } else { pv };
            MoveInfo { order, mv: mv.clone(), value: *value, exact: *exact, pv }
        })
        .collect()
}

/// The player who is to roll or to move, 1 or 2.
pub fn player(position: &Position) -> u8 {
    if position.side() == Side::First { 1 } else { 2 }
}
