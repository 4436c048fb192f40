//! `wurfel rollout`: estimates the value of a position by playing it out many times.

mod file;
mod moves;
mod settings;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use wurfel::{Position, Rollout, RolloutSettings as RolloutConditions};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::{
    ComparisonTerms, DEFAULT_ERROR_RATE, Decimal, Estimate, RolloutResult, StoppingRule,
    StoredComparison,
};
use wurfel_core::Budget;

use crate::Done;
use crate::batch::{Answer, PositionArgs, answer_each};
use crate::bounds::{Bounds, decimal, seed, whole};
use crate::figures::shown_error;
use crate::options::Jobs;
use crate::progress::bar;
use crate::stop::{self, Stopped};
use file::RolloutFile;
use moves::MoveComparison;
use settings::RolloutSettings;

/// Plays a position out many times and estimates its value
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  wurfel rollout 'ABC2/DE3/F3f/3ed/2cba r - 1' --games 1200\n  \
    wurfel rollout 'ABC2/DE3/F3f/3ed/2cba r 4 1' --se 0.002 --depth 2\n  \
    wurfel rollout '5/1A3/2B2/2c1a/5 b 4 1' --moves 3 --depth 3\n  \
    wurfel rollout '5/1A3/2B2/2c1a/5 b - 1' --games 5000 --store rollout.json\n  \
    wurfel rollout '5/1A3/2B2/2c1a/5 b 4 1' --moves 3 --games 5000 --store moves.json\n\n\
    The value is the win probability of the side to move when the agent plays both sides. The\n\
    first rolls are stratified, and the luck of later ones is taken off. Without a bound the\n\
    agent looks one turn ahead. With --moves the best moves of the agent are played out on the\n\
    same dice, and those that are behind are dropped; how far a move is behind is estimated from\n\
    the games on common dice, not by subtracting the values. Ctrl-C ends the rollout and shows what it\n\
    has found. With --store the same command with more games goes on from there."
)]
pub struct RolloutCommand {
    #[command(flatten)]
    query: PositionArgs,
    /// The agent that plays both sides (see `wurfel agents`)
    #[arg(long, default_value = DEFAULT_AGENT)]
    agent: String,
    #[command(flatten)]
    bounds: Bounds,
    /// Number of games, rounded up so that each first roll has its share (1000 if neither --games
    /// nor --se is given)
    #[arg(long, value_parser = whole::<u64>(1..=1 << 40))]
    games: Option<u64>,
    /// Play until the standard error of the value is this small, such as 0.002
    #[arg(long, value_parser = decimal::<f64>(1e-6..=1.0))]
    se: Option<f64>,
    /// The seed for dice and players
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Compare the agent's best moves for the roll in the position, this many of them; --games is then
    /// the number of games of each move, and --se the standard error of the best
    #[arg(long, value_parser = whole::<u32>(1..=1000))]
    moves: Option<u32>,
    /// With --moves, the largest acceptable probability that the best of them is dropped (0.05 if left
    /// out)
    #[arg(long, requires = "moves", value_name = "P", value_parser = decimal::<f64>(1e-6..=0.5))]
    error_rate: Option<f64>,
    /// End each game after this many turns, with the agent's value of the position
    #[arg(long, value_name = "TURNS", value_parser = whole::<u32>(1..=1000))]
    truncate: Option<u32>,
    /// Save the results in this file, and continue from those that it already has
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Do not take the luck of the rolls off the value
    #[arg(long)]
    keep_luck: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// How many games are played when neither a number nor a standard error is given.
const GAMES: u64 = 1000;

/// The result of a rollout.
#[derive(Serialize)]
struct RolloutReport {
    position: String,
    agent: String,
    /// The win probability of the side to move, luck-adjusted where luck was measured.
    value: f64,
    /// `None` where it cannot be estimated, because the results do not vary.
    standard_error: Option<f64>,
    interval: [f64; 2],
    /// The same estimate from the results of the games alone.
    raw: Raw,
    /// The share of the measured luck that was taken off.
    coefficient: Option<f64>,
    /// How many times more games would give the same interval without luck adjustment.
    gain: Option<f64>,
    games: u64,
    faults: u64,
    mean_plies: f64,
    complete: bool,
    #[serde(flatten)]
    settings: RolloutSettings,
    seed: u64,
    seconds: f64,
    #[serde(skip)]
    picture: String,
}

#[derive(Serialize)]
struct Raw {
    value: f64,
    standard_error: Option<f64>,
    interval: [f64; 2],
}

impl Raw {
    fn new(estimate: Estimate) -> Self {
        Self {
            value: estimate.mean,
            standard_error: estimate.known_error(),
            interval: estimate.interval.ends(),
        }
    }
}

impl Answer for RolloutReport {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let line = |value: f64, error: Option<f64>, [low, high]: [f64; 2]| {
            let (value, error) = (Decimal(100.0 * value), shown_error(error));
            let (low, high) = (Decimal(100.0 * low), Decimal(100.0 * high));
            format!("{value:.2} %, standard error {error}, 95 % interval {low:.2} to {high:.2}")
        };
        writeln!(out, "{}", self.picture)?;
        writeln!(out, "value    {}", line(self.value, self.standard_error, self.interval))?;
        if let (Some(coefficient), Some(gain)) = (self.coefficient, self.gain) {
            let Raw { value, standard_error, interval } = self.raw;
            writeln!(out, "as won   {}", line(value, standard_error, interval))?;
            writeln!(
                out,
                "luck     taken off with coefficient {coefficient:.2}: as precise as {gain:.1} times as many games"
            )?;
        }
        writeln!(
            out,
            "{}: {} games, {:.1} plies on average, {:.2} s",
            self.agent,
            HumanCount(self.games),
            self.mean_plies,
            self.seconds
        )?;
        writeln!(out, "{}", self.settings)?;
        match self.faults {
            0 => Ok(()),
            faults => writeln!(out, "{faults} games were lost by crash, illegal move or time"),
        }
    }
}

