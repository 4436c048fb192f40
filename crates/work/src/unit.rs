//! What is common to all kinds of work: what a unit is given, and what it makes.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::WorkError;
use crate::folder::{Folder, Plan};

/// What work may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means<'a> {
    /// The number of threads; 0 counts as 1.
    pub jobs: usize,
    /// When this flag turns true, the work in hand is given up.
    pub stop: Option<&'a AtomicBool>,
}

impl Means<'_> {
    /// Whether the work shall stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What units and their merging find in the folder of their plan.
pub(crate) struct Shards<'a> {
    pub folder: &'a Folder,
    pub plan: &'a Plan,
}

impl Shards<'_> {
    /// What a unit has made.
    pub fn read(&self, unit: u64) -> Result<Vec<u8>, WorkError> {
        self.folder.shard(self.plan, unit)
    }

    /// How long these units took, all together.
    pub fn seconds(&self, units: Range<u64>) -> Result<f64, WorkError> {
        let mut sum = 0.0;
        for unit in units {
            sum += self.folder.manifest(self.plan, unit)?.map_or(0.0, |done| done.seconds);
        }
        Ok(sum)
    }

    /// What a unit has made, as text.
    pub fn text(&self, unit: u64) -> Result<String, WorkError> {
        String::from_utf8(self.read(unit)?)
            .map_err(|_| WorkError::Input(format!("unit {unit}: expected UTF-8")))
    }
}

/// A result that was put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// What was written.
    pub files: Vec<PathBuf>,
    /// What it says, in lines for people to read.
    pub summary: Vec<String>,
}

/// Work in units. What a unit makes depends on the job and its number alone, unless agents are bounded
/// by time.
pub(crate) trait Work: Send + Sync {
    /// The units of each stage.
    fn stages(&self) -> Vec<u64>;

    /// Whether results depend on the speed of the machine.
    fn timed(&self) -> bool {
        false
    }

    /// The memory in bytes that a unit needs on so many threads; `None` when it needs little.
    fn memory(&self, _unit: u64, _threads: usize) -> Option<u64> {
        None
    }

    /// Does a unit; `None` when it was stopped. All units of earlier stages are done.
    fn run(
        &self,
        unit: u64,
        means: Means<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Vec<u8>>, WorkError>;

    /// Writes the result; `None` when it was stopped. All units are done.
    fn merge(
        &self,
        means: Means<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Merged>, WorkError>;
}
