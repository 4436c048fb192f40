//! Writing files so that they exist whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::draft::unfinished;

/// Writes a file so that it exists whole or not at all, even if the program is killed meanwhile:
/// under the name of [`unfinished`], synced, and renamed. It replaces a file of that
/// name. A pipe or a device is written to directly.
///
/// # Errors
/// When the system refuses; no temporary file is left behind then.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    // A symbolic link stays, and the file that it points to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes);
    }
    let draft = unfinished(&path);
    let written = File::create(&draft).and_then(|mut file| {
        file.write_all(bytes.as_ref())?;
        file.sync_all()
    });
    let written = written.and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // The unfinished file would only take up space on a full disk.
        let _ = fs::remove_file(&draft);
    }
    written
}
