//! Matches between two agents: a row for each.

use serde_json::Value;
use wurfel::Entrants;

use super::games::{MatchDice, Parts, play, player, reports, series, sum};
use super::{NewWork, NewWorks, Setting};
use crate::LabError;
use crate::checks::fits;
use crate::definition::{Definition, MatchDefinition};
use crate::difference::Series;
use crate::grid::GridPoint;
use crate::measure::{check, needs_luck};
use crate::results::ResultCell;
use crate::work::{ExperimentResources, UnitResult, Work};

/// The matches of a block, one for each point of the grid.
pub(super) fn works(setting: Setting<'_>, block: &MatchDefinition) -> NewWorks {
    let pairs = block.pairs.text(setting.scale);
    let mut texts = vec![&*block.row, &*block.a, &*block.b, &*pairs];
    texts.extend(block.game.as_deref());
    texts.extend(block.columns.iter().map(|(column, _)| column));
    for (_, measure) in block.columns.iter() {
        check(measure, &[])?;
    }
    let points = setting.points(&block.over, &texts).into_iter();
    points.map(|point| work(setting, block, point)).collect()
}

/// The match at a point of the grid.
fn work(setting: Setting<'_>, block: &MatchDefinition, point: GridPoint) -> NewWork {
    let game = setting.game(block.game.as_ref(), &point)?;
    let (row, a, b) = (point.fill(&block.row), point.fill(&block.a), point.fill(&block.b));
    let pairs = block.pairs.at(setting.scale, &point)?;
    let columns = block.columns.at(&point);
    let luck = columns.iter().any(|(_, measure)| needs_luck(measure));
    // The columns distinguish two matches of the same agents in one row.
    let name = format!("{row}: {a} against {b} for {}", columns[0].0);
    let dice = if is_averaged(setting.definition(), &row, &columns) {
        name.clone()
    } else {
        format!("{}: {}", setting.experiment.name, game.facts().name)
    };
    Ok(Box::new(Played {
        name,
        dice: MatchDice::new(setting.seed, dice),
        entrants: game.entrants(&[player(&a)?, player(&b)?])?,
        luck,
        parts: Parts::new(pairs, setting.scale),
        row,
        columns,
        point,
    }))
}

/// Whether a summary has the mean of this row and others. Such rows have dice of their own, because the
/// error of a mean is that of independent games.
fn is_averaged(definition: &Definition, row: &str, columns: &[(String, String)]) -> bool {
    let means = definition.summaries.iter().filter_map(|summary| summary.mean.as_ref());
    let mut columns_of = means.filter(|mean| fits(&mean.row, row).is_some());
    columns_of.any(|mean| columns.iter().any(|(column, _)| fits(&mean.column, column).is_some()))
}

struct Played {
    name: String,
    entrants: Box<dyn Entrants>,
    luck: bool,
    parts: Parts,
    dice: MatchDice,
    row: String,
    /// The columns with their measures.
    columns: Vec<(String, String)>,
    point: GridPoint,
}

impl Work for Played {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> u64 {
        self.parts.count()
    }

    fn grows_by(&self) -> Option<u64> {
        self.parts.grows.then_some(1)
    }

    fn alone(&self) -> bool {
        false
    }

    fn run(&self, unit: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        play(&*self.entrants, [0, 1], self.luck, self.parts, (unit, &self.dice), resources)
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let parts = reports(&self.name, (self.parts, &self.dice), results)?;
        let report = sum(&parts);
        let cell = |(column, measure): &(String, String)| {
            let measured = self.parts.measure_of(&parts, &report, measure)?;
            Some(measured.cell(&self.row, column).at(&self.point))
        };
        Ok(self.columns.iter().filter_map(cell).collect())
    }

    fn series(&self, results: &[Value], cell: &ResultCell) -> Result<Option<Series>, LabError> {
        let own = self.columns.iter().find(|(column, _)| *column == cell.column);
        let Some((_, measure)) = own.filter(|_| cell.row == self.row) else { return Ok(None) };
        series(&self.name, (self.parts, &self.dice), results, measure)
    }
}
