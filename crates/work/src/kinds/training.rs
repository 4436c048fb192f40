//! The training of a network: in each round many units play some of the games each, and one learns from them all.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use wurfel_arena::Catalogued;
use wurfel_net::Model;
use wurfel_train::network::{
    Device, Devices, Generator, Run, RunError, TrainingConfig, games_from, games_to,
};

use super::{Merged, Work, part};
use crate::WorkError;
use crate::plan::{Means, Shards};

/// The folder of the run, in that of the result.
const RUN: &str = "run";
/// How often to look whether another program still has the run open.
const WAIT: Duration = Duration::from_millis(100);

struct Training<G: Catalogued> {
    config: TrainingConfig,
    generator: Generator<G>,
    /// Into how many units the games of a round are split, at most.
    units: u64,
}

/// What a unit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Plays a part of the games of a round.
    Play { round: u64, part: u64, parts: u64 },
    /// Learns from the games of a round; the first of their units.
    Learn { round: u64, first: u64 },
}

/// The work of a job.
pub(super) fn work<G: Catalogued>(
    config: &TrainingConfig,
    units: u64,
) -> Result<Box<dyn Work>, WorkError> {
    let generator = Generator::<G>::new(config.clone(), Device::Cpu)?;
    Ok(Box::new(Training { config: config.clone(), generator, units }))
}

impl<G: Catalogued> Training<G> {
    /// The units that play the games of a round.
    fn parts(&self, round: u64) -> u64 {
        self.units.min(self.generator.count(round)).max(1)
    }

    fn task(&self, unit: u64) -> Task {
        let (mut round, mut first) = (1, 0);
        loop {
            let parts = self.parts(round);
            match unit - first {
                part if part < parts => return Task::Play { round, part, parts },
                part if part == parts => return Task::Learn { round, first },
                _ => (round, first) = (round + 1, first + parts + 1),
            }
        }
    }

    /// The run, as soon as no other program has it open; `None` when that was stopped.
    fn open(&self, means: Means<'_>, result: &Path) -> Result<Option<Run<G>>, WorkError> {
        while !means.stopped() {
            match Run::with(self.config.clone(), &result.join(RUN), Devices::default()) {
                Err(RunError::Busy(_)) => sleep(WAIT),
                run => return Ok(Some(run?)),
            }
        }
        Ok(None)
    }

    /// Plays some of the games of a round with the network after the round before. That one is empty when
    /// the run has ended early.
    fn play(
        &self,
        unit: u64,
        means: Means<'_>,
        shards: &Shards<'_>,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        let Task::Play { round, part: one, parts } = self.task(unit) else { return Ok(None) };
        let model = match round {
            1 => self.generator.first()?,
            _ => {
                let bytes = shards.read(unit - one - 1)?;
                if bytes.is_empty() {
                    return Ok(Some(bytes));
                }
                Model::from_bytes(&bytes).map_err(RunError::from)?
            }
        };
        let numbers = part(one, parts, self.generator.count(round));
        let played = self.generator.play(&model, round, numbers, means.jobs.max(1), means.stop)?;
        let text = played.map(|games| games_to(&games)).transpose();
        text.map_err(|error| WorkError::Input(format!("unit {unit}: {error}")))
    }

    /// Learns from the games of a round: the network after it, or nothing when the run is over.
    fn learn(
        &self,
        unit: u64,
        means: Means<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        let Task::Learn { round, first } = self.task(unit) else { return Ok(None) };
        let Some(mut run) = self.open(means, result)? else { return Ok(None) };
        if run.done() > round {
            // A later round has begun from what this unit has made.
            return shards.read(unit).map(Some);
        }
        if run.done() < round && !run.is_over() {
            let mut games = vec![];
            for part in first..unit {
                let wrong = |error| WorkError::Input(format!("unit {part}: {error}"));
                games.extend(games_from(&shards.text(part)?).map_err(wrong)?);
            }
            let seconds = shards.seconds(first..unit)?;
            if run.learn_from(games, seconds, means.jobs.max(1), means.stop)?.is_none() {
                return Ok(None);
            }
        }
        if run.is_over() {
            return Ok(Some(vec![]));
        }
        Ok(Some(run.model().to_bytes().map_err(RunError::from)?))
    }
}

impl<G: Catalogued> Work for Training<G> {
    fn stages(&self) -> Vec<u64> {
        (1..=self.config.rounds).flat_map(|round| [self.parts(round), 1]).collect()
    }

    fn run(
        &self,
        unit: u64,
        means: Means<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        match self.task(unit) {
            Task::Play { .. } => self.play(unit, means, shards),
            Task::Learn { .. } => self.learn(unit, means, shards, result),
        }
    }

    fn merge(
        &self,
        means: Means<'_>,
        _: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Merged>, WorkError> {
        let Some(run) = self.open(means, result)? else { return Ok(None) };
        let folder = result.join(RUN);
        let files = [Some(folder.join("net.safetensors")), run.best()];
        let mut summary = vec![];
        if let Some(last) = run.history().last() {
            summary.push(format!(
                "{} rounds, {} games, loss {:.4}",
                last.round, last.games, last.loss
            ));
        }
        Ok(Some(Merged { files: files.into_iter().flatten().collect(), summary }))
    }
}
