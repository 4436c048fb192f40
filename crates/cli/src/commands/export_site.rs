//! `wurfel export-site`: the site as plain files, for hosts that only serve files.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use wurfel_site::Export;

use crate::Done;

/// Writes the site as plain files, for any host of files
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel export-site public --wasm target/engine\n  \
    wurfel export-site public --wasm target/engine --docs target/book\n\n\
    The files work from any folder of a host, without a program on it: visitors play against the levels,\n\
    two at one board, analyse, review, learn and solve puzzles on their own devices, also offline.")]
pub struct ExportSite {
    /// The folder for the files, which is made if it is missing
    folder: PathBuf,
    /// A folder with the engine for web pages, which `cargo xtask wasm` makes [default: the engine in this
    /// program, if that command was run before the program was built]
    #[arg(long)]
    wasm: Option<PathBuf>,
    /// A folder with the rendered documents (`cargo xtask book` makes target/book)
    #[arg(long)]
    docs: Option<PathBuf>,
    /// A folder with the report on the papers (`wurfel reproduce report` makes it)
    #[arg(long)]
    papers: Option<PathBuf>,
}

impl ExportSite {
    /// Writes the files, and says how many there are.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self { folder, wasm, docs, papers } = self;
        let (count, bytes) = Export { wasm, docs, papers }.write(&folder)?;
        let megabytes = bytes as f64 / 1e6;
        writeln!(out, "{count} files with {megabytes:.1} MB in {}", folder.display())?;
        Ok(Done::All)
    }
}
