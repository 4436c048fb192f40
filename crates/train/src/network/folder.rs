//! The folder of a run: its lock, the names of its files, and the removal of old ones.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use wurfel_core::files::{self, FileError, write_whole};
use wurfel_net::Checkpoint;

use super::chart;
use super::config::{Keep, TrainingConfig};
use super::error::RunError;
use super::files::failed;
use super::metrics::{Round, last_strength, read_rounds};
use super::numbers;

/// The file with a line for each round.
pub const METRICS: &str = "metrics.jsonl";
/// The run's copy of the network that it begins with.
pub const START: &str = "start.safetensors";
/// The name of the file that is locked.
pub const LOCK: &str = "lock";

/// The folder of a run, which no other program can open as long as this value exists. A folder that
/// was created for a run that could not begin is removed again.
pub struct Folder {
    path: PathBuf,
    /// Whether the folder was created when it was opened.
    is_new: bool,
    /// The locked file. The system releases the lock however the program ends.
    _lock: File,
}

impl Folder {
    /// Opens the folder of a run with this configuration, and creates it if it is missing. A run
    /// that exists in it may have another number of rounds.
    pub fn open(path: &Path, config: &TrainingConfig) -> Result<Self, RunError> {
        let is_new = !path.exists();
        let lock = files::lock_folder(path, LOCK)?;
        let own = path.join("config.toml");
        match fs::read_to_string(&own) {
            Ok(there) => {
                let there = TrainingConfig::read(&there).ok();
                let there = there.map(|there| TrainingConfig { rounds: config.rounds, ..there });
                if there.as_ref() != Some(config) {
                    return Err(RunError::ConfigMismatch(path.to_owned()));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::at(&own)(error).into()),
        }
        Ok(Self { path: path.to_owned(), is_new, _lock: lock })
    }

    /// Whether the configuration has been written to the folder.
    pub fn is_noted(&self) -> bool {
        self.file("config.toml").exists()
    }

    /// Writes the configuration to the folder, unless it is there already.
    pub fn note(&self, config: &TrainingConfig) -> Result<(), RunError> {
        let own = self.file("config.toml");
        let text = toml::to_string(config).map_err(|error| failed(&own, &error))?;
        if fs::read_to_string(&own).is_ok_and(|there| there == text) {
            return Ok(());
        }
        Ok(write_whole(&own, text)?)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn games(&self, round: u64) -> PathBuf {
        self.path.join(format!("games-{round:06}.jsonl"))
    }

    /// The path of the network that was the best after a round.
    pub fn best(&self, round: u64) -> PathBuf {
        self.path.join(format!("best-{round:06}.safetensors"))
    }

    pub fn saved_network(&self, round: u64) -> PathBuf {
        self.path.join(format!("net-{round:06}.safetensors"))
    }

    /// The path of the checkpoint after the last round, the last file that a round writes.
    pub fn state(&self) -> PathBuf {
        self.file("state.safetensors")
    }

    /// The checkpoint and the number of its round; `None` before the first round.
    ///
    /// Without the checkpoint of a run that has done rounds, the run would start again and
    /// overwrite them, so this is refused.
    pub fn checkpoint(&self) -> Result<Option<(Checkpoint, u64)>, RunError> {
        let path = self.state();
        match fs::read(&path) {
            Ok(bytes) => {
                Checkpoint::from_bytes(&bytes).map(Some).map_err(|error| failed(&path, &error))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.has_done_a_round()? => {
                let why = "missing, although the folder has rounds that are done: expected the \
                           checkpoint after the last of them, or another folder for a new run";
                Err(failed(&path, &why))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::at(&path)(error).into()),
        }
    }

    /// Whether there are files that are written only after a round was completed: a chart, or a file
    /// or metrics of the second round.
    fn has_done_a_round(&self) -> Result<bool, RunError> {
        if self.file("losses.svg").exists() || read_rounds(&self.file(METRICS))?.len() > 1 {
            return Ok(true);
        }
        let all = fs::read_dir(&self.path).map_err(FileError::at(&self.path))?;
        let names = all.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.filter_map(|name| round_of(&name)).any(|round| round > 1))
    }

    /// Draws the charts of these rounds. Removes former best networks, networks that are no longer
    /// to be kept, and the unfinished files of a program that was killed.
    pub fn tidy(&self, history: &[Round], keep: Option<Keep>) -> Result<(), RunError> {
        if !history.is_empty() {
            write_whole(&self.file("losses.svg"), chart::losses(history)?)?;
            write_whole(&self.file("rate.svg"), chart::rates(history)?)?;
            write_whole(&self.file("metrics.csv"), numbers::table(history))?;
        }
        if let Some(picture) = chart::strength(history)? {
            write_whole(&self.file("strength.svg"), picture)?;
        }
        let best = last_strength(history).map(|strength| self.best(strength.best_round));
        let all = fs::read_dir(&self.path).map_err(FileError::at(&self.path))?;
        for path in all.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let network = name.starts_with("best-") && name.ends_with(".safetensors");
            let former = network && Some(&path) != best.as_ref();
            let done = history.len() as u64;
            let keeps = |round| keep.is_some_and(|keep| keep.keeps(round, done));
            let dropped = saved_round(name).is_some_and(|round| !keeps(round));
            let unfinished = path.extension().is_some_and(|kind| kind == "part");
            if unfinished || former || dropped {
                fs::remove_file(&path).map_err(FileError::at(&path))?;
            }
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_new && !self.is_noted() {
            // Anything else in the folder stays, and so does the folder then.
            for name in [START, LOCK] {
                let _ = fs::remove_file(self.file(name));
            }
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// The round in the name of a file, as in `games-000012.jsonl`.
fn round_of(name: &str) -> Option<u64> {
    let (kind, rest) = name.split_once('-')?;
    let (number, _) = rest.split_once('.')?;
    ["games", "best", "net"].contains(&kind).then(|| number.parse().ok())?
}

/// The round of a saved network, from the name of its file.
pub fn saved_round(name: &str) -> Option<u64> {
    name.strip_prefix("net-")?.strip_suffix(".safetensors")?.parse().ok()
}
