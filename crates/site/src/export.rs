//! The site without a server: plain files for any web host, also in one of its folders.
//!
//! The page is the one that a server sends. It has the addresses of its views behind a `#`, so
//! the host need not know them, and everything is done on the device of its visitor.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use wurfel_core::files::{FileError, write_whole};

use crate::docs::{Docs, Kind};
use crate::files::exported;

/// The folders from which a site without a server is made.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// The folder with the engine for pages; the engine in this program by default.
    pub wasm: Option<PathBuf>,
    /// A folder with a rendered book.
    pub docs: Option<PathBuf>,
    /// A folder with the report on the papers.
    pub papers: Option<PathBuf>,
}

/// Why a site cannot be exported. Displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No folder has the engine for pages, and this program was built without it.
    #[error(
        "no engine for pages in this program: expected a folder with one (`cargo xtask wasm` makes it)"
    )]
    NoEngine,
    /// A folder cannot be read, or is of another kind.
    #[error("'{}': {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error, or what is missing there.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Export {
    /// Writes the files into a folder, which is made if it is missing; returns their number and their size in
    /// bytes. Files of an earlier export are replaced, and others stay.
    ///
    /// # Errors
    /// When a folder cannot be read or is of another kind, or a file cannot be written.
    pub fn write(&self, to: &Path) -> Result<(usize, u64), ExportError> {
        let folders = [
            (self.wasm.as_ref(), Kind::Wasm),
            (self.docs.as_ref(), Kind::Book),
            (self.papers.as_ref(), Kind::Papers),
        ];
        let mut beside = vec![];
        if self.wasm.is_none() {
            beside.push(Docs::engine().ok_or(ExportError::NoEngine)?);
        }
        for (folder, kind) in folders {
            let Some(folder) = folder else { continue };
            let read = Docs::read(folder, kind);
            beside
                .push(read.map_err(|error| ExportError::Folder { folder: folder.clone(), error })?);
        }
        let files = exported(&beside);
        for (path, bytes) in &files {
            let path = to.join(path);
            let folder = path.parent().unwrap_or(to);
            fs::create_dir_all(folder).map_err(FileError::at(folder))?;
            write_whole(&path, bytes)?;
        }
        Ok((files.len(), files.iter().map(|(_, bytes)| bytes.len() as u64).sum()))
    }
}
