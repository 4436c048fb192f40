//! A run of an experiment, from its plan to its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use wurfel_core::checksum_text;
use wurfel_core::files::{FileError, write_whole};

use crate::LabError;
use crate::checks::CheckResult;
use crate::decide::until_decided;
use crate::experiment::{Experiment, Library};
use crate::machine::{COMMIT, Machine, signature};
use crate::plan::Conclusion;
use crate::plot::plot;
use crate::progress::{FILE, Header, Progress};
use crate::results::ResultTable;
use crate::scale::Scale;
use crate::work::{ExperimentResources, RunProgress, do_units};

/// How much of an experiment is run, from which seed and on how many threads.
#[derive(Clone, Debug)]
pub struct RunSettings<'a> {
    /// The scale of the run.
    pub scale: Scale,
    /// The seed of all chance.
    pub seed: u64,
    /// The folder of all results.
    pub out: PathBuf,
    /// The number of threads.
    pub jobs: usize,
    /// When this flag turns true, the run stops after the units in progress.
    pub stop: Option<&'a AtomicBool>,
    /// When a run that decides claims ends, even if some are still open.
    pub until: Option<Instant>,
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
    /// The checksum of what the definition plays and measures.
    pub definition: String,
    /// The signature of the program's searches.
    pub signature: String,
    /// The computer that made the result.
    pub machine: Machine,
    /// When the run was begun, in UTC.
    pub started: String,
    /// The time of all units, summed over threads.
    pub seconds: f64,
    /// The checksum of the table.
    pub table: String,
    /// How many cells of the table, its first ones, were measured; the others follow from them.
    pub measured: usize,
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
    tell: &mut dyn FnMut(RunProgress, &str),
) -> Result<Option<RunRecord>, LabError> {
    let RunSettings { scale, seed, out, jobs, stop, until } = settings;
    let plan = experiment.plan(library, *scale, *seed)?;
    let header = Header::new(experiment, *scale, *seed);
    let folder = folder(out, &experiment.name);
    let mut progress = Progress::open(&folder, &header)?;
    let resources = ExperimentResources { jobs: *jobs, stop: *stop, until: *until, out };
    if *scale == Scale::Decide {
        until_decided(experiment, &plan, &mut progress, &resources, tell)?;
        if resources.stopped() {
            return Ok(None);
        }
    } else {
        let wanted: Vec<u64> = plan.works.iter().map(|work| work.units()).collect();
        do_units(&plan.works, &wanted, &mut progress, &resources, tell)?;
    }
    let Some(conclusion) = experiment.conclude(&plan, &progress)? else { return Ok(None) };
    let Conclusion { table, measured, checks } = conclusion;
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
        measured,
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
    let write = |name: &str, text: &str| write_whole(&folder.join(name), text);
    write(RESULT, &table.csv())?;
    if let Some(picture) = plot(&experiment.definition, table, &experiment.figures)? {
        write(PLOT, &picture)?;
    }
    let mut text = serde_json::to_string_pretty(record)
        .map_err(|error| LabError::Input(format!("{RECORD}: {error}")))?;
    text.push('\n');
    Ok(write(RECORD, &text)?)
}

/// The state of an experiment's results.
#[derive(Clone, PartialEq, Debug)]
pub enum ResultState {
    /// There are no results.
    Missing,
    /// There are units of a run that was stopped.
    Partial,
    /// There is a table with its record.
    Complete(Box<(ResultTable, RunRecord)>),
}

impl ResultState {
    /// The result, if there is one.
    pub fn result(&self) -> Option<&(ResultTable, RunRecord)> {
        match self {
            Self::Complete(result) => Some(result),
            Self::Missing | Self::Partial => None,
        }
    }

    /// The state in a word or two, `missing` where there is nothing.
    pub fn word(&self, experiment: &Experiment, missing: &str) -> String {
        match self {
            Self::Missing => missing.to_owned(),
            Self::Partial => "begun".to_owned(),
            Self::Complete(result) => {
                let stale = result.1.stale(experiment).map_or("", |_| ", stale");
                format!("{}{stale}", result.1.scale)
            }
        }
    }

