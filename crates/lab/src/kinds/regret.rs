//! How much win probability agents lose against perfect play in small endgames, all on the same
//! positions.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wurfel::{Agents, Game, TablesWanted};
use wurfel_arena::{Loss, PositionSource, Regret, RegretSettings};
use wurfel_core::Budget;

use super::{NewWorks, Setting, tables};
use crate::LabError;
use crate::definition::RegretDefinition;
use crate::difference::Series;
use crate::grid::GridPoint;
use crate::measure::{Measured, Z, share, standard_errors};
use crate::results::ResultCell;
use crate::scale::Scale;
use crate::work::{ExperimentResources, UnitResult, Work, read, seed_of, stored_form};

const MEASURES: &[&str] = &["regret", "optimal"];

/// The measurements of a block, one for each agent and point of the grid.
pub(super) fn works(setting: Setting<'_>, block: &RegretDefinition) -> NewWorks {
    let positions = block.positions.text(setting.scale);
    let mut texts = vec![&*block.row, &*positions];
    texts.extend(block.game.as_deref());
    for (label, spec) in block.agents.iter() {
        texts.extend([label, spec]);
    }
    texts.extend(block.columns.iter().map(|(column, _)| column));
    block.columns.names(MEASURES)?;
    let mut works: Vec<Box<dyn Work>> = vec![];
    for point in setting.points(&block.over, &texts) {
        let game = setting.game(block.game.as_ref(), &point)?;
        for (label, spec) in block.agents.iter() {
            works.push(Box::new(block.decisions(game, setting, &point, (label, spec))?));
        }
    }
    Ok(works)
}

impl RegretDefinition {
    /// The decisions of an agent at a point of the grid.
    fn decisions(
        &self,
        game: Game,
        setting: Setting<'_>,
        point: &GridPoint,
        (label, spec): (&str, &str),
    ) -> Result<Decisions, LabError> {
        let pieces = *self.cubes.at(setting.scale);
        let (name, most) = (game.name(), game.facts().max_solved);
        if pieces > most {
            return Err(LabError::Input(format!(
                "cubes = {pieces}: expected at most {most}, from which {name} can be solved"
            )));
        }
        let (label, columns) = (point.fill(label), self.columns.at(point));
        let row = point.fill(&self.row);
        let positions = format!("{row}: {pieces} pieces of {name} for {}", columns[0].0);
        let (count, grows) =
            (self.positions.at(setting.scale, point)?, setting.scale == Scale::Decide);
        Ok(Decisions {
            name: format!("{positions}: {label}"),
            seed: seed_of(setting.seed, &positions, 0),
            positions,
            game,
            agent: game.agents_of(&point.fill(spec).parse()?)?,
            row: row.replace("{agent}", &label),
            pieces,
            count,
            each: if grows { count.div_ceil(INITIAL_PARTS) } else { count },
            grows,
            columns,
            point: point.clone(),
        })
    }
}

/// The number of parts with which a measurement begins that then gets as many as its claims need.
const INITIAL_PARTS: u64 = 10;

/// The measurement of an agent.
struct Decisions {
    name: String,
    /// The name of the positions, which all agents of a block share, and their seed.
    positions: String,
    seed: u64,
    game: Game,
    agent: Agents,
    row: String,
    pieces: u32,
    /// The number of decisions, and of those of a part.
    count: u64,
    each: u64,
    grows: bool,
    columns: Vec<(String, String)>,
    point: GridPoint,
}

/// What an agent has lost in a part of its decisions.
#[derive(Serialize, Deserialize)]
struct Part {
    decisions: u64,
    /// The numbers of those that lost something, within the part, and what they lost.
    lost: Vec<(u64, f64)>,
}

impl Decisions {
    /// What was lost by each decision.
    fn losses(&self, results: &[Value]) -> Result<Vec<f64>, LabError> {
        let mut losses = vec![];
        for result in results {
            let Part { decisions, lost } = read(&self.name, result)?;
            let (first, possible) = (losses.len(), 1..=self.count.max(self.each));
            let is_loss =
                |&(number, lost): &(u64, f64)| number < decisions && (0.0..=1.0).contains(&lost);
            if !possible.contains(&decisions) || !lost.iter().all(is_loss) {
                let error = format!("the progress of '{}': impossible losses", self.name);
                return Err(LabError::Input(error));
            }
            losses.resize(first + decisions as usize, 0.0);
            for (number, lost) in lost {
                losses[first + number as usize] = lost;
            }
        }
        Ok(losses)
    }
}

impl Work for Decisions {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> u64 {
        self.count.div_ceil(self.each)
    }

    fn grows_by(&self) -> Option<u64> {
        self.grows.then_some(1)
    }

    fn run(&self, unit: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        let tables = tables(self.game, TablesWanted::WithSmall)?;
        let decisions = unit * self.each..(unit + 1) * self.each;
        let settings = RegretSettings {
            pieces: self.pieces,
            decisions: decisions.end,
            source: PositionSource::Scattered,
            seed: self.seed,
            budget: Budget { stop: resources.stop, ..Budget::default() },
        };
        let mut part = Part { decisions: 0, lost: vec![] };
        let see = &mut |_, Loss { lost, .. }: Loss| {
            if lost > 0.0 {
                part.lost.push((part.decisions, lost));
            }
            part.decisions += 1;
            !resources.stopped()
        };
        tables
            .losses(decisions, &self.agent, settings, resources.jobs, see)
            .map_err(|failure| LabError::Input(format!("{} failed: {failure}", self.row)))?;
        if part.decisions < self.each { Ok(None) } else { stored_form(&part).map(Some) }
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let losses = self.losses(results)?;
        let mut regret = Regret::default();
        for &lost in &losses {
            let text = String::new;
            regret.add(Loss { situation: text(), made: text(), best: text(), lost });
        }
        let cell = |(column, measure): &(String, String)| {
            let measured = match measure.as_str() {
                "optimal" => share(regret.optimal, regret.decisions),
                _ => Measured::share(regret.mean(), regret.interval(), regret.decisions),
            };
            let measured =
                if self.grows { measured.reaching(self.reach(&losses)) } else { measured };
            measured.cell(&self.row, column).at(&self.point)
        };
        Ok(self.columns.iter().map(cell).collect())
    }

    fn series(&self, results: &[Value], cell: &ResultCell) -> Result<Option<Series>, LabError> {
        let own = self.columns.iter().find(|(column, _)| *column == cell.column);
        let Some((_, measure)) = own.filter(|_| cell.row == self.row) else { return Ok(None) };
        let losses = self.losses(results)?;
        let reach = self.reach(&losses);
        let optimal = |lost: f64| f64::from(u8::from(lost <= 0.0));
        let results = losses.into_iter();
        let results =
            results.map(|lost| if measure == "optimal" { optimal(lost) } else { lost }).collect();
        Ok(Some(Series { alike: self.positions.clone(), results, reach }))
    }
}

impl Decisions {
    /// How many standard errors the intervals reach to each side.
    fn reach(&self, losses: &[f64]) -> f64 {
        if self.grows { standard_errors(losses.len() as f64) } else { Z }
    }
}
