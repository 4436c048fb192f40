//! The folders beside the page: the book, served under `/docs/`, and the report on the papers, served
//! under `/papers/`.
//!
//! All of it is read when the site starts, and a request only looks a name up in what was read. So no
//! path leads out of the folder, whatever it is made of, and no request waits for a disk. The price
//! is memory (the project's own book takes 2 MB), and that a new book is seen after a restart. Beside a
//! report lies what its runs have left, which is no part of it and is not read.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::file::File;

/// The most that the files of a folder have together, in bytes.
const MAX_DOCS: u64 = 64 << 20;

/// What a folder is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A rendered book.
    Book,
    /// A report on the papers with its results.
    Papers,
}

impl Kind {
    /// The address under which it is served.
    pub const fn address(self) -> &'static str {
        match self {
            Self::Book => "/docs/",
            Self::Papers => "/papers/",
        }
    }

    const fn made_by(self) -> &'static str {
        match self {
            Self::Book => "`cargo xtask book` makes target/book",
            Self::Papers => "`wurfel reproduce report` makes one of results",
        }
    }

    /// Whether a file or folder of this name is read.
    fn reads(self, name: &str) -> bool {
        let left_by_runs = name == "progress.jsonl" || name.starts_with("training-");
        !(name.starts_with('.') || self == Self::Papers && left_by_runs)
    }
}

/// The files of a folder by their paths in it, with forward slashes.
pub(crate) struct Docs {
    kind: Kind,
    files: HashMap<String, File>,
}

impl Docs {
    /// Reads a folder and those in it, but neither what links lead to nor hidden files.
    ///
    /// # Errors
    /// When it cannot be read, and with [`ErrorKind::InvalidInput`] when it is not of this kind.
    pub fn read(folder: &Path, kind: Kind) -> io::Result<Self> {
        if !folder.join("index.html").is_file() {
            // That there is no such folder says more.
            fs::read_dir(folder)?;
            let problem = format!("it has no index.html ({})", kind.made_by());
            return Err(io::Error::new(ErrorKind::InvalidInput, problem));
        }
        let mut files = HashMap::new();
        let mut left = MAX_DOCS;
        let mut folders = vec![(folder.to_owned(), String::new())];
        while let Some((folder, path)) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let (entry_type, path) = (entry.file_type()?, format!("{path}{name}"));
                if !kind.reads(&name) {
                    continue;
                }
                if entry_type.is_dir() {
                    folders.push((entry.path(), path + "/"));
                } else if entry_type.is_file() {
                    let size = entry.metadata()?.len();
                    left = left.checked_sub(size).ok_or_else(|| {
                        let problem = format!("it has more than {} MiB", MAX_DOCS >> 20);
                        io::Error::new(ErrorKind::InvalidInput, problem)
                    })?;
                    files.insert(path, File::new(media_type(&name), fs::read(entry.path())?));
                }
            }
        }
        Ok(Self { kind, files })
    }

    /// What the folder is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The file at a path behind the folder's address; a folder is its `index.html`.
    pub fn file(&self, path: &str) -> Option<&File> {
        if path.is_empty() || path.ends_with('/') {
            return self.files.get(&format!("{path}index.html"));
        }
        self.files.get(path)
    }
}

/// The media type that a file's name tells.
fn media_type(name: &str) -> &'static str {
    let kind = Path::new(name).extension().and_then(|kind| kind.to_str());
    match kind.unwrap_or_default().to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "conf" | "csv" | "md" | "py" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
