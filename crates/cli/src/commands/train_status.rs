//! `wurfel train status`: the progress of a training run.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use indicatif::HumanDuration;
use serde_json::json;
use wurfel_train::network::{Hyperbola, Rate, Resignations, Round, Strength, read_rounds};

use super::train_config::read_config;
use crate::Done;
use crate::json::write_json;

/// The number of rounds that are shown, evenly spread over the run.
const SHOWN: usize = 12;
/// The number of last rounds whose mean time is used to predict the time left.
const RECENT: usize = 5;

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

impl Status {
    /// Reads the run's metrics and writes a summary to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let config = read_config(&self.dir.join("config.toml"))?;
        let rounds = read_rounds(&self.dir.join("metrics.jsonl"))?;
        let left = config.rounds.saturating_sub(rounds.len() as u64);
        let recent = &rounds[rounds.len().saturating_sub(RECENT)..];
        let mean = recent.iter().map(Round::seconds).sum::<f64>() / recent.len().max(1) as f64;
        let spent: f64 = rounds.iter().map(Round::seconds).sum();
        let left_seconds = (!recent.is_empty()).then_some(mean * left as f64);
        if self.json {
            let answer = json!({
                "game": config.game,
                "rounds": config.rounds,
                "done": rounds.len(),
                "seconds": spent,
                "seconds_left": left_seconds,
                "resignations": Resignations::of(&rounds),
                "history": rounds,
            });
            write_json(&answer, out)?;
            return Ok(Done::All);
        }
        ensure!(!rounds.is_empty(), "'{}': no round is done yet", self.dir.display());
        table(&rounds, out)?;
        let losses: Vec<f64> =
            rounds.iter().map(|round| f64::from(round.loss)).filter(|loss| *loss > 0.0).collect();
        if let Some(Hyperbola { a, b, c }) = Hyperbola::fit(&losses) {
            writeln!(out, "\nloss after t rounds: about {a:.3} + {b:.3} / (1 + t / {c:.1})")?;
        }
        for round in &rounds {
            if let Some(strength) = &round.evaluation {
                writeln!(out, "after {} games: {}", round.games, told(strength))?;
            }
        }
        if let Some(found) = Resignations::of(&rounds) {
            let Resignations { resigned, played_on, wrong, false_rate } = found;
            let Rate { win_rate, interval } = false_rate;
            let [rate, low, high] =
                [win_rate, interval.low, interval.high].map(|share| 100.0 * share);
            writeln!(
                out,
                "\n{resigned} games resigned; of {played_on} that were played on, {wrong} were not lost: \
                 {rate:.1} % ({low:.1} to {high:.1})"
            )?;
        }
        let time = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds));
        writeln!(
            out,
            "\n{} of {} rounds in {}, {} left",
            rounds.len(),
            config.rounds,
            time(spent),
            time(left_seconds.unwrap_or_default())
        )?;
        Ok(Done::All)
    }
}

/// Writes a table of rounds that are evenly spread over the run and include the last one.
fn table(rounds: &[Round], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "round     games     steps    buffer  policy   value  variance  entropy  learning rate  seconds"
    )?;
    let step = rounds.len().div_ceil(SHOWN).max(1);
    for round in rounds.iter().rev().step_by(step).collect::<Vec<_>>().into_iter().rev() {
        writeln!(
            out,
            "{:5} {:9} {:9} {:9} {:7.4} {:7.4} {:9.6} {:8.4} {:14.6} {:8.1}",
            round.round,
            round.games,
            round.steps,
            round.buffer,
            round.policy_loss,
            round.value_loss,
            round.variance,
            round.entropy,
            round.learning_rate,
            round.seconds()
        )?;
    }
    Ok(())
}

/// The result of an evaluation against opponents, in one line.
pub fn told(strength: &Strength) -> String {
    let won = strength.against_best.iter().chain(&strength.opponents).map(|won| {
        let Rate { win_rate, interval } = won.rate();
        let [rate, low, high] = [win_rate, interval.low, interval.high].map(|rate| 100.0 * rate);
        let without = if won.adjusted.is_some() { " without luck" } else { "" };
        format!("{rate:.1} % ({low:.1} to {high:.1}){without} against {}", won.opponent)
    });
    let gate = match strength.passed {
        None => "",
        Some(true) => "it passed the gate, ",
        Some(false) => "it did not pass the gate, ",
    };
    let best = format!("{gate}the best network so far is that of round {}", strength.best_round);
    won.chain([best]).collect::<Vec<_>>().join(", ")
}
