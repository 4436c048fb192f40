//! `wurfel regret`: how much win probability an agent loses against perfect play.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::ensure;
use clap::Args;
use serde_json::json;
use wurfel_arena::{Catalogued, Loss, RegretSettings, Spec, UseGame, build, with_game};
use wurfel_core::Budget;

use crate::bounds::Bounds;
use crate::commands::positions::Origin;
use crate::commands::tables::Folder;
use crate::work::{Jobs, bar};
use crate::{Done, stop};

/// Measures how much win probability an agent loses in small endgames
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  wurfel regret champion --pieces 4 --positions 200 --nodes 1000\n\n\
    Each decision is compared with the exact values of all moves, which come from tablebases (see\n\
    `wurfel tables`) or from a search down to them. The agent itself uses tablebases only if its\n\
    spec says so. Turns with only one legal move do not count."
)]
pub struct RegretCommand {
    /// The agent (see `wurfel agents`)
    agent: String,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Number of pieces on the board; without a tablebase for that many, finding the exact values
    /// takes longer
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=7))]
    pieces: u32,
    /// Number of decisions to measure
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    positions: u64,
    /// Where the positions come from
    #[arg(long, value_enum, default_value_t = Origin::Random)]
    from: Origin,
    /// The seed for positions, rolls and agent
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    folder: Folder,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl RegretCommand {
    /// Measures the agent's regret and writes it to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = self.game.clone();
        with_game(&game, Run { command: self, out })?
    }
}

struct Run<'a> {
    command: RegretCommand,
    out: &'a mut dyn Write,
}

impl UseGame for Run<'_> {
    type Output = anyhow::Result<Done>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let Self { command, out } = self;
        ensure!(
            command.pieces <= G::MAX_SOLVED,
            "--pieces {}: expected a game that can be searched to its end from that many pieces, \
             which {} cannot",
            command.pieces,
            G::NAME
        );
        let spec: Spec = command.agent.parse()?;
        let factory = build::<G>(&spec)?;
        let stop = stop::on_ctrl_c();
        let settings = RegretSettings {
            pieces: command.pieces,
            decisions: command.positions,
            source: command.from.into(),
            seed: command.seed,
            budget: Budget { stop: Some(stop), ..command.bounds.budget() },
        };
        let jobs = command.jobs.count();
        let tables = Arc::new(command.folder.tables::<G>()?);
        let bar = bar(command.positions, "positions", command.json);
        let started = Instant::now();
        let regret = stop::working(|| {
            settings.measure(&factory, &tables, jobs, |done| {
                bar.set_position(done);
                !stop.load(Ordering::Relaxed)
            })
        });
        bar.finish_and_clear();
        let (mean, half) = (regret.mean(), regret.half_interval());
        let share = regret.optimal as f64 / regret.decisions.max(1) as f64;
        if command.json {
            let loss = |loss: &Loss| {
                json!({
                    "position": loss.situation,
                    "move": loss.made,
                    "best": loss.best,
                    "lost": loss.lost,
                })
            };
            let found = json!({
                "agent": spec.to_string(),
                "game": G::NAME,
                "pieces": command.pieces,
                "decisions": regret.decisions,
                "regret": mean,
                "interval": { "low": (mean - half).max(0.0), "high": mean + half },
                "optimal": share,
                "worst": regret.worst.iter().map(loss).collect::<Vec<_>>(),
                "seconds": started.elapsed().as_secs_f64(),
            });
            writeln!(out, "{found}")?;
        } else {
            writeln!(out, "{spec}: {} decisions, {} pieces", regret.decisions, command.pieces)?;
            writeln!(out, "regret   {mean:.6} ± {half:.6} (95 %)")?;
            writeln!(out, "optimal  {:.2} %", 100.0 * share)?;
            for Loss { situation, made, best, lost } in &regret.worst {
                writeln!(out, "{lost:.4} lost with {made}, best {best}: {situation}")?;
            }
        }
        if regret.decisions == command.positions {
            return Ok(Done::All);
        }
        writeln!(
            io::stderr(),
            "stopped after {} of {} positions",
            regret.decisions,
            command.positions
        )?;
        Ok(Done::Stopped)
    }
}
