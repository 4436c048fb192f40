//! `wurfel reproduce`: the experiments of the papers.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::{Args, Subcommand};
use indicatif::HumanDuration;
use serde::Serialize;
use wurfel_lab::{
    CheckResult, CheckVerdict, Definition, Experiment, LabError, Library, ResultState, RunProgress,
    RunRecord, RunSettings, Scale, run, write_report,
};

use crate::bounds::{decimal, seed};
use crate::json::write_json;
use crate::options::{Jobs, quoted};
use crate::progress::OpenBar;
use crate::{Done, stop};

/// Repeats the experiments of the papers and says which claims hold
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  wurfel reproduce list\n  \
    wurfel reproduce mcts-dynamic-ucb/table-2 --scale quick\n  wurfel reproduce report\n\n\
    A run writes every finished part of its work, and the same command resumes a run that was\n\
    stopped or killed. The tables depend on the scale and the seed alone, as long as no agent is\n\
    bounded by time, and not on the number of threads."
)]
pub struct Reproduce {
    #[command(subcommand)]
    action: Option<Action>,
    /// The experiments (see `wurfel reproduce list`): names, a paper for all of its experiments, all,
    /// or a folder with an experiment of your own, as a path that begins with / or .
    #[arg(required = true)]
    names: Vec<String>,
    /// How large the runs are: tiny, quick, full, a factor of full such as 0.1 or 4, or decide, which begins as
    /// quick and adds games until all claims are decided or the hours are over
    #[arg(long, default_value = "quick", value_parser = scale)]
    scale: Scale,
    /// How many hours all runs together may take, with --scale decide
    #[arg(long, value_parser = decimal::<f64>(0.001..=8784.0))]
    hours: Option<f64>,
    /// The seed for everything random
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    jobs: Jobs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Action {
    List(List),
    Report(Report),
}

/// The option for the folder of the results.
#[derive(Args, Debug)]
struct Out {
    /// The folder of the results
    #[arg(long, default_value = "reproduced")]
    out: PathBuf,
}

/// Lists the experiments, the hours that each takes at full scale, and the state of its results
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel reproduce list")]
struct List {
    #[command(flatten)]
    out: Out,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Evaluates every check again from the stored figures, and writes report.md and index.html, with every
/// result, its verdicts, and what is stale
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel reproduce report --out reproduced")]
struct Report {
    #[command(flatten)]
    out: Out,
}

fn scale(text: &str) -> Result<Scale, String> {
    text.parse().map_err(|error: LabError| error.to_string())
}

impl Reproduce {
    /// Carries out the command and writes the answer to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let library = Library::new()?;
        match &self.action {
            Some(Action::List(list)) => list.run(&library, out),
            Some(Action::Report(report)) => report.run(&library, out),
            None => self.experiments(&library, out),
        }
    }

    fn experiments(&self, library: &Library, out: &mut dyn Write) -> anyhow::Result<Done> {
        let experiments = library.select(&self.names)?;
        let decides = self.scale == Scale::Decide;
        ensure!(
            decides == self.hours.is_some(),
            "--scale decide and --hours: expected both or neither"
        );
        let end = self.hours.map(|hours| Instant::now() + Duration::from_secs_f64(3600.0 * hours));
        let stop = stop::on_ctrl_c();
        let mut settings = RunSettings {
            scale: self.scale,
            seed: self.seed,
            out: self.out.out.clone(),
            jobs: self.jobs.count(),
            stop: Some(stop),
            until: None,
        };
        // Experiments that cannot be run are refused before hours of work on the others.
        for experiment in &experiments {
            experiment.plan(library, self.scale, self.seed)?;
        }
        for (place, experiment) in experiments.iter().enumerate() {
            let count = format!("{}/{}", place + 1, experiments.len());
            // Each has an equal part of the time that those before it have left.
            settings.until = end.map(|end| {
                let now = Instant::now();
                now + end.saturating_duration_since(now) / (experiments.len() - place) as u32
            });
            if let Some(cost) = self.expected(experiment) {
                writeln!(io::stderr(), "{}: {cost}", experiment.name)?;
            }
            let Some(record) = self.experiment(library, experiment, &settings, &count)? else {
                writeln!(io::stderr(), "stopped; `{}` resumes it", self.command())?;
                return Ok(Done::Stopped);
            };
            if self.json {
                write_json(&record, out)?;
            } else {
                write_verdicts(out, experiment, &record, &self.out.out)?;
            }
            out.flush()?;
        }
        Ok(Done::All)
    }

