//! Runs every fuzz target for some seconds each, as many at a time as there are cores. Each commit has
//! inputs of its own, so that over time more of them are tried, and a rerun has the same ones.
//!
//! The targets are built with the profile of tests, which has debug assertions and overflow checks,
//! and whose crates `cargo xtask check` has already compiled.

use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};

use crate::compiled;
use crate::steps::succeed;

/// An example needs what tests need. Built together with one, and with all packages, the runner's
/// dependencies have the same features as in tests; built alone, they would be compiled again with
/// fewer.
const BUILD: &str = "cargo build --quiet --profile test --workspace --example toy_game";
const RUNNER: &str = "--bin wurfel-fuzz";

/// Runs the targets for this number of seconds each.
pub fn run(root: &Path, seconds: &str) -> Result<()> {
    ensure!(seconds.parse::<u64>().is_ok(), "expected whole seconds, not '{seconds}'");
    let jobs = thread::available_parallelism().map_or(1, usize::from).to_string();
    let programs = compiled::programs(root, BUILD, &["--bin=wurfel-fuzz".into()])?;
    let runner = programs.get(RUNNER).with_context(|| format!("cargo has not built {RUNNER}"))?;
    let seed = seed(root).to_string();
    println!("fuzz targets with --seed {seed}");
    let options = ["all", "--seconds", seconds, "--jobs", &jobs, "--seed", &seed];
    succeed(Command::new(runner).args(options).current_dir(root)).context("a target broke")
}

/// A number that belongs to the files of the last commit; 1 where git does not know them.
fn seed(root: &Path) -> u32 {
    let line = ["rev-parse", "--short=7", "HEAD^{tree}"];
    let output = Command::new("git").args(line).current_dir(root).output();
    let hash = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    hash.and_then(|hash| u32::from_str_radix(hash.get(..7)?, 16).ok()).unwrap_or(1)
}
