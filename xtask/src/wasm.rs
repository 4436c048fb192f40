//! The engine for web pages: the library compiled to WebAssembly.
//!
//! Much of the standard library can be compiled for a page and panics there: its clock, its threads, its
//! processes. `wurfel-core` has what takes their place, and the lints that are run here, with the list in
//! `xtask/wasm/clippy.toml`, refuse everything else in all crates of which the engine consists.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::steps;

/// What a page runs.
const TARGET: &str = "wasm32-unknown-unknown";

/// The lints, as a line that could be typed as it is.
const LINTS: &str = "CLIPPY_CONF_DIR=xtask/wasm cargo clippy --locked --target wasm32-unknown-unknown \
                     --package wurfel -- -D warnings";

/// Checks the crates of the engine.
pub fn build(root: &Path) -> Result<()> {
    run(root, LINTS)
}

fn run(root: &Path, line: &str) -> Result<()> {
    println!("\n== {line}");
    let status = steps::command(line).current_dir(root).status()?;
    ensure!(status.success(), "{line}: {status}; `rustup target add {TARGET}` adds what it needs");
    Ok(())
}
