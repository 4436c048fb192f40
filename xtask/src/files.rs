//! The files of one kind in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// All files with this extension in a folder and those inside it, in order.
pub fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (vec![], vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
