//! Games until the claims are decided.
//!
//! Such a run begins like a quick one. Then it looks at the claims that are still open, estimates
//! how many times as many games would decide each of them if the figures stayed where they are, and
//! plays on for the one that takes the least time. It ends when no claim is left that games could
//! decide, or when its time is up. Its intervals are valid at every look
//! ([`ConfidenceSequence`](wurfel_arena::ConfidenceSequence)).

use crate::checks::{CheckDefinition, CheckVerdict};
use crate::plan::{Conclusion, ExperimentPlan, finished};
use crate::progress::Progress;
use crate::results::{Figures, ResultCell};
use crate::work::{ExperimentResources, RunProgress, Work, do_units};
use crate::{Experiment, LabError};

/// Games are at most doubled before the next look.
const MAX_GROWTH: f64 = 2.0;

/// Plays until every claim is decided or the time is up. Fails when the system refuses, or an agent
/// cannot be used.
pub(crate) fn until_decided(
    experiment: &Experiment,
    plan: &ExperimentPlan,
    progress: &mut Progress,
    resources: &ExperimentResources<'_>,
    tell: &mut dyn FnMut(RunProgress, &str),
) -> Result<(), LabError> {
    let begin = |work: &dyn Work| finished(work, progress).unwrap_or_else(|| work.units());
    let mut wanted: Vec<u64> = plan.works.iter().map(|work| begin(&**work)).collect();
    while do_units(&plan.works, &wanted, progress, resources, tell)? {
        let Some(measured) = plan.measured(experiment, progress)? else { return Ok(()) };
        let conclusion = experiment.judge(measured.all(), progress.seconds())?;
        let growing = growing(plan, progress, measured.of_works);
        let Some(next) = cheapest(experiment, &growing, &conclusion) else { return Ok(()) };
        for (place, units) in next {
            wanted[place] = units;
        }
    }
    Ok(())
}

/// The works that are continued, and their new numbers of units; `None` if no claim is left that they
/// could decide.
fn cheapest(
    experiment: &Experiment,
    growing: &[Growing],
    conclusion: &Conclusion,
) -> Option<Vec<(usize, u64)>> {
    let mut best: Option<(f64, Vec<(usize, u64)>)> = None;
    let checks = experiment.definition.checks.iter().zip(&conclusion.checks);
    for (check, _) in checks.filter(|(_, result)| result.verdict == CheckVerdict::Undecided) {
        let needed = needed(check, growing, conclusion, &experiment.figures);
        let times = check.times_the_games(&conclusion.table, &experiment.figures);
        let seconds: f64 = needed.iter().map(|work| work.seconds).sum();
        // A claim that no number of games seems to decide comes last, the quickest of them first.
        let cost = times.map_or(f64::MAX / 2.0 + seconds, |times| seconds * (times - 1.0));
        if !needed.is_empty() && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            let times = times.unwrap_or(MAX_GROWTH).min(MAX_GROWTH);
            best =
                Some((cost, needed.iter().map(|work| (work.place, work.grown(times))).collect()));
        }
    }
    best.map(|(_, next)| next)
}

/// A work that can grow.
struct Growing {
    /// Its place in the plan.
    place: usize,
    units: u64,
    by: u64,
    /// The time of its units so far.
    seconds: f64,
    cells: Vec<ResultCell>,
}

/// The works that can grow, given the cells of all works.
fn growing(
    plan: &ExperimentPlan,
    progress: &Progress,
    cells: Vec<Vec<ResultCell>>,
) -> Vec<Growing> {
    let works = plan.works.iter().zip(cells).enumerate();
    let grown = works.filter_map(|(place, (work, cells))| {
        let (by, units) = (work.grows_by()?, finished(&**work, progress)?);
        Some(Growing { place, units, by, seconds: progress.seconds_of(work.name()), cells })
    });
    grown.collect()
}

impl Growing {
    /// The number of units for `times` times the games, but more than now.
    fn grown(&self, times: f64) -> u64 {
        let units = (self.units as f64 * times).ceil() as u64;
        units.max(self.units + 1).next_multiple_of(self.by)
    }
}

/// The works without which a claim stays open: those where it would be open even if all others had
/// been played for ever. A claim about a summary of cells needs all works; one about rows that do not
/// grow needs none.
fn needed<'a>(
    check: &CheckDefinition,
    growing: &'a [Growing],
    conclusion: &Conclusion,
    figures: &Figures,
) -> Vec<&'a Growing> {
    let about = |cell: &ResultCell| check.is_about(&cell.row, &cell.column);
    let concerned: Vec<&Growing> =
        growing.iter().filter(|work| work.cells.iter().any(about)).collect();
    // A difference becomes no more precise than the one row that is left.
    let table = &conclusion.table.without_differences();
    if concerned.is_empty() {
        let is_fixed = conclusion.table.cells()[..conclusion.measured].iter().any(about);
        return if is_fixed { vec![] } else { growing.iter().collect() };
    }
    let is_open = |work: &&Growing| {
        let own = |cell: &ResultCell| work.cells.iter().any(|own| own.is_at(cell));
        let others_exact = table.narrowed(f64::INFINITY, |cell| !own(cell));
        check.verdict(&others_exact, figures).0 == CheckVerdict::Undecided
    };
    let open: Vec<&Growing> = concerned.iter().copied().filter(|work| is_open(work)).collect();
    if open.is_empty() { concerned } else { open }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::ResultTable;

    #[test]
    fn a_claim_needs_the_games_that_keep_it_open_and_no_others() {
        let cell = |row: &str, value, half| {
            ResultCell::new(row, "rate", value).within(value - half, value + half)
        };
        let work = |place, cell: &ResultCell| Growing {
            place,
            units: 10,
            by: 1,
            seconds: 1.0,
            cells: vec![cell.clone()],
        };
        let [one, other] = [cell("one", 0.7, 0.01), cell("other", 0.6, 0.2)];
        let growing = [work(0, &one), work(2, &other)];
        // The last one is a summary, the one before it a row that does not grow.
        let all = vec![one, other, cell("fixed", 0.5, 0.1), cell("mean", 0.65, 0.2)];
        let conclusion = Conclusion { table: ResultTable::new(all), measured: 3, checks: vec![] };
        let places = |row: &str, criterion: &str| -> Vec<usize> {
            let text =
                format!("claim = 'c'\ncell = {{ row = '{row}', column = 'rate' }}\n{criterion}");
            let check: CheckDefinition = toml::from_str(&text).unwrap();
            let needed = needed(&check, &growing, &conclusion, &Figures::default());
            needed.iter().map(|work| work.place).collect()
        };
        assert_eq!(places("other", "above = 0.5"), [2]);
        let than = "not_above_cell = { row = 'other', column = 'rate', by = 0.2 }";
        assert_eq!(places("one", than), [2], "the row that it is compared with keeps it open");
        assert_eq!(places("fixed", "above = 0.5"), [0; 0]);
        assert_eq!(places("mean", "above = 0.5"), [0, 2]);
    }
}
