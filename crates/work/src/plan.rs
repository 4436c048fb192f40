//! Planning, doing and merging work.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use serde::Serialize;
use wurfel_arena::Signatures;
use wurfel_core::checksum_text;
use wurfel_core::files::FileError;

use crate::WorkError;
use crate::folder::{DoneBy, Folder, Manifest, Plan};
use crate::job::Job;
use crate::kinds::work_of;
use crate::unit::{Merged, Resources, Work, WorkContext};

/// Two machines whose speeds differ by more than this factor count as different kinds. A machine
/// that is busy with other work may count as a slower one.
const MIXED: f64 = 1.5;
/// The subfolder of the result in the folder of the plan.
const RESULT: &str = "result";

/// The signatures to report instead of this program's, where nothing is searched.
pub(crate) static NOT_SEARCHED: OnceLock<Signatures> = OnceLock::new();

/// The signatures of this program in the game of a job, and its speed there; each game is measured once.
fn signatures(job: &Job) -> Result<Signatures, WorkError> {
    static MEASURED: Mutex<BTreeMap<Option<String>, Signatures>> = Mutex::new(BTreeMap::new());
    if let Some(signatures) = NOT_SEARCHED.get() {
        return Ok(signatures.clone());
    }
    let mut measured = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(match measured.entry(job.game().map(str::to_owned)) {
        Entry::Occupied(entry) => entry.get().clone(),
        Entry::Vacant(entry) => {
            let signatures = Signatures::of_this_program(job.game());
            entry.insert(signatures.map_err(|error| WorkError::Input(error.to_string()))?).clone()
        }
    })
}

/// How much of a plan is done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlanState {
    /// The number of units.
    pub units: u64,
    /// The units that are not done, in order.
    pub missing: Vec<u64>,
    /// How many of these, from the first one on, can be done now because all units of earlier
    /// stages are done.
    pub ready: usize,
}

/// A folder with a plan.
pub struct Planned {
    folder: Folder,
    plan: Plan,
    work: Box<dyn Work>,
}

impl Planned {
    /// Plans a job and writes the plan into a folder, which is created if necessary. If the folder
    /// already has the same plan, nothing changes.
    ///
    /// # Errors
    /// When the job asks for something that does not exist, the folder has another plan, or the
    /// system refuses.
    pub fn create(job: Job, path: &Path) -> Result<Self, WorkError> {
        let job = job.read_files()?;
        let work = work_of(&job)?;
        let signatures = signatures(&job)?;
        let plan = Plan::new(job, work.stages(), signatures.text);
        let folder = Folder::create(path, &plan)?;
        Ok(Self { folder, plan, work })
    }

    /// Opens the folder of a plan.
    ///
    /// # Errors
    /// When there is no plan, or this program cannot carry it out.
    pub fn open(path: &Path) -> Result<Self, WorkError> {
        let folder = Folder::open(path);
        let plan = folder.plan()?;
        let work = work_of(&plan.job)?;
        if work.stages() != plan.stages {
            let refusal = format!("'{}': another version of wurfel has planned it", path.display());
            return Err(WorkError::Input(refusal));
        }
        Ok(Self { folder, plan, work })
    }

    /// The plan as its folder states it, with its job.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The memory in bytes that a unit needs on this many threads; `None` when it needs little, or
    /// when there is no such unit.
    pub fn memory(&self, unit: u64, threads: usize) -> Option<u64> {
        (unit < self.plan.units()).then(|| self.work.memory(unit, threads)).flatten()
    }

    /// What work is done with. The folder of the result is created if necessary.
    fn context<'a>(&'a self, resources: Resources<'a>) -> Result<WorkContext<'a>, WorkError> {
        let result = self.folder.path().join(RESULT);
        fs::create_dir_all(&result).map_err(FileError::at(&result))?;
        Ok(WorkContext { resources, folder: &self.folder, plan: &self.plan, result })
    }

