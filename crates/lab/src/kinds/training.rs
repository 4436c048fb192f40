//! A network that learns by self-play and is measured at regular intervals.
//!
//! A unit is a row: the network is trained up to it and then plays its matches. The training stores
//! its own checkpoints in the experiment's folder and resumes from them. The network of each row is
//! saved beside them, so that a run that was killed during a match measures the right network
//! afterwards, and so that another experiment can show the same run.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wurfel::{Game, MatchSettings, Player, TrainingRun};
use wurfel_arena::Score;
use wurfel_core::Budget;
use wurfel_core::files::{FileError, write_whole};
use wurfel_net::Model;
use wurfel_train::network::{Devices, Hyperbola, Round, RunError, TrainingConfig};

use super::games::player;
use super::{NewWork, Setting};
use crate::LabError;
use crate::definition::TrainingDefinition;
use crate::grid::GridPoint;
use crate::measure::Measured;
use crate::results::{ResultCell, single};
use crate::work::{ExperimentResources, UnitResult, Work, read, seed_of, stored_form};

const MEASURES: &[&str] = &[
    "learning_rate",
    "equation_by_steps",
    "equation_by_games",
    "loss",
    "policy_loss",
    "value_loss",
    "variance",
    "hyperbola",
    "steps",
    "score",
    "score_first",
];

/// The tables of a configuration that are searched for an entry.
const SECTIONS: [&str; 3] = ["network", "self_play", "learning"];

/// The training of a block.
pub(super) fn work(setting: Setting<'_>, block: &TrainingDefinition) -> NewWork {
    block.columns.names(MEASURES)?;
    let scores = block.columns.iter().any(|(_, measure)| measure.starts_with("score"));
    if block.from.is_some() && scores {
        let problem = "the run of another experiment saves its own networks only";
        return Err(LabError::Input(format!("training with from: {problem}: expected no score")));
    }
    if !block.batches.at(setting.scale).is_empty() && scores {
        let problem = "networks are saved after rounds only";
        return Err(LabError::Input(format!(
            "training with batches: {problem}: expected no score"
        )));
    }
    let game = setting.game(None, &GridPoint::default())?;
    let own = setting.experiment;
    let owner = match &block.from {
        Some(name) => setting.library.experiment(name)?,
        None => own,
    };
    let [training] = &*owner.definition.trainings else {
        return Err(LabError::Input(format!("'{}' does not have one training", owner.name)));
    };
    let config = config(game, setting, owner, training)?;
    let each = config.self_play.games;
    let rounds = |every: u64| -> Vec<u64> {
        let rows = config.rounds * each / every.max(1);
        (0..=rows).map(|row| (row * every).div_ceil(each)).collect()
    };
    let mut opponents = vec![];
    for (label, spec) in block.opponents.iter() {
        let opponent = player(spec)?;
        game.agents(&opponent)?;
        opponents.push((label.to_owned(), opponent));
    }
    let (scale, seed) = (setting.scale, setting.seed);
    let columns = block.columns.iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let batches = block.batches.at(scale).clone();
    let rows_of_batches =
        if batches.is_empty() { String::new() } else { format!(" in rows “{}”", block.row) };
    Ok(Box::new(Training {
        game,
        name: format!("training for {columns}{rows_of_batches}"),
        folder: PathBuf::from(&owner.name).join(format!("training-{scale}-{seed}")),
        saved_rounds: rounds(*training.rows_every.at(scale)),
        rows: rounds(*block.rows_every.at(scale)),
        batches,
        config,
        opponents,
        pairs: block.pairs.at(scale, &GridPoint::default())?,
        simulations: *block.evaluation_simulations.at(scale),
        seed,
        row: block.row.clone(),
        columns: block.columns.0.clone(),
    }))
}

