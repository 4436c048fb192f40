//! The default folders of files.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::TableError;

/// The environment names no home.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("HOME names no folder: expected a home directory")]
pub struct NoHome;

/// The folder `wurfel` in the system's folder for application data (`~/.local/share` on Linux,
/// `%APPDATA%` on Windows).
///
/// # Errors
/// When there is no home directory, as an empty `HOME` says: then nothing may be written to the
/// home directory that the system has on record.
pub fn data_folder() -> Result<PathBuf, NoHome> {
    let system = etcetera::choose_base_strategy().map_err(|_| NoHome)?;
    let data = system.data_dir();
    let none = cfg!(unix) && std::env::var_os("HOME").is_some_and(|home| home.is_empty());
    if none && data.starts_with(system.home_dir()) || !data.is_absolute() {
        return Err(NoHome);
    }
    Ok(data.join("wurfel"))
}

/// The folder of the tables when none is named: the one in the environment variable
/// `WURFEL_TABLES`, or else `tables` in the [`data_folder`].
///
/// # Errors
/// When there is neither.
pub fn default_folder() -> Result<PathBuf, TableError> {
    match std::env::var_os("WURFEL_TABLES").filter(|folder| !folder.is_empty()) {
        Some(folder) => Ok(folder.into()),
        None => Ok(data_folder()?.join("tables")),
    }
}
