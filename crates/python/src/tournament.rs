//! Tournaments: every agent meets every other one. Each match has set-ups and dice of its own.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pyo3::prelude::*;
use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_arena::{
    Entrant, LuckMeter, Match, MatchProgress, Output, Pairing, seed_of_pairing, standing,
};
use wurfel_core::Budget;

use crate::budget::{bounds, stopped_by};
use crate::entrant::Named;
use crate::error::{failed, refused, wrong};
use crate::interrupt::{Stop, working};
use crate::matches::MatchResult;
use crate::numbers;
use crate::progress::Progress;
use crate::threads::count;

/// How an agent did in a tournament.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct Standing {
    /// The name of the agent.
    agent: String,
    /// The mean of the agent's win rates against the others, 0 to 1.
    win_rate: f64,
    /// The 95 % interval of `win_rate`.
    interval: (f64, f64),
}

#[pymethods]
impl Standing {
    fn __repr__(&self) -> String {
        let Self { agent, win_rate, interval: (low, high) } = self;
        format!("Standing('{agent}', {win_rate:.4}, interval {low:.4} to {high:.4})")
    }
}

/// The result of a tournament.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct TournamentResult {
    /// The agents, the best first.
    standings: Vec<Standing>,
    /// The results of all matches, each for its first agent.
    matches: Vec<MatchResult>,
}

#[pymethods]
impl TournamentResult {
    fn __repr__(&self) -> String {
        let rows: Vec<String> = self.standings.iter().map(Standing::__repr__).collect();
        format!("TournamentResult([{}], {} matches)", rows.join(", "), self.matches.len())
    }
}

/// A tournament, played in the game that it names.
struct Play<'a> {
    agents: Vec<Named>,
    pairs: u64,
    seed: u64,
    threads: usize,
    budget: Budget<'static>,
    stop: &'a Stop,
    luck: bool,
    out: Option<PathBuf>,
    csv: bool,
    progress: &'a mut Progress,
}

impl UseGame for Play<'_> {
    type Output = PyResult<TournamentResult>;

    fn with<G: Catalogued>(self) -> PyResult<TournamentResult> {
        let Self { agents, pairs, seed, threads, budget, stop, luck, out, csv, progress } = self;
        let entrants: Vec<Entrant<G>> =
            agents.iter().map(|agent| agent.entrant(stop)).collect::<PyResult<_>>()?;
        for entrant in &entrants {
            entrant.try_start().map_err(failed)?;
        }
        let meter = luck.then(LuckMeter::usual);
        let names: Vec<String> = agents.iter().map(Named::name).collect();
        let (mut matches, mut pairings) = (vec![], vec![]);
        if let Some(folder) = &out {
            fs::create_dir_all(folder).map_err(refused(folder))?;
        }
        let all = pairs * (agents.len() * (agents.len() - 1) / 2) as u64;
        for one in 0..agents.len() {
            for other in one + 1..agents.len() {
                let between = [entrants[one].clone(), entrants[other].clone()];
                let budget = stopped_by(budget, stop);
                let seed = seed_of_pairing(seed, [one, other]);
                let arranged =
                    Match { budget, luck: meter.clone(), ..Match::between(between, pairs, seed) };
                let file = out.as_ref().map(|folder| {
                    let path = folder.join(format!("games-{}-{}.jsonl", one + 1, other + 1));
                    Output::open(&path, &arranged.header(), csv)
                });
                let file = file.transpose().map_err(failed)?;
                let before = pairs * matches.len() as u64;
                let started = Instant::now();
                let report =
                    arranged.run(threads, file, &mut |MatchProgress { report, .. }| {
                        progress.tell(before + report.score.games() / 2, all, stop);
                    });
                let report = report.map_err(failed)?;
                let seconds = started.elapsed().as_secs_f64();
                let between = (names[one].clone(), names[other].clone());
                matches.push(MatchResult::new((G::NAME, seed), between, &report, seconds));
                pairings.push(Pairing::new([one, other], &report));
                // The remaining matches are not played either; whatever set the flag also raises an
                // exception.
                if stop.load(Ordering::Relaxed) {
                    return Ok(TournamentResult { standings: vec![], matches });
                }
            }
        }
        let row = |(agent, name): (usize, String)| {
            let (win_rate, interval) = standing(agent, &pairings);
            Standing { agent: name, win_rate, interval: (interval.low, interval.high) }
        };
        let mut standings: Vec<Standing> = names.into_iter().enumerate().map(row).collect();
        standings.sort_by(|one, other| other.win_rate.total_cmp(&one.win_rate));
        Ok(TournamentResult { standings, matches })
    }
}

/// Plays a tournament in which every agent meets every other one in a match of mirrored pairs. Each
/// match has set-ups and dice of its own.
///
/// `agents` are given as `match` takes them, and the other arguments are those of `match`. `out` is
/// a folder for the games, with a file such as `games-1-2.jsonl` for each match; the same call
/// resumes an interrupted tournament from that folder. `progress(done, pairs)` counts the pairs of
/// all matches.
#[pyfunction]
#[pyo3(signature = (agents, pairs=500, seed=1, threads=None, *, game="einstein", depth=None, nodes=None, time=None,
    luck=None, out=None, csv=false, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn tournament(
    py: Python<'_>,
    agents: Vec<Bound<'_, PyAny>>,
    #[pyo3(from_py_with = numbers::pairs)] pairs: u64,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
    #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    game: &str,
    #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    time: Option<f64>,
    luck: Option<bool>,
    out: Option<PathBuf>,
    csv: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<TournamentResult> {
    let agents: Vec<Named> = agents.iter().map(Named::read).collect::<PyResult<_>>()?;
    if agents.len() < 2 {
        return Err(wrong(format!("{} agents: expected two or more", agents.len())));
    }
    if pairs == 0 {
        return Err(wrong("pairs=0: expected at least 1"));
    }
    for (number, agent) in agents.iter().enumerate() {
        if agents[..number].iter().any(|other| other.name() == agent.name()) {
            return Err(wrong(format!("agent '{}': expected each name once", agent.name())));
        }
    }
    let (budget, threads) = (bounds(depth, nodes, time)?, count(threads)?);
    let luck = luck.unwrap_or_else(|| agents.iter().any(Named::searches));
    let mut progress = Progress::new(progress);
    let result = working(py, |stop| {
        let progress = &mut progress;
        let play = Play { agents, pairs, seed, threads, budget, stop, luck, out, csv, progress };
        with_game(game, play).map_err(wrong)?
    })?;
    progress.result(result)
}
