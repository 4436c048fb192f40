//! `wurfel regret`: how much win probability an agent loses against perfect play, and how far
//! evaluations are off exact values.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{anyhow, ensure};
use clap::Args;
use serde_json::json;
use wurfel_agents::{Catalogued, Spec, build};
use wurfel_arena::{CalibrationSettings, Loss, RegretSettings};
use wurfel_core::Budget;

use crate::bounds::Bounds;
use crate::commands::calibrate::Compare;
use crate::commands::positions::Origin;
use crate::commands::tables::Folder;
use crate::game_command::GameCommand;
use crate::work::{Jobs, bar};
use crate::{Done, stop};

/// Measures how much win probability an agent loses in small endgames, or how far evaluations are off
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  wurfel regret champion --pieces 4 --positions 200 --nodes 1000\n  \
    wurfel regret --evaluations zweistein schwarz --pieces 3\n\n\
    Each decision is compared with the exact values of all moves, which come from tablebases (see\n\
    `wurfel tables`) or from a search down to them. The agent itself uses tablebases only if its\n\
    spec says so. Turns with only one legal move do not count. --evaluations compares evaluations\n\
    with the exact values of all positions of a tablebase: their errors, and what they are worth\n\
    where they say 10 %, 20 %, and so on."
)]
pub struct RegretCommand {
    /// The agent (see `wurfel agents`)
    #[arg(required_unless_present = "evaluations", conflicts_with = "evaluations")]
    agent: Option<String>,
    /// Compare these evaluations with exact values, or all of the game when none is named (see
    /// `wurfel agents`)
    #[arg(long, num_args = 0.., value_name = "NAME",
        conflicts_with_all = ["from", "depth", "nodes", "time"])]
    evaluations: Option<Vec<String>>,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Number of pieces on the board; without a tablebase for that many, finding the exact values
    /// takes longer [default: 5, or 4 with --evaluations]
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=7))]
    pieces: Option<u32>,
    /// Number of decisions to measure, or of positions to draw for --evaluations [default: 1000, or
    /// all positions of the tablebase]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    positions: Option<u64>,
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

impl GameCommand for RegretCommand {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        if let Some(evaluations) = &self.evaluations {
            let settings = CalibrationSettings {
                pieces: self.pieces.unwrap_or(4),
                sample: self.positions,
                seed: self.seed,
            };
            let RegretCommand { folder, jobs, json, .. } = &self;
            return Compare { evaluations, settings, folder, jobs: *jobs, json: *json }
                .run::<G>(out);
        }
        let (pieces, decisions) = (self.pieces.unwrap_or(5), self.positions.unwrap_or(1000));
        ensure!(
            pieces <= G::MAX_SOLVED,
            "--pieces {pieces}: expected a game that can be searched to its end from that many \
             pieces, which {} cannot",
            G::NAME
        );
        let spec: Spec = self.agent.unwrap_or_default().parse()?;
        let factory = build::<G>(&spec)?;
        let stop = stop::on_ctrl_c();
        let settings = RegretSettings {
            pieces,
            decisions,
            source: self.from.into(),
            seed: self.seed,
            budget: Budget { stop: Some(stop), ..self.bounds.budget() },
        };
        let jobs = self.jobs.count();
        let tables = Arc::new(self.folder.tables::<G>()?);
        let bar = bar(decisions, "positions", self.json);
        let started = Instant::now();
        let regret = stop::working(|| {
            settings.measure(&factory, &tables, jobs, |done| {
                bar.set_position(done);
                !stop.load(Ordering::Relaxed)
            })
        });
        bar.finish_and_clear();
        let regret = regret.map_err(|failure| anyhow!("agent '{spec}' failed: {failure}"))?;
        let (mean, half) = (regret.mean(), regret.half_interval());
        let share = regret.optimal as f64 / regret.decisions.max(1) as f64;
        if self.json {
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
                "pieces": pieces,
                "decisions": regret.decisions,
                "regret": mean,
                "interval": { "low": (mean - half).max(0.0), "high": mean + half },
                "optimal": share,
                "worst": regret.worst.iter().map(loss).collect::<Vec<_>>(),
                "seconds": started.elapsed().as_secs_f64(),
            });
            writeln!(out, "{found}")?;
        } else {
            writeln!(out, "{spec}: {} decisions, {pieces} pieces", regret.decisions)?;
            writeln!(out, "regret   {mean:.6} ± {half:.6} (95 %)")?;
            writeln!(out, "optimal  {:.2} %", 100.0 * share)?;
            for Loss { situation, made, best, lost } in &regret.worst {
                writeln!(out, "{lost:.4} lost with {made}, best {best}: {situation}")?;
            }
        }
        if regret.decisions == decisions {
            return Ok(Done::All);
        }
        writeln!(io::stderr(), "stopped after {} of {decisions} positions", regret.decisions)?;
        Ok(Done::Stopped)
    }
}
