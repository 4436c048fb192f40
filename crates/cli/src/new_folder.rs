//! A folder of files that are written together: either all of them appear in it or none.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use wurfel_core::files::{unfinished, write_whole};

/// How many bytes of a file name come before its extension: systems allow 255 in all, and a number
/// may be added.
const MAX_STEM: usize = 230;

/// Files that are written into a folder beside the one to which they belong, until all are there.
/// There may be any number of them; only the different names are kept in memory.
pub struct NewFolder {
    path: PathBuf,
    temporary: PathBuf,
    /// The number that the next file of each name gets.
    next: HashMap<String, u32>,
}

impl NewFolder {
    /// Begins the files of a folder, which may exist.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        // The folder `.` has a name only in its canonical path.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let temporary = unfinished(&path);
        if temporary.exists() {
            bail!(
                "'{}' is left over from work that was stopped: remove it or choose another name",
                temporary.display()
            );
        }
        fs::create_dir_all(&temporary).with_context(|| format!("'{}'", temporary.display()))?;
        Ok(Self { path, temporary, next: HashMap::new() })
    }

    /// Adds a file under its default name, with `_` for characters that file names may not contain, cut
    /// off where it is too long. Files that would have the same name are numbered.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let safe = |character: char| {
            if "/\\:*?\"<>|".contains(character) || character.is_control() {
                '_'
            } else {
                character
            }
        };
        let name: String = name.chars().map(safe).collect();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let stem = &stem[..stem.floor_char_boundary(MAX_STEM)];
        let next = self.next.entry(format!("{stem}.{extension}")).or_insert(1);
        loop {
            let name = match *next {
                1 => format!("{stem}.{extension}"),
                copy => format!("{stem} ({copy}).{extension}"),
            };
            *next += 1;
            let path = self.temporary.join(name);
            // It may exist, because the names of other files may end in a number, too.
            if !path.exists() {
                return Ok(write_whole(&path, bytes)?);
            }
        }
    }

    /// Gives all files their final places.
    pub fn finish(self) -> anyhow::Result<()> {
        if !self.path.exists() {
            return fs::rename(&self.temporary, &self.path)
                .with_context(|| format!("'{}'", self.path.display()));
        }
        let entries =
            fs::read_dir(&self.temporary).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let mut names: Vec<_> = entries?.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        if let Some(there) =
            names.iter().map(|name| self.path.join(name)).find(|path| path.exists())
        {
            bail!("'{}' already exists: choose another folder or remove it", there.display());
        }
        for name in names {
            let path = self.path.join(&name);
            fs::rename(self.temporary.join(&name), &path)
                .with_context(|| format!("'{}'", path.display()))?;
        }
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // After everything has worked there is nothing left to remove.
        let _ = fs::remove_dir_all(&self.temporary);
    }
}
