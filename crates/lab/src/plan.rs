//! The work of an experiment, and the conclusions when it is done.

use serde_json::Value;

use crate::checks::CheckResult;
use crate::difference::difference;
use crate::kinds::{self, Setting, summary::summary};
use crate::progress::Progress;
use crate::results::{ResultCell, ResultTable};
use crate::scale::Scale;
use crate::work::Work;
use crate::{Experiment, LabError, Library};

/// The work of an experiment at a scale.
pub struct ExperimentPlan {
    /// All parts of it.
    pub works: Vec<Box<dyn Work>>,
}

/// The measured cells of an experiment.
pub(crate) struct Measurement {
    /// Those of each work.
    pub of_works: Vec<Vec<ResultCell>>,
    /// Those that follow from two works, which were played on the same dice.
    pub differences: Vec<ResultCell>,
}

impl Measurement {
    /// All of them, in the order of the table.
    pub fn all(&self) -> Vec<ResultCell> {
        [self.of_works.concat(), self.differences.clone()].concat()
    }
}

/// The conclusion from the measured cells of an experiment.
pub(crate) struct Conclusion {
    /// The measured cells, and behind them those that follow from them.
    pub table: ResultTable,
    /// The number of measured cells.
    pub measured: usize,
    /// The verdicts.
    pub checks: Vec<CheckResult>,
}

impl ExperimentPlan {
    /// The measured cells; `None` if a unit is missing. Fails when the progress belongs to
    /// something else.
    pub(crate) fn measured(
        &self,
        experiment: &Experiment,
        progress: &Progress,
    ) -> Result<Option<Measurement>, LabError> {
        let (mut of_works, mut results) = (vec![], vec![]);
        for work in &self.works {
            let units = finished(&**work, progress);
            let Some(own) = units.and_then(|units| progress.results(work.name(), units)) else {
                return Ok(None);
            };
            of_works.push(work.cells(&own)?);
            results.push(own);
        }
        let differences = self.differences(experiment, &of_works, &results)?;
        Ok(Some(Measurement { of_works, differences }))
    }

    /// How far cells that a claim compares are apart, where they were played on the same dice.
    fn differences(
        &self,
        experiment: &Experiment,
        of_works: &[Vec<ResultCell>],
        results: &[Vec<Value>],
    ) -> Result<Vec<ResultCell>, LabError> {
        let series = |cell: &ResultCell| {
            let own = |cells: &Vec<ResultCell>| cells.iter().any(|own| own.is_at(cell));
            let place = of_works.iter().position(own);
            place.map_or(Ok(None), |place| self.works[place].series(&results[place], cell))
        };
        let table = ResultTable::new(of_works.concat());
        let mut cells: Vec<ResultCell> = vec![];
        for check in &experiment.definition.checks {
            for (one, other) in check.compared_pairs(&table) {
                let Some(own) = series(one)? else { continue };
                let Some(others) = series(other)? else { continue };
                let Some(cell) = difference((one, &own), (other, &others)) else { continue };
                if !cells.iter().any(|known| known.is_at(&cell)) {
                    cells.push(cell);
                }
            }
        }
        Ok(cells)
    }
}

impl Experiment {
    /// The work at a scale. Agents, positions and words for measures are checked.
    ///
    /// # Errors
    /// Names the unknown or duplicate entry.
    pub fn plan(
        &self,
        library: &Library,
        scale: Scale,
        seed: u64,
    ) -> Result<ExperimentPlan, LabError> {
        let named = |error| match error {
            LabError::Input(problem) => LabError::Input(format!("'{}': {problem}", self.name)),
            error => error,
        };
        let setting = Setting { library, experiment: self, scale, seed };
        let works = kinds::all(setting).map_err(named)?;
        for (place, work) in works.iter().enumerate() {
            if works[..place].iter().any(|other| other.name() == work.name()) {
                return Err(named(LabError::Input(format!("'{}' is given twice", work.name()))));
            }
        }
        Ok(ExperimentPlan { works })
    }

    /// The conclusion from the finished work; `None` if a unit is missing. Fails when the progress
    /// belongs to something else, or two blocks give the same cell.
    pub(crate) fn conclude(
        &self,
        plan: &ExperimentPlan,
        progress: &Progress,
    ) -> Result<Option<Conclusion>, LabError> {
        let measured = plan.measured(self, progress)?;
        measured.map(|measured| self.judge(measured.all(), progress.seconds())).transpose()
    }

    /// The conclusion from measured cells, which took this many seconds. Fails when two blocks give
    /// the same cell.
    pub(crate) fn judge(
        &self,
        mut cells: Vec<ResultCell>,
        seconds: f64,
    ) -> Result<Conclusion, LabError> {
        let measured = cells.len();
        for definition in &self.definition.summaries {
            cells.extend(summary(definition, &cells)?);
        }
        for (place, cell) in cells.iter().enumerate() {
            if let Some(twice) = cells[..place].iter().find(|other| other.is_at(cell)) {
                let problem = format!("“{}” of “{}” is given twice", twice.column, twice.row);
                return Err(LabError::Input(format!("'{}': {problem}", self.name)));
            }
        }
        let table = ResultTable::new(cells);
        let checks = &self.definition.checks;
        let checks =
            checks.iter().map(|check| check.decide(&table, &self.figures, seconds)).collect();
        Ok(Conclusion { table, measured, checks })
    }
}

/// The units of a work from which its cells follow; `None` if those are missing with which it begins.
pub(crate) fn finished(work: &dyn Work, progress: &Progress) -> Option<u64> {
    let Some(by) = work.grows_by() else { return Some(work.units()) };
    let whole = progress.first(work.name()) / by * by;
    (whole >= work.units()).then_some(whole)
}
