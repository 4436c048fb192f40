//! One `go`: thinks within its limits, and reports what it finds.

use std::time::{Duration, Instant};

use wurfel::{Agent, NoAnswer, Position, TurnAnalysis};
use wurfel_core::{Assessment, Budget, Decision, Weighted};
use wurfel_protocol::ugi::{Go, Info, PositionWord, Reply};

use super::{control, send};

/// How long the first look of a search without a limit takes; each further look takes twice as
/// long.
const FIRST_LOOK: Duration = Duration::from_millis(20);

/// A search in progress.
pub struct GoSearch<'a> {
    /// The agent that thinks.
    pub agent: &'a mut dyn Agent,
    /// How many moves it reports.
    pub lines: usize,
    began: Instant,
    nodes: u64,
}

impl<'a> GoSearch<'a> {
    /// A search that begins now.
    pub fn new(agent: &'a mut dyn Agent, lines: u32) -> Self {
        Self { agent, lines: lines as usize, began: Instant::now(), nodes: 0 }
    }

    /// Decides on a position with a roll. `time` is the time for it, if `go` limits that.
    pub fn decide(
        &mut self,
        turn: &Position,
        go: &Go,
        time: Option<Duration>,
    ) -> Result<String, NoAnswer> {
        let limits = Budget { depth: go.depth, nodes: go.nodes, time, ..stoppable() };
        if go.infinite {
            return Ok(self.until_stopped(|search, budget| search.analyse(turn, budget))?.0);
        }
        let only_depth = time.is_none() && go.nodes.is_none();
        let mut depth = if only_depth { 1 } else { limits.depth.unwrap_or(0) };
        loop {
            let budget = Budget { depth: (depth > 0).then_some(depth), ..limits };
            let (mv, reached) = self.look(turn, budget)?;
            // An agent with limits of its own, or one that does not deepen turn by turn, has
            // already done all it can.
            let goes_on = only_depth && depth < limits.depth.unwrap_or(0) && reached == depth;
            if !goes_on || limits.stopped() {
                return Ok(mv);
            }
            depth += 1;
        }
    }

    /// Looks for longer and longer until the driver says stop; returns what the last look found.
    fn until_stopped<T>(
        &mut self,
        look: impl Fn(&mut Self, Budget<'_>) -> Result<T, NoAnswer>,
    ) -> Result<T, NoAnswer> {
        let mut time = FIRST_LOOK;
        loop {
            let looked = Instant::now();
            let budget = Budget { time: Some(time), ..stoppable() };
            let result = look(self, budget)?;
            if !budget.may_have_cut(looked.elapsed()) {
                wait_for_stop();
            }
            if stoppable().stopped() {
                return Ok(result);
            }
            time *= 2;
        }
    }

    /// Reports on all rolls of a position. Without a limit it looks for longer and longer until the
    /// driver says stop.
    pub fn report(&mut self, position: &Position, go: &Go) -> Result<(), NoAnswer> {
        if go.infinite || go.ponder {
            if stoppable().stopped() {
                return Ok(());
            }
            return self.until_stopped(|search, budget| search.report_within(position, budget));
        }
        let limits = Budget { depth: go.depth, nodes: go.nodes, ..stoppable() };
        self.report_within(position, limits)
    }

    fn report_within(&mut self, position: &Position, budget: Budget<'_>) -> Result<(), NoAnswer> {
        let rolls = position.rolls();
        let each = budget.split(rolls.len() as u32);
        let (mut sum, mut chances, mut depth) = (0.0, 0, u32::MAX);
        for Weighted { item: roll, weight } in rolls {
            let decision = self.agent.decide(&position.rolled(&roll)?, each)?;
            self.nodes += decision.nodes;
            depth = depth.min(decision.depth);
            chances += weight;
            sum += f64::from(weight) * decision.value.map_or(f64::NAN, f64::from);
            let Decision { mv, value, exact, .. } = decision;
            let pv = vec![PositionWord::Roll(roll), PositionWord::Move(mv)];
            let info = self.info(decision.depth, value.map(f64::from), exact);
            send(&Reply::Info(Info { weight: Some(weight), pv, ..info }));
        }
        let mean = sum / f64::from(chances);
        send(&Reply::Info(self.info(depth, (!mean.is_nan()).then_some(mean), false)));
        Ok(())
    }

    /// Looks at a turn once; returns the best move and the depth that was reached.
    fn look(&mut self, turn: &Position, budget: Budget<'_>) -> Result<(String, u32), NoAnswer> {
        if self.lines > 1 {
            return self.analyse(turn, budget);
        }
        let Decision { mv, value, exact, nodes, depth } = self.agent.decide(turn, budget)?;
        self.nodes += nodes;
        let pv = vec![PositionWord::Move(mv.clone())];
        send(&Reply::Info(Info { pv, ..self.info(depth, value.map(f64::from), exact) }));
        Ok((mv, depth))
    }

    /// Evaluates all moves of a turn once, and reports the best of them.
    fn analyse(&mut self, turn: &Position, budget: Budget<'_>) -> Result<(String, u32), NoAnswer> {
        let TurnAnalysis { moves, line, nodes, depth, .. } =
            self.agent.analyse_turn(turn, budget)?;
        self.nodes += nodes;
        for (rank, Assessment { mv, value, exact }) in (1..).zip(moves.iter().take(self.lines)) {
            let pv = if rank == 1 { steps(&line) } else { vec![PositionWord::Move(mv.clone())] };
            let info = self.info(depth, value.map(f64::from), *exact);
            send(&Reply::Info(Info { multipv: Some(rank), pv, ..info }));
        }
        Ok((moves[0].mv.clone(), depth))
    }

    fn info(&self, depth: u32, value: Option<f64>, exact: bool) -> Info {
        let time = self.began.elapsed();
        let nps = self.nodes as f64 / time.as_secs_f64().max(1e-6);
        Info {
            depth: Some(depth),
            time: Some(time),
            nodes: Some(self.nodes),
            nps: Some(nps as u64),
            cp: value.map(Info::centipoints),
            value,
            exact,
            ..Info::default()
        }
    }
}

/// Waits for the driver. An agent may end a look when half of its time is gone; one that ends much
/// earlier has found everything that it can find, and would only repeat itself.
fn wait_for_stop() {
    while !stoppable().stopped() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A budget without limits that ends when the driver says so.
fn stoppable() -> Budget<'static> {
    Budget { stop: Some(control::stop_flag()), ..Budget::default() }
}

/// The moves of a principal variation, with the rolls between them.
fn steps(line: &[(String, String)]) -> Vec<PositionWord> {
    let mut steps = vec![];
    for (number, (roll, mv)) in line.iter().enumerate() {
        if number > 0 {
            steps.push(PositionWord::Roll(roll.clone()));
        }
        steps.push(PositionWord::Move(mv.clone()));
    }
    steps
}