    /// What an experiment is expected to take; `None` where that is minutes.
    fn expected(&self, experiment: &Experiment) -> Option<String> {
        let hours = |factor: f64| {
            let hours = factor * experiment.definition.full_hours;
            Some(format!("expected to take {hours:.1} machine-hours on two cores"))
        };
        match self.scale {
            Scale::Full => hours(1.0),
            Scale::Factor(factor) => hours(factor),
            Scale::Decide => self.hours.map(|hours| {
                format!("until its claims are decided, within the {hours} hours of all experiments")
            }),
            Scale::Tiny | Scale::Quick => None,
        }
    }

    /// Runs an experiment; `None` when it was stopped.
    fn experiment(
        &self,
        library: &Library,
        experiment: &Experiment,
        settings: &RunSettings,
        count: &str,
    ) -> anyhow::Result<Option<RunRecord>> {
        let bar = OpenBar::new("parts", self.json);
        let record = stop::working(|| {
            run(experiment, library, settings, &mut |progress: RunProgress, part| {
                bar.show(progress.units, progress.of);
                bar.show_message(format!("{count} {}: {part}", experiment.name));
            })
        });
        drop(bar);
        Ok(record?)
    }

    /// The command line that resumes these runs.
    fn command(&self) -> String {
        let mut words = vec!["wurfel reproduce".to_owned()];
        words.extend(self.names.iter().map(quoted));
        words.push(format!("--scale {} --seed {}", self.scale, self.seed));
        words.extend(self.hours.map(|hours| format!("--hours {hours}")));
        words.push(format!("--out {}", quoted(self.out.out.display())));
        words.join(" ")
    }
}

/// Writes the verdicts of a result, a line for each claim.
fn write_verdicts(
    out: &mut dyn Write,
    experiment: &Experiment,
    record: &RunRecord,
    folder: &Path,
) -> io::Result<()> {
    let took = HumanDuration(Duration::from_secs_f64(record.seconds));
    writeln!(out, "{}: {} ({})", experiment.name, experiment.definition.title, took)?;
    for CheckResult { claim, verdict, because, .. } in &record.checks {
        writeln!(out, "  {:<17}  {claim}", verdict.words())?;
        if *verdict != CheckVerdict::Holds {
            writeln!(out, "  {:<17}  ({because})", "")?;
        }
    }
    writeln!(out, "  written to {}", folder.join(&experiment.name).display())
}

/// An experiment with the state of its results.
#[derive(Serialize)]
struct ListedExperiment<'a> {
    experiment: &'a str,
    full_hours: f64,
    section: &'a str,
    /// Why the results are stale, if they are.
    stale: Option<&'static str>,
    state: String,
    title: &'a str,
}

impl<'a> ListedExperiment<'a> {
    fn new(experiment: &'a Experiment, out: &Path) -> Result<Self, LabError> {
        let state = ResultState::of(experiment, out)?;
        let Definition { full_hours, section, title, .. } = &experiment.definition;
        Ok(Self {
            experiment: &experiment.name,
            full_hours: *full_hours,
            section,
            stale: state.result().and_then(|(_, record)| record.stale(experiment)),
            state: state.word(experiment, "–"),
            title,
        })
    }

    fn cells(&self) -> [String; 5] {
        let Self { experiment, full_hours, section, state, title, .. } = self;
        let full = format!("{full_hours} h");
        [experiment, section, full.as_str(), state, title].map(str::to_owned)
    }
}

impl List {
    fn run(&self, library: &Library, out: &mut dyn Write) -> anyhow::Result<Done> {
        let listed = |experiment| ListedExperiment::new(experiment, &self.out.out);
        if self.json {
            for experiment in library.all() {
                write_json(&listed(experiment)?, out)?;
            }
            return Ok(Done::All);
        }
        let all = library.all().iter().map(listed).collect::<Result<Vec<_>, _>>()?;
        let head = ["experiment", "section", "full", "results", "title"].map(str::to_owned);
        let rows: Vec<[String; 5]> =
            [head].into_iter().chain(all.iter().map(ListedExperiment::cells)).collect();
        let width =
            |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..4).map(width).collect();
        for row in &rows {
            for (cell, &width) in row.iter().zip(&widths) {
                write!(out, "{cell:<width$}  ")?;
            }
            writeln!(out, "{}", row[4])?;
        }
        let hours: f64 = all.iter().map(|listed| listed.full_hours).sum();
        writeln!(
            out,
            "\n{} experiments, {hours:.1} machine-hours in full on two cores",
            all.len()
        )?;
        Ok(Done::All)
    }
}

impl Report {
    fn run(&self, library: &Library, out: &mut dyn Write) -> anyhow::Result<Done> {
        let folder = &self.out.out;
        ensure!(folder.is_dir(), "--out '{}': expected a folder with results", folder.display());
        let counted = write_report(library, folder)?;
        writeln!(out, "{}: {counted}", folder.join("index.html").display())?;
        Ok(Done::All)
    }
}
