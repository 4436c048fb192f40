//! Puts the engine for pages into the program, if `cargo xtask wasm` has made it in the target folder before.
//!
//! Only optimised programs have it: tests check the page with and without the engine, and name its folder where they
//! want it. The weights are in the program anyway.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names a folder")?);
    let is_wanted = env::var_os("CARGO_FEATURE_SERVER").is_some()
        && env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo:rerun-if-changed=build.rs");
    let mut lines = String::new();
    // Cargo puts this file into the folder in which it builds.
    if let Some(target) = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file())
        && is_wanted
    {
        let folder = target.join("engine");
        // Cargo notices files that are added to a folder, but runs this each time if the folder is missing.
        fs::create_dir_all(&folder)?;
        println!("cargo:rerun-if-changed={}", folder.display());
        lines = listed(&folder);
    }
    fs::write(out.join("engine.rs"), format!("&[{lines}]"))?;
    Ok(())
}

/// The files of the engine, each as a pair of its name and its content; none if one is missing.
fn listed(folder: &Path) -> String {
    const FILES: [&str; 3] = ["wurfel.js", "wurfel_bg.wasm", "wurfel_bg.wasm.br"];
    if !FILES.iter().all(|name| folder.join(name).is_file()) {
        return String::new();
    }
    let pair = |name: &&str| {
        let path = folder.join(name).display().to_string();
        format!("({name:?}, include_bytes!({path:?})), ")
    };
    FILES.iter().map(pair).collect()
}
