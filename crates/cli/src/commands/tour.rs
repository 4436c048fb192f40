//! `wurfel tour`: a demonstration of the program in a terminal.

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use wurfel::{MatchSettings, Player, game};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_core::Budget;

use crate::Done;
use crate::batch::Answer;
use crate::commands::analyse::AnalysisAnswer;
use crate::commands::matches::write_match;
use crate::options::cpus;

/// Shows what the program can do: an analysis and a short match
#[derive(Args)]
#[command(after_help = "Example:\n  wurfel tour")]
pub struct Tour {}

impl Tour {
    /// Runs a short analysis and a short match, each below the command line that gives the same
    /// result.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self {} = self;
        let game = game("einstein")?;
        let sample = game.facts().samples.first().context("a game has samples")?;
        let spec: Spec = DEFAULT_AGENT.parse()?;
        writeln!(out, "$ wurfel analyse '{sample}' --depth 6\n")?;
        let mut agent = game.agents_of(&spec)?.make();
        let budget = Budget { depth: Some(6), ..Budget::default() };
        AnalysisAnswer::new(&game.read(sample, false)?, &spec, &mut *agent, budget)?.text(out)?;

        writeln!(out, "\n$ wurfel match expecti:depth=3 greedy --pairs 500\n")?;
        out.flush()?;
        let players = [Player::Spec("expecti:depth=3".parse()?), Player::Spec("greedy".parse()?)];
        let settings =
            MatchSettings { pairs: 500, seed: 1, luck: true, ..MatchSettings::default() };
        let arranged = game.entrants(&players)?.between([0, 1], settings);
        let started = Instant::now();
        let tally = arranged.run(cpus(), None, &mut |_| {})?;
        write_match(&arranged.report(&tally, Some(started.elapsed())), 0, out)?;

        writeln!(out, "\nPlay a game with `wurfel play`; `wurfel help` lists all commands.")?;
        Ok(Done::All)
    }
}
