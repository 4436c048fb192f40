//! The kinds of work, a file for each.

mod common;
mod experiment;
mod matches;
mod positions;
mod regret;
mod tables;
mod tournament;
mod training;

use wurfel::game;

use crate::WorkError;
use crate::job::Job;
use crate::unit::Work;

pub(crate) fn work_of(job: &Job) -> Result<Box<dyn Work>, WorkError> {
    match job {
        Job::Match(job) => matches::work(game(&job.game)?, job),
        Job::Tournament(job) => tournament::work(game(&job.game)?, job),
        Job::Regret(job) => regret::work(game(&job.game)?, job),
        Job::Positions(job) => positions::work(game(&job.game)?, job),
        Job::Tables(job) => tables::work(game(&job.game)?, job),
        Job::Training(job) => {
            let config = job.config()?;
            training::work(game(&config.game)?, config, job.units)
        }
        Job::Experiment(job) => experiment::work(job),
    }
}
