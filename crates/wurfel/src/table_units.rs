//! Tables built in units that many machines share.

use std::path::Path;

use wurfel_agents::Catalogued;
use wurfel_tablebase::{Build, TableError, assemble, solve_unit};

use crate::learning::Of;

/// The units of a game's tables; see [`Game::table_units`](crate::Game::table_units).
#[derive(Clone, Copy)]
pub struct TableUnits(pub(crate) &'static dyn AnyTableUnits);

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

/// The methods of [`TableUnits`], which say what each does.
pub(crate) trait AnyTableUnits: Send + Sync {
    fn sizes(&self, pieces: u32) -> Vec<u64>;
    fn memory(&self, pieces: u32, unit: usize, threads: usize) -> u64;
    fn solve(&self, folder: &Path, settings: Build, unit: usize) -> Result<Vec<u16>, TableError>;
    fn assemble(
        &self,
        folder: &Path,
        pieces: u32,
        unit: &mut dyn FnMut(usize) -> Option<Vec<u16>>,
    ) -> Result<(), NotAssembled>;
}

impl TableUnits {
    /// The number of positions of each unit of the table for this number of pieces.
    pub fn sizes(self, pieces: u32) -> Vec<u64> {
        self.0.sizes(pieces)
    }

    /// The memory in bytes that solving a unit takes.
    pub fn memory(self, pieces: u32, unit: usize, threads: usize) -> u64 {
        self.0.memory(pieces, unit, threads)
    }

    /// The values of a unit; see [`solve_unit`].
    ///
    /// # Errors
    /// As for [`solve_unit`].
    pub fn solve(
        self,
        folder: &Path,
        settings: Build,
        unit: usize,
    ) -> Result<Vec<u16>, TableError> {
        self.0.solve(folder, settings, unit)
    }

    /// Puts a table together from the values of its units, unless it exists; see [`assemble`].
    ///
    /// # Errors
    /// As for [`assemble`], and when `unit` has no values.
    pub fn assemble(
        self,
        folder: &Path,
        pieces: u32,
        unit: &mut dyn FnMut(usize) -> Option<Vec<u16>>,
    ) -> Result<(), NotAssembled> {
        self.0.assemble(folder, pieces, unit)
    }
}

impl<G: Catalogued> AnyTableUnits for Of<G> {
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
