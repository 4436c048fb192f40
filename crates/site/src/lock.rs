//! Ensures that a folder has only one server: a file that is locked while the server runs, and
//! whose modification time shows until when it ran.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use wurfel_core::files::{self, FileError};

/// The name of the file.
const NAME: &str = "server.lock";
/// How often the server updates the modification time.
const BEAT: Duration = Duration::from_millis(200);

/// The right to use a folder.
pub(crate) struct FolderLock {
    file: File,
    /// How long the folder has been without a server.
    pub down: Duration,
}

impl FolderLock {
    /// Takes the folder. If another server has it, returns the address on which that server
    /// listens.
    pub fn take(folder: &Path, address: &str) -> io::Result<Result<Self, String>> {
        let path = folder.join(NAME);
        let known = path.exists();
        let mut file = match files::lock(&path) {
            Ok(file) => file,
            Err(FileError::InUse(path)) => {
                return Ok(Err(fs::read_to_string(path).unwrap_or_default()));
            }
            Err(FileError::Io { error, .. }) => return Err(error),
        };
        let last = file.metadata()?.modified()?;
        let down = SystemTime::now().duration_since(last).unwrap_or_default();
        let down = if known { down } else { Duration::ZERO };
        // A full disk cannot take the address, and the server can work without it.
        let _ = file.set_len(0).and_then(|()| file.write_all(address.as_bytes()));
        let lock = Self { file, down };
        lock.beat();
        Ok(Ok(lock))
    }

    fn beat(&self) {
        // If this fails, players get back the time since the last update after a restart.
        let _ = self.file.set_modified(SystemTime::now());
    }

    /// Keeps the modification time current for as long as the server runs.
    pub async fn live(self) {
        loop {
            self.beat();
            tokio::time::sleep(BEAT).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_server_and_the_next_knows_how_long_there_was_none() {
        let folder = tempfile::tempdir().unwrap();
        let take = || FolderLock::take(folder.path(), "http://here/").unwrap();
        let first = take().unwrap_or_else(|_| panic!("nobody has it"));
        assert_eq!(first.down, Duration::ZERO);
        assert_eq!(take().map(|_| ()), Err("http://here/".to_owned()));
        let hour = Duration::from_hours(1);
        first.file.set_modified(SystemTime::now() - hour).unwrap();
        drop(first);
        assert!(take().unwrap_or_else(|_| panic!("nobody has it")).down >= hour);
    }
}
