//! The folder of a run: its lock, the names of its files, and the removal of old ones.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use wurfel_net::Checkpoint;

use super::chart;
use super::error::RunError;
use super::files::{failed, refused, replace};
use super::metrics::{Round, last_strength};

/// The folder of a run, which no other program can open as long as this value lives.
pub struct Folder {
    path: PathBuf,
    /// The locked file. The system releases the lock however the program ends.
    _lock: File,
}

impl Folder {
    /// Opens the folder of a run with this configuration, and creates it if it is missing.
    pub fn open(path: &Path, config: &str) -> Result<Self, RunError> {
        fs::create_dir_all(path).map_err(refused(path))?;
        let lock = path.join("lock");
        let options = File::options().write(true).create(true).truncate(false).open(&lock);
        let file = options.map_err(refused(&lock))?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(RunError::Busy(path.to_owned()));
        }
        let own = path.join("config.toml");
        match fs::read_to_string(&own) {
            Ok(there) if there == config => {}
            Ok(_) => return Err(RunError::Foreign(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                replace(&own, config.as_bytes())?;
            }
            Err(error) => return Err(refused(&own)(error)),
        }
        Ok(Self { path: path.to_owned(), _lock: file })
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The path of the games of a round.
    pub fn games(&self, round: u64) -> PathBuf {
        self.path.join(format!("games-{round:06}.jsonl"))
    }

    /// The path of the network that was the best after a round.
    pub fn best(&self, round: u64) -> PathBuf {
        self.path.join(format!("best-{round:06}.safetensors"))
    }

    /// The path of the checkpoint after the last round, the last file that a round writes.
    pub fn state(&self) -> PathBuf {
        self.file("state.safetensors")
    }

    /// The checkpoint and the number of its round; `None` before the first round.
    pub fn checkpoint(&self) -> Result<Option<(Checkpoint, u64)>, RunError> {
        let path = self.state();
        match fs::read(&path) {
            Ok(bytes) => {
                Checkpoint::from_bytes(&bytes).map(Some).map_err(|error| failed(&path, &error))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refused(&path)(error)),
        }
    }

    /// Draws the charts of these rounds, and removes former best networks and the unfinished files
    /// of a program that was killed.
    pub fn tidy(&self, history: &[Round]) -> Result<(), RunError> {
        if !history.is_empty() {
            replace(&self.file("losses.svg"), chart::losses(history).as_bytes())?;
            replace(&self.file("rate.svg"), chart::rates(history).as_bytes())?;
        }
        if let Some(picture) = chart::strength(history) {
            replace(&self.file("strength.svg"), picture.as_bytes())?;
        }
        let best = last_strength(history).map(|strength| self.best(strength.best_round));
        let all = fs::read_dir(&self.path).map_err(refused(&self.path))?;
        for path in all.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let network = name.starts_with("best-") && name.ends_with(".safetensors");
            let unfinished = path.extension().is_some_and(|kind| kind == "part");
            if unfinished || network && Some(&path) != best.as_ref() {
                fs::remove_file(&path).map_err(refused(&path))?;
            }
        }
        Ok(())
    }
}
