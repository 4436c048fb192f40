//! Exact values: a unit of work is a unit of a table, and each number of pieces is a stage.

use std::marker::PhantomData;
use std::path::Path;

use wurfel_agents::Catalogued;
use wurfel_tablebase::{Build, TableError, assemble, file_name, solve_unit};

use super::common::in_turn;
use crate::WorkError;
use crate::job::TablesJob;
use crate::unit::{Merged, Resources, Shards, Work};

struct Layers<G> {
    job: TablesJob,
    game: PhantomData<fn(&G)>,
}

/// The work of a job.
pub(super) fn work<G: Catalogued>(job: &TablesJob) -> Result<Box<dyn Work>, WorkError> {
    if job.pieces > G::MAX_PIECES {
        let (game, most) = (G::NAME.to_owned(), G::MAX_PIECES);
        return Err(TableError::TooMany { game, pieces: job.pieces, most }.into());
    }
    Ok(Box::new(Layers::<G> { job: job.clone(), game: PhantomData }))
}

impl<G: Catalogued> Layers<G> {
    fn units(pieces: u32) -> u64 {
        G::units(pieces).len() as u64
    }

    /// The table that a unit of work belongs to, by its number of pieces, and the unit's number in
    /// that table.
    fn place(mut unit: u64) -> (u32, usize) {
        let mut pieces = 2;
        while unit >= Self::units(pieces) {
            unit -= Self::units(pieces);
            pieces += 1;
        }
        (pieces, unit as usize)
    }

    /// Puts the table for a number of pieces together, unless it exists; `None` when this was
    /// stopped.
    fn table(
        pieces: u32,
        resources: Resources<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<()>, WorkError> {
        let first: u64 = (2..pieces).map(Self::units).sum();
        in_turn(resources, || {
            assemble::<G, _>(G::NAME, result, pieces, |unit| {
                let bytes = shards.read(first + unit as u64)?;
                Ok(bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect())
            })
        })
    }
}

impl<G: Catalogued> Work for Layers<G> {
    fn stages(&self) -> Vec<u64> {
        (2..=self.job.pieces).map(Self::units).collect()
    }

    fn memory(&self, unit: u64, threads: usize) -> Option<u64> {
        let (pieces, unit) = Self::place(unit);
        Some(G::memory(pieces, unit, threads.max(1)))
    }

    fn run(
        &self,
        unit: u64,
        resources: Resources<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        let (pieces, unit) = Self::place(unit);
        if pieces > 2 && Self::table(pieces - 1, resources, shards, result)?.is_none() {
            return Ok(None);
        }
        let settings =
            Build { pieces, threads: resources.jobs.max(1), memory: self.job.memory << 20 };
        let values = solve_unit::<G>(G::NAME, result, settings, unit)?;
        Ok(Some(values.into_iter().flat_map(u16::to_le_bytes).collect()))
    }

    fn merge(
        &self,
        resources: Resources<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Merged>, WorkError> {
        let (mut files, mut summary) = (vec![], vec![]);
        for pieces in 2..=self.job.pieces {
            if Self::table(pieces, resources, shards, result)?.is_none() {
                return Ok(None);
            }
            files.push(result.join(file_name(G::NAME, pieces)));
            let positions: u64 = G::units(pieces).iter().sum();
            summary.push(format!("{pieces} pieces: {positions} positions"));
        }
        Ok(Some(Merged { files, summary }))
    }
}
