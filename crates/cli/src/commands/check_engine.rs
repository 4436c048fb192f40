//! `wurfel check-engine`: checks whether a program follows an engine protocol.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Serialize;
use wurfel::game;
use wurfel_engines::{EngineProcess, course};

use crate::Done;
use crate::bounds::time;
use crate::check::{Level, Protocol, StepOutcome, StepReport, check};
use crate::json::write_json;

/// Checks whether a program follows an engine protocol, and reports every deviation
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel check-engine 'wurfel engine greedy'\n  \
    wurfel check-engine 'wurfel engine greedy --protocol course' --protocol course --json\n\n\
    The exit code is 0 if the engine reaches the level that --level names, and 1 if not. Optional\n\
    features that it lacks are listed as not offered. docs/bring-your-own-engine.md says how to\n\
    begin.")]
pub struct CheckEngine {
    /// The command that starts the engine, in quotes if it has arguments
    command: String,
    /// The protocol that it speaks
    #[arg(long, value_enum, default_value_t = Protocol::Ugi)]
    protocol: Protocol,
    /// The game that it plays by default (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// The level that decides the exit code; all levels are checked
    #[arg(long, value_enum, default_value_t = Level::Match)]
    level: Level,
    /// How long an answer may take beyond the time that a search is given
    #[arg(long, value_parser = time, allow_hyphen_values = true, default_value = "10s")]
    patience: Duration,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// The results of all steps.
#[derive(Serialize)]
struct CheckAnswer {
    engine: String,
    game: String,
    level: Level,
    reached: bool,
    levels: Vec<Verdict>,
    passed: usize,
    failed: usize,
    not_tried: usize,
    steps: Vec<StepReport>,
}

/// Whether an engine has reached a level.
#[derive(Serialize)]
struct Verdict {
    level: Level,
    reached: bool,
    failed: usize,
    not_tried: usize,
}

impl Verdict {
    /// A level is reached by whoever passes its steps and those of the levels before it.
    fn of(level: Level, entries: &[StepReport]) -> Self {
        let below = || entries.iter().filter(|entry| entry.level <= level);
        let count = |result| below().filter(|entry| entry.result == result).count();
        let (failed, not_tried) = (count(StepOutcome::Failed), count(StepOutcome::NotTried));
        Self { level, reached: failed + not_tried == 0, failed, not_tried }
    }
}

impl CheckEngine {
    /// Checks the engine and writes what it did.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = game(&self.game)?;
        if self.protocol == Protocol::Course && !course::GAMES.contains(&game.name()) {
            bail!("--protocol course: expected --game {}", course::GAMES.join(" or "));
        }
        // A command that cannot be started is a mistake on the command line, not a fault of the
        // engine.
        if let Err(error) = EngineProcess::start(&self.command) {
            bail!("{error}");
        }
        let mut entries: Vec<StepReport> = vec![];
        check::<io::Error>(game, &self.command, self.protocol, self.patience, |entry| {
            if !self.json {
                write_entry(entries.last(), &entry, out)?;
                out.flush()?;
            }
            entries.push(entry);
            Ok(())
        })?;
        let levels: Vec<Verdict> =
            Level::value_variants().iter().map(|&level| Verdict::of(level, &entries)).collect();
        let reached = Verdict::of(self.level, &entries).reached;
        if self.json {
            let count = |result| entries.iter().filter(|entry| entry.result == result).count();
            let report = CheckAnswer {
                engine: self.command,
                game: self.game,
                level: self.level,
                reached,
                levels,
                passed: count(StepOutcome::Passed),
                failed: count(StepOutcome::Failed),
                not_tried: count(StepOutcome::NotTried),
                steps: entries,
            };
            write_json(&report, out)?;
        } else {
            write_sums(&entries, out)?;
            write_verdicts(&levels, &entries, out)?;
        }
        Ok(if reached { Done::All } else { Done::Failed })
    }
}

const fn word(outcome: StepOutcome) -> &'static str {
    match outcome {
        StepOutcome::Passed => "passed",
        StepOutcome::Failed => "FAILED",
        StepOutcome::NotOffered => "not offered",
        StepOutcome::NotInThisGame => "not in this game",
        StepOutcome::NotTried => "not tried",
    }
}

fn write_entry(
    last: Option<&StepReport>,
    entry: &StepReport,
    out: &mut dyn Write,
) -> io::Result<()> {
    let StepReport { group, step, result, expected, needs, found, .. } = entry;
    if last.is_none_or(|last| last.group != *group) {
        writeln!(out, "{}{group}", if last.is_some() { "\n" } else { "" })?;
    }
    let needs = needs.map(|need| format!(" (needs '{need}')")).unwrap_or_default();
    writeln!(out, "  {:<16} {step}{needs}", word(*result))?;
    if let (StepOutcome::Failed, Some(answer)) = (result, found) {
        writeln!(out, "      expected: {expected}\n      found:    {answer}")?;
    }
    Ok(())
}

/// Writes how many steps had each result.
fn write_sums(entries: &[StepReport], out: &mut dyn Write) -> io::Result<()> {
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        *sums.entry(word(entry.result)).or_default() += 1;
    }
    let sums: Vec<String> = sums.iter().map(|(word, count)| format!("{count} {word}")).collect();
    writeln!(out, "\n{} steps: {}", entries.len(), sums.join(", "))
}

/// Writes which levels the engine has reached, and what keeps it from the highest.
fn write_verdicts(
    levels: &[Verdict],
    entries: &[StepReport],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out)?;
    for Verdict { level, reached, failed, not_tried } in levels {
        let what = match level {
            Level::Match => "plays a match",
            Level::Complete => "complete",
            Level::Robust => "robust",
        };
        match (reached, not_tried) {
            (true, _) => writeln!(out, "{what:<14} yes")?,
            (false, 0) => writeln!(out, "{what:<14} no: {failed} failed")?,
            (false, _) => writeln!(out, "{what:<14} no: {failed} failed, {not_tried} not tried")?,
        }
    }
    for (step, count) in needed(entries) {
        let StepReport { step, expected, .. } = step;
        writeln!(out, "\nto add: {step} ({count} more steps need it)\n      expected: {expected}")?;
    }
    Ok(())
}

/// The failed steps without which others were not tried, and how many these are.
fn needed(entries: &[StepReport]) -> Vec<(&StepReport, usize)> {
    let failed = entries.iter().filter(|entry| entry.result == StepOutcome::Failed);
    let count =
        |step: &StepReport| entries.iter().filter(|entry| entry.needs == Some(step.step)).count();
    failed.map(|step| (step, count(step))).filter(|&(_, count)| count > 0).collect()
}
