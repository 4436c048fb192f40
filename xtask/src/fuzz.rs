//! Runs every fuzz target for some seconds each, as many at a time as there are cores.
//!
//! The targets are built with the profile of tests, which has debug assertions and overflow checks,
//! and whose crates `cargo xtask check` has already compiled.

use std::path::Path;
use std::thread;

use anyhow::{Result, ensure};

use crate::steps::command;

/// Runs the targets for this number of seconds each.
pub fn run(root: &Path, seconds: &str) -> Result<()> {
    ensure!(seconds.parse::<u64>().is_ok(), "expected whole seconds, not '{seconds}'");
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let line = format!(
        "cargo run --quiet --profile test --package wurfel-fuzz -- \
         all --seconds {seconds} --jobs {jobs}"
    );
    let status = command(&line).current_dir(root).status()?;
    ensure!(status.success(), "a target broke: {status}");
    Ok(())
}
