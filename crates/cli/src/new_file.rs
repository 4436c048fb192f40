//! A file that a command is to write, and that must not be there.

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
    // Checked before the work begins, so that hours of it are not lost at the end.
    if path.exists() {
        return Err(OutputError::Exists(path).into());
    }
    let mut file = Draft::open(path)?;
    file.keep(|_, _| Ok(false))?;
    Ok(file)
}
