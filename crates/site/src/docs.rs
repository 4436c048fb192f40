//! The book beside the page: static files of a folder, served under `/docs/`.
//!
//! All of it is read when the site starts, and a request only looks a name up in what was read. So no
//! path leads out of the folder, whatever it is made of, and no request waits for a disk. The price
//! is memory (the project's own book takes 2 MB), and that a new book is seen after a restart.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::files::File;

/// The most that the files of a book have together, in bytes.
const MAX_DOCS: u64 = 64 << 20;

/// The files of a book by their paths in its folder, with forward slashes.
pub(crate) struct Docs(HashMap<String, File>);

impl Docs {
    /// Reads a folder and those in it, but neither what links lead to nor hidden files.
    ///
    /// # Errors
    /// When it cannot be read, and with [`ErrorKind::InvalidInput`] when it is no book.
    pub fn read(folder: &Path) -> io::Result<Self> {
        if !folder.join("index.html").is_file() {
            // That there is no such folder says more.
            fs::read_dir(folder)?;
            let problem = "it has no index.html (`cargo xtask book` makes target/book)";
            return Err(io::Error::new(ErrorKind::InvalidInput, problem));
        }
        let mut files = HashMap::new();
        let mut left = MAX_DOCS;
        let mut folders = vec![(folder.to_owned(), String::new())];
        while let Some((folder, path)) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let (kind, path) = (entry.file_type()?, format!("{path}{name}"));
                if name.starts_with('.') {
                    continue;
                }
                if kind.is_dir() {
                    folders.push((entry.path(), path + "/"));
                } else if kind.is_file() {
                    let size = entry.metadata()?.len();
                    left = left.checked_sub(size).ok_or_else(|| {
                        let problem = format!("it has more than {} MiB", MAX_DOCS >> 20);
                        io::Error::new(ErrorKind::InvalidInput, problem)
                    })?;
                    files.insert(path, File::new(media_type(&name), fs::read(entry.path())?));
                }
            }
        }
        Ok(Self(files))
    }

    /// The file at a path behind `/docs/`; a folder is its `index.html`.
    pub fn file(&self, path: &str) -> Option<&File> {
        if path.is_empty() || path.ends_with('/') {
            return self.0.get(&format!("{path}index.html"));
        }
        self.0.get(path)
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
        "conf" | "md" | "py" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
