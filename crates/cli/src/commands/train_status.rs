//! `wurfel train status`: the progress of a training run.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use indicatif::HumanDuration;
use serde::Serialize;
use wurfel_train::network::{
    Hyperbola, Rate, Resignations, Round, RoundGames, Strength, read_rounds,
};

use super::train_config::read_config;
use crate::Done;
use crate::json::write_sorted;

/// Maximum number of rounds that are shown, evenly spread over the run.
const MAX_SHOWN: usize = 12;
/// The number of last rounds whose mean time is used to predict the time left.
const RECENT_ROUNDS: usize = 5;

/// Shows the progress of a training run
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train status run")]
pub struct Status {
    /// The folder of the run
    dir: PathBuf,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// The progress of a run.
#[derive(Serialize)]
struct RunStatus<'a> {
    game: &'a str,
    /// The number of rounds of the whole run, and of those that are done.
    rounds: u64,
    done: usize,
    /// The time that the rounds have taken; the others are expected to take as long as the last ones.
    seconds: f64,
    seconds_left: Option<f64>,
    resignations: Option<Resignations>,
    history: &'a [Round],
}

impl Status {
    /// Reads the run's metrics and writes a summary to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let config = read_config(&self.dir.join("config.toml"))?;
        let rounds = read_rounds(&self.dir.join("metrics.jsonl"))?;
        let left = config.rounds.saturating_sub(rounds.len() as u64);
        let recent = &rounds[rounds.len().saturating_sub(RECENT_ROUNDS)..];
        let mean = recent.iter().map(Round::seconds).sum::<f64>() / recent.len().max(1) as f64;
        let run = RunStatus {
            game: &config.game,
            rounds: config.rounds,
            done: rounds.len(),
            seconds: rounds.iter().map(Round::seconds).sum(),
            seconds_left: (!recent.is_empty()).then_some(mean * left as f64),
            resignations: Resignations::of(&rounds),
            history: &rounds,
        };
        if self.json {
            write_sorted(&run, out)?;
            return Ok(Done::All);
        }
        ensure!(!rounds.is_empty(), "'{}': no round is done yet", self.dir.display());
        table(&rounds, out)?;
        measures(&rounds, out)?;
        let losses: Vec<f64> =
            rounds.iter().filter_map(|round| round.loss).map(f64::from).collect();
        if let Some(Hyperbola { a, b, c }) = Hyperbola::fit(&losses) {
            writeln!(out, "\nloss after t rounds: about {a:.3} + {b:.3} / (1 + t / {c:.1})")?;
        }
        for round in &rounds {
            if let Some(strength) = &round.evaluation {
                writeln!(out, "after {} games: {}", round.games, strength_text(strength))?;
            }
        }
        if let Some(resignations) = run.resignations {
            let Resignations { resigned, played_on, wrong, false_positive_rate, interval } =
                resignations;
            let [rate, low, high] =
                [false_positive_rate, interval.low, interval.high].map(|share| 100.0 * share);
            write!(out, "\n{resigned} games resigned")?;
            if played_on > 0 {
                write!(
                    out,
                    "; of {played_on} that were played on, {wrong} were not lost: {rate:.1} % \
                     ({low:.1} to {high:.1})"
                )?;
            }
            writeln!(out)?;
        }
        let time = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds));
        writeln!(
            out,
            "\n{} of {} rounds in {}, {} left",
            run.done,
            run.rounds,
            time(run.seconds),
            time(run.seconds_left.unwrap_or_default())
        )?;
        Ok(Done::All)
    }
}

fn table(rounds: &[Round], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "round     games     steps    buffer  policy   value  variance  entropy  learning rate  seconds"
    )?;
    for round in shown(rounds) {
        writeln!(
            out,
            "{:5} {:9} {:9} {:9} {:>7} {:>7} {:>9} {:>8} {:14.6} {:8.1}",
            round.round,
            round.games,
            round.steps,
            round.buffer,
            number(round.policy_loss, 4),
            number(round.value_loss, 4),
            number(round.variance, 6),
            number(round.entropy, 4),
            round.learning_rate,
            round.seconds()
        )?;
    }
    Ok(())
}

/// Rounds that are evenly spread over the run and include the last one.
fn shown(rounds: &[Round]) -> Vec<&Round> {
    let step = rounds.len().div_ceil(MAX_SHOWN).max(1);
    let mut shown: Vec<&Round> = rounds.iter().rev().step_by(step).collect();
    shown.reverse();
    shown
}

/// A number with these many digits after the point, or a dash.
fn number(value: Option<impl Into<f64>>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.digits$}", value.into()))
}

/// Writes how games went, what the network loses on games that it does not learn from, and how far
/// its values are from exact ones, for the same rounds as the table.
fn measures(rounds: &[Round], out: &mut dyn Write) -> io::Result<()> {
    // Runs of older versions have none of it.
    if rounds.iter().all(|round| round.played.is_none()) {
        return Ok(());
    }
    writeln!(
        out,
        "\nround     plies   longest  first side won   drawn  replay ratio  held out: policy    value"
    )?;
    for round in shown(rounds) {
        let played = round.played.filter(|played| played.games > 0);
        let share = |count: u64, of: u64| format!("{:.1} %", 100.0 * count as f64 / of as f64);
        let shares = |count: fn(&RoundGames) -> u64| {
            played.map_or_else(|| "-".to_owned(), |played| share(count(&played), played.games))
        };
        let longest = played.map_or_else(|| "-".to_owned(), |played| played.max_plies.to_string());
        writeln!(
            out,
            "{:5} {:>9} {longest:>9} {:>15} {:>7} {:13.2} {:>17} {:>8}",
            round.round,
            number(played.map(|played| played.mean_plies), 1),
            shares(|played| played.first_side_wins),
            shares(|played| played.draws),
            round.replay_ratio,
            number(round.held_out.map(|measure| measure.policy_loss), 4),
            number(round.held_out.map(|measure| measure.value_loss), 4)
        )?;
    }
    let measured = rounds.iter().rev().filter_map(|round| round.evaluation.as_ref());
    if let Some(strength) = measured.into_iter().find(|strength| !strength.exact.is_empty()) {
        let each = strength.exact.iter().map(|error| format!("{}: {:.3}", error.pieces, error.rms));
        let each = each.collect::<Vec<_>>().join(", ");
        writeln!(out, "\nroot mean squared error of the values, by pieces on the board: {each}")?;
    }
    Ok(())
}

/// The result of an evaluation against opponents, in one line.
pub fn strength_text(strength: &Strength) -> String {
    let won = strength.against_best.iter().chain(&strength.opponents).map(|won| {
        let Rate { win_rate, interval } = won.rate();
        let [rate, low, high] = [win_rate, interval.low, interval.high].map(|rate| 100.0 * rate);
        let without = if won.adjusted.is_some() { " without luck" } else { "" };
        // The test stops while the result is good or bad, and the interval does not allow for that.
        let stopped = if won.sequential { ", not corrected for stopping" } else { "" };
        let of = won.round.map_or_else(String::new, |round| format!(" of round {round}"));
        let opponent = &won.opponent;
        format!("{rate:.1} % ({low:.1} to {high:.1}{stopped}){without} against {opponent}{of}")
    });
    let gate = match strength.passed {
        None => "",
        Some(true) => "it passed the gate, ",
        Some(false) => "it did not pass the gate, ",
    };
    let best = format!("{gate}the best network so far is that of round {}", strength.best_round);
    won.chain([best]).collect::<Vec<_>>().join(", ")
}
