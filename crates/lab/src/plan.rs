//! The work of an experiment, and the conclusions when it is done.

use crate::checks::CheckResult;
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

/// What follows from the measured cells of an experiment.
pub(crate) struct Conclusion {
    /// The measured cells, and behind them those that follow from them.
    pub table: ResultTable,
    /// The number of measured cells.
    pub measured: usize,
    /// The verdicts.
    pub checks: Vec<CheckResult>,
}

impl ExperimentPlan {
    /// The cells of each work; `None` if a unit is missing.
    ///
    /// # Errors
    /// When the progress belongs to something else.
    pub(crate) fn cells(
        &self,
        progress: &Progress,
    ) -> Result<Option<Vec<Vec<ResultCell>>>, LabError> {
        let mut cells = vec![];
        for work in &self.works {
            let units = finished(&**work, progress);
            let results = units.and_then(|units| progress.results(work.name(), units));
            let Some(results) = results else { return Ok(None) };
            cells.push(work.cells(&results)?);
        }
        Ok(Some(cells))
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
                return Err(named(LabError::Input(format!("'{}' stands twice", work.name()))));
            }
        }
        Ok(ExperimentPlan { works })
    }

    /// What follows from the finished work; `None` if a unit is missing.
    ///
    /// # Errors
    /// When the progress belongs to something else, or two blocks give the same cell.
    pub(crate) fn conclude(
        &self,
        plan: &ExperimentPlan,
        progress: &Progress,
    ) -> Result<Option<Conclusion>, LabError> {
        plan.cells(progress)?.map(|cells| self.judge(cells.concat())).transpose()
    }

    /// What follows from measured cells.
    ///
    /// # Errors
    /// When two blocks give the same cell.
    pub(crate) fn judge(&self, mut cells: Vec<ResultCell>) -> Result<Conclusion, LabError> {
        let measured = cells.len();
        for definition in &self.definition.summaries {
            cells.extend(summary(definition, &cells)?);
        }
        for (place, cell) in cells.iter().enumerate() {
            let same = |other: &&ResultCell| other.row == cell.row && other.column == cell.column;
            if let Some(twice) = cells[..place].iter().find(same) {
                let problem = format!("“{}” of “{}” is given twice", twice.column, twice.row);
                return Err(LabError::Input(format!("'{}': {problem}", self.name)));
            }
        }
        let table = ResultTable::new(cells);
        let checks = &self.definition.checks;
        let checks = checks.iter().map(|check| check.decide(&table, &self.figures)).collect();
        Ok(Conclusion { table, measured, checks })
    }
}

/// The units of a work from which its cells follow; `None` if those are missing with which it begins.
pub(crate) fn finished(work: &dyn Work, progress: &Progress) -> Option<u64> {
    let Some(by) = work.grows_by() else { return Some(work.units()) };
    let whole = progress.first(work.name()) / by * by;
    (whole >= work.units()).then_some(whole)
}
