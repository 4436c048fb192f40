//! Files that exist whole or not at all, and files that only one program at a time may use.
//!
//! Until a file is complete it has another name ([`unfinished`]); then it is synced and renamed. A file
//! with its final name is therefore always whole, even if the program is killed, and what was
//! written before can be used by the next start. Locks are those of the system, which releases them
//! however a program ends.

use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::threads::sleep;

/// How often a busy lock is tried again, and the pause before each try.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// Why a file or a folder cannot be used. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Another program has locked it.
    #[error("'{0}' is in use by another program")]
    InUse(PathBuf),
    /// The system refused.
    #[error("'{path}': {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}

impl FileError {
    /// Makes the error for a file or folder that the system refuses.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Io { path: path.clone(), error }
    }
}

/// The name that a file has until it is complete: its final name with `.part` after it.
pub fn unfinished(path: &Path) -> PathBuf {
    path.with_added_extension("part")
}

/// Opens a file, which is created if it is missing, and locks it for as long as it is open. On a
/// system without locks other programs are not kept out.
///
/// # Errors
/// When another program has the file, or the system refuses.
pub fn lock(path: &Path) -> Result<File, FileError> {
    let file = open(path).map_err(FileError::at(path))?;
    // A child process that is being started holds copies of all open files for a moment, and with
    // them locks that have been released meanwhile.
    let is_free = (0..TRIES).any(|_| {
        let is_held = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if is_held {
            sleep(PAUSE);
        }
        !is_held
    });
    if is_free && is_at(&file, path) { Ok(file) } else { Err(FileError::InUse(path.to_owned())) }
}

/// Locks a folder, which is created if it is missing, by the [lock] of a file in it.
///
/// # Errors
/// When another program has the folder, or the system refuses.
pub fn lock_folder(folder: &Path, file: &str) -> Result<File, FileError> {
    fs::create_dir_all(folder).map_err(FileError::at(folder))?;
    lock(&folder.join(file)).map_err(|error| match error {
        FileError::InUse(_) => FileError::InUse(folder.to_owned()),
        error @ FileError::Io { .. } => error,
    })
}

/// Gives a file, which is called `temporary`, its final name once its contents are on the disk.
///
/// # Errors
/// When the system refuses.
pub fn finish(file: &File, temporary: &Path, name: &Path) -> io::Result<()> {
    file.sync_all()?;
    fs::rename(temporary, name)
}

fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// Whether an open file still has this name: another program may have finished it just before it
/// was locked.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let place = |data: fs::Metadata| (data.dev(), data.ino());
    file.metadata().ok().map(place) == fs::metadata(path).ok().map(place)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// A file that appears under its name only when it is [finished](Self::finish), and then replaces one
/// of that name. Until then it has its [`unfinished`] name, so that the next attempt overwrites what a
/// killed program has left, or a name of its own where another program is writing the same file; the
/// last one to finish wins.
#[derive(Debug)]
pub struct WholeFile {
    name: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    is_finished: bool,
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A symbolic link stays, and the file that it points to is replaced.
        let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut temporary = unfinished(&name);
        let mut file = open(&temporary)?;
        if file.try_lock().is_ok() && is_at(&file, &temporary) {
            file.set_len(0)?;
        } else {
            let random = RandomState::new().hash_one(&name);
            temporary = unfinished(&name.with_added_extension(format!("{random:016x}")));
            file = File::create_new(&temporary)?;
        }
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(Self { name, temporary, file, is_finished: false })
    }

    /// Gives the file its name once its contents are on the disk.
    ///
    /// # Errors
    /// When the system refuses; no temporary file is left behind then.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        finish(self.file.get_ref(), &self.temporary, &self.name)?;
        self.is_finished = true;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a file so that it exists whole or not at all, even if the program is killed meanwhile, as a
/// [`WholeFile`]. A pipe or a device is written to directly.
///
/// # Errors
/// When the system refuses; no temporary file is left behind then.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), FileError> {
    let write = || {
        if path.exists() && !path.is_file() {
            return fs::write(path, &bytes);
        }
        let mut file = WholeFile::create(path)?;
        file.write_all(bytes.as_ref())?;
        file.finish()
    };
    write().map_err(FileError::at(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_or_folder_in_use_is_refused_and_one_just_finished_is_not_taken_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games");
        let part = unfinished(&name);
        let file = lock(&part).unwrap();
        let in_use = |path: &Path| format!("'{}' is in use by another program", path.display());
        assert_eq!(lock(&part).unwrap_err().to_string(), in_use(&part));
        assert_eq!(
            lock_folder(folder.path(), "games.part").unwrap_err().to_string(),
            in_use(folder.path())
        );
        assert!(is_at(&file, &part));
        finish(&file, &part, &name).unwrap();
        assert!(!is_at(&file, &part));
        let next = lock(&part).unwrap();
        assert!(is_at(&next, &part) && !is_at(&file, &part));
    }

    /// They once shared a temporary name: one renamed the file of another, which then ended with "No
    /// such file or directory".
    #[test]
    fn several_programs_can_write_the_same_file_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("found.json");
        let [mut one, mut other] = [(); 2].map(|()| WholeFile::create(&path).unwrap());
        one.write_all(b"one").unwrap();
        other.write_all(b"other").unwrap();
        one.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        other.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"other");
        drop(WholeFile::create(&path).unwrap());
        // What a killed program has left is used again.
        fs::write(unfinished(&path), "a longer text than the other").unwrap();
        write_whole(&path, "whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_stays_behind_its_link_and_others_may_read_it() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [file, link, plain] = ["file", "link", "plain"].map(|name| folder.path().join(name));
        fs::write(&file, "before").unwrap();
        symlink(&file, &link).unwrap();
        write_whole(&link, "after").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"after");
        assert!(link.is_symlink());
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        assert_eq!(mode(&file), mode(&plain));
    }
}
