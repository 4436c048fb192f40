//! The interface of all kinds of work: the resources that a unit is given, and the shard that it
//! makes.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use wurfel_arena::CupLimits;
use wurfel_core::Budget;
use wurfel_core::files::{FileError, WholeFile};

use crate::WorkError;
use crate::folder::{Folder, Plan};

/// The resources that work may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resources<'a> {
    /// The number of threads; 0 counts as 1.
    pub jobs: usize,
    /// When this flag turns true, the work in progress is abandoned.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Resources<'a> {
    /// The budget with these limits and with this stop flag.
    pub(crate) fn budget(&self, limits: CupLimits) -> Budget<'a> {
        Budget {
            depth: limits.depth,
            nodes: limits.nodes,
            time: limits.time.map(|time| time.0),
            stop: self.stop,
            ..Budget::default()
        }
    }

    /// Whether the work must stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What work is done with: its resources, the shards that are there, and the folder of its result.
pub(crate) struct WorkContext<'a> {
    pub resources: Resources<'a>,
    pub folder: &'a Folder,
    pub plan: &'a Plan,
    pub result: PathBuf,
}

impl WorkContext<'_> {
    /// The number of threads.
    pub fn jobs(&self) -> usize {
        self.resources.jobs.max(1)
    }

    /// The shard of a unit.
    pub fn read(&self, unit: u64) -> Result<Vec<u8>, WorkError> {
        self.folder.shard(self.plan, unit)
    }

    /// The time that these units took, all together, in seconds.
    pub fn seconds(&self, units: Range<u64>) -> Result<f64, WorkError> {
        let mut sum = 0.0;
        for unit in units {
            sum += self.folder.manifest(self.plan, unit)?.map_or(0.0, |done| done.seconds);
        }
        Ok(sum)
    }

    /// Writes a file that begins with `head` and has the lines of these units, after `see` has accepted
    /// those of each.
    pub fn gather(
        &self,
        path: &Path,
        head: &str,
        units: Range<u64>,
        mut see: impl FnMut(u64, &str) -> Result<(), WorkError>,
    ) -> Result<(), WorkError> {
        let refused = FileError::at(path);
        let mut file = WholeFile::create(path).map_err(&refused)?;
        file.write_all(head.as_bytes()).map_err(&refused)?;
        for unit in units {
            let lines = self.text(unit)?;
            see(unit, &lines)?;
            file.write_all(lines.as_bytes()).map_err(&refused)?;
        }
        Ok(file.finish().map_err(&refused)?)
    }

    /// The shard of a unit, as text.
    pub fn text(&self, unit: u64) -> Result<String, WorkError> {
        String::from_utf8(self.read(unit)?)
            .map_err(|_| WorkError::Input(format!("unit {unit}: expected UTF-8")))
    }
}

/// The merged result of all units.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Merged {
    /// The files that were written.
    pub files: Vec<PathBuf>,
    /// A summary of the result, in lines for people.
    pub summary: Vec<String>,
}

/// Work in units. The shard of a unit depends only on the job and the unit's number, unless agents
/// are bounded by time.
pub(crate) trait Work: Send + Sync {
    /// The number of units of each stage.
    fn stages(&self) -> Vec<u64>;

    /// Whether results depend on the speed of the machine.
    fn timed(&self) -> bool {
        false
    }

    /// The memory in bytes that a unit needs on this many threads; `None` when it needs little.
    fn memory(&self, _unit: u64, _threads: usize) -> Option<u64> {
        None
    }

    /// Does a unit; `None` when it was stopped. All units of earlier stages have been done.
    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError>;

    /// Writes the result; `None` when this was stopped. All units have been done.
    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError>;
}
