//! Values of single positions: the true ones, and those that evaluations give.
//!
//! All values are those of the **first side**, as papers print them, whichever side is to roll.

use serde_json::Value;
use wurfel::{Evaluation, Game, Position, TablesWanted};
use wurfel_core::{Budget, Side};

use super::{NewWork, NewWorks, Setting, tables};
use crate::LabError;
use crate::definition::PositionDefinition;
use crate::grid::GridPoint;
use crate::results::{ResultCell, single};
use crate::work::{ExperimentResources, UnitResult, Work, read, stored_form};

/// Maximum number of pieces of the tables in which exact values are looked up. Larger tables are not on every
/// machine, and each value in a table is rounded to 1/65,535: with that of five pieces, figure 9 of
/// paper `zweistein` is off by 2 in the sixth place.
const TABLES: u32 = 4;

/// The memory of the transposition table, in megabytes.
const MEGABYTES: usize = 256;

/// The positions of a block, one for each point of the grid.
pub(super) fn works(setting: Setting<'_>, block: &PositionDefinition) -> NewWorks {
    let mut texts = vec![&*block.row, &*block.position];
    texts.extend(block.game.as_deref());
    for (column, measure) in block.columns.iter() {
        texts.extend([column, measure]);
    }
    let points = setting.points(&block.over, &texts).into_iter();
    points.map(|point| work(setting, block, point)).collect()
}

/// The position at a point of the grid.
fn work(setting: Setting<'_>, block: &PositionDefinition, point: GridPoint) -> NewWork {
    let game = setting.game(block.game.as_ref(), &point)?;
    let text = point.fill(&block.position);
    let refused = |problem: String| {
        LabError::Input(format!("position '{}': {problem}", point.fill(&block.row)))
    };
    let position = game.read(&text, false).map_err(|error| refused(error.to_string()))?;
    if position.roll().is_some() || position.outcome().is_some() {
        return Err(refused("expected one before a roll, in a game that is not over".into()));
    }
    let mut columns = vec![];
    for (column, measure) in block.columns.iter() {
        let quantity = Quantity::read(game, &point.fill(measure))?;
        columns.push((point.fill(column), quantity));
    }
    let row = point.fill(&block.row);
    let name = format!("{row}: {position}");
    Ok(Box::new(Single { name, game, position, row, columns, point }))
}

/// A value that a definition asks for.
enum Quantity {
    /// The value under best play.
    Exact,
    /// The value of an evaluation after a search of this depth.
    Value { evaluation: Box<dyn Evaluation>, depth: u32 },
}

impl Quantity {
    /// Reads `exact`, `value:EVALUATION` or `value:EVALUATION:depth=N`.
    fn read(game: Game, measure: &str) -> Result<Self, LabError> {
        if measure == "exact" {
            return Ok(Self::Exact);
        }
        let refused = || {
            LabError::Input(format!(
                "measure '{measure}': expected exact, value:EVALUATION or value:EVALUATION:depth=N"
            ))
        };
        let quantity = measure.strip_prefix("value:").ok_or_else(refused)?;
        let (evaluation, depth) = match quantity.split_once(":depth=") {
            Some((evaluation, depth)) => (evaluation, depth.parse().map_err(|_| refused())?),
            None => (quantity, 0),
        };
        Ok(Self::Value { evaluation: game.evaluation(evaluation)?, depth })
    }
}

struct Single {
    name: String,
    game: Game,
    position: Position,
    row: String,
    columns: Vec<(String, Quantity)>,
    point: GridPoint,
}

impl Single {
    /// The value for the **side to move**; `None` when the search was stopped.
    fn value(
        &self,
        quantity: &Quantity,
        resources: &ExperimentResources<'_>,
    ) -> Result<Option<f32>, LabError> {
        let value = match quantity {
            Quantity::Exact => {
                let tables = tables(self.game, TablesWanted::UpTo(TABLES))?;
                let budget = Budget { stop: resources.stop, ..Budget::default() };
                tables.value(&self.position, MEGABYTES, resources.jobs, budget)
            }
            Quantity::Value { evaluation, depth } => {
                evaluation.value(&self.position, *depth).map(Some)
            }
        };
        value.map_err(|error| LabError::Input(error.to_string()))
    }
}

impl Work for Single {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, _: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        let mut values = vec![];
        for (_, quantity) in &self.columns {
            let Some(value) = self.value(quantity, resources)? else { return Ok(None) };
            values.push(if self.position.side() == Side::First { value } else { 1.0 - value });
        }
        stored_form(&values).map(Some)
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let values: Vec<f32> = read(&self.name, &results[0])?;
        let cell = |((column, _), value): (&(String, Quantity), f32)| ResultCell {
            n: 1,
            unit: "share".to_owned(),
            ..ResultCell::new(&self.row, column, single(value)).at(&self.point)
        };
        Ok(self.columns.iter().zip(values).map(cell).collect())
    }
}
