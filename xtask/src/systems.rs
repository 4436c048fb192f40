//! Checks other systems: the whole program for Windows, and for macOS the libraries that ask the system for something.
//! Nothing is linked or run. For macOS the program is left out, because `SQLite` is C and its compiler needs Apple's
//! headers. Together with the program for Windows `examples/sprint` is checked, which stands for packages of others: with
//! the features that it names itself, and none that the tests of other packages switch on. A target that cannot be had is
//! skipped, and so is Windows without its C compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::steps;

/// A system, with the packages that are checked for it.
struct System {
    target: &'static str,
    packages: &'static str,
    /// The C compiler that the packages need, and the package of Debian that has it.
    compiler: Option<(&'static str, &'static str)>,
}

const SYSTEMS: [System; 2] = [
    System {
        target: "x86_64-pc-windows-gnu",
        packages: "--package wurfel-cli --package sprint --lib --bins --examples \
                   --test sprint --test program",
        compiler: Some(("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")),
    },
    System {
        target: "aarch64-apple-darwin",
        packages: "--package wurfel-engines --package wurfel-core",
        compiler: None,
    },
];

/// Checks all systems.
pub fn check(root: &Path) -> Result<()> {
    for System { target, packages, compiler } in SYSTEMS {
        let line = format!("cargo check --locked --target {target} {packages}");
        println!("\n== {line}");
        if !has_target(target)? && !succeeds("rustup", &["target", "add", target]) {
            println!(
                "skipped: Rust for {target} cannot be installed (`rustup target add {target}`)"
            );
            continue;
        }
        if let Some((name, package)) = compiler.filter(|(name, _)| !succeeds(name, &["--version"]))
        {
            println!("skipped: `{name}` is not on the PATH (Debian: {package})");
            continue;
        }
        steps::run(root, &line)?;
    }
    Ok(())
}

/// Whether the standard library for a target is installed.
fn has_target(target: &str) -> Result<bool> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().context("`rustc`")?;
    let sysroot = String::from_utf8(output.stdout).context("the path of the toolchain")?;
    Ok(Path::new(sysroot.trim()).join("lib/rustlib").join(target).join("lib").is_dir())
}

/// Whether a program is there and ends without an error.
fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