/// The configuration of a training: the file of its experiment, with the entries that the
/// definition sets.
fn config(
    game: Game,
    setting: Setting<'_>,
    owner: &crate::Experiment,
    training: &TrainingDefinition,
) -> Result<TrainingConfig, LabError> {
    let refused = |problem: &dyn std::fmt::Display| {
        LabError::Input(format!("'{}', training: {problem}", owner.name))
    };
    let file = training.config.as_deref().ok_or_else(|| refused(&"expected config or from"))?;
    let text = owner.file(file).ok_or_else(|| refused(&format!("no file '{file}' beside it")))?;
    let mut table: toml::Table = toml::from_str(text).map_err(|error| refused(&error.message()))?;
    for (key, value) in training.set.at(setting.scale) {
        set(&mut table, key, value).map_err(|problem| refused(&problem))?;
    }
    table.insert("game".into(), game.name().into());
    // TOML has no numbers beyond 63 bits.
    let seed = seed_of(setting.seed, &owner.name, 0) >> 1;
    table.insert("seed".into(), (seed as i64).into());
    table.remove("evaluation");
    TrainingConfig::read(&table.to_string()).map_err(|error| refused(&error))
}

/// Replaces an entry in whichever table it is; a table replaces entries of the table with its
/// name.
fn set(table: &mut toml::Table, key: &str, value: &toml::Value) -> Result<(), String> {
    if let (Some(toml::Value::Table(there)), toml::Value::Table(entries)) =
        (table.get_mut(key), value)
    {
        there.extend(entries.clone());
        return Ok(());
    }
    if table.contains_key(key) {
        table.insert(key.to_owned(), value.clone());
        return Ok(());
    }
    for section in SECTIONS {
        if let Some(toml::Value::Table(there)) = table.get_mut(section)
            && there.contains_key(key)
        {
            there.insert(key.to_owned(), value.clone());
            return Ok(());
        }
    }
    Err(format!("set '{key}': expected an entry that the configuration has"))
}

/// A training with its measurements.
struct Training {
    game: Game,
    name: String,
    /// The folder of the training among the results.
    folder: PathBuf,
    config: TrainingConfig,
    /// The rounds after which the network is saved.
    saved_rounds: Vec<u64>,
    /// The rounds after which there is a row, or at least a unit.
    rows: Vec<u64>,
    /// The batches after which there is a row instead, if there are any.
    batches: Vec<u64>,
    opponents: Vec<(String, Player)>,
    pairs: u64,
    simulations: u64,
    seed: u64,
    row: String,
    columns: Vec<(String, String)>,
}

/// The measurements for a row.
#[derive(Serialize, Deserialize)]
struct Measurement {
    /// The rounds since the row before.
    rounds: Vec<Round>,
    /// The network's scores against the opponents, in their order.
    scores: Vec<Score>,
    /// Its score against the first network.
    first: Option<Score>,
}

impl Training {
    fn network(&self, resources: &ExperimentResources<'_>, round: u64) -> PathBuf {
        resources.out.join(&self.folder).join("networks").join(format!("{round}.safetensors"))
    }

    /// Trains up to a round, and saves the networks of the rows on the way; `None` when the work
    /// was stopped.
    fn train(
        &self,
        round: u64,
        resources: &ExperimentResources<'_>,
    ) -> Result<Option<Box<dyn TrainingRun>>, LabError> {
        let folder = resources.out.join(&self.folder);
        let networks = folder.join("networks");
        fs::create_dir_all(&networks).map_err(FileError::at(&networks))?;
        let (config, devices) = (self.config.clone(), Devices::default());
        let mut run = self.game.learning().run(config, &folder.join("run"), devices)?;
        loop {
            let path = self.network(resources, run.done());
            if self.saved_rounds.contains(&run.done()) && !path.exists() {
                let bytes = run.model().to_bytes().map_err(RunError::from)?;
                write_whole(&path, bytes)?;
            }
            if run.done() >= round || run.is_over() {
                return Ok(Some(run));
            }
            if run.round(resources.jobs, resources.stop)?.is_none() {
                return Ok(None);
            }
        }
    }

    fn player(&self, resources: &ExperimentResources<'_>, round: u64) -> Result<Player, LabError> {
        let path = self.network(resources, round);
        let bytes = fs::read(&path).map_err(FileError::at(&path))?;
        let model = Model::from_bytes(&bytes).map_err(RunError::from)?;
        let agents = self.game.learning().network(&model, self.simulations);
        let agents = agents.map_err(RunError::from)?;
        Ok(Player::Built { name: format!("network after {round} rounds"), agents })
    }

