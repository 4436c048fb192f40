//! The files of one kind in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Folders without files of the project.
pub const SKIPPED: [&str; 4] = [".git", "data", "node_modules", "target"];

/// All files with this extension in a folder and those inside it, in order, without those of [`SKIPPED`].
pub fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (vec![], vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let path = entry.path();
            // A folder is not read again through a link to it.
            if entry.file_type()?.is_dir() {
                let name = path.file_name().unwrap_or_default();
                if !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|ending| ending == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
