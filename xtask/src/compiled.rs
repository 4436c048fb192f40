//! Programs of the workspace, as cargo builds them, and the version of their compiler.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use cargo_metadata::Message;

use crate::steps;

/// With every optimisation. Optimisation across crates excludes incremental compilation.
pub const OPTIMISED: &str = "CARGO_INCREMENTAL=0 cargo build --locked --profile bench";

/// Builds the targets in cargo's options by a line of cargo. Returns the programs by the option and
/// name of their target, such as `--bench search`.
pub fn programs(root: &Path, line: &str, options: &[String]) -> Result<BTreeMap<String, PathBuf>> {
    let mut command = steps::command(line);
    command.args(["--message-format", "json-render-diagnostics"]).args(options);
    let output = command.current_dir(root).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{options:?} cannot be built: {}", output.status);
    let mut programs = BTreeMap::new();
    for message in Message::parse_stream(&output.stdout[..]) {
        if let Message::CompilerArtifact(artifact) = message?
            && let (Some(program), Some(kind)) = (artifact.executable, artifact.target.kind.first())
        {
            programs.insert(format!("--{kind} {}", artifact.target.name), program.into());
        }
    }
    Ok(programs)
}

/// The version of the compiler, such as 1.95.0.
pub fn compiler(root: &Path) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").current_dir(root).output();
    let version = String::from_utf8(output.context("rustc")?.stdout)?;
    Ok(version.split_whitespace().nth(1).context("the version of rustc")?.to_owned())
}