    /// The score against an opponent; `None` when the match was stopped.
    fn score(
        &self,
        players: &[Player; 2],
        seed: u64,
        resources: &ExperimentResources<'_>,
    ) -> Result<Option<Score>, LabError> {
        let budget = Budget { stop: resources.stop, ..Budget::default() };
        let settings = MatchSettings { pairs: self.pairs, seed, budget, luck: false, sprt: None };
        let arranged = self.game.entrants(players)?.between([0, 1], settings);
        let report = arranged.run(resources.jobs, None, &mut |_| ())?;
        Ok(report.complete.then_some(report.score))
    }

    fn wants(&self, measure: &str) -> bool {
        self.columns.iter().any(|(_, known)| known == measure)
    }

    fn batches_a_step(&self) -> u64 {
        u64::from(self.config.learning.accumulate)
    }

    /// The learning rate by equation 6 of paper `policy-value-network` after a number of steps. An
    /// iteration of the paper is a batch, of which `accumulate` make a step.
    fn equation(&self, steps: u64) -> f64 {
        let learning = &self.config.learning;
        let periods = steps as f64 / f64::from(learning.period);
        single(learning.learning_rate) * single(learning.decay).powf(periods)
    }

    /// The number of rounds up to the one that ended with this batch or contains it; `None` if it
    /// was not taken.
    fn rounds_to(&self, batch: u64, all: &[Round]) -> Option<usize> {
        let taken = |round: &Round| round.steps * self.batches_a_step();
        all.iter().position(|round| taken(round) >= batch).map(|place| place + 1)
    }

    /// A figure of the rounds up to a row; `None` where it does not exist yet.
    fn of_rounds(&self, rounds: &[Round], all: &[Round], measure: &str) -> Option<Measured> {
        let last = rounds.last().filter(|round| round.steps > 0)?;
        let losses =
            || -> Vec<f64> { all.iter().filter_map(|round| round.loss).map(f64::from).collect() };
        let value = match measure {
            "learning_rate" => single(last.learning_rate),
            "equation_by_steps" => self.equation(last.steps - 1),
            "equation_by_games" => self.equation(last.games / self.batches_a_step()),
            "loss" => single(last.loss?),
            "policy_loss" => single(last.policy_loss?),
            "value_loss" => single(last.value_loss?),
            "variance" => single(last.variance?),
            "steps" => last.steps as f64,
            "hyperbola" => {
                let learned = rounds.iter().filter(|round| round.has_learned()).count();
                Hyperbola::fit(&losses())?.at(learned.checked_sub(1)? as f64)
            }
            _ => return None,
        };
        Some(Measured::plain(value, last.games, ""))
    }
}

impl Work for Training {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> u64 {
        self.rows.len() as u64
    }

    fn run(&self, unit: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        let round = self.rows[unit as usize];
        let Some(run) = self.train(round, resources)? else { return Ok(None) };
        let before = unit.checked_sub(1).map_or(0, |before| self.rows[before as usize]);
        let history = run.history();
        let rounds = history[before as usize..(round as usize).min(history.len())].to_vec();
        let seed = seed_of(self.seed, &self.name, unit);
        let mut scores = vec![];
        if self.wants("score") {
            for (_, opponent) in &self.opponents {
                let players = [self.player(resources, round)?, opponent.clone()];
                let Some(score) = self.score(&players, seed, resources)? else { return Ok(None) };
                scores.push(score);
            }
        }
        let mut first = None;
        if self.wants("score_first") && round > 0 {
            let players = [self.player(resources, round)?, self.player(resources, 0)?];
            first = self.score(&players, seed, resources)?;
            if first.is_none() {
                return Ok(None);
            }
        }
        stored_form(&Measurement { rounds, scores, first }).map(Some)
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let mut rows: Vec<Measurement> = vec![];
        for result in results {
            rows.push(read(&self.name, result)?);
        }
        let all: Vec<Round> = rows.iter().flat_map(|row| row.rounds.clone()).collect();
        let won = |score: &Score| {
            let summary = score.summary();
            Measured::share(summary.win_rate, summary.interval, score.games())
        };
        let (mut cells, mut seen) = (vec![], 0);
        if !self.batches.is_empty() {
            for batch in &self.batches {
                let Some(seen) = self.rounds_to(*batch, &all) else { continue };
                let row = self.row.replace("{batch}", &batch.to_string());
                for (column, measure) in &self.columns {
                    let measured = self.of_rounds(&all[..seen], &all, measure);
                    cells.extend(measured.map(|one| one.cell(&row, column)));
                }
            }
            return Ok(cells);
        }
        for (measurement, round) in rows.iter().zip(&self.rows) {
            seen += measurement.rounds.len();
            let games = (round * self.config.self_play.games).to_string();
            let row = self.row.replace("{games}", &games);
            let point = GridPoint(vec![("games".into(), games)]);
            let mut add = |column: &str, measured: Option<Measured>| {
                cells.extend(measured.map(|one| one.cell(&row, column).at(&point)));
            };
            for (column, measure) in &self.columns {
                match measure.as_str() {
                    "score" => {
                        for ((label, _), score) in self.opponents.iter().zip(&measurement.scores) {
                            add(&column.replace("{opponent}", label), Some(won(score)));
                        }
                    }
                    "score_first" => add(column, measurement.first.as_ref().map(won)),
                    _ => add(column, self.of_rounds(&all[..seen], &all, measure)),
                }
            }
        }
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, Library, Scale};

