//! The records of finished games: one file for each, in the form that the players of the game use,
//! or as JSON lines where there is no such form.

use std::path::{Path, PathBuf};

use anyhow::Context;
use wurfel::{FormedGame, Session};
use wurfel_core::files::write_whole;

/// The record of a finished game.
pub struct RecordFile(FormedGame);

impl RecordFile {
    /// The record of this game of a session; `None` while it goes on.
    pub fn of(session: &dyn Session) -> anyhow::Result<Option<Self>> {
        Ok(session.record()?.map(Self))
    }

    /// A name that no file in a folder has: the default one, if necessary with a number.
    pub fn free_name(&self, folder: &Path) -> String {
        let plain = Path::new(&self.0.file_name);
        let stem = plain.file_stem().unwrap_or_default().to_string_lossy();
        let extension = plain.extension().unwrap_or_default().to_string_lossy();
        let copies = (2_u64..).map(|copy| format!("{stem} ({copy}).{extension}"));
        let mut names = std::iter::once(self.0.file_name.clone()).chain(copies);
        names.find(|name| !folder.join(name).exists()).unwrap_or_default()
    }

    /// Writes the file whole.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        Ok(write_whole(path, &self.0.text)?)
    }

    /// Removes the file if it still has the contents that were written; returns whether it had.
    pub fn remove(&self, path: &PathBuf) -> anyhow::Result<bool> {
        let is_ours = std::fs::read(path).is_ok_and(|bytes| bytes == self.0.text.as_bytes());
        if is_ours {
            std::fs::remove_file(path).with_context(|| format!("'{}'", path.display()))?;
        }
        Ok(is_ours)
    }
}
