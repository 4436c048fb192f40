//! Evaluations compared with the exact values of all positions with few pieces: a row for each
//! evaluation, and one for each tenth of its calibration curve.

use serde_json::Value;
use wurfel::{Game, TablesWanted};
use wurfel_arena::{Calibration, CalibrationSettings};

use super::{NewWork, Setting, names_of, tables};
use crate::LabError;
use crate::definition::CalibrationDefinition;
use crate::grid::GridPoint;
use crate::measure::Measured;
use crate::results::ResultCell;
use crate::work::{ExperimentResources, UnitResult, Work, read, stored_form};

/// The measures of all positions together, and below, those of a tenth of the curve.
const OF_ALL: &[&str] = &["mean_error", "mean_absolute_error", "rms", "worst"];
const OF_BINS: &[&str] = &["estimate", "exact", "share"];

/// The comparison of a block.
pub(super) fn work(setting: Setting<'_>, block: &CalibrationDefinition) -> NewWork {
    let game = setting.game(block.game.as_ref(), &GridPoint::default())?;
    let pieces = *block.cubes.at(setting.scale);
    Ok(Box::new(Comparison {
        name: format!("all positions of {pieces} pieces for {}", block.evaluations.join(", ")),
        evaluations: names_of(game, &block.evaluations)?,
        settings: CalibrationSettings { pieces, sample: None, seed: setting.seed },
        game,
        row: block.row.clone(),
        columns: block.columns.names(&[OF_ALL, OF_BINS].concat())?,
    }))
}

struct Comparison {
    name: String,
    evaluations: Vec<&'static str>,
    settings: CalibrationSettings,
    game: Game,
    row: String,
    columns: Vec<(String, String)>,
}

/// A measure of all positions together. It has no interval, because there are no other positions.
fn of_all(calibration: &Calibration, measure: &str) -> Option<Measured> {
    let value = match measure {
        "mean_error" => calibration.mean,
        "mean_absolute_error" => calibration.mean_absolute,
        "rms" => calibration.root_mean_square,
        "worst" => {
            let worst = calibration.worst.as_ref()?;
            worst.estimate - worst.exact
        }
        _ => return None,
    };
    Some(Measured::plain(value, calibration.positions, "win probability"))
}

impl Work for Comparison {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, _: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        let tables = tables(self.game, TablesWanted::WithSmall)?;
        let go_on = &mut |_, _| !resources.stopped();
        let calibrations =
            tables.calibrate(&self.evaluations, self.settings, resources.jobs, go_on);
        let calibrations = calibrations.map_err(|error| LabError::Input(error.to_string()))?;
        if resources.stopped() { Ok(None) } else { stored_form(&calibrations).map(Some) }
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let calibrations: Vec<Calibration> = read(&self.name, &results[0])?;
        let mut cells = vec![];
        for calibration in &calibrations {
            let row = self.row.replace("{evaluation}", &calibration.evaluation);
            for (column, measure) in &self.columns {
                cells.extend(of_all(calibration, measure).map(|one| one.cell(&row, column)));
            }
            for bin in &calibration.bins {
                let row = format!("{row}, from {:.1}", bin.from);
                for (column, measure) in &self.columns {
                    let value = match measure.as_str() {
                        "estimate" => bin.estimate,
                        "exact" => bin.exact,
                        "share" => Some(bin.share),
                        _ => None,
                    };
                    let n = (bin.share * calibration.positions as f64).round() as u64;
                    let measured = value.map(|value| Measured::plain(value, n, "win probability"));
                    cells.extend(measured.map(|one| one.cell(&row, column)));
                }
            }
        }
        Ok(cells)
    }
}
