//! The units of an experiment one by one, for programs that spread them over machines.
//!
//! Measurements that need a machine to themselves, and trainings, which continue from their own
//! state, are not among these units: they are done when the experiment is concluded.

use std::time::Instant;

use crate::progress::{Header, Line, Progress};
use crate::run::{RunRecord, RunSettings, folder, run};
use crate::work::{ExperimentResources, Work};
use crate::{Experiment, ExperimentPlan, LabError, Library, Scale};

/// The units of an experiment at a scale, numbered across all its parts.
pub struct Units<'a> {
    experiment: &'a Experiment,
    library: &'a Library,
    plan: ExperimentPlan,
    scale: Scale,
    seed: u64,
}

impl<'a> Units<'a> {
    /// The units of an experiment.
    ///
    /// # Errors
    /// When the definition asks for something that does not exist.
    pub fn new(
        experiment: &'a Experiment,
        library: &'a Library,
        scale: Scale,
        seed: u64,
    ) -> Result<Self, LabError> {
        if scale == Scale::Decide {
            return Err(LabError::Input(
                "scale 'decide': expected another one, because what it plays depends on what it has \
                 played"
                    .to_owned(),
            ));
        }
        let plan = experiment.plan(library, scale, seed)?;
        Ok(Self { experiment, library, plan, scale, seed })
    }

    /// The parts whose units can be done anywhere.
    fn shared(&self) -> impl Iterator<Item = &dyn Work> {
        self.plan.works.iter().map(|work| &**work).filter(|work| !work.alone())
    }

    /// The number of units.
    pub fn count(&self) -> u64 {
        self.shared().map(Work::units).sum()
    }

    /// The part that a unit belongs to, and the unit's number in that part.
    fn place(&self, mut unit: u64) -> Option<(&dyn Work, u64)> {
        for work in self.shared() {
            if unit < work.units() {
                return Some((work, unit));
            }
            unit -= work.units();
        }
        None
    }

    /// Does a unit, and returns its line for the progress file; `None` when it was stopped or there
    /// is no such unit.
    ///
    /// # Errors
    /// When the system refuses, or an agent cannot be used.
    pub fn run(
        &self,
        unit: u64,
        resources: &ExperimentResources<'_>,
    ) -> Result<Option<String>, LabError> {
        let Some((work, own)) = self.place(unit) else { return Ok(None) };
        let began = Instant::now();
        let Some(result) = work.run(own, resources)? else { return Ok(None) };
        let work = work.name().to_owned();
        let line = Line { work, unit: own, seconds: began.elapsed().as_secs_f64(), result };
        serde_json::to_string(&line).map(Some).map_err(|error| LabError::Input(error.to_string()))
    }

    /// Writes the result of the experiment from the lines of all units, as if one program had run
    /// them; `None` when it was stopped. Anything that is missing is done first.
    ///
    /// # Errors
    /// When a line does not come from [`Units::run`], the folder has another run, or the system
    /// refuses.
    pub fn conclude(
        &self,
        lines: &[String],
        settings: RunSettings<'_>,
    ) -> Result<Option<RunRecord>, LabError> {
        let header = Header::new(self.experiment, self.scale, self.seed);
        let mut progress = Progress::open(&folder(&settings.out, &self.experiment.name), &header)?;
        for line in lines {
            let line: Line = serde_json::from_str(line)
                .map_err(|error| LabError::Input(format!("a unit's result: {error}")))?;
            if !progress.has(&line.work, line.unit) {
                progress.take(line)?;
            }
        }
        drop(progress);
        let settings = RunSettings { scale: self.scale, seed: self.seed, ..settings };
        run(self.experiment, self.library, &settings, &mut |_, _| ())
    }
}
