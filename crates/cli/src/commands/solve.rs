//! `wurfel solve`: the exact value of every move.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use wurfel::SolutionReport;
use wurfel_core::Budget;

use crate::batch::{Answer, PositionArgs, answer_each};
use crate::bounds::whole;
use crate::commands::tables::TablesFolder;
use crate::options::Jobs;
use crate::progress::OpenBar;
use crate::stop::{self, Stopped};
use crate::{Done, bounds};

/// Finds the exact win probability of every move of a rolled position, or of every roll
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel solve '5/1B3/2C2/5/2cba r 3 1'\n  \
    wurfel solve '5/1B3/2C2/5/2cba r' --json\n\n\
    The search goes down to positions in the tablebase (see `wurfel tables`). Tables for up to 4\n\
    pieces are built when they are missing; larger ones make the search much faster. Ctrl-C ends\n\
    it and shows what is known. Values are win probabilities of the side to move, within 0.01 %.")]
pub struct Solve {
    #[command(flatten)]
    query: PositionArgs,
    #[command(flatten)]
    folder: TablesFolder,
    /// Memory of the transposition table in megabytes
    #[arg(long, default_value_t = 256, value_parser = whole::<u32>(1..=1 << 20))]
    memory: u32,
    /// Time for each position, such as 10s, after which what is known is shown (no limit if left
    /// out)
    #[arg(long, value_parser = bounds::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    #[command(flatten)]
    jobs: Jobs,
}

/// What is known of a position, with its picture.
#[derive(Serialize)]
struct SolutionAnswer {
    #[serde(flatten)]
    solution: SolutionReport,
    #[serde(skip)]
    picture: String,
}

fn percent(value: Option<f32>) -> String {
    value.map_or("?".into(), |value| format!("{:.2} %", 100.0 * value))
}

fn between(low: f32, high: f32) -> String {
    if low < high {
        format!("between {} and {}", percent(Some(low)), percent(Some(high)))
    } else {
        percent(Some(low))
    }
}

impl Answer for SolutionAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.picture)?;
        let SolutionReport { rolls, low, high, nodes, seconds, .. } = &self.solution;
        for roll in rolls {
            write!(out, "@{}", roll.roll)?;
            for of in &roll.moves {
                write!(out, "  {} {}", of.r#move, percent(of.value))?;
            }
            writeln!(out)?;
        }
        let what = if rolls.len() == 1 { "value" } else { "before the roll" };
        writeln!(out, "{what}: {}", between(*low, *high))?;
        writeln!(out, "{} nodes, {seconds:.3} s", HumanCount(*nodes))
    }
}

impl Solve {
    /// Solves the positions and writes the answers to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Solve { query, folder, memory, time, jobs } = self;
        let game = query.form.game()?;
        let solver = folder.tables_for_search(game)?.solver(memory as usize);
        let budget = Budget { time, stop: Some(stop::on_ctrl_c()), ..Budget::default() };
        answer_each(game, &query.position, &query.form, out, |position| {
            if position.outcome().is_some() {
                bail!("position '{position}': nothing to solve, the game is over");
            }
            // A search that was stopped shows its results so far, and no other search is begun.
            if budget.stopped() {
                bail!(Stopped);
            }
            let bar = OpenBar::new("moves", query.form.json);
            let mut solved = 0;
            let solution = stop::working(|| {
                solver.solve(position, jobs.count(), budget, &mut |[low, high], moves| {
                    solved += 1;
                    bar.show(solved, moves as u64);
                    bar.show_message(between(low, high));
                })
            })?;
            drop(bar);
            Ok(SolutionAnswer { solution, picture: position.diagram().text(false) })
        })?;
        Ok(if budget.stopped() { Done::Stopped } else { Done::All })
    }
}
