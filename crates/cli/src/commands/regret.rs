//! `wurfel regret`: how much win probability an agent loses against perfect play, or in whole games
//! by the values of an analyser, and how far evaluations are from exact values.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::{anyhow, ensure};
use clap::Args;
use wurfel::{Agents, ErrorRateSettings, Game, game};
use wurfel_agents::Spec;
use wurfel_arena::{CalibrationSettings, Regret, RegretReference, RegretReport, RegretSettings};
use wurfel_core::Budget;

use crate::bounds::{Bounds, seed, whole};
use crate::commands::calibrate::Compare;
use crate::commands::positions::PositionSource;
use crate::commands::regret_report::write_regret;
use crate::commands::tables::TablesFolder;
use crate::json::write_json;
use crate::options::Jobs;
use crate::progress::bar;
use crate::{Done, stop};

/// Measures how much win probability an agent loses in small endgames, or in whole games by the values of
/// an analyser, or how far off evaluations are
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  wurfel regret champion --pieces 4 --positions 200 --nodes 1000\n  \
    wurfel regret greedy --analyser champion:depth=3 --positions 200\n  \
    wurfel regret --evaluations zweistein schwarz --pieces 3\n\n\
    Each decision is compared with the exact values of all moves, which come from tablebases (see\n\
    `wurfel tables`) or from a search down to them. The agent itself uses tablebases only if its\n\
    spec says so. Turns with only one legal move do not count.\n\
    --analyser takes turns from whole games instead, in any game. It compares the position after the\n\
    agent's turn with the one after the analyser's own turn, by the analyser's values before the next\n\
    roll. --evaluations compares evaluations with the exact values of all positions of a tablebase:\n\
    their errors, and the mean exact value where they say 10 %, 20 %, and so on."
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
    /// Take turns from whole games and let this agent say what they lose (see `wurfel agents`); it must
    /// evaluate positions
    #[arg(long, value_name = "SPEC", conflicts_with_all = ["evaluations", "from", "pieces"])]
    analyser: Option<String>,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Number of pieces on the board; without a tablebase for that many, finding the exact values
    /// takes longer [default: 5, or 4 with --evaluations]
    #[arg(long, value_parser = whole::<u32>(2..=7))]
    pieces: Option<u32>,
    /// Number of decisions to measure, or of positions to draw for --evaluations [default: 1000, or
    /// all positions of the tablebase]
    #[arg(long, value_parser = whole::<u64>(1..=1 << 40))]
    positions: Option<u64>,
    /// Where the positions come from
    #[arg(long, value_enum, default_value_t = PositionSource::Random)]
    from: PositionSource,
    /// The seed for positions, rolls and agent
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    folder: TablesFolder,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// The agent that plays the games from which turns are taken for an analyser.
const PLAYER: &str = "champion:depth=1";

impl RegretCommand {
    /// Measures the agent or the evaluations and writes the result to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = game(&self.game)?;
        if let Some(evaluations) = &self.evaluations {
            let settings = CalibrationSettings {
                pieces: self.pieces.unwrap_or(4),
                sample: self.positions,
                seed: self.seed,
            };
            let RegretCommand { folder, jobs, json, .. } = &self;
            return Compare { evaluations, settings, folder, jobs: *jobs, json: *json }
                .run(game, out);
        }
        match self.analyser.clone() {
            Some(analyser) => self.in_games(game, &analyser.parse()?, out),
            None => self.in_endgames(game, out),
        }
    }

    /// Measures decisions in small endgames, against exact values.
    fn in_endgames(self, game: Game, out: &mut dyn Write) -> anyhow::Result<Done> {
        let pieces = self.pieces.unwrap_or(5);
        ensure!(
            pieces <= game.facts().max_solved,
            "--pieces {pieces}: expected a game that can be searched to its end from that many \
             pieces, which {} cannot; --analyser measures in whole games",
            game.name()
        );
        let (spec, agents) = self.agent(game)?;
        let settings = RegretSettings {
            pieces,
            decisions: self.decisions(),
            source: self.from.into(),
            seed: self.seed,
            budget: self.budget(),
        };
        let tables = self.folder.tables_for_search(game)?;
        let (jobs, reference) = (self.jobs.count(), RegretReference::Pieces(pieces));
        self.measure(game, &spec, reference, out, |progress| {
            let regret = tables.regret(&agents, settings, jobs, progress);
            regret.map_err(|failure| anyhow!("agent '{spec}' failed: {failure}"))
        })
    }

    /// Measures decisions in whole games, by the values of an analyser.
    fn in_games(self, game: Game, analyser: &Spec, out: &mut dyn Write) -> anyhow::Result<Done> {
        let (spec, agents) = self.agent(game)?;
        let settings = ErrorRateSettings {
            player: &game.agents_of(&PLAYER.parse()?)?,
            analyser: &game.agents_of(analyser)?,
            decisions: self.decisions(),
            seed: self.seed,
            budget: self.budget(),
        };
        let (jobs, reference) =
            (self.jobs.count(), RegretReference::Analyser(analyser.to_string()));
        self.measure(game, &spec, reference, out, |progress| {
            Ok(agents.error_rate(&settings, jobs, progress)?)
        })
    }

    fn agent(&self, game: Game) -> anyhow::Result<(Spec, Agents)> {
        let spec: Spec = self.agent.as_deref().unwrap_or_default().parse()?;
        let agents = game.agents_of(&spec)?;
        Ok((spec, agents))
    }

    fn decisions(&self) -> u64 {
        self.positions.unwrap_or(1000)
    }

    /// What the agent may spend on a decision.
    fn budget(&self) -> Budget<'static> {
        Budget { stop: Some(stop::on_ctrl_c()), ..self.bounds.budget() }
    }

    /// Measures with a progress bar, and writes the result to `out`.
    fn measure(
        &self,
        game: Game,
        spec: &Spec,
        reference: RegretReference,
        out: &mut dyn Write,
        run: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> anyhow::Result<Regret>,
    ) -> anyhow::Result<Done> {
        let decisions = self.decisions();
        let bar = bar(decisions, "positions", self.json);
        let started = Instant::now();
        let regret = stop::working(|| {
            run(&mut |done| {
                bar.set_position(done);
                !stop::is_wanted()
            })
        });
        bar.finish_and_clear();
        let seconds = Some(started.elapsed().as_secs_f64());
        let (spec, of) = (spec.to_string(), (game.name(), self.seed));
        let report = RegretReport::new(&spec, of, reference, &regret?, seconds);
        if self.json {
            write_json(&report, out)?;
        } else {
            write_regret(&report, out)?;
        }
        if report.decisions == decisions {
            return Ok(Done::All);
        }
        writeln!(io::stderr(), "stopped after {} of {decisions} positions", report.decisions)?;
        Ok(Done::Stopped)
    }
}
