//! Checks the page of the site: its types, and games played in a real browser against the program
//! that the tests have built.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;

use crate::steps::succeed;

/// The commands, in order; all run in `crates/site/web/`.
const STEPS: [&[&str]; 3] =
    [&["npm", "ci", "--no-audit", "--no-fund"], &["npm", "run", "types"], &["npm", "test"]];

/// Runs every step. First builds the program as `cargo test` does.
pub fn check(root: &Path) -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let program = metadata.target_directory.join("debug/wurfel");
    // This is the same build as for the tests, so nothing is compiled twice.
    run(root, &["cargo", "test", "--workspace", "--no-run"], program.as_str())?;
    for step in STEPS {
        run(&root.join("crates/site/web"), step, program.as_str())?;
    }
    Ok(())
}

fn run(folder: &Path, line: &[&str], program: &str) -> Result<()> {
    let name = line.join(" ");
    println!("\n== {name}");
    let mut command = Command::new(line[0]);
    succeed(command.args(&line[1..]).current_dir(folder).env("WURFEL", program)).context(name)
}
