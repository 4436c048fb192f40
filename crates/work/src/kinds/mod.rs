//! The kinds of work, a file for each.

mod common;
mod experiment;
mod matches;
mod positions;
mod regret;
mod tables;
mod tournament;
mod training;

use wurfel_agents::{Catalogued, UseGame, with_game};

use crate::WorkError;
use crate::job::Job;
use crate::unit::Work;

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
