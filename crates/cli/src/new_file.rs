//! Files that a command writes. None of them may exist before, except pictures.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
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
    file.retain_lines(|_, _| Ok(false))?;
    Ok(file)
}

/// Writes a new file with these contents, and refuses one that exists.
pub fn write_new(path: PathBuf, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = new_file(path)?;
    file.write(bytes)?;
    Ok(file.finish()?)
}

/// Refuses a file that a picture would overwrite, unless it is a picture, too, or empty. This is
/// checked before the work begins.
pub fn expect_picture(path: &Path) -> anyhow::Result<()> {
    let mut start = vec![];
    if path.is_file() {
        let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
        read.with_context(|| format!("'{}'", path.display()))?;
    }
    if start.is_empty() || start == b"<svg" {
        Ok(())
    } else {
        Err(OutputError::Exists(path.to_owned()).into())
    }
}
