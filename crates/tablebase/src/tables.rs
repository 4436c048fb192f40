//! The tables of a game together.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use wurfel_game::Endgame;

use crate::{Build, Table, TableError, build};

/// Up to how many bytes a table is checked as a whole when it is opened, which takes
/// some milliseconds.
const CHECKED_AT_ONCE: u64 = 1 << 26;

/// The name of the file with the positions of so many men of the game called `name`.
pub fn file_name(name: &str, men: u32) -> String {
    format!("{name}-{men}.table")
}

/// Where tables are when nobody says: the folder in the environment variable
/// `WURFEL_TABLES`, else `wurfel/tables` where the system keeps the data of programs
/// (`~/.local/share` on Linux, `%APPDATA%` on Windows).
pub fn default_folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("WURFEL_TABLES").filter(|folder| !folder.is_empty()) {
        return folder.into();
    }
    let data = etcetera::choose_base_strategy().map(|system| system.data_dir());
    data.unwrap_or_default().join("wurfel").join("tables")
}

/// The exact values of all positions of `G` with few men.
#[derive(Debug)]
pub struct Tables<G> {
    /// From two men on.
    tables: Vec<Table>,
    game: PhantomData<fn(&G)>,
}

impl<G: Endgame> Tables<G> {
    /// Opens the tables for up to so many men that are in a folder: as many as there
    /// are, from two men on without a gap.
    ///
    /// # Errors
    /// When one of them is damaged or cannot be read.
    pub fn open(name: &str, folder: &Path, most: u32) -> Result<Self, TableError> {
        let mut tables = vec![];
        for men in 2..=most.min(G::MOST_MEN) {
            let path = folder.join(file_name(name, men));
            if !path.exists() {
                break;
            }
            let table = Table::open(&path, name, men, G::units(men).iter().sum())?;
            if table.length() <= CHECKED_AT_ONCE {
                table.verify(1, |_| true)?;
            }
            tables.push(table);
        }
        Ok(Self { tables, game: PhantomData })
    }

    /// Opens the tables for up to `settings.men` men, after building those that are not
    /// there.
    ///
    /// # Errors
    /// Those of [`Tables::open`] and [`build()`].
    pub fn ready(name: &str, folder: &Path, settings: Build) -> Result<Self, TableError> {
        let tables = Self::open(name, folder, settings.men)?;
        if tables.most_men() >= settings.men.min(G::MOST_MEN) {
            return Ok(tables);
        }
        build::<G>(name, folder, settings, |_| true)?;
        Self::open(name, folder, settings.men)
    }

    /// The tables, fewer men first.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The most men of a position that is found here; less than 2 when there is none.
    pub fn most_men(&self) -> u32 {
        self.tables.last().map_or(0, Table::men)
    }

    /// The win probability of the **side to move** before its throw, under best play;
    /// `None` when the position is not here, or in a damaged part.
    #[inline(always)]
    pub fn probe(&self, position: &G) -> Option<f32> {
        let place = position.place()?;
        let table = self.tables.get(place.men as usize - 2)?;
        table.value(place.index).map(|value| f32::from(value) / f32::from(u16::MAX))
    }
}
