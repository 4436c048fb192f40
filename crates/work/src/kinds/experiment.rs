//! Experiments: the units that `wurfel reproduce` cuts them into.

use wurfel_lab::{Experiment, Library, RunSettings, Scale, Units, counted};

use crate::WorkError;
use crate::job::ExperimentJob;
use crate::unit::{Merged, Work, WorkContext};

struct Reproduced {
    library: Library,
    experiment: Experiment,
    scale: Scale,
    seed: u64,
    units: u64,
}

pub(super) fn work(job: &ExperimentJob) -> Result<Box<dyn Work>, WorkError> {
    let library = Library::new()?;
    let mut experiments = library.select(std::slice::from_ref(&job.experiment))?;
    let (Some(experiment), true) = (experiments.pop(), experiments.is_empty()) else {
        let refusal =
            format!("experiment '{}': expected the name of one experiment", job.experiment);
        return Err(WorkError::Input(refusal));
    };
    let (scale, seed) = (job.scale.parse()?, job.seed);
    let units = Units::new(&experiment, &library, scale, seed)?.count();
    Ok(Box::new(Reproduced { library, experiment, scale, seed, units }))
}

impl Reproduced {
    fn units(&self) -> Result<Units<'_>, WorkError> {
        Ok(Units::new(&self.experiment, &self.library, self.scale, self.seed)?)
    }
}

impl Work for Reproduced {
    fn stages(&self) -> Vec<u64> {
        vec![self.units]
    }

    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        let resources = wurfel_lab::ExperimentResources {
            jobs: context.jobs(),
            stop: context.resources.stop,
            until: None,
            out: &context.result,
        };
        Ok(self.units()?.run(unit, &resources)?.map(String::into_bytes))
    }

    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError> {
        let lines: Vec<String> =
            (0..self.units).map(|unit| context.text(unit)).collect::<Result<_, _>>()?;
        let settings = RunSettings {
            scale: self.scale,
            seed: self.seed,
            out: context.result.clone(),
            jobs: context.jobs(),
            stop: context.resources.stop,
            until: None,
        };
        let Some(record) = self.units()?.conclude(&lines, settings)? else { return Ok(None) };
        let summary = vec![format!("{}: {}", record.experiment, counted(&record.checks))];
        Ok(Some(Merged { files: vec![context.result.join(&record.experiment)], summary }))
    }
}
