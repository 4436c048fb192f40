//! The value of a position: `analyse` has an agent estimate it, and `solve` finds it exactly.

use pyo3::prelude::*;
use wurfel::{NoAnswer, SolutionReport, SolvedMove, SolvedRollReport};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::{AnalysisError, PositionReport, ScoredMove, ScoredTurn};
use wurfel_core::Random;

use crate::budget::{bounds, stopped_by};
use crate::error::{failed, wrong};
use crate::interrupt::working;
use crate::numbers;
use crate::position::Position;
use crate::regret::known_tables;
use crate::threads::count;

/// A legal move with its value.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct MoveValue {
    /// The move.
    r#move: String,
    /// The win probability of the side to move, 0 to 1 (a draw counts half); `None` if it is not
    /// known.
    value: Option<f64>,
    /// Whether the value is the true one under best play.
    exact: bool,
}

/// A whole turn with its value, in a game in which a turn can take several moves.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct TurnValue {
    /// The moves, in an order in which they can be made.
    moves: Vec<String>,
    /// The win probability of the side to move, 0 to 1 (a draw counts half).
    value: f64,
    /// Whether the value is the true one under best play.
    exact: bool,
    /// How many turns were looked ahead for the value, this one included.
    depth: u32,
}

/// A roll with the values of its moves.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct RollValue {
    /// The roll.
    roll: String,
    /// The probability of this roll among the rolls of the position.
    probability: f64,
    /// The value of the best move, for the side to move, 0 to 1.
    value: Option<f64>,
    /// The moves, the best first.
    moves: Vec<MoveValue>,
}

/// The values of a position and its moves: win probabilities of the side to move, 0 to 1.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct Analysis {
    /// The text of the position.
    position: String,
    /// The spec of the agent.
    agent: String,
    /// The value of the position; `None` if it is not known.
    value: Option<f64>,
    /// The moves of a rolled position, the best first; empty before the roll.
    moves: Vec<MoveValue>,
    /// Whole turns of a rolled position, where a turn can take several moves and the agent compares
    /// whole turns: those that it looked further into first, the best of them at the top.
    turns: Vec<TurnValue>,
    /// The rolls of a position before the roll, with their moves; empty with a roll.
    rolls: Vec<RollValue>,
    /// The principal variation: a roll and a move in turn, such as `"@4 c2b2"`.
    line: Vec<String>,
    /// Positions visited, or the number of what `counted` names.
    nodes: u64,
    /// What an agent counts that does not count positions, such as `"simulations"`; `None` otherwise.
    counted: Option<&'static str>,
    /// Turns looked ahead for every roll.
    depth: u32,
    /// How long the analysis took, in seconds.
    seconds: f64,
}

fn repr(value: Option<f64>) -> String {
    value.map_or("None".into(), |value| value.to_string())
}

#[pymethods]
impl MoveValue {
    fn __repr__(&self) -> String {
        let exact = if self.exact { "True" } else { "False" };
        format!("MoveValue('{}', {}, exact={exact})", self.r#move, repr(self.value))
    }
}

#[pymethods]
impl TurnValue {
    fn __repr__(&self) -> String {
        let exact = if self.exact { "True" } else { "False" };
        let Self { moves, value, depth, .. } = self;
        format!("TurnValue('{}', {value}, exact={exact}, depth={depth})", moves.join(" "))
    }
}

#[pymethods]
impl RollValue {
    fn __repr__(&self) -> String {
        format!("RollValue('{}', {}, moves={})", self.roll, repr(self.value), self.moves.len())
    }
}

#[pymethods]
impl Analysis {
    /// The best move of a rolled position; `None` before the roll.
    #[getter]
    fn best(&self) -> Option<MoveValue> {
        self.moves.first().cloned()
    }

