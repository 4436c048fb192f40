//! Files that a command writes and that must not exist before, but for pictures.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

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

/// Refuses a file that a picture would overwrite, unless it is a picture, too. This is asked before
/// the work begins.
pub fn expect_picture(path: &Path) -> anyhow::Result<()> {
    let mut start = [0; PICTURE.len()];
    let is_other = path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start != PICTURE;
    if is_other { Err(OutputError::Exists(path.to_owned()).into()) } else { Ok(()) }
}

/// How the pictures of this program begin.
const PICTURE: [u8; 4] = *b"<svg";
