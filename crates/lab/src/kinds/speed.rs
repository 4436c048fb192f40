//! The time that a call of each evaluation takes on positions of random games, and the time that
//! making it takes: a row for each evaluation.

use serde_json::Value;
use wurfel::Game;
use wurfel_arena::{RANDOM_GAME, Speed, SpeedSettings};

use super::{NewWork, Setting, names_of};
use crate::LabError;
use crate::definition::SpeedDefinition;
use crate::grid::GridPoint;
use crate::measure::Measured;
use crate::results::ResultCell;
use crate::scale::Scale;
use crate::work::{ExperimentResources, UnitResult, Work, read, seed_of, stored_form};

/// The measurement of a block.
pub(super) fn work(setting: Setting<'_>, block: &SpeedDefinition) -> NewWork {
    let game = setting.game(block.game.as_ref(), &GridPoint::default())?;
    let evaluations = names_of(game, &block.evaluations)?;
    let name = format!("speed of {}", block.evaluations.join(", "));
    let default = SpeedSettings {
        seed: seed_of(setting.seed, &name, 0),
        random_games: block.random_games,
        ..SpeedSettings::default()
    };
    let settings = match setting.scale {
        Scale::Tiny => SpeedSettings { positions: 200, repetitions: 3, ..default },
        _ => default,
    };
    let columns = block.columns.names(&["ns", "build"])?;
    Ok(Box::new(Speeds { name, evaluations, settings, game, row: block.row.clone(), columns }))
}

/// One unit measures all evaluations in turn, so that a machine that slows down affects all of them
/// alike.
struct Speeds {
    name: String,
    evaluations: Vec<&'static str>,
    settings: SpeedSettings,
    game: Game,
    row: String,
    columns: Vec<(String, String)>,
}

impl Work for Speeds {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, _: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        let go_on = &mut |_| !resources.stopped();
        let speeds = self.game.speed(self.settings, &self.evaluations, go_on)?;
        if resources.stopped() { Ok(None) } else { stored_form(&speeds).map(Some) }
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let speeds: Vec<Speed> = read(&self.name, &results[0])?;
        let mut cells = vec![];
        for speed in speeds {
            let row = self.row.replace("{evaluation}", &speed.evaluation);
            for (column, measure) in &self.columns {
                // The interval is the range of the repetitions, because other work of the machine
                // is not a random error.
                let [value, fastest, slowest] = match measure.as_str() {
                    "build" if speed.evaluation == RANDOM_GAME => continue,
                    "build" => speed.build,
                    _ => [speed.ns, speed.fastest, speed.slowest],
                };
                let n = self.settings.repetitions as u64;
                let interval = Some((fastest, slowest));
                let measured = Measured { value, interval, n, unit: "ns" };
                cells.push(measured.cell(&row, column));
            }
        }
        Ok(cells)
    }
}
