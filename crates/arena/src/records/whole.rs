//! Writing files so that they exist whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

use super::draft::unfinished;

/// A file that appears under its name only when it is [finished](Self::finish), and then replaces one
/// of that name. Until then it is called [`unfinished`], so that what a killed program has left does
/// not stay, or has a name of its own where another program is writing the same file: that of the last
/// one stays.
#[derive(Debug)]
pub struct WholeFile {
    name: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A symbolic link stays, and the file that it points to is replaced.
        let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let usual = unfinished(&name);
        let file = match locked(&usual)? {
            Some(file) => NamedTempFile::from_parts(file, TempPath::try_from_path(usual)?),
            None => {
                let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
                let mut builder = Builder::new();
                readable(builder.prefix("."))
                    .tempfile_in(folder.unwrap_or_else(|| Path::new(".")))?
            }
        };
        Ok(Self { name, file: BufWriter::with_capacity(1 << 20, file) })
    }

    /// Gives the file its name, when all that was written is on the disk.
    ///
    /// # Errors
    /// When the system refuses; no temporary file is left behind then.
    pub fn finish(self) -> io::Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(self.name).map(|_: File| ()).map_err(|error| error.error)
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

/// An empty file at this place that no other program has; `None` when one is writing it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let file = File::options().write(true).create(true).truncate(false).open(path)?;
    // Another program may have renamed the file just before it was locked.
    if file.try_lock().is_err() || !is_at(&file, path) {
        return Ok(None);
    }
    file.set_len(0)?;
    Ok(Some(file))
}

/// Whether an open file still has this name.
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

/// Gives a temporary file the permissions that any new file has.
#[cfg(unix)]
fn readable<'a, 'b, 'c>(builder: &'c mut Builder<'a, 'b>) -> &'c mut Builder<'a, 'b> {
    use std::os::unix::fs::PermissionsExt;

    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn readable<'a, 'b, 'c>(builder: &'c mut Builder<'a, 'b>) -> &'c mut Builder<'a, 'b> {
    builder
}

/// Writes a file so that it exists whole or not at all, even if the program is killed meanwhile, as a
/// [`WholeFile`]. A pipe or a device is written to directly.
///
/// # Errors
/// When the system refuses; no temporary file is left behind then.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes);
    }
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

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
