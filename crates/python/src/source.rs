//! Games as arguments: given as their text, its bytes, or a file.

use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use wurfel::{Games, default_game};
use wurfel_arena::game_of;
use wurfel_core::decode;

use crate::error::{refused, wrong};

/// The text of games: from a `str`, from `bytes` in UTF-8 or GBK, or from the file at a path.
pub fn text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = given.extract::<String>() {
        return Ok(text);
    }
    if let Ok(bytes) = given.extract::<Vec<u8>>() {
        return decode(&bytes).map_err(wrong);
    }
    of_file(&given.extract::<PathBuf>()?)
}

/// Like [`text`], but for a folder returns the texts of all its files whose names end in `.jsonl`,
/// sorted by name.
pub fn texts(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let folder = given.extract::<PathBuf>().ok().filter(|path| path.is_dir());
    let Some(folder) = folder.filter(|_| given.extract::<String>().is_err()) else {
        return Ok(vec![text(given)?]);
    };
    let entries = fs::read_dir(&folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut files: Vec<PathBuf> =
        entries.map_err(refused(&folder))?.into_iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    if files.is_empty() {
        return Err(wrong(format!("'{}': expected files that end in .jsonl", folder.display())));
    }
    files.iter().map(|path| of_file(path)).collect()
}

fn of_file(path: &Path) -> PyResult<String> {
    let bytes = fs::read(path).map_err(refused(path))?;
    decode(&bytes).map_err(|error| wrong(format!("'{}': {error}", path.display())))
}

/// Warns about assumptions made where the text of a game contradicts itself or leaves something
/// open.
pub fn warn(py: Python<'_>, games: &Games) -> PyResult<()> {
    (0..games.len()).flat_map(|number| games.assumed(number)).try_for_each(|text| {
        let text = CString::new(text.as_str()).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
    })
}

/// The game of a text: the one in `named`, or else the one that the text names, or else the default
/// one.
pub fn game(named: Option<&str>, text: &str) -> PyResult<String> {
    let stated = game_of(text).map_err(wrong)?;
    let default = || default_game().name().to_owned();
    Ok(named.map(str::to_owned).or(stated).unwrap_or_else(default))
}
