//! The training of a network: in each round, many units play some of the games each, and one unit
//! learns from all of them.

use std::ops::Range;

use wurfel::{Game, GamesError, SelfPlay, TrainingRun};
use wurfel_net::Model;
use wurfel_train::network::{Device, Devices, RunError, TrainingConfig};

use super::common::{in_turn, part};
use crate::WorkError;
use crate::unit::{Merged, Work, WorkContext};

/// The subfolder of the run in the folder of the result.
const RUN: &str = "run";

struct Training {
    game: Game,
    games: Box<dyn SelfPlay>,
    /// The largest number of units into which the games of a round are split.
    units: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Plays a part of the games of a round.
    Play { round: u64, part: u64, parts: u64 },
    /// Learns from the games of a round; `first` is the first of the units that played them.
    Learn { round: u64, first: u64 },
}

pub(super) fn work(
    game: Game,
    config: &TrainingConfig,
    units: u64,
) -> Result<Box<dyn Work>, WorkError> {
    let games = game.learning().self_play(config.clone(), Device::Cpu)?;
    Ok(Box::new(Training { game, games, units }))
}

/// The error of games that a unit has played.
fn in_unit(unit: u64, error: GamesError) -> WorkError {
    match error {
        GamesError::Part { error, .. } => WorkError::Input(format!("unit {unit}: {error}")),
        GamesError::Write(error) => WorkError::Input(format!("unit {unit}: {error}")),
        GamesError::Run(error) => error.into(),
    }
}

impl Training {
    fn parts(&self, round: u64) -> u64 {
        self.units.min(self.games.count(round)).max(1)
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

    /// Opens the run, as soon as no other program has it open; `None` when the wait was stopped.
    fn open(&self, context: &WorkContext<'_>) -> Result<Option<Box<dyn TrainingRun>>, WorkError> {
        in_turn(context, || {
            let (config, folder) = (self.games.config().clone(), context.result.join(RUN));
            Ok(self.game.learning().run(config, &folder, Devices::default())?)
        })
    }

    /// The network with which the round begins whose first unit is `first`; `None` when the run has
    /// ended early.
    fn network(
        &self,
        round: u64,
        first: u64,
        context: &WorkContext<'_>,
    ) -> Result<Option<Model>, WorkError> {
        if round == 1 {
            return Ok(Some(self.games.first()?));
        }
        let bytes = context.read(first - 1)?;
        let model = (!bytes.is_empty()).then(|| Model::from_bytes(&bytes)).transpose();
        Ok(model.map_err(RunError::from)?)
    }

    /// Learns from the games of a round, which these units have played. Returns the network after
    /// the round, or nothing when the run is over.
    fn learn(
        &self,
        round: u64,
        units: Range<u64>,
        context: &WorkContext<'_>,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        let Some(mut run) = self.open(context)? else { return Ok(None) };
        if run.done() > round {
            // A later round has already begun from the shard of this unit.
            return context.read(units.end).map(Some);
        }
        if run.done() < round && !run.is_over() {
            let parts: Vec<String> =
                units.clone().map(|unit| context.text(unit)).collect::<Result<_, _>>()?;
            let seconds = context.seconds(units.clone())?;
            let learned = run.learn_from(&parts, seconds, context.jobs(), context.resources.stop);
            let learned = learned.map_err(|error| {
                let part = if let GamesError::Part { part, .. } = error { part } else { 0 };
                in_unit(units.start + part as u64, error)
            })?;
            if learned.is_none() {
                return Ok(None);
            }
        }
        if run.is_over() {
            return Ok(Some(vec![]));
        }
        Ok(Some(run.model().to_bytes().map_err(RunError::from)?))
    }
}

impl Work for Training {
    fn stages(&self) -> Vec<u64> {
        (1..=self.games.config().rounds).flat_map(|round| [self.parts(round), 1]).collect()
    }

    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        match self.task(unit) {
            Task::Play { round, part: one, parts } => {
                let Some(model) = self.network(round, unit - one, context)? else {
                    return Ok(Some(vec![]));
                };
                let numbers = part(one, parts, self.games.count(round));
                let jobs = context.jobs();
                let played = self.games.play(&model, round, numbers, jobs, context.resources.stop);
                played.map_err(|error| in_unit(unit, error))
            }
            Task::Learn { round, first } => self.learn(round, first..unit, context),
        }
    }

    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError> {
        let Some(run) = self.open(context)? else { return Ok(None) };
        let folder = context.result.join(RUN);
        let files = [Some(folder.join("net.safetensors")), run.best()];
        let mut summary = vec![];
        if let Some(last) = run.history().last() {
            let loss = last.loss.map_or_else(String::new, |loss| format!(", loss {loss:.4}"));
            summary.push(format!("{} rounds, {} games{loss}", last.round, last.games));
        }
        Ok(Some(Merged { files: files.into_iter().flatten().collect(), summary }))
    }
}
