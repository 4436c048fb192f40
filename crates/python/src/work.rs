//! Long work in units that many machines share.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use wurfel_work::{Job, Manifest, Planned, Resources, WorkError};

use crate::error::{failed, wrong};
use crate::interrupt::{Stop, at_once, working};
use crate::numbers;
use crate::threads::count;

/// A finished unit of a plan.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct DoneUnit {
    /// The number of the unit.
    unit: u64,
    /// The size of the unit's output in bytes.
    bytes: u64,
    /// The checksum of the unit's output: 32 hexadecimal digits.
    checksum: String,
    /// How long the unit took, in seconds.
    seconds: f64,
    /// The number of threads that did the unit.
    threads: usize,
    /// The speed of the machine, in nodes per second of `wurfel bench`.
    speed: f64,
}

#[pymethods]
impl DoneUnit {
    fn __repr__(&self) -> String {
        format!("DoneUnit({}, {} bytes, {:.2} s)", self.unit, self.bytes, self.seconds)
    }
}

impl From<Manifest> for DoneUnit {
    fn from(manifest: Manifest) -> Self {
        let Manifest { unit, bytes, checksum, seconds, threads, speed, .. } = manifest;
        Self { unit, bytes, checksum, seconds, threads, speed }
    }
}

/// The merged result of all units of a plan.
#[pyclass(frozen, get_all, module = "wurfel")]
#[derive(Clone)]
pub struct MergedResult {
    /// The files that were written.
    files: Vec<PathBuf>,
    /// A summary of the result, in lines.
    summary: Vec<String>,
}

#[pymethods]
impl MergedResult {
    fn __repr__(&self) -> String {
        format!("MergedResult({:?})", self.summary)
    }
}

/// A folder with work that is cut into units, which many machines can share.
///
/// Every process that reaches the folder may do units, also several at the same time and on other
/// machines. No harm is done if a unit is done twice or is killed. `wurfel.plan(job, folder)` makes
/// a plan, and `wurfel.open_plan(folder)` opens one.
#[pyclass(frozen, module = "wurfel")]
pub struct Plan {
    planned: Arc<Planned>,
    folder: PathBuf,
}

fn refused(error: WorkError) -> PyErr {
    match &error {
        WorkError::File(_) | WorkError::Missing { .. } | WorkError::Signature { .. } => {
            failed(error)
        }
        _ => wrong(error),
    }
}

const STOPPED: &str = "the work was stopped";

#[pymethods]
impl Plan {
    fn __repr__(&self) -> String {
        format!("Plan('{}', {} units)", self.folder.display(), self.planned.plan().units())
    }

    /// The folder of the plan.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// The number of units.
    #[getter]
    fn units(&self) -> u64 {
        self.planned.plan().units()
    }

    /// The number of units of each stage. Units of a stage need all units of the earlier stages.
    #[getter]
    fn stages(&self) -> Vec<u64> {
        self.planned.plan().stages.clone()
    }

    /// The numbers of the units that are not done yet, in order.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        at_once(py, || self.planned.state())?.map(|state| state.missing).map_err(refused)
    }

    /// The missing units that can be done now, because all units of earlier stages are done.
    fn ready(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let state = at_once(py, || self.planned.state())?.map_err(refused)?;
        Ok(state.missing[..state.ready].to_vec())
    }

    /// The memory in bytes that a unit needs on this many `threads`; `None` if it needs little.
    #[pyo3(signature = (unit, threads=1))]
    fn memory(
        &self,
        #[pyo3(from_py_with = numbers::unit)] unit: u64,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
    ) -> Option<u64> {
        self.planned.memory(unit, threads)
    }

    /// Does a unit, whether or not it was done before. Unless agents are bounded by time, the
    /// unit's output depends on the plan and the unit's number alone, and not on `threads` (all
    /// CPUs by default).
    #[pyo3(signature = (unit, threads=None))]
    fn run(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::unit)] unit: u64,
        #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
    ) -> PyResult<DoneUnit> {
        let jobs = count(threads)?;
        let work = |stop: &Stop| self.planned.run(unit, Resources { jobs, stop: Some(stop) });
        let manifest = working(py, work)?.map_err(refused)?;
        manifest.map(DoneUnit::from).ok_or_else(|| failed(STOPPED))
    }

    /// Merges all units into the result, in the folder `result` of the plan. Merging again changes
    /// nothing. `mixed=True` allows units that were bounded by time and done on machines of
    /// different speed.
    #[pyo3(signature = (threads=None, *, mixed=false))]
    fn merge(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = numbers::threads)] threads: Option<usize>,
        mixed: bool,
    ) -> PyResult<MergedResult> {
        let jobs = count(threads)?;
        let work = |stop: &Stop| self.planned.merge(Resources { jobs, stop: Some(stop) }, mixed);
        let merged = working(py, work)?.map_err(refused)?.ok_or_else(|| failed(STOPPED))?;
        Ok(MergedResult { files: merged.files, summary: merged.summary })
    }
}

/// Plans a job in a folder, which is created if necessary. `job` is the text of a TOML file such as
/// `wurfel work plan` reads. If the folder already holds the same plan, that plan is continued.
#[pyfunction]
pub fn plan(py: Python<'_>, job: &str, folder: PathBuf) -> PyResult<Plan> {
    let job = Job::read(job).map_err(wrong)?;
    let planned = working(py, |_| Planned::create(job, &folder))?.map_err(refused)?;
    Ok(Plan { planned: Arc::new(planned), folder })
}

/// Opens the folder of a plan.
#[pyfunction]
pub fn open_plan(py: Python<'_>, folder: PathBuf) -> PyResult<Plan> {
    let planned = at_once(py, || Planned::open(&folder))?.map_err(refused)?;
    Ok(Plan { planned: Arc::new(planned), folder })
}
