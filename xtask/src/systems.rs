//! Other systems: the whole program is checked for Windows and the libraries for macOS, as far as a machine with
//! another system can. Nothing is linked or run. The libraries for macOS go without the site and the program,
//! because `SQLite` is C and its compiler needs Apple's headers.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::steps;

/// The targets, each with a line that could be typed as it is, and with what it needs beside Rust.
const TARGETS: [(&str, &str, &str); 2] = [
    (
        "x86_64-pc-windows-gnu",
        "cargo check --locked --target x86_64-pc-windows-gnu --package wurfel-cli",
        " and a C compiler for Windows, such as Debian's gcc-mingw-w64-x86-64",
    ),
    (
        "aarch64-apple-darwin",
        "cargo check --locked --target aarch64-apple-darwin --package wurfel --package wurfel-lab",
        "",
    ),
];

/// Checks all targets.
pub fn check(root: &Path) -> Result<()> {
    for (target, line, more) in TARGETS {
        println!("\n== {line}");
        let status = steps::command(line).current_dir(root).status()?;
        ensure!(status.success(), "{line}: {status}; it needs `rustup target add {target}`{more}");
    }
    Ok(())
}
