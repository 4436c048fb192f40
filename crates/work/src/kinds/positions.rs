//! Labelled positions: a unit plays some of the games.

use wurfel::{Game, LabelSource, Labeller};
use wurfel_train::Labels;

use super::common::part;
use crate::WorkError;
use crate::job::PositionsJob;
use crate::unit::{Merged, Work, WorkContext};

struct Positions {
    job: PositionsJob,
    labels: Labels,
    labeller: Box<dyn Labeller>,
}

pub(super) fn work(game: Game, job: &PositionsJob) -> Result<Box<dyn Work>, WorkError> {
    let labeller = game.learning().labeller(&LabelSource::Evaluation(job.eval.clone()));
    let labeller = labeller.map_err(|error| WorkError::Input(error.to_string()))?;
    let labels = Labels {
        depth: job.depth,
        seed: job.seed,
        lambda: job.lambda,
        rolls: job.rolls,
        all_rolls: job.all_rolls,
        without_wins: job.without_wins,
        alternatives: job.alternatives,
    };
    Ok(Box::new(Positions { job: job.clone(), labels, labeller }))
}

impl Work for Positions {
    fn stages(&self) -> Vec<u64> {
        vec![self.job.units]
    }

    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        let games = part(unit, self.job.units, self.job.games);
        let (end, mut next) = (games.end, games.start);
        let mut lines = vec![];
        let jobs = context.jobs();
        self.labeller.label(games, self.labels, jobs, &mut |game, more, _| {
            lines.extend_from_slice(more);
            next = game + 1;
            !context.resources.stopped()
        });
        Ok((next == end && !context.resources.stopped()).then_some(lines))
    }

    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError> {
        let path = context.result.join("positions.tsv");
        let header = self.labeller.header(self.job.games, self.labels);
        let mut count = 0;
        context.gather(&path, &header.line(), 0..self.job.units, |_, lines| {
            count += lines.lines().count();
            Ok(())
        })?;
        let summary = vec![format!("{count} positions from {} games", self.job.games)];
        Ok(Some(Merged { files: vec![path], summary }))
    }
}
