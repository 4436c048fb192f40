//! One server for one folder: a file that is locked while the server lives, and whose time of
//! change tells until when it did.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The name of the file.
const NAME: &str = "server.lock";
/// How often the server notes that it lives.
const BEAT: Duration = Duration::from_millis(200);

/// The right to use a folder.
pub(crate) struct FolderLock {
    file: File,
    /// For how long no server has lived.
    pub down: Duration,
}

impl FolderLock {
    /// Takes the folder, unless another server has it: then where that one listens.
    pub fn take(folder: &Path, address: &str) -> io::Result<Result<Self, String>> {
        let path = folder.join(NAME);
        let known = path.exists();
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.take(100).read_to_string(&mut text);
                return Ok(Err(text.trim().to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let last = file.metadata()?.modified()?;
        let down = SystemTime::now().duration_since(last).unwrap_or_default();
        let down = if known { down } else { Duration::ZERO };
        // A full disk takes no address, and the server can do without.
        let _ = file.set_len(0).and_then(|()| file.write_all(address.as_bytes()));
        let lock = Self { file, down };
        lock.beat();
        Ok(Ok(lock))
    }

    fn beat(&self) {
        // Without it, players get back the time since the last one after a restart.
        let _ = self.file.set_modified(SystemTime::now());
    }

    /// Notes that the server lives, for as long as it does.
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
