//! `wurfel work`: matches, tournaments, tables and other work in units that many machines share.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use wurfel_core::read_text;
use wurfel_work::{Job, Manifest, PlanState, Planned, Resources};

use crate::bounds::whole;
use crate::json::write_json;
use crate::options::{Jobs, quoted};
use crate::progress::{bar, waiting};
use crate::{Done, stop};

/// Splits matches, tournaments, tables and other long work into units that many machines share
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel work plan examples/clusters/match.toml --out plan\n  \
    wurfel work run plan --unit 0\n  wurfel work run plan --missing\n  wurfel work status plan\n  wurfel work merge plan\n\n\
    A plan is a folder. Any machine that can reach it can run its units, at the same time as others.\n\
    A unit that is run twice or killed does no harm. Ctrl-C abandons the units that are running.")]
pub struct WorkCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Plan(PlanCommand),
    Run(RunCommand),
    Status(StatusCommand),
    Merge(MergeCommand),
}

/// Splits the job of a TOML file into units and writes the plan into a folder
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel work plan examples/clusters/match.toml --out plan\n\n\
    docs/clusters.md describes the file.")]
struct PlanCommand {
    /// The TOML file that says what is to be done
    job: PathBuf,
    /// The folder of the plan, which is created if need be
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Runs units of a plan
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  wurfel work run plan --unit 3\n  wurfel work run plan --missing"
)]
struct RunCommand {
    /// The folder of the plan
    folder: PathBuf,
    /// The number of the unit, from 0; may be given several times
    #[arg(long, value_parser = whole::<u64>(0..=u64::MAX),
        required_unless_present = "missing", conflicts_with = "missing")]
    unit: Vec<u64>,
    /// Run all units that are missing, one after the other
    #[arg(long)]
    missing: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// Answer in JSON, with one line for each unit: its manifest
    #[arg(long)]
    json: bool,
}

/// Shows which units of a plan are done
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel work status plan")]
struct StatusCommand {
    /// The folder of the plan
    folder: PathBuf,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Merges the units of a plan into its result when all of them are done
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel work merge plan\n\n\
    The result is written to the folder `result` of the plan. Merging again changes nothing.")]
struct MergeCommand {
    /// The folder of the plan
    folder: PathBuf,
    /// Merge units that were bounded by time and run on machines of different speeds
    #[arg(long)]
    mixed: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl WorkCommand {
    /// Carries out the subcommand and writes the answer to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        match self.action {
            Action::Plan(command) => command.run(out),
            Action::Run(command) => command.run(out),
            Action::Status(command) => command.run(out),
            Action::Merge(command) => command.run(out),
        }
    }
}

impl PlanCommand {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let name = self.job.display();
        let text = read_text(&self.job).with_context(|| format!("'{name}'"))?;
        let job = Job::read(&text).map_err(|error| anyhow!("'{name}': {error}"))?;
        let planned = {
            let _waiting = waiting("measuring the signatures of the searches", false);
            Planned::create(job, &self.out).map_err(|error| anyhow!("'{name}': {error}"))?
        };
        let plan = planned.plan();
        let stages = plan.stages.len();
        let staged = if stages > 1 { format!(" in {stages} stages") } else { String::new() };
        writeln!(out, "{} units{staged}, plan {}", plan.units(), plan.checksum())?;
        writeln!(out, "`wurfel work run {} --missing` does them", quoted(self.out.display()))?;
        Ok(Done::All)
    }
}

impl RunCommand {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let planned = Planned::open(&self.folder)?;
        let units = if self.missing { planned.state()?.missing } else { self.unit.clone() };
        let stop = stop::on_ctrl_c();
        let resources = Resources { jobs: self.jobs.count(), stop: Some(stop) };
        let bar = bar(units.len() as u64, "units", self.json);
        for unit in units {
            let manifest = stop::working(|| planned.run(unit, resources))?;
            let Some(manifest) = manifest.filter(|_| !stop::is_wanted()) else {
                bar.finish_and_clear();
                let again = format!("wurfel work run {} --missing", quoted(self.folder.display()));
                writeln!(io::stderr(), "stopped; `{again}` does what is left")?;
                return Ok(Done::Stopped);
            };
            bar.inc(1);
            bar.suspend(|| write_manifest(&manifest, self.json, out))?;
        }
        bar.finish_and_clear();
        Ok(Done::All)
    }
}

/// Reports a finished unit.
fn write_manifest(manifest: &Manifest, as_json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    if as_json {
        write_json(manifest, out)?;
    } else {
        let Manifest { unit, bytes, seconds, .. } = manifest;
        writeln!(out, "unit {unit}: {bytes} bytes, {seconds:.2} s")?;
    }
    out.flush()?;
    Ok(())
}

impl StatusCommand {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let planned = Planned::open(&self.folder)?;
        let state = planned.state()?;
        if self.json {
            write_json(&state, out)?;
            return Ok(Done::All);
        }
        let PlanState { units, missing, ready } = state;
        writeln!(out, "{} of {units} units are done", units - missing.len() as u64)?;
        if let (Some(first), Some(last)) = (missing.first(), missing.get(ready.saturating_sub(1))) {
            writeln!(out, "{ready} can be done now, {first} to {last}")?;
        }
        Ok(Done::All)
    }
}

impl MergeCommand {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let planned = Planned::open(&self.folder)?;
        let stop = stop::on_ctrl_c();
        let resources = Resources { jobs: self.jobs.count(), stop: Some(stop) };
        let merged = {
            let _waiting = waiting("merging", self.json);
            stop::working(|| planned.merge(resources, self.mixed))?
        };
        let Some(merged) = merged else {
            let again = format!("wurfel work merge {}", quoted(self.folder.display()));
            writeln!(io::stderr(), "stopped; `{again}` merges again")?;
            return Ok(Done::Stopped);
        };
        if self.json {
            write_json(&merged, out)?;
            return Ok(Done::All);
        }
        for line in &merged.summary {
            writeln!(out, "{line}")?;
        }
        for file in &merged.files {
            writeln!(out, "written to {}", file.display())?;
        }
        Ok(Done::All)
    }
}
