//! The kinds of work, a file for each.

mod experiment;
mod matches;
mod positions;
mod regret;
mod tables;
mod tournament;
mod training;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use wurfel_agents::{Catalogued, Spec, UseGame, with_game};
use wurfel_tablebase::TableError;
use wurfel_train::network::RunError;

use crate::job::Job;
use crate::plan::{Means, Shards};
use crate::{WorkError, folder};

/// The folder of the result, in the folder of the plan.
pub(crate) const RESULT: &str = "result";
/// How often to look whether another program still works on what a unit needs.
const WAIT: Duration = Duration::from_millis(100);

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

/// The work of a job.
pub(crate) fn work_of(job: &Job) -> Result<Box<dyn Work>, WorkError> {
    let game = match job {
        Job::Match(job) => &job.game,
        Job::Tournament(job) => &job.game,
        Job::Regret(job) => &job.game,
        Job::Positions(job) => &job.game,
        Job::Tables(job) => &job.game,
        Job::Training(job) => &job.config()?.game,
        Job::Experiment(job) => return experiment::work(job),
    };
    with_game(game, Of(job))?
}

struct Of<'a>(&'a Job);

impl UseGame for Of<'_> {
    type Output = Result<Box<dyn Work>, WorkError>;

    fn with<G: Catalogued>(self) -> Self::Output {
        match self.0 {
            Job::Match(job) => matches::work::<G>(job),
            Job::Tournament(job) => tournament::work::<G>(job),
            Job::Regret(job) => regret::work::<G>(job),
            Job::Positions(job) => positions::work::<G>(job),
            Job::Tables(job) => tables::work::<G>(job),
            Job::Training(job) => training::work::<G>(job.config()?, job.units),
            Job::Experiment(job) => experiment::work(job),
        }
    }
}

/// The part of `all` that a unit does.
fn part(unit: u64, units: u64, all: u64) -> Range<u64> {
    let bound = |unit: u64| (u128::from(all) * u128::from(unit) / u128::from(units)) as u64;
    bound(unit)..bound(unit + 1)
}

/// Does what only one program can do at a time, as soon as no other program does it; `None` when that was
/// stopped.
fn in_turn<T>(
    means: Means<'_>,
    attempt: impl Fn() -> Result<T, WorkError>,
) -> Result<Option<T>, WorkError> {
    while !means.stopped() {
        match attempt() {
            Err(WorkError::Training(RunError::Busy(_)) | WorkError::Table(TableError::Busy(_))) => {
                sleep(WAIT);
            }
            done => return done.map(Some),
        }
    }
    Ok(None)
}

/// Whether a spec bounds its agent by time.
fn is_timed(spec: &Spec) -> bool {
    spec.options.iter().any(|(name, _)| name == "time" || name == "total")
}

/// Writes a file of JSON.
fn put_json(path: &Path, value: &serde_json::Value) -> Result<(), WorkError> {
    let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    folder::put_bytes(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once() {
        for all in [1, 7, 64, 1000] {
            for units in 1..=all.min(40) {
                let parts: Vec<Range<u64>> =
                    (0..units).map(|unit| part(unit, units, all)).collect();
                assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, all));
                assert!(parts.iter().all(|part| part.start < part.end));
                assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            }
        }
    }
}
