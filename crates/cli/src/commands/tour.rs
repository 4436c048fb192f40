//! `wurfel tour`: a demonstration of the program in a terminal.

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use wurfel_agents::{Catalogued, DEFAULT_AGENT, Spec, build};
use wurfel_arena::{LuckMeter, Match};
use wurfel_core::{Budget, Situation};
use wurfel_games::einstein::Einstein;

use crate::Done;
use crate::batch::Answer;
use crate::commands::analyse::Report;
use crate::commands::matches::write_match;
use crate::work::cpus;

/// Runs a short analysis and a short match, each below the command line that gives the same result.
pub fn run(out: &mut dyn Write) -> anyhow::Result<Done> {
    let sample = Einstein::SAMPLES.first().context("a game has samples")?;
    let spec: Spec = DEFAULT_AGENT.parse()?;
    writeln!(out, "$ wurfel analyse '{sample}' --depth 6\n")?;
    let situation: Situation<Einstein> = sample.parse()?;
    let mut agent = build::<Einstein>(&spec)?();
    let budget = Budget { depth: Some(6), ..Budget::default() };
    Report::new(&situation, &spec, &mut *agent, budget)?.text(out)?;

    writeln!(out, "\n$ wurfel match expecti:depth=3 greedy --pairs 500\n")?;
    out.flush()?;
    let agents = ["expecti:depth=3".parse()?, "greedy".parse()?];
    let mut arranged = Match::<Einstein>::new(agents, 500, 1)?;
    arranged.luck = Some(LuckMeter::usual());
    let started = Instant::now();
    let tally = arranged.run(cpus(), None, &mut |_| {})?;
    write_match(&arranged.report(&tally, Some(started.elapsed())), 0, out)?;

    writeln!(out, "\nPlay a game with `wurfel play`; `wurfel help` lists all commands.")?;
    Ok(Done::All)
}
