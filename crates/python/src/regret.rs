//! Regret: how much decisions lose against perfect play.

use std::ffi::CString;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use wurfel::{Facts, Tables};
use wurfel_arena::{LossReport, PositionSource, RegretReference, RegretReport, RegretSettings};

use crate::budget::{bounds, stopped_by};
use crate::entrant::player;
use crate::error::{failed, wrong};
use crate::interrupt::{Stop, stoppable};
use crate::numbers;
use crate::progress::Progress;
use crate::threads::count;

/// How much win probability an agent's decisions lose, for the side that decides, against perfect
/// play.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct RegretResult {
    /// The name of the agent.
    agent: String,
    /// The name of the game.
    game: &'static str,
    /// Pieces on the board.
    pieces: u32,
    /// The seed of positions, rolls and the agent.
    seed: u64,
    /// Decisions that were measured; those with one legal move do not count.
    decisions: u64,
    /// The mean win probability that a decision loses, 0 to 1.
    regret: f64,
    /// The 95 % interval of `regret`.
    interval: (f64, f64),
    /// The share of decisions that lose nothing.
    optimal: f64,
    /// The worst decisions, the worst first: position, move, best move, win probability lost.
    worst: Vec<(String, String, String, f64)>,
    /// How long the measurement took, in seconds.
    seconds: f64,
}

#[pymethods]
impl RegretResult {
    fn __repr__(&self) -> String {
        let Self { agent, decisions, regret, interval: (low, high), .. } = self;
        format!(
            "RegretResult('{agent}': {regret:.6}, interval {low:.6} to {high:.6}, {decisions} decisions)"
        )
    }
}

/// The tables in the default folder. Where the system refuses it, the search goes on without any,
/// which takes longer and is a `RuntimeWarning`.
pub fn known_tables(game: &str) -> PyResult<Tables> {
    let (tables, refused) =
        wurfel::game(game).map_err(wrong)?.tables_for_search(None).map_err(failed)?;
    if let Some(error) = refused {
        let message = CString::new(format!("searching without tables: {error}")).map_err(failed)?;
        Python::attach(|py| PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1))?;
    }
    Ok(tables)
}

/// Refuses a number of pieces from which the game cannot be searched to its end.
fn check(game: &Facts, pieces: u32) -> PyResult<()> {
    let Facts { name, max_solved, .. } = *game;
    if (2..=max_solved).contains(&pieces) {
        return Ok(());
    }
    Err(wrong(if max_solved == 0 {
        format!("{name}: expected a game that can be searched to its end")
    } else {
        format!("pieces={pieces}: expected a number from 2 to {max_solved}")
    }))
}

/// Measures how much win probability an agent's decisions lose against perfect play, in positions
/// with few `pieces` that are drawn at random.
///
/// `agent` is a spec, or a class or function that makes agents written in Python. If an agent
/// fails, a `RuntimeError` says why. The values of perfect play come from tables, or from searches
/// to the end of the game. The same `seed` gives the same result on any number of `threads` (all
/// CPUs by default), unless the agent is bounded by time. With `played=True` the positions come
/// from games of random moves. `progress(done, decisions)` is called after each decision.
#[pyfunction]
#[pyo3(signature = (agent, decisions=1000, seed=1, threads=None, *, game="einstein", pieces=4, played=false,
    depth=None, nodes=None, time=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn regret(
    py: Python<'_>,
    agent: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = numbers::decisions)] decisions: u64,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
    #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    game: &str,
    #[pyo3(from_py_with = numbers::pieces)] pieces: u32,
    played: bool,
    #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    time: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<RegretResult> {
    if decisions == 0 {
        return Err(wrong("decisions=0: expected at least 1"));
    }
    let stop = Stop::default();
    let player = player(agent, &stop)?;
    let (budget, threads) = (bounds(depth, nodes, time)?, count(threads)?);
    let source = if played { PositionSource::Played } else { PositionSource::Scattered };
    let mut progress = Progress::new(progress);
    let result = stoppable(py, &stop, || {
        let game = wurfel::game(game).map_err(wrong)?;
        check(&game.facts(), pieces)?;
        let (agents, tables) = (game.agents(&player).map_err(wrong)?, known_tables(game.name())?);
        let budget = stopped_by(budget, &stop);
        let settings = RegretSettings { pieces, decisions, source, seed, budget };
        let started = Instant::now();
        let regret = tables.regret(&agents, settings, threads, &mut |done| {
            progress.report(done, decisions, &stop);
            !stop.load(Ordering::Relaxed)
        });
        let regret =
            regret.map_err(|failure| failed(format!("{} failed: {failure}", player.name())))?;
        let (of, reference) = ((game.name(), seed), RegretReference::Pieces(pieces));
        let report = RegretReport::new(&player.name(), of, reference, &regret, None);
        let [low, high] = report.interval;
        let worst = report
            .worst
            .into_iter()
            .map(|LossReport { position, r#move, best, lost }| (position, r#move, best, lost));
        Ok(RegretResult {
            agent: report.agent,
            game: report.game,
            pieces,
            seed,
            decisions: report.decisions,
            regret: report.regret,
            interval: (low, high),
            optimal: report.optimal,
            worst: worst.collect(),
            seconds: started.elapsed().as_secs_f64(),
        })
    })?;
    progress.result(result)
}
