//! Files that a command writes and that must not exist before.

use std::path::PathBuf;

use anyhow::ensure;
use wurfel_arena::{Draft, OutputError};

/// Opens a new file to write, and refuses one that exists.
pub fn new_file(path: PathBuf) -> anyhow::Result<Draft> {
    ensure!(
        path.file_name().is_some() && !path.is_dir(),
        "--out '{}': expected the name of a file",
        path.display()
    );
    // This is checked before the work begins, so that hours of work are not lost at the end.
    if path.exists() {
        return Err(OutputError::Exists(path).into());
    }
    let mut file = Draft::open(path)?;
    file.keep(|_, _| Ok(false))?;
    Ok(file)
}
