//! Writing files so that they exist whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// A file that appears under its name only when it is [finished](Self::finish), and then replaces one
/// of that name. Until then it has a temporary name of its own, so that several programs can write the
/// same file at the same time: that of the last one stays.
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
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = temporary().tempfile_in(folder.unwrap_or_else(|| Path::new(".")))?;
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

/// How temporary files are made: hidden, and with the permissions that any new file has.
#[cfg(unix)]
fn temporary() -> Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;

    let mut builder = Builder::new();
    builder.prefix(".").permissions(fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn temporary() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".");
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
