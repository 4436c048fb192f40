//! Other systems: the whole program is checked for Windows and the libraries for macOS, as far as a machine with
//! another system can. Nothing is linked or run. The libraries for macOS go without the site and the program,
//! because `SQLite` is C and its compiler needs Apple's headers.

use std::path::Path;

use anyhow::{Context, Result};

use crate::steps;

/// The targets, each with the packages that are checked, and with what it needs beside Rust.
const TARGETS: [(&str, &str, &str); 2] = [
    (
        "x86_64-pc-windows-gnu",
        "--package wurfel-cli",
        " and a C compiler for Windows, such as Debian's gcc-mingw-w64-x86-64",
    ),
    ("aarch64-apple-darwin", "--package wurfel --package wurfel-lab", ""),
];

/// Checks all targets.
pub fn check(root: &Path) -> Result<()> {
    for (target, packages, more) in TARGETS {
        let line = format!("cargo check --locked --target {target} {packages}");
        println!("\n== {line}");
        let needs = || format!("needs `rustup target add {target}`{more}");
        steps::run(root, &line).with_context(needs)?;
    }
    Ok(())
}
