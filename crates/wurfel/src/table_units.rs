//! Tables built in units that many machines share.

use std::path::Path;

use wurfel_agents::Catalogued;
use wurfel_tablebase::{Build, TableError, assemble, solve_unit};

use crate::game::Of;

/// Why a table was not put together.
#[derive(Debug, thiserror::Error)]
pub enum NotAssembled {
    /// The table cannot be written, or a unit has the wrong number of values.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The values of a unit are missing.
    #[error("a unit is missing")]
    Unit,
}

/// The units of a game's tables; see [`Game::table_units`](crate::Game::table_units).
pub trait TableUnits: Send + Sync {
    /// The number of positions of each unit of the table for this number of pieces.
    fn sizes(&self, pieces: u32) -> Vec<u64>;

    /// The memory in bytes that solving a unit takes.
    fn memory(&self, pieces: u32, unit: usize, threads: usize) -> u64;

    /// The values of a unit; see [`solve_unit`].
    ///
    /// # Errors
    /// As for [`solve_unit`].
    fn solve(&self, folder: &Path, settings: Build, unit: usize) -> Result<Vec<u16>, TableError>;

    /// Puts a table together from the values of its units, unless it exists; see [`assemble`].
    ///
    /// # Errors
    /// As for [`assemble`], and when `unit` has no values.
    fn assemble(
        &self,
        folder: &Path,
        pieces: u32,
        unit: &mut dyn FnMut(usize) -> Option<Vec<u16>>,
    ) -> Result<(), NotAssembled>;
}

impl<G: Catalogued> TableUnits for Of<G> {
    fn sizes(&self, pieces: u32) -> Vec<u64> {
        G::units(pieces)
    }

    fn memory(&self, pieces: u32, unit: usize, threads: usize) -> u64 {
        G::memory(pieces, unit, threads)
    }

    fn solve(&self, folder: &Path, settings: Build, unit: usize) -> Result<Vec<u16>, TableError> {
        solve_unit::<G>(G::NAME, folder, settings, unit)
    }

    fn assemble(
        &self,
        folder: &Path,
        pieces: u32,
        unit: &mut dyn FnMut(usize) -> Option<Vec<u16>>,
    ) -> Result<(), NotAssembled> {
        assemble::<G, _>(G::NAME, folder, pieces, |number| unit(number).ok_or(NotAssembled::Unit))
    }
}