    /// Determines the state of an experiment's results.
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
                Err(error) => Err(FileError::at(&path)(error)),
            }
        };
        let (Some((record_file, record)), Some((table_file, table))) =
            (text(RECORD)?, text(RESULT)?)
        else {
            let begun = folder.join(FILE).exists();
            return Ok(if begun { Self::Partial } else { Self::Missing });
        };
        let record: RunRecord = serde_json::from_str(&record)
            .map_err(|error| LabError::Input(format!("'{record_file}': {error}")))?;
        let table = ResultTable::read(&table_file, &table)?;
        if record.table != checksum_text(table.csv()) {
            return Err(LabError::Input(format!(
                "'{table_file}': expected the table of '{record_file}', but it was changed: run the \
                 experiment again"
            )));
        }
        Ok(Self::Complete(Box::new((table, record))))
    }

    /// The state of an experiment's results after everything that follows from the measured cells
    /// was recomputed by the current definition: verdicts, cells and plot. What has changed is
    /// written. A stale result stays as it is, because other cells would be measured today. Fails
    /// when the files cannot be read or written, or are damaged.
    pub(crate) fn renewed(experiment: &Experiment, out: &Path) -> Result<Self, LabError> {
        let state = Self::of(experiment, out)?;
        let Self::Complete(result) = &state else { return Ok(state) };
        let (table, record) = &**result;
        if record.stale(experiment).is_some() {
            return Ok(state);
        }
        let folder = folder(out, &experiment.name);
        let measured = table.cells().get(..record.measured).ok_or_else(|| {
            let (file, cells) = (folder.join(RECORD), table.cells().len());
            LabError::Input(format!(
                "'{}': expected at most {cells} measured cells",
                file.display()
            ))
        })?;
        let Conclusion { table, measured, checks } =
            experiment.judge(measured.to_vec(), record.seconds)?;
        let record =
            RunRecord { table: checksum_text(table.csv()), measured, checks, ..record.clone() };
        let renewed = (table, record);
        if renewed != **result {
            write(&folder, experiment, &renewed.0, &renewed.1)?;
        }
        Ok(Self::Complete(Box::new(renewed)))
    }
}

impl RunRecord {
    /// Why the result is stale; `None` when it is not.
    pub fn stale(&self, experiment: &Experiment) -> Option<&'static str> {
        if self.signature != signature() {
            return Some("the searches have been changed since then");
        }
        (self.definition != experiment.checksum)
            .then_some("what it plays or measures has been changed since then")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::CheckVerdict::{self, Fails, Holds};
    use crate::results::ResultCell;

    /// The experiment in a folder whose one measured cell is compared with `above`.
    fn experiment(folder: &Path, pairs: u64, above: f64) -> Experiment {
        let text = format!(
            "title = 'T'\npaper = 'p'\nsection = '§1'\nkind = 'replicated'\ngame = 'einstein'\n\
             claim = 'c'\nreading = 'r'\nfull_hours = 0.1\n\
             [[match]]\nrow = 'a'\na = 'greedy'\nb = 'random'\npairs = {pairs}\n\
             columns = {{ 'rate' = 'score' }}\n\
             [[summary]]\nrow = 'all'\ncolumn = 'rate'\nmean = {{ row = '*', column = 'rate' }}\n\
             [[check]]\nclaim = 'better'\ncell = {{ row = 'all', column = 'rate' }}\n\
             above = {above}\n[plot]\nkind = 'bars'\ncolumns = ['rate']\n"
        );
        let own = folder.join("p/t");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("experiment.toml"), text).unwrap();
        Experiment::in_folder(&own).unwrap()
    }

    /// The verdict of the result in a folder after everything was decided again, and that in its file.
    fn verdicts(experiment: &Experiment, out: &Path) -> (CheckVerdict, CheckVerdict) {
        let verdict = |state: ResultState| match state {
            ResultState::Complete(result) => result.1.checks[0].verdict,
            other => panic!("{other:?}"),
        };
        let renewed = verdict(ResultState::renewed(experiment, out).unwrap());
        (renewed, verdict(ResultState::of(experiment, out).unwrap()))
    }

    #[test]
    fn a_changed_check_decides_a_stored_table_again_and_changed_work_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let first = experiment(out, 10, 0.5);
        let cell = ResultCell::new("a", "rate", 0.7).within(0.6, 0.8);
        let Conclusion { table, measured, checks } = first.judge(vec![cell], 1.0).unwrap();
        let record = RunRecord {
            experiment: "p/t".into(),
            version: "0.1.0".into(),
            commit: None,
            scale: "quick".into(),
            seed: 1,
            definition: first.checksum.clone(),
            signature: signature(),
            machine: Machine::this(),
            started: "2026-01-31 14:05".into(),
            seconds: 1.0,
            table: checksum_text(table.csv()),
            measured,
            checks,
        };
        write(&out.join("p/t"), &first, &table, &record).unwrap();
        assert_eq!((measured, table.cells().len()), (1, 2));
        assert_eq!(verdicts(&first, out), (Holds, Holds));
        assert_eq!(verdicts(&experiment(out, 10, 0.9), out), (Fails, Fails));
        // Other games would be played: the verdict is that of the games that were played.
        let other = experiment(out, 20, 0.5);
        assert_eq!(verdicts(&other, out), (Fails, Fails));
        assert!(record.stale(&other).is_some() && record.stale(&first).is_none());

        let file = out.join("p/t").join(RECORD);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace("\"measured\": 1", "\"measured\": 3")).unwrap();
        let error = ResultState::renewed(&first, out).unwrap_err().to_string();
        assert!(error.ends_with("run.json': expected at most 2 measured cells"), "{error}");
    }
}
