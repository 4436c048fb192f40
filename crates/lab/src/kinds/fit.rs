//! The small network of full layers that learns from played games, as `wurfel train mlp` fits it,
//! with a row after every `rows_every` epochs.
//!
//! The games are a match of one agent against itself, whose records are in the experiment's folder.
//! They resume where a killed program left off.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use wurfel::{Entrants, MatchSettings, game};
use wurfel_agents::{Factory, build};
use wurfel_arena::{Output, read_games};
use wurfel_core::Budget;
use wurfel_core::files::FileError;
use wurfel_games::Playable;
use wurfel_games::dicechess::DiceChess;
use wurfel_train::{Fit, MLP_FIT, TrainingExamples, fit_mlp, mlp_examples, mlp_examples_by};

use super::games::player;
use super::{NewWork, Setting};
use crate::LabError;
use crate::definition::FitDefinition;
use crate::grid::GridPoint;
use crate::measure::Measured;
use crate::results::ResultCell;
use crate::work::{ExperimentResources, UnitResult, Work, read, seed_of, stored_form};

/// The minimum number of turns that a game is assumed to have. Games have about eighty turns, so
/// with half of that enough games are played; surplus examples are left out.
const MIN_TURNS: u64 = 40;

/// The fit of a block.
pub(super) fn work(setting: Setting<'_>, block: &FitDefinition) -> NewWork {
    let named = setting.game_name(block.game.as_ref(), &GridPoint::default());
    if named != DiceChess::NAME {
        return Err(LabError::Input(format!("fit of '{named}': expected {}", DiceChess::NAME)));
    }
    let (scale, seed) = (setting.scale, setting.seed);
    let playouts = block.playouts.at(scale);
    let name = format!("fit to games of {playouts} playouts");
    let spec = format!("mcts:playouts={playouts}");
    let player = player(&spec)?;
    let labeller = if block.labels_by_search {
        Some(build(&DiceChess::default(), &spec.parse()?)?)
    } else {
        None
    };
    Ok(Box::new(Fitted {
        labeller,
        seed: seed_of(seed, &name, 0),
        entrants: game(&named)?.entrants(&[player.clone(), player])?,
        folder: PathBuf::from(&setting.experiment.name).join(format!("training-{scale}-{seed}")),
        examples: block.examples.at(scale, &GridPoint::default())?,
        epochs: *block.epochs.at(scale),
        rows_every: (*block.rows_every.at(scale)).max(1),
        row: block.row.clone(),
        columns: block.columns.names(&["loss", "validation_loss"])?,
        name,
    }))
}

struct Fitted {
    name: String,
    /// Twice the agent whose games are learned from.
    entrants: Box<dyn Entrants>,
    /// The agent whose win probabilities are the labels; `None` for the results of the games.
    labeller: Option<Factory<DiceChess>>,
    /// The folder of these games among the results.
    folder: PathBuf,
    examples: u64,
    epochs: u64,
    rows_every: u64,
    seed: u64,
    row: String,
    columns: Vec<(String, String)>,
}

/// The losses of an epoch: on the training set, and on the validation set if there is one.
type Losses = (f64, Option<f64>);

impl Fitted {
    /// The examples of enough games; `None` when the work was stopped.
    fn examples(
        &self,
        resources: &ExperimentResources<'_>,
    ) -> Result<Option<TrainingExamples>, LabError> {
        let folder = resources.out.join(&self.folder);
        fs::create_dir_all(&folder).map_err(FileError::at(&folder))?;
        let path = folder.join("games.jsonl");
        if !path.exists() {
            // One game in ten is for validation and yields no training examples.
            let pairs = (self.examples * 10).div_ceil(9 * 2 * MIN_TURNS).max(5);
            let budget = Budget { stop: resources.stop, ..Budget::default() };
            let settings =
                MatchSettings { pairs, seed: self.seed, budget, luck: false, sprt: None };
            let arranged = self.entrants.between([0, 1], settings);
            let output = Output::open(&path, &arranged.header(), false)
                .map_err(wurfel_arena::MatchError::from)?;
            if !arranged.run(resources.jobs, Some(output), &mut |_| ())?.complete {
                return Ok(None);
            }
        }
        let text = fs::read_to_string(&path).map_err(FileError::at(&path))?;
        let games = read_games(&DiceChess::default(), &text)
            .map_err(|error| LabError::Input(format!("'{}': {error}", path.display())))?;
        let examples = match &self.labeller {
            None => Some(mlp_examples(&games)),
            Some(labeller) => {
                mlp_examples_by(labeller, &games, self.seed, |_| !resources.stopped())
            }
        };
        let Some(mut examples) = examples else { return Ok(None) };
        examples.training.truncate(self.examples as usize);
        Ok(Some(examples))
    }
}

impl Work for Fitted {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, _: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        let Some(examples) = self.examples(resources)? else { return Ok(None) };
        let fit = Fit { epochs: self.epochs as u32, seed: self.seed, ..MLP_FIT };
        let fitted = fit_mlp(&examples, fit, |_| !resources.stopped());
        if resources.stopped() {
            return Ok(None);
        }
        let losses: Vec<Losses> = (fitted.epochs.iter())
            .map(|epoch| (epoch.training_loss, epoch.validation_loss))
            .collect();
        stored_form(&(examples.training.len(), losses)).map(Some)
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let (examples, losses): (u64, Vec<Losses>) = read(&self.name, &results[0])?;
        let mut cells = vec![];
        for (epoch, (loss, validation)) in (1..).zip(losses) {
            if epoch % self.rows_every != 0 {
                continue;
            }
            let row = self.row.replace("{epoch}", &epoch.to_string());
            for (column, measure) in &self.columns {
                let value = if measure == "loss" { Some(loss) } else { validation };
                let measured = value.map(|value| Measured::plain(value, examples, ""));
                cells.extend(measured.map(|one| one.cell(&row, column)));
            }
        }
        Ok(cells)
    }
}
