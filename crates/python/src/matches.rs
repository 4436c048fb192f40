//! Matches of mirrored pairs.

use std::path::PathBuf;
use std::time::Instant;

use pyo3::prelude::*;
use wurfel::{MatchSettings, Player};
use wurfel_arena::{
    AdjustedRate, AgentReport, MatchProgress, MatchReport, MatchTally, Output, PlayedRate,
};

use crate::budget::{bounds, stopped_by};
use crate::entrant::player;
use crate::error::{failed, wrong};
use crate::interrupt::{Stop, stoppable};
use crate::numbers;
use crate::progress::Progress;
use crate::threads::count;

/// The result of a match. All rates are the first agent's, from 0 to 1; a draw counts half.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct MatchResult {
    /// The name of the game.
    game: &'static str,
    /// The names of the two agents.
    agents: (String, String),
    /// The seed of set-ups, dice and agents.
    seed: u64,
    /// Games played, two for each pair.
    games: u64,
    /// Games that the first agent won.
    wins: u64,
    /// Games drawn.
    draws: u64,
    /// Games that the first agent lost.
    losses: u64,
    /// How many pairs brought the first agent 0, ½, 1, 1½ and 2 points.
    pair_points: [u64; 5],
    /// The points that the first agent won per game.
    win_rate: f64,
    /// The 95 % interval of the win rate, from the variance between pairs.
    interval: (f64, f64),
    /// The win rate with the luck of the dice taken off, with its interval; `None` if luck was not
    /// measured.
    luck_adjusted: Option<(f64, (f64, f64))>,
    /// The Elo difference; `None` if one agent won all games.
    elo: Option<f64>,
    /// The 95 % interval of the Elo difference.
    elo_interval: (Option<f64>, Option<f64>),
    /// The probability that the first agent is the stronger one.
    los: f64,
    /// Games that side 0 won.
    first_side_wins: u64,
    /// The mean number of turns in a game, of both sides together.
    mean_plies: f64,
    /// How many games each agent lost by a crash.
    crashes: (u64, u64),
    /// How many games each agent lost by an illegal move.
    illegal_moves: (u64, u64),
    /// How many games each agent lost on time.
    time_losses: (u64, u64),
    /// For each agent, why it lost the first few of these games.
    reasons: (Vec<String>, Vec<String>),
    /// Games that no fault decided.
    played: u64,
    /// The points that the first agent won per game in these, with their 95 % interval; `None`
    /// without such games.
    played_rate: Option<(f64, (f64, f64))>,
    /// A warning about the win rate, when many games were lost by faults; `None` when few were.
    warning: Option<String>,
    /// The mean time of each agent for a decision, in seconds; `None` where no decision was timed. In a
    /// match that was resumed, only tables in CSV know the times of the games before.
    mean_seconds: (Option<f64>, Option<f64>),
    /// How long the match took, in seconds.
    seconds: f64,
}

#[pymethods]
impl MatchResult {
    fn __repr__(&self) -> String {
        let Self { agents: (one, other), games, win_rate, interval: (low, high), .. } = self;
        format!(
            "MatchResult('{one}' against '{other}': {games} games, win rate {win_rate:.4}, \
             interval {low:.4} to {high:.4})"
        )
    }
}

impl MatchResult {
    pub fn new(report: &MatchReport, tally: &MatchTally) -> Self {
        let score = &report.score;
        let ends = |[low, high]: [f64; 2]| (low, high);
        let [elo_low, elo_high] = score.elo_interval;
        let [one, other] = &report.agents;
        let of_both = |of: fn(&AgentReport) -> u64| (of(one), of(other));
        Self {
            game: report.game,
            agents: (one.name.clone(), other.name.clone()),
            seed: report.seed,
            games: score.games,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            pair_points: score.pair_points,
            win_rate: score.win_rate,
            interval: ends(score.interval),
            luck_adjusted: score
                .luck_adjusted
                .map(|AdjustedRate { win_rate, interval, .. }| (win_rate, ends(interval))),
            elo: score.elo,
            elo_interval: (elo_low, elo_high),
            los: score.los,
            first_side_wins: report.first_side_wins,
            mean_plies: report.mean_plies,
            crashes: of_both(|agent| agent.faults.crashes),
            illegal_moves: of_both(|agent| agent.faults.illegal_moves),
            time_losses: of_both(|agent| agent.faults.time_losses),
            reasons: (one.reasons.clone(), other.reasons.clone()),
            played: tally.played.games(),
            played_rate: tally
                .played
                .rate()
                .map(|PlayedRate { rate, interval, .. }| (rate, ends(interval.ends()))),
            warning: score.warning.clone(),
            mean_seconds: (one.mean_seconds, other.mean_seconds),
            seconds: report.seconds.unwrap_or_default(),
        }
    }
}

/// Plays a match of mirrored pairs: both games of a pair have the same set-ups and dice, and the
/// agents exchange sides.
///
/// `one` and `other` are specs, or classes (or functions without arguments) that make agents
/// written in Python: objects with `decide(turn, budget)`, one for each thread. Such an agent loses
/// the game in which it raises an exception or plays an illegal move, and `reasons` says why.
///
/// The same `seed` gives the same games on any number of `threads` (all CPUs by default), as long
/// as no agent is bounded by time. `depth` in turns, `nodes` in positions and `time` in seconds
/// bound agents whose spec sets no bound. `luck` says whether to measure the luck of the dice and
/// take it off; by default this is done when one of the agents searches. `out` is a file for the
/// games, and `csv=True` writes tables beside it, with the time of each move; the same call resumes an
/// interrupted match from that file. `progress(done, pairs)` is called about ten times a second.
#[pyfunction(name = "match")]
#[pyo3(signature = (one, other, pairs=500, seed=1, threads=None, *, game="einstein", depth=None, nodes=None,
    time=None, luck=None, out=None, csv=false, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn play_match(
    py: Python<'_>,
    one: &Bound<'_, PyAny>,
    other: &Bound<'_, PyAny>,
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
) -> PyResult<MatchResult> {
    if pairs == 0 {
        return Err(wrong("pairs=0: expected at least 1"));
    }
    let stop = Stop::default();
    let players = [player(one, &stop)?, player(other, &stop)?];
    let (budget, threads) = (bounds(depth, nodes, time)?, count(threads)?);
    let luck = luck.unwrap_or_else(|| players.iter().any(Player::searches));
    let mut progress = Progress::new(progress);
    let result = stoppable(py, &stop, || {
        let budget = stopped_by(budget, &stop);
        let entrants = wurfel::game(game).map_err(wrong)?.entrants(&players).map_err(wrong)?;
        let settings = MatchSettings { pairs, seed, budget, luck, sprt: None };
        let mut arranged = entrants.between([0, 1], settings);
        arranged.try_start().map_err(failed)?;
        let file = out.map(|path| Output::open(&path, &arranged.header(), csv)).transpose();
        let started = Instant::now();
        let tally =
            arranged.run(threads, file.map_err(failed)?, &mut |MatchProgress { report, pairs }| {
                progress.report(report.score.games() / 2, pairs, &stop);
            });
        let tally = tally.map_err(failed)?;
        Ok(MatchResult::new(&arranged.report(&tally, Some(started.elapsed())), &tally))
    })?;
    progress.result(result)
}