    /// The state of the plan. Manifests and shards are checked only when they are needed.
    ///
    /// # Errors
    /// When the system refuses to list them.
    pub fn state(&self) -> Result<PlanState, WorkError> {
        let units = self.plan.units();
        let done = self.folder.done(&self.plan)?;
        let missing: Vec<u64> =
            (0..).zip(done).filter(|(_, done)| !done).map(|(unit, _)| unit).collect();
        let first = missing.first().copied().unwrap_or(units);
        let mut end = 0;
        for stage in &self.plan.stages {
            end += stage;
            if first < end {
                break;
            }
        }
        let ready = missing.partition_point(|&unit| unit < end);
        Ok(PlanState { units, missing, ready })
    }

    /// Does a unit and stores its shard, whether or not it was done before. `None` when the work
    /// was stopped.
    ///
    /// # Errors
    /// When there is no such unit, units of earlier stages are missing, this program's searches
    /// differ from those of the program that wrote the plan, an agent fails, or the system refuses.
    pub fn run(&self, unit: u64, resources: Resources<'_>) -> Result<Option<Manifest>, WorkError> {
        let units = self.plan.units();
        if unit >= units {
            return Err(WorkError::Input(format!(
                "unit {unit}: expected one from 0 to {}",
                units - 1
            )));
        }
        let own = signatures(&self.plan.job)?;
        if own.text != self.plan.signatures {
            let [found, expected] = [&own.text, &self.plan.signatures].map(checksum_text);
            return Err(WorkError::Signature { found, expected });
        }
        self.complete_before(unit)?;
        let began = Instant::now();
        let Some(bytes) = self.work.run(unit, &self.context(resources)?)? else {
            return Ok(None);
        };
        let by = DoneBy {
            seconds: began.elapsed().as_secs_f64(),
            threads: resources.jobs.max(1),
            speed: own.speed,
        };
        self.folder.keep(&self.plan, unit, &bytes, &by).map(Some)
    }

    /// Refuses a unit while units of earlier stages are missing.
    fn complete_before(&self, unit: u64) -> Result<(), WorkError> {
        let mut begin = 0;
        for stage in &self.plan.stages {
            if unit < begin + stage {
                break;
            }
            begin += stage;
        }
        self.complete(begin)
    }

    /// Refuses if one of the first `units` units is missing.
    fn complete(&self, units: u64) -> Result<(), WorkError> {
        if units == 0 {
            return Ok(());
        }
        let done = self.folder.done(&self.plan)?;
        let mut missing = (0..units).zip(done).filter(|(_, done)| !done);
        let Some((first, _)) = missing.next() else { return Ok(()) };
        let (folder, missing) = (self.folder.path().to_owned(), 1 + missing.count() as u64);
        Err(WorkError::Missing { folder, missing, of: units, first })
    }

    /// Puts the result together from all units, in the subfolder `result`. Repeating this changes
    /// nothing. `None` when the work was stopped.
    ///
    /// # Errors
    /// When a unit is missing or damaged, or the system refuses. Also when results depend on speed
    /// and machines of different kinds have done the units, unless `mixed` allows this.
    pub fn merge(
        &self,
        resources: Resources<'_>,
        mixed: bool,
    ) -> Result<Option<Merged>, WorkError> {
        self.complete(self.plan.units())?;
        if self.work.timed() && !mixed {
            self.same_machines()?;
        }
        self.work.merge(&self.context(resources)?)
    }

    /// Refuses results of units that were done at very different speeds.
    fn same_machines(&self) -> Result<(), WorkError> {
        let mut speeds = vec![];
        for unit in 0..self.plan.units() {
            speeds.extend(self.folder.manifest(&self.plan, unit)?.map(|of| (of.speed, unit)));
        }
        speeds.sort_by(|one, other| one.0.total_cmp(&other.0));
        match (speeds.first(), speeds.last()) {
            (Some(&(slow, one)), Some(&(fast, other))) if fast > MIXED * slow => {
                Err(WorkError::Mixed { one, other, slow: slow / 1e6, fast: fast / 1e6 })
            }
            _ => Ok(()),
        }
    }
}
