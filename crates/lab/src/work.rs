//! Work that is done in units, so that a killed run loses only the units in progress.
//!
//! A unit depends on the definition, the scale and the seed, never on threads or on other units,
//! because its random numbers come from a seed of its own. Units of games are small and independent
//! and share the threads; other work, such as a measurement of speed, has the machine to itself.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wurfel_core::{Random, checksum};

use crate::LabError;
use crate::difference::Series;
use crate::progress::Progress;
use crate::results::ResultCell;

/// The resources that the work of a run may use.
#[derive(Clone, Copy)]
pub struct ExperimentResources<'a> {
    /// The number of threads.
    pub jobs: usize,
    /// When this flag turns true, the units in progress are abandoned.
    pub stop: Option<&'a AtomicBool>,
    /// When this time has come, no further unit is begun.
    pub until: Option<Instant>,
    /// The folder of all results, for work that keeps files of its own in the folder of its
    /// experiment.
    pub out: &'a Path,
}

impl ExperimentResources<'_> {
    /// Whether the work must stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether no further unit may be begun.
    fn over(&self) -> bool {
        self.stopped() || self.until.is_some_and(|until| until <= Instant::now())
    }
}

/// The result of a unit, as it is stored; `None` when it was stopped.
pub type UnitResult = Result<Option<Value>, LabError>;

/// A part of an experiment, which yields some cells of its table.
pub trait Work: Sync {
    /// The name that distinguishes it from all other work of the experiment. Seeds that it shares with
    /// no other work are derived from it.
    fn name(&self) -> &str;

    /// The number of its units.
    fn units(&self) -> u64 {
        1
    }

    /// The number of units by which it grows where further ones make its cells more precise; `None`
    /// where it cannot grow.
    fn grows_by(&self) -> Option<u64> {
        None
    }

    /// Whether a unit needs the whole machine to itself.
    fn alone(&self) -> bool {
        true
    }

    /// Does a unit; `None` when it was stopped. Fails when the system refuses, or an agent cannot
    /// be used.
    fn run(&self, unit: u64, resources: &ExperimentResources<'_>) -> UnitResult;

    /// The cells that follow from the results of all units, in the order of the units, and of further
    /// units where it grows. Fails when a result does not belong to this work.
    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError>;

    /// The results behind one of its cells, pair by pair, if its games may have the dice of others.
    /// Fails when a result does not belong to this work.
    fn series(&self, _results: &[Value], _cell: &ResultCell) -> Result<Option<Series>, LabError> {
        Ok(None)
    }
}

/// The seed of a unit.
pub fn seed_of(seed: u64, work: &str, unit: u64) -> u64 {
    Random::seed_for(seed, &[checksum(work.as_bytes()), unit])
}

/// The result of a unit in the form in which it is stored.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn stored_form(result: &impl Serialize) -> Result<Value, LabError> {
    serde_json::to_value(result).map_err(|error| LabError::Input(error.to_string()))
}

/// Reads the stored result of a unit.
///
/// # Errors
/// When it is the result of something else.
pub fn read<'a, T: Deserialize<'a>>(work: &str, result: &'a Value) -> Result<T, LabError> {
    T::deserialize(result)
        .map_err(|error| LabError::Input(format!("the progress of '{work}': {error}")))
}

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress {
    /// The number of finished units, including those of earlier runs.
    pub units: u64,
    /// The number of all units.
    pub of: u64,
    /// The estimated time left; `None` before the first unit of this run.
    pub left: Option<Duration>,
}

/// Does the units that are not done yet, of each work the number in `wanted`, and writes each to
/// `progress` when it is finished. Returns whether all were done; false if the work was stopped or
/// the time was up.
///
/// # Errors
/// When the system refuses, or an agent cannot be used.
pub fn do_units(
    works: &[Box<dyn Work>],
    wanted: &[u64],
    progress: &mut Progress,
    resources: &ExperimentResources<'_>,
    tell: &mut dyn FnMut(RunProgress, &str),
) -> Result<bool, LabError> {
    let all: u64 = wanted.iter().sum();
    let mut left: Vec<(usize, u64)> = vec![];
    for (number, (work, &units)) in works.iter().zip(wanted).enumerate() {
        left.extend(
            (0..units).filter(|&unit| !progress.has(work.name(), unit)).map(|unit| (number, unit)),
        );
    }
    // Units that share the threads alternate between all parts of the experiment, so that whatever
    // else slows the machine down for a while slows all agents alike.
    left.sort_by(|one, other| {
        let place = |&(number, unit): &(usize, u64)| {
            let work = &works[number];
            if work.alone() {
                (true, 0.0)
            } else {
                (false, (unit as f64 + 0.5) / work.units() as f64)
            }
        };
        let ((alone, one), (other_alone, other)) = (place(one), place(other));
        alone.cmp(&other_alone).then(one.total_cmp(&other))
    });
    let mut done = all - left.len() as u64;
    let (before, started) = (done, Instant::now());
    tell(RunProgress { units: done, of: all, left: None }, "");
    let alone = |&(number, _): &(usize, u64)| works[number].alone();
    for group in left.chunk_by(|one, next| alone(one) == alone(next)) {
        let jobs = if alone(&group[0]) { 1 } else { resources.jobs };
        let work = |&(number, unit): &(usize, u64)| {
            let began = Instant::now();
            let result = works[number].run(unit, resources).transpose()?;
            Some((number, unit, began.elapsed(), result))
        };
        as_they_come(group, jobs, resources, work, |(number, unit, took, result)| {
            let name = works[number].name();
            progress.add(name, unit, took, result?)?;
            done += 1;
            let each = started.elapsed() / (done - before).max(1) as u32;
            tell(
                RunProgress { units: done, of: all, left: Some(each * (all - done) as u32) },
                name,
            );
            Ok(())
        })?;
        if resources.over() {
            break;
        }
    }
    Ok(done == all)
}

/// Does `work` for each item on `jobs` threads, and passes each result to `see` on this thread as
/// soon as it is ready, in any order. The first error ends the work, and so does a request to stop.
fn as_they_come<I: Sync, T: Send>(
    items: &[I],
    jobs: usize,
    resources: &ExperimentResources<'_>,
    work: impl Fn(&I) -> Option<T> + Sync,
    mut see: impl FnMut(T) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (give, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len()) {
            let give = give.clone();
            scope.spawn(|| {
                let give = give;
                while !over.load(Ordering::Relaxed) && !resources.over() {
                    let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    let Some(result) = work(item) else { return };
                    if give.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        drop(give);
        let seen = results.iter().try_for_each(&mut see);
        over.store(true, Ordering::Relaxed);
        seen
    })
}
