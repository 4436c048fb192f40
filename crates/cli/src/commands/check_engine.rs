//! `wurfel check-engine`: checks whether a program follows an engine protocol.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Serialize;
use wurfel_agents::{Catalogued, EngineProcess, course};

use crate::Done;
use crate::bounds::time;
use crate::check::{Language, StepOutcome, StepReport, check};
use crate::game_command::GameCommand;
use crate::json::write_json;

/// Checks whether a program keeps to an engine protocol, and says what it does instead
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel check-engine 'wurfel engine greedy'\n  \
    wurfel check-engine 'wurfel engine greedy --protocol course' --protocol course --json\n\n\
    The exit code is 0 if the engine passed all steps, and 1 if not. Optional features that it\n\
    lacks are listed as not offered. docs/bring-your-own-engine.md says how to begin.")]
pub struct CheckEngine {
    /// The command that starts the engine, in quotes if it has arguments
    command: String,
    /// The protocol that it speaks
    #[arg(long, value_enum, default_value_t = Protocol::Ugi)]
    protocol: Protocol,
    /// The game that it plays without being told (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// How long an answer may take beyond the time that a search is given
    #[arg(long, value_parser = time, allow_hyphen_values = true, default_value = "10s")]
    patience: Duration,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Protocol {
    /// The Universal Game Interface with rolls
    Ugi,
    /// The protocol of university course tournaments, for EinStein würfelt nicht!
    Course,
}

/// The results of all steps.
#[derive(Serialize)]
struct Report {
    engine: String,
    game: String,
    passed: usize,
    failed: usize,
    steps: Vec<StepReport>,
}

impl GameCommand for CheckEngine {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let language = match self.protocol {
            Protocol::Ugi => Language::Ugi,
            Protocol::Course if course::GAMES.contains(&G::NAME) => Language::Course,
            Protocol::Course => {
                bail!("--protocol course: expected --game {}", course::GAMES.join(" or "))
            }
        };
        // A command that cannot be started is a mistake on the command line, not a fault of the
        // engine.
        if let Err(error) = EngineProcess::start(&self.command) {
            bail!("{error}");
        }
        let mut entries: Vec<StepReport> = vec![];
        check::<G, io::Error>(&self.command, language, self.patience, |entry| {
            if !self.json {
                write_entry(entries.last(), &entry, out)?;
                out.flush()?;
            }
            entries.push(entry);
            Ok(())
        })?;
        let count = |outcome| entries.iter().filter(|entry| entry.result == outcome).count();
        let passed = count(StepOutcome::Passed);
        let failed = count(StepOutcome::Failed) + count(StepOutcome::NotTried);
        if self.json {
            let (engine, game) = (self.command, self.game);
            let report = Report { engine, game, passed, failed, steps: entries };
            write_json(&report, out)?;
        } else {
            write_sums(&entries, out)?;
        }
        Ok(if failed == 0 { Done::All } else { Done::Failed })
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
    let StepReport { group, step, result, expected, found } = entry;
    if last.is_none_or(|last| last.group != *group) {
        writeln!(out, "{}{group}", if last.is_some() { "\n" } else { "" })?;
    }
    writeln!(out, "  {:<16} {step}", word(*result))?;
    if let (StepOutcome::Failed, Some(found)) = (result, found) {
        writeln!(out, "      expected: {expected}\n      found:    {found}")?;
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
