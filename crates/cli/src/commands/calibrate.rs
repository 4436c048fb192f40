//! `wurfel regret --evaluations`: evaluations compared with whole tablebases.

use std::io::{self, Write};
use std::time::Instant;

use indicatif::HumanCount;
use serde::Serialize;
use wurfel::Game;
use wurfel_arena::{Bin, Calibration, CalibrationSettings, Decimal, WorstEstimate};

use crate::commands::tables::TablesFolder;
use crate::json::write_sorted;
use crate::options::Jobs;
use crate::progress::OpenBar;
use crate::{Done, stop};

/// A comparison of evaluations with exact values.
pub struct Compare<'a> {
    /// The names of the evaluations; all evaluations of the game when there are none.
    pub evaluations: &'a [String],
    /// The positions to be compared.
    pub settings: CalibrationSettings,
    /// The folder of the tables.
    pub folder: &'a TablesFolder,
    /// The number of threads.
    pub jobs: Jobs,
    /// Whether the answer is JSON.
    pub json: bool,
}

#[derive(Serialize)]
struct ComparedEvaluations<'a> {
    game: &'static str,
    pieces: u32,
    evaluations: &'a [Calibration],
    seconds: f64,
}

impl Compare<'_> {
    /// Compares the evaluations and writes the result to `out`.
    pub fn run(&self, game: Game, out: &mut dyn Write) -> anyhow::Result<Done> {
        let all = || game.facts().evaluations.iter().map(|known| known.name).collect();
        let names: Vec<&str> = match self.evaluations {
            [] => all(),
            named => named.iter().map(String::as_str).collect(),
        };
        let tables = self.folder.tables(game)?;
        let bar = OpenBar::new("positions", self.json);
        let started = Instant::now();
        let mut wanted = 0;
        let calibrations = stop::working(|| {
            tables.calibrate(&names, self.settings, self.jobs.count(), &mut |done, total| {
                bar.show(done, total);
                wanted = total - done;
                !stop::is_wanted()
            })
        })?;
        drop(bar);
        if self.json {
            let answer = ComparedEvaluations {
                game: game.name(),
                pieces: self.settings.pieces,
                evaluations: &calibrations,
                seconds: started.elapsed().as_secs_f64(),
            };
            write_sorted(&answer, out)?;
        } else {
            text(&calibrations, out)?;
        }
        if wanted == 0 {
            return Ok(Done::All);
        }
        writeln!(io::stderr(), "stopped before the last {wanted} positions")?;
        Ok(Done::Stopped)
    }
}

/// Tables in Markdown: the errors of all evaluations, then the calibration curve of each.
fn text(calibrations: &[Calibration], out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = calibrations.first() else { return Ok(()) };
    let shares = first.quantiles.iter().map(|(share, _)| format!("{} %", 100.0 * share));
    let heads: Vec<String> = shares.collect();
    writeln!(
        out,
        "| evaluation | mean | mean absolute | root mean square | {} | largest |",
        heads.join(" | ")
    )?;
    writeln!(out, "|{}", "---|".repeat(heads.len() + 5))?;
    for Calibration {
        evaluation, mean, mean_absolute, root_mean_square, quantiles, worst, ..
    } in calibrations
    {
        let quantiles: Vec<String> =
            quantiles.iter().map(|(_, error)| format!("{:+.4}", Decimal(*error))).collect();
        let largest = worst.as_ref().map_or(0.0, |worst| worst.estimate - worst.exact);
        writeln!(
            out,
            "| `{evaluation}` | {:+.4} | {mean_absolute:.4} | {root_mean_square:.4} | {} | \
             {:+.4} |",
            Decimal(*mean),
            quantiles.join(" | "),
            Decimal(largest)
        )?;
    }
    writeln!(
        out,
        "\nErrors, estimate minus exact value for the side to roll, over {} positions: their mean, \
         mean absolute value\nand root mean square, the quantiles of their absolute values, \
         and the largest one.",
        HumanCount(first.positions)
    )?;
    for Calibration { evaluation, bins, worst, .. } in calibrations {
        writeln!(out, "\n| `{evaluation}` | positions | estimate | exact |\n|---|---|---|---|")?;
        for Bin { from, share, estimate, exact } in bins {
            let mean = |mean: &Option<f64>| mean.map_or("–".into(), |mean| format!("{mean:.4}"));
            writeln!(
                out,
                "| {from:.1} to {:.1} | {:.2} % | {} | {} |",
                from + 0.1,
                100.0 * share,
                mean(estimate),
                mean(exact)
            )?;
        }
        if let Some(WorstEstimate { position, estimate, exact }) = worst {
            writeln!(out, "\nFarthest off: {position}, {estimate:.4} for {exact:.4}.")?;
        }
    }
    Ok(())
}
