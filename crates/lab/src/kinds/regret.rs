//! How much win probability agents lose against perfect play in small endgames, all on the same
//! positions.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wurfel::{Agents, Game, TablesWanted};
use wurfel_arena::{Interval, RegretSettings, Source};
use wurfel_core::Budget;

use super::{Block, Setting, tables};
use crate::LabError;
use crate::definition::RegretDefinition;
use crate::grid::GridPoint;
use crate::measure::{Measured, share};
use crate::results::ResultCell;
use crate::work::{ExperimentResources, Work, read, seed_of, written};

const MEASURES: &[&str] = &["regret", "optimal"];

/// The measurements of a block, one for each point of the grid.
pub(super) fn works(
    setting: Setting<'_>,
    block: &RegretDefinition,
) -> Result<Vec<Box<dyn Work>>, LabError> {
    let positions = block.positions.text(setting.scale);
    let mut texts = vec![&*block.row, &*positions];
    texts.extend(block.game.as_deref());
    for (label, spec) in block.agents.iter() {
        texts.extend([label, spec]);
    }
    texts.extend(block.columns.iter().map(|(column, _)| column));
    block.columns.names(MEASURES)?;
    let points = setting.points(&block.over, &texts).into_iter();
    points.map(|point| setting.work(block, block.game.as_ref(), point)).collect()
}

impl Block for RegretDefinition {
    fn work(
        &self,
        game: Game,
        setting: Setting<'_>,
        point: GridPoint,
    ) -> Result<Box<dyn Work>, LabError> {
        let pieces = *self.cubes.at(setting.scale);
        let (name, most) = (game.name(), game.facts().max_solved);
        if pieces > most {
            return Err(LabError::Input(format!(
                "cubes = {pieces}: expected at most {most}, from which {name} can be solved"
            )));
        }
        let mut agents = vec![];
        for (label, spec) in self.agents.iter() {
            let agent = game.agents_of(&point.fill(spec).parse()?)?;
            agents.push((point.fill(label), agent));
        }
        let columns = self.columns.at(&point);
        let row = point.fill(&self.row);
        Ok(Box::new(Decisions {
            name: format!("{row}: {pieces} pieces of {name} for {}", columns[0].0),
            game,
            agents,
            pieces,
            positions: self.positions.at(setting.scale, &point)?,
            seed: setting.seed,
            row,
            columns,
            point,
        }))
    }
}

/// The measurement of all agents; each unit is one agent.
struct Decisions {
    name: String,
    game: Game,
    agents: Vec<(String, Agents)>,
    pieces: u32,
    positions: u64,
    seed: u64,
    row: String,
    columns: Vec<(String, String)>,
    point: GridPoint,
}

/// The losses of one agent.
#[derive(Serialize, Deserialize)]
struct Lost {
    decisions: u64,
    optimal: u64,
    mean: f64,
    interval: Interval,
}

impl Work for Decisions {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> u64 {
        self.agents.len() as u64
    }

    fn run(
        &self,
        unit: u64,
        resources: &ExperimentResources<'_>,
    ) -> Result<Option<Value>, LabError> {
        let tables = tables(self.game, TablesWanted::WithSmall)?;
        let settings = RegretSettings {
            pieces: self.pieces,
            decisions: self.positions,
            source: Source::Scattered,
            // The seed is the same for all agents, and so are the positions.
            seed: seed_of(self.seed, &self.name, 0),
            budget: Budget { stop: resources.stop, ..Budget::default() },
        };
        let (name, agents) = &self.agents[unit as usize];
        let regret = tables.regret(agents, settings, resources.jobs, &mut |_| !resources.stopped());
        let regret =
            regret.map_err(|failure| LabError::Input(format!("{name} failed: {failure}")))?;
        if regret.decisions < self.positions {
            return Ok(None);
        }
        let lost = Lost {
            decisions: regret.decisions,
            optimal: regret.optimal,
            mean: regret.mean(),
            interval: regret.interval(),
        };
        written(&lost).map(Some)
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let mut cells = vec![];
        for ((label, _), result) in self.agents.iter().zip(results) {
            let lost: Lost = read(&self.name, result)?;
            let row = self.row.replace("{agent}", label);
            for (column, measure) in &self.columns {
                let measured = match measure.as_str() {
                    "optimal" => share(lost.optimal, lost.decisions),
                    _ => Measured {
                        value: lost.mean,
                        interval: Some((lost.interval.low, lost.interval.high)),
                        n: lost.decisions,
                        unit: "share",
                    },
                };
                cells.push(measured.cell(&row, column).at(&self.point));
            }
        }
        Ok(cells)
    }
}
