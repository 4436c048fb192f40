//! The value of a position: `analyse` has an agent estimate it, and `solve` finds it exactly.

use std::sync::Arc;
use std::time::Instant;

use pyo3::prelude::*;
use wurfel_agents::{Catalogued, DEFAULT_AGENT, Spec, UseGame, build, informed, with_game};
use wurfel_arena::{PositionReport, ScoredMove, ScoredTurn, Unscored};
use wurfel_core::{Budget, Random, Situation};
use wurfel_games::shared_evaluation;
use wurfel_search::{Cutoffs, Star, TranspositionTable};
use wurfel_tablebase::TablebaseEvaluator;

use crate::budget::{bounds, stopped_by};
use crate::error::{failed, wrong};
use crate::interrupt::working;
use crate::numbers;
use crate::position::Position;
use crate::state::{AnyState, known, refused};
use crate::tables::known_tables;
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

/// What a position is worth. All values are win probabilities of the side to move, 0 to 1.
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
    /// Positions visited, or how many of what `counted` names.
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

/// The position as one of game `G`, which was found by the game's name.
fn typed<G: Catalogued>(state: &dyn AnyState) -> PyResult<&Situation<G>> {
    known(state).ok_or_else(|| wrong(refused(state, &format!("one of {}", G::NAME))))
}

struct Analyse<'a> {
    state: &'a dyn AnyState,
    spec: Option<Spec>,
    budget: Budget<'a>,
}

impl UseGame for Analyse<'_> {
    type Output = PyResult<Analysis>;

    fn with<G: Catalogued>(self) -> PyResult<Analysis> {
        let Self { state, spec, budget } = self;
        let is_named = spec.is_some();
        let spec = spec.map_or_else(|| DEFAULT_AGENT.parse(), Ok).map_err(wrong)?;
        let factory = build::<G>(&spec).map_err(wrong)?;
        // Exact values would hide the opinion of an agent that was named.
        let mut agent = if is_named { factory() } else { informed(factory)() };
        agent.begin(Random::new(0));
        let situation = typed::<G>(state)?;
        match PositionReport::new(situation, (&spec.to_string(), &mut *agent), budget) {
            Ok(report) => Ok(report.into()),
            Err(over @ Unscored::Over { .. }) => Err(wrong(over)),
            Err(error) => Err(failed(error)),
        }
    }
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
    let spec = agent.map(str::parse).transpose().map_err(wrong)?;
    let state = &*position.0;
    working(py, |stop| {
        let analyse = Analyse { state, spec, budget: stopped_by(budget, stop) };
        with_game(state.game(), analyse).map_err(wrong)?
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

struct Solve<'a> {
    state: &'a dyn AnyState,
    budget: Budget<'a>,
    threads: usize,
    memory: usize,
}

impl UseGame for Solve<'_> {
    type Output = PyResult<Solution>;

    fn with<G: Catalogued>(self) -> PyResult<Solution> {
        let Self { state, budget, threads, memory } = self;
        let situation = typed::<G>(state)?;
        let Situation { position, roll } = situation;
        if position.outcome().is_some() {
            return Err(wrong(refused(state, "one before the end, but the game is over")));
        }
        let tables = known_tables::<G>()?;
        let evaluation = shared_evaluation::<G>(G::EVALUATIONS[0].name).map_err(wrong)?;
        let evaluator = TablebaseEvaluator::new(evaluation, Arc::new(tables));
        let table = Arc::new(TranspositionTable::new(memory));
        let star = Star::new(evaluator, Cutoffs::Star2, table, Budget::default());
        let started = Instant::now();
        let solution = star.solve_moves(position, *roll, threads, budget, |_, _| {});
        let (low, high) = solution.bounds();
        let chances: u32 = solution.rolls.iter().map(|roll| roll.roll.weight).sum();
        let mut rolls: Vec<RollValue> = vec![];
        for solved in &solution.rolls {
            let (low, high) = solved.bounds();
            let moves = solved.moves.iter().map(|of| MoveValue {
                r#move: of.mv.to_string(),
                value: of.value.map(f64::from),
                exact: of.exact,
            });
            rolls.push(RollValue {
                roll: solved.roll.item.to_string(),
                probability: f64::from(solved.roll.weight) / f64::from(chances),
                value: (low >= high).then_some(f64::from(low)),
                moves: moves.collect(),
            });
        }
        let moves = match roll {
            Some(_) => rolls.pop().map_or(vec![], |roll| roll.moves),
            None => vec![],
        };
        Ok(Solution {
            position: situation.to_string(),
            value: (low >= high).then_some(f64::from(low)),
            low: f64::from(low),
            high: f64::from(high),
            moves,
            rolls,
            nodes: solution.nodes,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

/// Finds the exact value, for the side to move and within 0.0001, of every legal move of a position
/// that has a roll; before the roll, of the moves of every roll.
///
/// The search goes down to the end of the game, or to tables for few pieces, which are built if
/// they are missing. `time` in seconds ends the search even if not everything is known. `threads`
/// is the number of threads, one for each CPU if left out, and `memory` the size of the
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
    let state = &*position.0;
    working(py, |stop| {
        let budget = stopped_by(budget, stop);
        let solve = Solve { state, budget, threads, memory: memory as usize };
        with_game(state.game(), solve).map_err(wrong)?
    })?
}
