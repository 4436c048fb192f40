//! Runs every fuzz target for some seconds each, as many at a time as there are cores, with other
//! inputs each time.
//!
//! The targets are built with the profile of tests, which has debug assertions and overflow checks,
//! and whose crates `cargo xtask check` has already compiled.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};

use crate::compiled;

/// An example needs what tests need. Built beside one, and out of all packages, the runner's
/// dependencies have the features that they have in tests; built alone, they would be compiled once
/// more with fewer.
const BUILD: &str = "cargo build --quiet --profile test --workspace --example toy_game";
const RUNNER: &str = "--bin wurfel-fuzz";

/// Runs the targets for this number of seconds each.
pub fn run(root: &Path, seconds: &str) -> Result<()> {
    ensure!(seconds.parse::<u64>().is_ok(), "expected whole seconds, not '{seconds}'");
    let jobs = thread::available_parallelism().map_or(1, usize::from).to_string();
    let programs = compiled::programs(root, BUILD, &["--bin=wurfel-fuzz".into()])?;
    let runner = programs.get(RUNNER).with_context(|| format!("cargo has not built {RUNNER}"))?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = since.as_secs().to_string();
    println!("fuzz targets with --seed {seed}");
    let options = ["all", "--seconds", seconds, "--jobs", &jobs, "--seed", &seed];
    let status = Command::new(runner).args(options).current_dir(root).status()?;
    ensure!(status.success(), "a target broke: {status}");
    Ok(())
}
