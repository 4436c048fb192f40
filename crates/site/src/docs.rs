//! The folders that are served beside the page: the book under `/docs/`, the report on the papers under
//! `/papers/`, and the engine for pages under `/wasm/`.
//!
//! All files are read into memory when the site starts, and a request only looks up a name among
//! them. So no path leads out of the folder, and no request waits for a
//! disk. The price is memory (the project's own book takes 2 MB), and that a new book appears only
//! after a restart. Beside a report are the files that its runs have left, which are not part of it
//! and are not read.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use wurfel::all_games;

use crate::file::File;

/// The largest total size of a folder's files, in bytes.
const MAX_DOCS: u64 = 64 << 20;

/// The code of the engine for pages, as far as it was there when this program was built.
const ENGINE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/engine.rs"));

/// The kind of a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A rendered book.
    Book,
    /// A report on the papers with its results.
    Papers,
    /// The engine as a module for pages.
    Wasm,
}

impl Kind {
    /// The address under which it is served.
    pub const fn address(self) -> &'static str {
        match self {
            Self::Book => "/docs/",
            Self::Papers => "/papers/",
            Self::Wasm => "/wasm/",
        }
    }

    const fn made_by(self) -> &'static str {
        match self {
            Self::Book => "`cargo xtask book` makes target/book",
            Self::Papers => "`wurfel reproduce report` makes one of results",
            Self::Wasm => "`cargo xtask wasm` makes target/engine",
        }
    }

    /// A file that every folder of this kind has.
    const fn first(self) -> &'static str {
        match self {
            Self::Book | Self::Papers => "index.html",
            Self::Wasm => "wurfel.js",
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
    /// Reads a folder with its subfolders, but without hidden files and without following links.
    ///
    /// # Errors
    /// When it cannot be read, and with [`ErrorKind::InvalidInput`] when it is not a folder of this
    /// kind.
    pub fn read(folder: &Path, kind: Kind) -> io::Result<Self> {
        if !folder.join(kind.first()).is_file() {
            // The error for a missing folder is clearer than the following ones.
            fs::read_dir(folder)?;
            let problem = format!("it has no {} ({})", kind.first(), kind.made_by());
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
        Ok(Self::new(kind, files))
    }

    /// A folder of these files. What lies beside a file under its name and `.br` is its content, compressed.
    fn new(kind: Kind, mut files: HashMap<String, File>) -> Self {
        let packed = files.iter().filter_map(|(name, file)| {
            Some((name.strip_suffix(".br")?.to_owned(), file.content().clone()))
        });
        for (name, content) in packed.collect::<Vec<_>>() {
            if let Some(file) = files.get_mut(&name) {
                file.add_brotli(content);
            }
        }
        Self { kind, files }
    }

    /// The engine for pages that is in this program; `None` where it was built without. The weights
    /// and puzzles beside it are those of the program.
    pub fn engine() -> Option<Self> {
        let code = ENGINE.iter().map(|&(name, bytes)| (name, bytes));
        let weights = all_games().flat_map(|game| game.files());
        let weights = weights.filter_map(|file| Some((file.name, file.bytes()?)));
        let file = |(name, bytes): (&str, &'static [u8])| {
            (name.to_owned(), File::new(media_type(name), bytes))
        };
        let files = code.chain(weights).map(file).collect();
        (!ENGINE.is_empty()).then(|| Self::new(Kind::Wasm, files))
    }

    /// The kind of this folder.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// All files, by their paths in the folder.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, file)| (path.as_str(), file.content().as_ref()))
    }

    /// The file at a path below the folder's address; the path of a folder stands for its
    /// `index.html`.
    pub fn file(&self, path: &str) -> Option<&File> {
        if path.is_empty() || path.ends_with('/') {
            return self.files.get(&format!("{path}index.html"));
        }
        self.files.get(path)
    }
}

/// The media type that the extension of a file's name stands for.
fn media_type(name: &str) -> &'static str {
    let kind = Path::new(name).extension().and_then(|kind| kind.to_str());
    match kind.unwrap_or_default().to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "png" => "image/png",
        "conf" | "csv" | "md" | "py" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
