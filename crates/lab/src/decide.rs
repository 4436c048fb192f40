//! Games until the claims are decided.
//!
//! Such a run begins like a quick one. Then it looks at the claims that are still open, estimates
//! how many times as many games would decide each of them if the figures stayed where they are, and
//! plays on for the one that takes the least time. It ends when no claim is left that games could
//! decide, or when its time is up. Its intervals are valid at every look
//! ([`EveryLook`](wurfel_arena::EveryLook)).

use crate::checks::{CheckDefinition, CheckVerdict};
use crate::plan::{Conclusion, ExperimentPlan, finished};
use crate::progress::Progress;
use crate::results::ResultTable;
use crate::work::{Done, ExperimentResources, Work, work_off};
use crate::{Experiment, LabError};

/// Games are at most doubled before the next look.
const MOST: f64 = 2.0;

/// Plays until every claim is decided or the time is up.
///
/// # Errors
/// When the system refuses, or an agent cannot be used.
pub(crate) fn until_decided(
    experiment: &Experiment,
    plan: &ExperimentPlan,
    progress: &mut Progress,
    resources: &ExperimentResources<'_>,
    tell: &mut dyn FnMut(Done, &str),
) -> Result<(), LabError> {
    let begin = |work: &dyn Work| finished(work, progress).unwrap_or_else(|| work.units());
    let mut wanted: Vec<u64> = plan.works.iter().map(|work| begin(&**work)).collect();
    while work_off(&plan.works, &wanted, progress, resources, tell)? {
        let Some(conclusion) = experiment.conclude(plan, progress)? else { return Ok(()) };
        let Some(next) = cheapest(experiment, plan, progress, &conclusion)? else { return Ok(()) };
        for (place, units) in next {
            wanted[place] = units;
        }
    }
    Ok(())
}

/// The works that are continued, and with how many units; `None` if no claim is left that they
/// could decide.
fn cheapest(
    experiment: &Experiment,
    plan: &ExperimentPlan,
    progress: &Progress,
    conclusion: &Conclusion,
) -> Result<Option<Vec<(usize, u64)>>, LabError> {
    let mut growing = vec![];
    for (place, work) in plan.works.iter().enumerate() {
        if let (Some(by), Some(units)) = (work.grows_by(), finished(&**work, progress)) {
            let results = progress.results(work.name(), units).unwrap_or_default();
            let seconds = progress.seconds_of(work.name());
            let cells = work.cells(&results)?.into_iter().map(|cell| (cell.row, cell.column));
            growing.push(Growing { place, units, by, seconds, cells: cells.collect() });
        }
    }
    let mut best: Option<(f64, Vec<(usize, u64)>)> = None;
    let checks = experiment.definition.checks.iter().zip(&conclusion.checks);
    for (check, _) in checks.filter(|(_, result)| result.verdict == CheckVerdict::Undecided) {
        let needed = needed(check, &growing, &conclusion.table, experiment);
        let times = check.times_the_games(&conclusion.table, &experiment.figures);
        let seconds: f64 = needed.iter().map(|work| work.seconds).sum();
        // A claim that no number of games seems to decide comes last, the quickest of them first.
        let cost = times.map_or(f64::MAX / 2.0 + seconds, |times| seconds * (times - 1.0));
        if !needed.is_empty() && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            let times = times.unwrap_or(MOST).min(MOST);
            best =
                Some((cost, needed.iter().map(|work| (work.place, work.grown(times))).collect()));
        }
    }
    Ok(best.map(|(_, next)| next))
}

/// A work that can grow.
struct Growing {
    /// Its place in the plan.
    place: usize,
    units: u64,
    by: u64,
    /// The time of its units so far.
    seconds: f64,
    /// The rows and columns of its cells.
    cells: Vec<(String, String)>,
}

impl Growing {
    /// The units of so many times the games, but more than now.
    fn grown(&self, times: f64) -> u64 {
        let units = (self.units as f64 * times).ceil() as u64;
        units.max(self.units + 1).next_multiple_of(self.by)
    }
}

/// The works without which a claim stays open: those where it would be open even if all others had
/// been played for ever. A claim about a summary of cells needs all works.
fn needed<'a>(
    check: &CheckDefinition,
    growing: &'a [Growing],
    table: &ResultTable,
    experiment: &Experiment,
) -> Vec<&'a Growing> {
    let about =
        |work: &&Growing| work.cells.iter().any(|(row, column)| check.is_about(row, column));
    let concerned: Vec<&Growing> = growing.iter().filter(about).collect();
    if concerned.is_empty() {
        return growing.iter().collect();
    }
    let is_open = |work: &&Growing| {
        let own = |row: &str, column: &str| {
            work.cells.iter().any(|cell| (cell.0.as_str(), cell.1.as_str()) == (row, column))
        };
        let others_exact = table.narrowed(f64::INFINITY, |cell| !own(&cell.row, &cell.column));
        check.verdict(&others_exact, &experiment.figures).0 == CheckVerdict::Undecided
    };
    let open: Vec<&Growing> = concerned.iter().copied().filter(|work| is_open(work)).collect();
    if open.is_empty() { concerned } else { open }
}
