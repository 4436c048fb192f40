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

    /// The game of a part of the definition, at a point of the grid.
    fn game(&self, own: Option<&String>, point: &GridPoint) -> String {
        point.fill(own.unwrap_or(&self.definition().game))
    }

    /// The work of a block at a point of the grid, for the experiment's game or one of its own.
    fn work(
        self,
        block: &impl Block,
        named: Option<&String>,
        point: GridPoint,
    ) -> Result<Box<dyn Work>, LabError> {
        block.work(game(&self.game(named, &point))?, self, point)
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

/// A part of a definition that is about one game.
trait Block {
    /// The work at a point of the grid.
    fn work(
        &self,
        game: Game,
        setting: Setting<'_>,
        point: GridPoint,
    ) -> Result<Box<dyn Work>, LabError>;
}

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
pub(crate) fn all(setting: Setting<'_>) -> Result<Vec<Box<dyn Work>>, LabError> {
    let definition = setting.definition();
    let mut works = vec![];
    for block in &definition.matches {
        works.extend(matches::works(setting, block)?);
    }
    for block in &definition.tournaments {
        works.extend(tournament::works(setting, block)?);
    }
    for block in &definition.positions {
        works.extend(position::works(setting, block)?);
    }
    for block in &definition.regrets {
        works.extend(regret::works(setting, block)?);
    }
    for block in &definition.speeds {
        works.push(speed::work(setting, block)?);
    }
    for block in &definition.calibrations {
        works.push(calibration::work(setting, block)?);
    }
    for block in &definition.fits {
        works.push(fit::work(setting, block)?);
    }
    for block in &definition.trainings {
        works.push(training::work(setting, block)?);
    }
    Ok(works)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the paper states no time for a move, ours is no setting of the paper's.
    const WITHOUT_TIMES: [&str; 2] = ["ours/ideas", "zweistein/table-5"];

    /// The times that an agent's spec states, such as `10ms`.
    fn times(spec: &str) -> impl Iterator<Item = &str> {
        let value = |option: &'static str| spec.split(option).skip(1);
        value("time=").chain(value("total=")).filter_map(|rest| rest.split(',').next())
    }

    /// The time that a row is named after, such as `10 ms`, without its space.
    fn named(row: &str) -> Option<String> {
        let words: Vec<&str> = row.split([' ', ',', ':']).collect();
        let unit = words.iter().position(|word| ["ms", "s"].contains(word))?;
        Some([words[unit.checked_sub(1)?], words[unit]].concat())
    }

    /// The rows of an experiment at a scale whose agents have another time than the row names.
    fn misnamed(experiment: &Experiment, library: &Library, scale: Scale) -> Vec<String> {
        let setting = Setting { library, experiment, scale, seed: 1 };
        let definition = &experiment.definition;
        let matches = definition
            .matches
            .iter()
            .map(|block| (&block.over, &block.row, vec![&block.a, &block.b]));
        let tournaments = definition.tournaments.iter().map(|block| {
            (&block.over, &block.row, block.agents.iter().map(|(_, spec)| spec).collect())
        });
        let mut rows = vec![];
        for (over, row, specs) in matches.chain(tournaments) {
            let mut texts = vec![row.as_str()];
            texts.extend(specs.iter().map(|spec| spec.as_str()));
            for point in setting.points(over, &texts) {
                let (row, mut specs) = (point.fill(row), specs.iter().map(|spec| point.fill(spec)));
                let name = named(&row);
                if specs.any(|spec| times(&spec).any(|time| name.as_deref() != Some(time))) {
                    rows.push(row);
                }
            }
        }
        rows
    }

    #[test]
    fn a_row_is_named_after_the_time_that_its_agents_have_at_every_scale() {
        let library = Library::new().unwrap();
        for experiment in library.all() {
            for scale in [Scale::Tiny, Scale::Quick, Scale::Full] {
                let rows = misnamed(experiment, &library, scale);
                let exempt = WITHOUT_TIMES.contains(&experiment.name.as_str());
                assert_eq!(rows.is_empty(), !exempt, "{} at {scale}: {rows:?}", experiment.name);
            }
        }
    }

    #[test]
    fn a_second_that_has_a_millisecond_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("p/t");
        std::fs::create_dir_all(&own).unwrap();
        let text = "title = 'T'\npaper = 'p'\nsection = '§1'\nkind = 'replicated'\n\
            game = 'einstein'\nclaim = 'c'\nreading = 'r'\nfull_hours = 0.1\n\
            [over]\ns = [1, 4]\nunit = { quick = ['ms'], full = ['s'] }\n\
            [[match]]\nrow = '{s} s, light'\na = 'uct:time={s}{unit},c=1'\nb = 'random'\n\
            pairs = 1\ncolumns = { 'rate' = 'score' }\n";
        std::fs::write(own.join("experiment.toml"), text).unwrap();
        let experiment = Experiment::in_folder(&own).unwrap();
        let library = Library::new().unwrap();
        assert_eq!(misnamed(&experiment, &library, Scale::Quick), ["1 s, light", "4 s, light"]);
        assert!(misnamed(&experiment, &library, Scale::Full).is_empty());
    }
}
