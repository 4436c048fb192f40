//! The kinds of work that a definition can ask for, with a file for each.
//!
//! A kind turns its part of a definition into [`Work`]. Everything that the definition says,
//! including agents and positions, is checked at this point and not later.

mod calibration;
mod fit;
mod games;
mod matches;
mod position;
mod regret;
mod speed;
pub(crate) mod summary;
mod tournament;
mod training;

use wurfel::{Game, Tables, TablesWanted, game};
use wurfel_core::UnknownName;

use crate::definition::Definition;
use crate::experiment::Library;
use crate::grid::{Grid, GridPoint, points};
use crate::scale::Scale;
use crate::work::Work;
use crate::{Experiment, LabError};

/// The settings that all work of a run shares.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub library: &'a Library,
    pub experiment: &'a Experiment,
    pub scale: Scale,
    pub seed: u64,
}

impl Setting<'_> {
    const fn definition(&self) -> &Definition {
        &self.experiment.definition
    }

    /// The name of the game of a part of the definition, at a point of the grid.
    fn game_name(&self, own: Option<&String>, point: &GridPoint) -> String {
        point.fill(own.unwrap_or(&self.definition().game))
    }

    fn game(&self, own: Option<&String>, point: &GridPoint) -> Result<Game, UnknownName> {
        game(&self.game_name(own, point))
    }

    /// The points of the grid for a block that uses these texts and may narrow the grid or add to
    /// it.
    fn points(&self, own: &Grid, texts: &[&str]) -> Vec<GridPoint> {
        let mut grid = self.definition().over.clone();
        for (name, settings) in own.iter() {
            match grid.0.iter_mut().find(|(known, _)| known == name) {
                Some((_, replaced)) => replaced.clone_from(settings),
                None => grid.0.push((name.to_owned(), settings.clone())),
            }
        }
        points(&grid, self.scale, texts)
    }
}

/// The work of a block, or the mistake in it.
type NewWork = Result<Box<dyn Work>, LabError>;
/// The same of a block that is repeated over a grid.
type NewWorks = Result<Vec<Box<dyn Work>>, LabError>;

/// The tablebases of a game in the default folder. Missing small ones are built.
fn tables(game: Game, wanted: TablesWanted) -> Result<Tables, LabError> {
    game.tables(None, wanted).map_err(|error| LabError::Input(error.to_string()))
}

/// The names of evaluations, as the game spells them.
fn names_of(game: Game, evaluations: &[String]) -> Result<Vec<&'static str>, UnknownName> {
    let known = || game.facts().evaluations.iter().map(|known| known.name);
    let find = |name: &String| {
        let evaluation = known().find(|known| known == name);
        evaluation.ok_or_else(|| UnknownName::new("evaluation", name, &known().collect::<Vec<_>>()))
    };
    evaluations.iter().map(find).collect()
}

/// All work of an experiment.
pub(crate) fn all(setting: Setting<'_>) -> NewWorks {
    let definition = setting.definition();
    let one = |work: NewWork| work.map(|work| vec![work]);
    let works = (definition.matches.iter().map(|block| matches::works(setting, block)))
        .chain(definition.tournaments.iter().map(|block| tournament::works(setting, block)))
        .chain(definition.positions.iter().map(|block| position::works(setting, block)))
        .chain(definition.regrets.iter().map(|block| regret::works(setting, block)))
        .chain(definition.speeds.iter().map(|block| one(speed::work(setting, block))))
        .chain(definition.calibrations.iter().map(|block| one(calibration::work(setting, block))))
        .chain(definition.fits.iter().map(|block| one(fit::work(setting, block))))
        .chain(definition.trainings.iter().map(|block| one(training::work(setting, block))));
    Ok(works.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}