impl RolloutCommand {
    fn enough(&self) -> StoppingRule {
        let fallback = self.se.is_none().then_some(GAMES);
        StoppingRule { games: self.games.or(fallback), error: self.se }
    }
}

impl RolloutCommand {
    /// Plays the positions out and writes the answers to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        if self.store.is_some() && self.query.position == "-" {
            bail!("--store: expected one position, not those of standard input");
        }
        let PositionArgs { position, form } = &self.query;
        let (game, spec) = (form.game()?, self.agent.parse::<Spec>()?);
        let player = game.agents_of(&spec)?;
        let one_turn = Budget { depth: Some(1), ..Budget::default() };
        let settings = RolloutConditions {
            budget: Budget { stop: Some(stop::on_ctrl_c()), ..self.bounds.budget().or(one_turn) },
            luck: !self.keep_luck,
            turns: self.truncate,
            seed: self.seed,
        };
        let stopped = || settings.budget.stopped();
        let rollout = |position: &Position| {
            if stopped() {
                bail!(Stopped);
            }
            if position.outcome().is_some() {
                bail!("position '{position}': nothing to play out, the game is over");
            }
            let rollout = player.rollout(position, settings)?;
            if !rollout.can_end() {
                bail!("--truncate: '{spec}' gives no values: expected an agent that does");
            }
            Ok(rollout)
        };
        match self.moves {
            None => answer_each(game, position, form, out, |position| {
                self.roll_out((position, &*rollout(position)?), &spec, &stopped)
            })?,
            Some(moves) => answer_each(game, position, form, out, |position| {
                self.compare((position, &*rollout(position)?), moves, &spec, &stopped)
            })?,
        }
        Ok(if stopped() { Done::Stopped } else { Done::All })
    }

    fn roll_out(
        &self,
        (position, rollout): (&Position, &dyn Rollout),
        spec: &Spec,
        stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<RolloutReport> {
        let enough = self.enough();
        let bar = bar(enough.games.unwrap_or(0), "games", self.query.form.json);
        let terms = || rollout.terms(spec);
        let mut store = self.store.as_deref().map(|path| RolloutFile::new(path, terms()));
        let before = match &store {
            Some(store) => {
                let results = store.read()?.unwrap_or_else(|| rollout.empty_result());
                if !rollout.fits(&results) {
                    return Err(store.refused(&"expected the results of this rollout"));
                }
                // This reveals a folder that cannot be written to before the first game is played.
                store.save(&results)?;
                Some(results)
            }
            None => None,
        };
        let started = Instant::now();
        let mut shown = started;
        let results = stop::working(|| {
            let jobs = self.jobs.count();
            let mut see = |results: &RolloutResult| {
                if let Some(store) = &mut store
                    && !store.save_periodically(|| results.clone())
                {
                    return false;
                }
                if shown.elapsed() > Duration::from_millis(100) {
                    shown = Instant::now();
                    bar.set_position(results.control.count());
                    let Estimate { mean, error, .. } = results.best();
                    if let Some(wanted) = enough.error {
                        // The error falls with the square root of the number of games.
                        let games = results.control.count() as f64 * (error / wanted).powi(2);
                        bar.set_length(enough.games.unwrap_or(u64::MAX).min(games as u64));
                    }
                    let (mean, error) = (100.0 * mean, 100.0 * error);
                    bar.set_message(format!("{mean:.2} %, standard error {error:.3}"));
                }
                !stopped()
            };
            match before {
                Some(before) => rollout.resume(before, jobs, enough, &mut see),
                None => rollout.run(jobs, enough, &mut see),
            }
        });
        bar.finish_and_clear();
        if let Some(store) = store {
            store.close(&results)?;
        }
        let games = results.control.count();
        let adjusted = results.control.adjusted();
        let best = (games > 0)
            .then(|| results.best())
            .context("stopped before each first roll was played out once")?;
        let Estimate { mean, interval, .. } = best;
        Ok(RolloutReport {
            position: position.to_string(),
            agent: spec.to_string(),
            value: mean,
            standard_error: best.known_error(),
            interval: interval.ends(),
            raw: Raw::new(results.control.raw()),
            coefficient: adjusted.map(|adjusted| adjusted.coefficient),
            gain: adjusted.map(|adjusted| adjusted.gain),
            games,
            faults: results.faults,
            mean_plies: results.plies as f64 / games as f64,
            complete: !stopped(),
            settings: RolloutSettings::from(&terms()),
            seed: self.seed,
            seconds: started.elapsed().as_secs_f64(),
            picture: position.diagram().text(false),
        })
    }

    /// Compares moves, the best ones according to the player.
    fn compare(
        &self,
        (position, rollout): (&Position, &dyn Rollout),
        count: u32,
        spec: &Spec,
        stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<MoveComparison> {
        let error_rate = self.error_rate.unwrap_or(DEFAULT_ERROR_RATE);
        let terms = || ComparisonTerms { rollout: rollout.terms(spec), moves: count, error_rate };
        let mut store = self.store.as_deref().map(|path| RolloutFile::new(path, terms()));
        let before = store.as_ref().map(RolloutFile::read).transpose()?.flatten();
        let (candidates, before) = match (&store, before) {
            (Some(store), Some(StoredComparison { moves, compared })) => {
                let named = rollout.moves(&moves, error_rate);
                let fitting = named.filter(|candidates| {
                    moves.len() <= count as usize && candidates.fits(&compared)
                });
                let refused = || store.refused(&"expected the results of this comparison");
                (fitting.ok_or_else(refused)?, compared)
            }
            _ => {
                let candidates = rollout.best_moves(count as usize, error_rate)?;
                let nothing = candidates.empty_result();
                (candidates, nothing)
            }
        };
        let names = candidates.names();
        let comparison = |results| StoredComparison { moves: names.clone(), compared: results };
        if let Some(store) = &store {
            // This reveals a folder that cannot be written to before the first game is played.
            store.save(&comparison(before.clone()))?;
        }
        let enough = self.enough();
        let bar = bar(enough.games.unwrap_or(0), "games of the best move", self.query.form.json);
        let started = Instant::now();
        let mut shown = started;
        let results = stop::working(|| {
            candidates.resume(before, self.jobs.count(), enough, &mut |results| {
                if let Some(store) = &mut store
                    && !store.save_periodically(|| comparison(results.clone()))
                {
                    return false;
                }
                if shown.elapsed() > Duration::from_millis(100) {
                    shown = Instant::now();
                    let leader = results.selection.leader();
                    let left = (0..names.len()).filter(|&at| results.selection.is_in(at));
                    bar.set_position(results.selection.games(leader));
                    let (leader, left) = (&names[leader], left.count());
                    bar.set_message(format!("{leader} leads, {left} moves left"));
                }
                !stopped()
            })
        });
        bar.finish_and_clear();
        if let Some(store) = store {
            store.close(&comparison(results.clone()))?;
        }
        if results.games == 0 && stopped() {
            bail!("stopped before a game was played out");
        }
        let report = candidates.report(&results, spec, !stopped(), started.elapsed());
        let settings = RolloutSettings::from(&rollout.terms(spec));
        let picture = position.diagram().text(false);
        Ok(MoveComparison { report, settings, picture })
    }
}
