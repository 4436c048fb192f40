//! The tablebase of a game: one table for each number of pieces.

use std::marker::PhantomData;
use std::path::Path;
use std::time::Duration;

use wurfel_core::files::FileError;
use wurfel_core::{Endgame, threads};

use crate::map::READ_AT_ONCE;
use crate::{Build, Table, TableError, build, default_folder, file_name};

/// Tables for at most this many pieces are built in a second and take 20 MB, so they are built when
/// they are needed.
const SMALL: u32 = 4;

/// How often to check whether another program has finished building the small tables. The checks go
/// on for ten minutes in all, because the program may share a busy machine.
const WAITS: u32 = 12_000;
const WAIT: Duration = Duration::from_millis(50);

/// The exact values of all positions of `G` with few pieces.
#[derive(Debug)]
pub struct Tables<G> {
    /// The tables, beginning with the one for two pieces.
    files: Vec<Table>,
    /// The largest number of pieces of a position in the tables; less than 2 when there are no
    /// tables.
    max_pieces: u32,
    game: PhantomData<fn(&G)>,
}

impl<G> Default for Tables<G> {
    /// Tables without any file: nothing is known.
    fn default() -> Self {
        Self { files: vec![], max_pieces: 0, game: PhantomData }
    }
}

impl<G: Endgame> Tables<G> {
    /// Opens the tables in a folder for at most `most` pieces: as many as exist without a gap, from
    /// two pieces on.
    ///
    /// # Errors
    /// When one of the tables is damaged or cannot be read.
    pub fn open(name: &str, folder: &Path, most: u32) -> Result<Self, TableError> {
        let mut tables = vec![];
        for pieces in 2..=most.min(G::MAX_PIECES) {
            let path = folder.join(file_name(name, pieces));
            if !path.exists() {
                break;
            }
            let table = Table::open(&path, name, pieces, G::units(pieces).iter().sum())?;
            // A file that is read as a whole is also checked as a whole.
            if table.length() <= READ_AT_ONCE {
                table.verify(1, |_| true)?;
            }
            tables.push(table);
        }
        let max_pieces = tables.last().map_or(0, Table::pieces);
        Ok(Self { files: tables, max_pieces, game: PhantomData })
    }

    /// Opens the tables in a folder for at most `most` pieces, after building the missing small
    /// ones, which are those for up to 4 pieces.
    ///
    /// # Errors
    /// Those of [`Tables::open`] and [`build()`].
    pub fn with_small(name: &str, folder: &Path, most: u32) -> Result<Self, TableError> {
        let tables = Self::open(name, folder, most)?;
        let pieces = SMALL.min(most).min(G::MAX_PIECES);
        if tables.max_pieces() >= pieces {
            return Ok(tables);
        }
        let threads = threads::available();
        let settings = Build { pieces, threads, memory: 1 << 30 };
        // If another program is building the tables, it will soon be finished.
        let mut waits = 0..WAITS;
        loop {
            match Self::ready(name, folder, settings) {
                Err(TableError::File(FileError::InUse(_))) if waits.next().is_some() => {
                    threads::sleep(WAIT);
                }
                Err(error) => return Err(error),
                Ok(_) => return Self::open(name, folder, most),
            }
        }
    }

    /// [`Tables::with_small`] in the [`default_folder`].
    ///
    /// # Errors
    /// Those of [`Tables::with_small`] and [`default_folder`].
    pub fn in_default_folder(name: &str, most: u32) -> Result<Self, TableError> {
        Self::with_small(name, &default_folder()?, most)
    }

    /// Opens the tables for up to `settings.pieces` pieces, after building those that are missing.
    ///
    /// # Errors
    /// Those of [`Tables::open`] and [`build()`].
    pub fn ready(name: &str, folder: &Path, settings: Build) -> Result<Self, TableError> {
        let tables = Self::open(name, folder, settings.pieces)?;
        if tables.max_pieces() >= settings.pieces.min(G::MAX_PIECES) {
            return Ok(tables);
        }
        build::<G>(name, folder, settings, |_| true)?;
        Self::open(name, folder, settings.pieces)
    }

    /// The tables, ordered by their numbers of pieces.
    pub fn tables(&self) -> &[Table] {
        &self.files
    }

    /// The largest number of pieces of a position in the tables; less than 2 when there are no
    /// tables.
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// The win probability of the **side to move** before its roll, under best play. `None` when
    /// the position is not in the tables, or in a damaged part of one.
    #[inline(always)]
    pub fn probe(&self, position: &G) -> Option<f32> {
        let place = position.place(self.max_pieces())?;
        let table = self.files.get(place.pieces as usize - 2)?;
        table.value(place.index).map(|value| f32::from(value) / f32::from(u16::MAX))
    }
}