    fn __repr__(&self) -> String {
        let best =
            self.moves.first().map_or(String::new(), |mv| format!(", best={}", mv.__repr__()));
        format!("Analysis('{}', value={}{best})", self.position, repr(self.value))
    }
}

impl From<PositionReport> for Analysis {
    fn from(report: PositionReport) -> Self {
        let rolls = report.rolls.unwrap_or_default();
        let chances: u32 = rolls.iter().map(|roll| roll.weight).sum();
        let roll = |roll: wurfel_arena::ScoredRoll| RollValue {
            roll: roll.roll,
            probability: f64::from(roll.weight) / f64::from(chances),
            value: roll.value,
            moves: scored(roll.moves),
        };
        let turn = |turn: ScoredTurn| {
            let ScoredTurn { moves, value, exact, depth } = turn;
            TurnValue { moves, value, exact, depth }
        };
        Self {
            position: report.position,
            agent: report.agent,
            value: report.value,
            moves: scored(report.moves.unwrap_or_default()),
            turns: report.turns.unwrap_or_default().into_iter().map(turn).collect(),
            rolls: rolls.into_iter().map(roll).collect(),
            line: report.line.unwrap_or_default(),
            nodes: report.nodes,
            counted: report.counted,
            depth: report.depth,
            seconds: report.seconds,
        }
    }
}

fn scored(moves: Vec<ScoredMove>) -> Vec<MoveValue> {
    let one = |of: ScoredMove| MoveValue { r#move: of.mv, value: of.value, exact: of.exact };
    moves.into_iter().map(one).collect()
}

/// Evaluates every legal move of a position that has a roll; before the roll, the moves of every
/// roll.
///
/// `agent` is a spec; without one the champion evaluates, and positions with few pieces are solved
/// exactly. `depth` in turns, `nodes` in positions and `time` in seconds bound the search; without
/// any bound the search gets one second. All values are for the side to move. Raises `ValueError`
/// when the game is over.
#[pyfunction]
#[pyo3(signature = (position, agent=None, *, depth=None, nodes=None, time=None))]
pub fn analyse(
    py: Python<'_>,
    position: &Position,
    agent: Option<&str>,
    #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    time: Option<f64>,
) -> PyResult<Analysis> {
    let budget = bounds(depth, nodes, time)?.or(bounds(None, None, Some(1.0))?);
    let spec: Spec = agent.unwrap_or(DEFAULT_AGENT).parse().map_err(wrong)?;
    working(py, |stop| {
        let agents = wurfel::game(position.0.game()).map_err(wrong)?.agents_of(&spec);
        let agents = agents.map_err(wrong)?;
        // Exact values would hide the estimates of an agent that was named.
        let agents = if agent.is_none() { agents.informed() } else { agents };
        let mut analyser = agents.make();
        analyser.begin(Random::new(0));
        match analyser.analyse(&spec.to_string(), &position.0, stopped_by(budget, stop)) {
            Ok(report) => Ok(report.into()),
            Err(NoAnswer::Analysis(over @ AnalysisError::Over { .. })) => Err(wrong(over)),
            Err(error) => Err(failed(error)),
        }
    })?
}

/// What is known about a position's exact value. All values are win probabilities of the side to
/// move, 0 to 1.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct Solution {
    /// The text of the position.
    position: String,
    /// The exact value; `None` if the time ran out before the value was known.
    value: Option<f64>,
    /// The value is at least this.
    low: f64,
    /// The value is at most this.
    high: f64,
    /// The moves of a rolled position, the best first; empty before the roll.
    moves: Vec<MoveValue>,
    /// The rolls of a position before the roll, with their moves; empty with a roll.
    rolls: Vec<RollValue>,
    /// Positions visited.
    nodes: u64,
    /// How long the search took, in seconds.
    seconds: f64,
}

#[pymethods]
impl Solution {
    /// The best move of a rolled position; `None` before the roll.
    #[getter]
    fn best(&self) -> Option<MoveValue> {
        self.moves.first().cloned()
    }

    fn __repr__(&self) -> String {
        let Self { position, low, high, .. } = self;
        format!("Solution('{position}', value={}, low={low}, high={high})", repr(self.value))
    }
}

impl Solution {
    /// The solution of a position, which has a roll if `rolled`.
    fn new(report: SolutionReport, rolled: bool) -> Self {
        let chances: u32 = report.rolls.iter().map(|roll| roll.weight).sum();
        let of_move = |of: SolvedMove| MoveValue {
            r#move: of.r#move,
            value: of.value.map(f64::from),
            exact: of.value.is_some(),
        };
        let of_roll = |roll: SolvedRollReport| RollValue {
            roll: roll.roll,
            probability: f64::from(roll.weight) / f64::from(chances),
            value: (roll.low >= roll.high).then_some(f64::from(roll.low)),
            moves: roll.moves.into_iter().map(of_move).collect(),
        };
        let mut rolls: Vec<RollValue> = report.rolls.into_iter().map(of_roll).collect();
        let moves = if rolled { rolls.pop().map_or(vec![], |roll| roll.moves) } else { vec![] };
        Self {
            position: report.position,
            value: report.value.map(f64::from),
            low: f64::from(report.low),
            high: f64::from(report.high),
            moves,
            rolls,
            nodes: report.nodes,
            seconds: report.seconds,
        }
    }
}

/// Finds the exact value, for the side to move and within 0.0001, of every legal move of a position
/// that has a roll; before the roll, of the moves of every roll.
///
/// The search goes down to the end of the game, or to tables for few pieces, which are built if
/// they are missing. `time` in seconds ends the search even if not everything is known. `threads`
/// is the number of threads, by default one for each CPU, and `memory` the size of the
/// transposition table in megabytes. Raises `ValueError` when the game is over.
#[pyfunction]
#[pyo3(signature = (position, *, time=None, threads=None, memory=256))]
pub fn solve(
    py: Python<'_>,
    position: &Position,
    time: Option<f64>,
    #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    #[pyo3(from_py_with = numbers::memory)] memory: u32,
) -> PyResult<Solution> {
    let (budget, threads) = (bounds(None, None, time)?, count(threads)?);
    if !(1..=1 << 20).contains(&memory) {
        return Err(wrong(format!("memory={memory}: expected megabytes from 1 to 1048576")));
    }
    let position = &position.0;
    working(py, |stop| {
        let solver = known_tables(position.game())?.solver(memory as usize);
        let budget = stopped_by(budget, stop);
        let values = solver.solve(position, threads, budget, &mut |_, _| {}).map_err(wrong)?;
        Ok(Solution::new(values, position.roll().is_some()))
    })?
}