    /// The cells of the quick run of table 1, in which a round has 8 games and 2 steps of 4 batches,
    /// for rounds with these losses; a round without a loss took no step.
    fn cells(training: &str, losses: &[Option<f32>]) -> Vec<(String, String, f64)> {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("p/t");
        fs::create_dir_all(&own).unwrap();
        let text = format!(
            "title = 'T'\npaper = 'p'\nsection = '§1'\nkind = 'replicated'\n\
             game = 'einstein-nearest'\nclaim = 'c'\nreading = 'r'\nfull_hours = 0.1\n\
             [[training]]\nfrom = 'policy-value-network/table-1'\nrows_every = 24\n{training}"
        );
        fs::write(own.join("experiment.toml"), text).unwrap();
        let experiment = Experiment::in_folder(&own).unwrap();
        let library = Library::new().unwrap();
        let setting =
            Setting { library: &library, experiment: &experiment, scale: Scale::Quick, seed: 1 };
        let work = work(setting, &experiment.definition.trainings[0]).unwrap();
        let mut steps = 0;
        let rounds = losses.iter().zip(1..).map(|(&loss, round)| {
            steps += if loss.is_some() { 2 } else { 0 };
            Round { round, games: 8 * round, steps, loss, ..Round::default() }
        });
        let begin = Measurement { rounds: vec![], scores: vec![], first: None };
        let rest = Measurement { rounds: rounds.collect(), scores: vec![], first: None };
        let results = [stored_form(&begin).unwrap(), stored_form(&rest).unwrap()];
        let cells = work.cells(&results).unwrap().into_iter();
        cells.map(|cell| (cell.row, cell.column, cell.value)).collect()
    }

    #[test]
    fn a_row_of_a_batch_is_that_of_the_round_that_took_it() {
        let training = "row = 'batch {batch}'\nbatches = [1, 8, 9, 17]\ncolumns = { l = 'loss' }";
        let cells = cells(training, &[None, Some(2.5), Some(1.5)]);
        let row = |batch: u64, loss| (format!("batch {batch}"), "l".to_owned(), loss);
        // The third round took the batches 9 to 16; the seventeenth was never taken.
        assert_eq!(cells, [row(1, 2.5), row(8, 2.5), row(9, 1.5)]);
    }

    #[test]
    fn equation_6_differs_by_what_its_iterations_are() {
        let training = "columns = { s = 'equation_by_steps', g = 'equation_by_games' }";
        let cells = cells(training, &[None, Some(2.5), Some(1.5)]);
        let value = |column: &str| cells.iter().find(|cell| cell.1 == column).unwrap().2;
        // Of four steps the last one came after three, of four iterations each; 24 games were
        // played, but the first eight taught nothing.
        assert!((value("s") - 2e-3 * 0.9_f64.powf(12.0 / 500.0)).abs() < 1e-9);
        assert!((value("g") - 2e-3 * 0.9_f64.powf(24.0 / 500.0)).abs() < 1e-9);
        assert!(value("g") < value("s"));
    }
}
