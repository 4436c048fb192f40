//! Exact values: a unit of work is a unit of a table, and each number of pieces is a stage.

use wurfel::{Facts, Game, NotAssembled};
use wurfel_tablebase::{Build, TableError, file_name};

use super::common::in_turn;
use crate::WorkError;
use crate::job::TablesJob;
use crate::unit::{Merged, Work, WorkContext};

struct Layers {
    game: Game,
    job: TablesJob,
}

pub(super) fn work(game: Game, job: &TablesJob) -> Result<Box<dyn Work>, WorkError> {
    let Facts { name, max_pieces: most, .. } = game.facts();
    if job.pieces > most {
        return Err(TableError::TooMany { game: name.to_owned(), pieces: job.pieces, most }.into());
    }
    Ok(Box::new(Layers { game, job: job.clone() }))
}

impl Layers {
    fn units(&self, pieces: u32) -> u64 {
        self.game.table_units().sizes(pieces).len() as u64
    }

    /// The table that a unit of work belongs to, by its number of pieces, and the unit's number in
    /// that table.
    fn place(&self, mut unit: u64) -> (u32, usize) {
        let mut pieces = 2;
        while unit >= self.units(pieces) {
            unit -= self.units(pieces);
            pieces += 1;
        }
        (pieces, unit as usize)
    }

    /// Puts the table for a number of pieces together, unless it exists; `None` when this was
    /// stopped.
    fn table(&self, pieces: u32, context: &WorkContext<'_>) -> Result<Option<()>, WorkError> {
        let first: u64 = (2..pieces).map(|pieces| self.units(pieces)).sum();
        let number = |two: &[u8]| u16::from_le_bytes([two[0], two[1]]);
        in_turn(context, || {
            let mut unread = None;
            let mut values = |unit: usize| match context.read(first + unit as u64) {
                Ok(bytes) => Some(bytes.chunks_exact(2).map(number).collect()),
                Err(error) => {
                    unread = Some(error);
                    None
                }
            };
            let assembled = self.game.table_units().assemble(&context.result, pieces, &mut values);
            match (assembled, unread) {
                (Ok(()), _) => Ok(()),
                (Err(_), Some(error)) => Err(error),
                (Err(NotAssembled::Table(error)), None) => Err(error.into()),
                (Err(error), None) => Err(WorkError::Input(error.to_string())),
            }
        })
    }
}

impl Work for Layers {
    fn stages(&self) -> Vec<u64> {
        (2..=self.job.pieces).map(|pieces| self.units(pieces)).collect()
    }

    fn memory(&self, unit: u64, threads: usize) -> Option<u64> {
        let (pieces, unit) = self.place(unit);
        Some(self.game.table_units().memory(pieces, unit, threads.max(1)))
    }

    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        let (pieces, unit) = self.place(unit);
        if pieces > 2 && self.table(pieces - 1, context)?.is_none() {
            return Ok(None);
        }
        let settings = Build { pieces, threads: context.jobs(), memory: self.job.memory << 20 };
        let values = self.game.table_units().solve(&context.result, settings, unit)?;
        Ok(Some(values.into_iter().flat_map(u16::to_le_bytes).collect()))
    }

    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError> {
        let (mut files, mut summary) = (vec![], vec![]);
        for pieces in 2..=self.job.pieces {
            if self.table(pieces, context)?.is_none() {
                return Ok(None);
            }
            files.push(context.result.join(file_name(self.game.name(), pieces)));
            let positions: u64 = self.game.table_units().sizes(pieces).iter().sum();
            summary.push(format!("{pieces} pieces: {positions} positions"));
        }
        Ok(Some(Merged { files, summary }))
    }
}
