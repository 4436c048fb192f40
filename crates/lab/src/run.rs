//! A run of an experiment, from its plan to its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use wurfel_arena::write_whole;
use wurfel_core::checksum_text;

use crate::LabError;
use crate::checks::CheckResult;
use crate::experiment::{Experiment, Library};
use crate::machine::{COMMIT, Machine, signature};
use crate::plot::plot;
use crate::progress::{FILE, Header, Progress};
use crate::results::ResultTable;
use crate::scale::Scale;
use crate::work::{Done, ExperimentResources, work_off};

/// How much of an experiment is run, from which seed and on how many threads.
#[derive(Clone, Debug)]
pub struct RunSettings<'a> {
    /// How large the run is.
    pub scale: Scale,
    /// The seed of all chance.
    pub seed: u64,
    /// The folder of all results.
    pub out: PathBuf,
    /// The number of threads.
    pub jobs: usize,
    /// When this flag turns true, the run stops after the units in progress.
    pub stop: Option<&'a AtomicBool>,
}

/// The record of a run, which is written beside its table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The name of the experiment, `<paper>/<name>`.
    pub experiment: String,
    /// The version of the program.
    pub version: String,
    /// The commit that the program was built from, if it is known.
    pub commit: Option<String>,
    /// The name of the scale: how much was played.
    pub scale: String,
    /// The seed from which the seeds of all units follow.
    pub seed: u64,
    /// The checksum of the definition.
    pub definition: String,
    /// The signature of the program's searches.
    pub signature: String,
    /// The computer that made the result.
    pub machine: Machine,
    /// When the run was begun, in UTC.
    pub started: String,
    /// The time of all units, summed over threads.
    pub seconds: f64,
    /// The checksum of the table; empty in records of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub table: String,
    /// The checks with their verdicts.
    pub checks: Vec<CheckResult>,
}

/// The names of the files of a result.
pub(crate) const RESULT: &str = "result.csv";
pub(crate) const RECORD: &str = "run.json";
pub(crate) const PLOT: &str = "plot.svg";

/// The folder of an experiment's results.
pub fn folder(out: &Path, experiment: &str) -> PathBuf {
    out.join(experiment)
}

/// Runs an experiment, or the rest of it, and writes its files; `None` when the run was stopped.
///
/// # Errors
/// When the definition asks for something that does not exist, the folder has another run, or the
/// system refuses.
pub fn run(
    experiment: &Experiment,
    library: &Library,
    settings: &RunSettings<'_>,
    tell: &mut dyn FnMut(Done, &str),
) -> Result<Option<RunRecord>, LabError> {
    let RunSettings { scale, seed, out, jobs, stop } = settings;
    let plan = experiment.plan(library, *scale, *seed)?;
    let header = Header::new(experiment, *scale, *seed);
    let folder = folder(out, &experiment.name);
    let mut progress = Progress::open(&folder, &header)?;
    let resources = ExperimentResources { jobs: *jobs, stop: *stop, out };
    work_off(&plan.works, &mut progress, &resources, tell)?;
    let Some((table, checks)) = experiment.conclude(&plan, &progress)? else { return Ok(None) };
    let record = RunRecord {
        experiment: header.experiment,
        version: header.version,
        commit: COMMIT.map(str::to_owned),
        scale: header.scale,
        seed: *seed,
        definition: header.definition,
        signature: header.signature,
        machine: Machine::this(),
        started: progress.header().started.clone(),
        seconds: progress.seconds(),
        table: checksum_text(table.csv()),
        checks,
    };
    write(&folder, experiment, &table, &record)?;
    Ok(Some(record))
}

/// Writes the files of a result, the record last, so that a record implies the other files.
fn write(
    folder: &Path,
    experiment: &Experiment,
    table: &ResultTable,
    record: &RunRecord,
) -> Result<(), LabError> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        write_whole(&path, text).map_err(LabError::io(&path))
    };
    write(RESULT, &table.csv())?;
    if let Some(picture) = plot(&experiment.definition, table, &experiment.figures)? {
        write(PLOT, &picture)?;
    }
    let mut text = serde_json::to_string_pretty(record)
        .map_err(|error| LabError::Input(format!("{RECORD}: {error}")))?;
    text.push('\n');
    write(RECORD, &text)
}

/// The state of an experiment's results.
#[derive(Clone, PartialEq, Debug)]
pub enum ResultState {
    /// There are no results.
    Missing,
    /// There are units of a run that was stopped.
    Begun,
    /// There is a table with its record.
    There(Box<(ResultTable, RunRecord)>),
}

impl ResultState {
    /// Finds out the state of an experiment's results.
    ///
    /// # Errors
    /// When its files cannot be read or are damaged.
    pub fn of(experiment: &Experiment, out: &Path) -> Result<Self, LabError> {
        let folder = folder(out, &experiment.name);
        let text = |name: &str| {
            let path = folder.join(name);
            match fs::read_to_string(&path) {
                Ok(text) => Ok(Some((path.display().to_string(), text))),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(LabError::io(&path)(error)),
            }
        };
        let (Some((record_file, record)), Some((table_file, table))) =
            (text(RECORD)?, text(RESULT)?)
        else {
            let begun = folder.join(FILE).exists();
            return Ok(if begun { Self::Begun } else { Self::Missing });
        };
        let record: RunRecord = serde_json::from_str(&record)
            .map_err(|error| LabError::Input(format!("'{record_file}': {error}")))?;
        let table = ResultTable::read(&table_file, &table)?;
        if !record.table.is_empty() && record.table != checksum_text(table.csv()) {
            return Err(LabError::Input(format!(
                "'{table_file}': expected the table of '{record_file}', but it was changed: run the \
                 experiment again"
            )));
        }
        Ok(Self::There(Box::new((table, record))))
    }
}

impl RunRecord {
    /// Why the result is stale; `None` when it is not.
    pub fn stale(&self, experiment: &Experiment) -> Option<&'static str> {
        if self.signature != signature() {
            return Some("the searches have been changed since then");
        }
        (self.definition != experiment.checksum)
            .then_some("the experiment has been defined anew since then")
    }
}
