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

    /// The table and the verdicts that follow from the finished work; `None` if a unit is missing.
    ///
    /// # Errors
    /// When the progress belongs to something else, or two blocks give the same cell.
    pub fn conclude(
        &self,
        plan: &ExperimentPlan,
        progress: &Progress,
    ) -> Result<Option<(ResultTable, Vec<CheckResult>)>, LabError> {
        let mut cells = vec![];
        for work in &plan.works {
            let Some(results) = progress.results(work.name(), work.units()) else {
                return Ok(None);
            };
            cells.extend(work.cells(&results)?);
        }
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
        let results = self
            .definition
            .checks
            .iter()
            .map(|check| check.decide(&table, &self.figures))
            .collect();
        Ok(Some((table, results)))
    }
}
