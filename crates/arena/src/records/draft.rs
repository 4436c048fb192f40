//! A file that is written beside its final name and renamed when all is in it: so a
//! file with that name is always complete, and work that was stopped can go on.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long what is written may stay in memory: so much work is lost when the program is killed.
const KEPT_BACK: Duration = Duration::from_secs(1);

/// Why files cannot be written. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// What is there would be lost.
    #[error("'{0}' already exists: choose another name or remove it")]
    Exists(PathBuf),
    /// The beginning of something else is in the way.
    #[error("'{0}' is the beginning of something else: remove it or choose another name")]
    Foreign(PathBuf),
    /// Another program writes it.
    #[error("'{0}' is being written by another program")]
    Busy(PathBuf),
    /// The system refused.
    #[error("'{path}': {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// A file that has its final name only when it is complete.
#[derive(Debug)]
pub struct Draft {
    name: PathBuf,
    /// The name until then.
    temporary: PathBuf,
    file: BufWriter<File>,
    /// When the system was last given what is written.
    given: Instant,
}

impl Draft {
    fn draft_of(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        name.into()
    }

    /// Opens a file that begins with this line, to write it or to go on with what an
    /// interrupted run has left of it; an empty one does not have the line yet.
    ///
    /// # Errors
    /// When a file is there already, something else has been begun, another program
    /// writes it, or the system refuses.
    pub fn begun(name: PathBuf, header: &str) -> Result<Self, OutputError> {
        if name.exists() {
            return Err(OutputError::Exists(name));
        }
        let mut draft = Self::open(name)?;
        // A header that was cut off is this one's beginning, or foreign too.
        if !header.starts_with(&draft.first_line()?) {
            return Err(OutputError::Foreign(draft.temporary));
        }
        Ok(draft)
    }

    /// Opens a file for writing, with what an interrupted run has left of it. A file
    /// with the final name would be replaced at the end.
    ///
    /// # Errors
    /// When the system refuses, or another program writes it.
    pub fn open(name: PathBuf) -> Result<Self, OutputError> {
        let draft = Self::draft_of(&name);
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&draft);
        match opened {
            Ok(file) if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) => {
                Err(OutputError::Busy(draft))
            }
            Ok(file) => {
                let file = BufWriter::with_capacity(1 << 20, file);
                Ok(Self { name, temporary: draft, file, given: Instant::now() })
            }
            Err(error) => Err(OutputError::Io { path: draft, error }),
        }
    }

    fn failed(&self, error: io::Error) -> OutputError {
        OutputError::Io { path: self.temporary.clone(), error }
    }

    /// The first line, or what there is of it.
    fn first_line(&mut self) -> Result<String, OutputError> {
        let mut line = vec![];
        let file = self.file.get_mut();
        let read = file
            .seek(SeekFrom::Start(0))
            .and_then(|_| BufReader::new(&*file).read_until(b'\n', &mut line));
        match read {
            Ok(_) => Ok(String::from_utf8_lossy(&line).into_owned()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Writes behind what is there. The system is given it within a second, if more is written,
    /// and others can read it then.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        let mut written = self.file.write_all(bytes);
        if self.given.elapsed() >= KEPT_BACK {
            written = written.and_then(|()| self.file.flush());
            self.given = Instant::now();
        }
        written.map_err(|error| self.failed(error))
    }

    /// Keeps the lines at the beginning for which `keep` is true, whole lines
    /// only, and goes on behind them. Returns how many.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn keep(
        &mut self,
        mut keep: impl FnMut(usize, &str) -> bool,
    ) -> Result<usize, OutputError> {
        let kept = (|| {
            let file = self.file.get_mut();
            file.seek(SeekFrom::Start(0))?;
            let mut reader = BufReader::new(&*file);
            let (mut bytes, mut lines) = (0, 0);
            let mut line = vec![];
            while reader.read_until(b'\n', &mut line)? > 0 {
                let whole = line.ends_with(b"\n");
                let text = std::str::from_utf8(&line).unwrap_or_default().trim_end();
                if !whole || !keep(lines, text) {
                    break;
                }
                bytes += line.len() as u64;
                lines += 1;
                line.clear();
            }
            file.set_len(bytes)?;
            file.seek(SeekFrom::Start(bytes))?;
            Ok(lines)
        })();
        kept.map_err(|error| self.failed(error))
    }

    /// Makes sure that what is written stays.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync(&mut self) -> Result<(), OutputError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| self.failed(error))
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.sync()?;
        std::fs::rename(&self.temporary, &self.name).map_err(|error| self.failed(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_not_kept_back_for_long() {
        let folder = tempfile::tempdir().unwrap();
        let mut draft = Draft::open(folder.path().join("games")).unwrap();
        let there = |draft: &Draft| std::fs::read_to_string(&draft.temporary).unwrap();
        draft.given = Instant::now() + 3600 * KEPT_BACK;
        draft.write(b"one\n").unwrap();
        assert_eq!(there(&draft), "");
        draft.given = Instant::now().checked_sub(2 * KEPT_BACK).unwrap();
        draft.write(b"two\n").unwrap();
        assert_eq!(there(&draft), "one\ntwo\n");
    }
}
