//! Tournaments: every agent meets every other one. Each match has set-ups and dice of its own.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use pyo3::prelude::*;
use wurfel::{MatchSettings, Player};
use wurfel_arena::{
    MatchProgress, Output, Pairing, SetUps, StandingReport, TournamentReport, TournamentTerms,
    pairings, seed_of_pairing,
};

use crate::budget::{bounds, stopped_by};
use crate::entrant::player;
use crate::error::{failed, refused, wrong};
use crate::interrupt::{Stop, stoppable};
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
    /// The mean of the agent's luck-adjusted win rates with its interval; `None` unless luck was measured.
    luck_adjusted: Option<(f64, (f64, f64))>,
    /// Games that the agent won.
    won: u64,
    /// Its rank by the games that it won.
    rank: usize,
}

#[pymethods]
impl Standing {
    fn __repr__(&self) -> String {
        let Self { agent, win_rate, interval: (low, high), .. } = self;
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
    let stop = Stop::default();
    let players: Vec<Player> =
        agents.iter().map(|agent| player(agent, &stop)).collect::<PyResult<_>>()?;
    if players.len() < 2 {
        return Err(wrong(format!("{} agents: expected two or more", players.len())));
    }
    if pairs == 0 {
        return Err(wrong("pairs=0: expected at least 1"));
    }
    let names: Vec<String> = players.iter().map(Player::name).collect();
    for (number, name) in names.iter().enumerate() {
        if names[..number].contains(name) {
            return Err(wrong(format!("agent '{name}': expected each name once")));
        }
    }
    let (budget, threads) = (bounds(depth, nodes, time)?, count(threads)?);
    let luck = luck.unwrap_or_else(|| players.iter().any(Player::searches));
    let mut progress = Progress::new(progress);
    let result = stoppable(py, &stop, || {
        let game = wurfel::game(game).map_err(wrong)?;
        let entrants = game.entrants(&players).map_err(wrong)?;
        entrants.try_start().map_err(failed)?;
        if let Some(folder) = &out {
            fs::create_dir_all(folder).map_err(refused(folder))?;
        }
        let (mut matches, mut results) = (vec![], vec![]);
        let all = pairs * (names.len() * (names.len() - 1) / 2) as u64;
        for met in pairings(names.len()) {
            let (seed, budget) = (seed_of_pairing(seed, met), stopped_by(budget, &stop));
            let settings = MatchSettings { pairs, seed, budget, luck, sprt: None };
            let arranged = entrants.between(met, settings);
            let file = out.as_ref().map(|folder| {
                let [one, other] = met.map(|number| number + 1);
                let path = folder.join(format!("games-{one}-{other}.jsonl"));
                Output::open(&path, &arranged.header(), csv)
            });
            let file = file.transpose().map_err(failed)?;
            let before = pairs * matches.len() as u64;
            let started = Instant::now();
            let tally = arranged.run(threads, file, &mut |MatchProgress { report, .. }| {
                progress.report(before + report.score.games() / 2, all, &stop);
            });
            let tally = tally.map_err(failed)?;
            let report = arranged.report(&tally, Some(started.elapsed()));
            matches.push(MatchResult::new(&report, &tally));
            results.push(Pairing { agents: met, tally });
            // The remaining matches are not played either; whatever set the flag also raises an
            // exception.
            if stop.load(Ordering::Relaxed) {
                return Ok(TournamentResult { standings: vec![], matches });
            }
        }
        let agents: Vec<_> = names.iter().map(|name| (name.clone(), name.clone())).collect();
        let facts = game.facts();
        let terms = TournamentTerms {
            game: (facts.name, facts.sides),
            agents: &agents,
            pairs,
            seed,
            setups: SetUps::Random,
        };
        let report = TournamentReport::new(terms, &results);
        let row =
            |StandingReport { agent, win_rate, interval, luck_adjusted, won, rank }| Standing {
                agent: agent.name,
                win_rate,
                interval: interval.into(),
                luck_adjusted: luck_adjusted.map(|mean| (mean.win_rate, mean.interval.into())),
                won,
                rank,
            };
        let standings = report.standings.into_iter().map(row).collect();
        Ok(TournamentResult { standings, matches })
    })?;
    progress.result(result)
}
