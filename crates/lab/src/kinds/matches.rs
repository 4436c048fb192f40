//! Matches between two agents: a row for each.

use serde_json::Value;
use wurfel_arena::{Catalogued, Entrant, LuckMeter, UseGame, with_game};

use super::Setting;
use super::games::{Parts, entrant, merged, play};
use crate::LabError;
use crate::definition::MatchDefinition;
use crate::grid::Point;
use crate::measure::{check, needs_luck, of_match};
use crate::results::Cell;
use crate::work::{Means, Work, seed_of};

/// The matches of a block, one for each point of the grid.
pub(super) fn works(
    setting: Setting<'_>,
    block: &MatchDefinition,
) -> Result<Vec<Box<dyn Work>>, LabError> {
    let pairs = block.pairs.text(setting.scale);
    let mut texts = vec![&*block.row, &*block.a, &*block.b, &*pairs];
    texts.extend(block.game.as_deref());
    texts.extend(block.columns.iter().map(|(column, _)| column));
    for (_, measure) in block.columns.iter() {
        check(measure, &[])?;
    }
    let work = |point: Point| {
        let game = setting.game(block.game.as_ref(), &point);
        with_game(&game, Build { setting, block, point })?
    };
    setting.points(&block.over, &texts).into_iter().map(work).collect()
}

struct Build<'a> {
    setting: Setting<'a>,
    block: &'a MatchDefinition,
    point: Point,
}

impl UseGame for Build<'_> {
    type Output = Result<Box<dyn Work>, LabError>;

    fn with<G: Catalogued>(self) -> Self::Output {
        let Self { setting, block, point } = self;
        let (row, a, b) = (point.fill(&block.row), point.fill(&block.a), point.fill(&block.b));
        let pairs = block.pairs.at(setting.scale, &point)?;
        let columns: Vec<(String, String)> = (block.columns.iter())
            .map(|(column, measure)| (point.fill(column), measure.clone()))
            .collect();
        let luck = columns.iter().any(|(_, measure)| needs_luck(measure));
        Ok(Box::new(Played::<G> {
            // The columns tell apart two matches of the same agents in one row.
            name: format!("{row}: {a} against {b} for {}", columns[0].0),
            entrants: [entrant(&a)?, entrant(&b)?],
            luck: luck.then(LuckMeter::usual),
            parts: Parts::new(pairs),
            seed: setting.seed,
            row,
            columns,
            point,
        }))
    }
}

struct Played<G: Catalogued> {
    name: String,
    entrants: [Entrant<G>; 2],
    luck: Option<LuckMeter<G>>,
    parts: Parts,
    seed: u64,
    row: String,
    /// The columns with their measures.
    columns: Vec<(String, String)>,
    point: Point,
}

impl<G: Catalogued> Work for Played<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> u64 {
        self.parts.count()
    }

    fn alone(&self) -> bool {
        false
    }

    fn run(&self, unit: u64, means: &Means<'_>) -> Result<Option<Value>, LabError> {
        let seed = seed_of(self.seed, &self.name, unit);
        play(self.entrants.clone(), self.luck.as_ref(), self.parts, (unit, seed), means)
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<Cell>, LabError> {
        let report = merged(&self.name, results)?;
        let cell = |(column, measure): &(String, String)| {
            Some(of_match(&report, measure)?.cell(&self.row, column).at(&self.point))
        };
        Ok(self.columns.iter().filter_map(cell).collect())
    }
}
