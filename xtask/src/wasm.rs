//! The engine for web pages: the library compiled to WebAssembly, as a module for a page.
//!
//! Much of the standard library can be compiled for a page and panics there: its clock, its threads, its
//! processes. `wurfel-core` has what takes their place, and the lints that are run here, with the list in
//! `xtask/wasm/clippy.toml`, refuse everything else in all crates of which the engine consists. The tests then
//! run the module in Node.js, which has the same engine as Chromium.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use cargo_metadata::{Metadata, MetadataCommand};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::steps::{self, succeed};

/// The target of code for a page.
const TARGET: &str = "wasm32-unknown-unknown";

/// Compiles with the lints: Clippy compiles as rustc does, so that nothing is checked first and compiled
/// again. Every browser since 2023 has these vectors. The profile is added, whose folder is its own, so that
/// this waits for nothing that is compiled at the same time.
const BUILD: &str = "CLIPPY_CONF_DIR=xtask/wasm CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ \
                     RUSTC_WORKSPACE_WRAPPER=clippy-driver RUSTFLAGS=-Ctarget-feature=+simd128 \
                     CARGO_INCREMENTAL=0 cargo build --locked --target wasm32-unknown-unknown \
                     --package wurfel-wasm --profile";

/// The program of `xtask/wasm` that makes a module of what cargo has compiled. The folder to compile it in is added.
const BINDGEN: &str =
    "run --locked --profile test --package xtask --features bindgen --bin bindgen --target-dir";

/// The name of wasm-bindgen's files, and which of them is the module itself.
const NAME: &str = "wurfel";
const MODULE: &str = "wurfel_bg.wasm";
const COMPRESSED: &str = "wurfel_bg.wasm.br";

/// The files of parameters beside the module, which a test compares with those that it names, and their folder.
const FILES: [&str; 9] = [
    "dicechess-mlp.weights",
    "dicechess-net.safetensors",
    "dicechess.puzzles",
    "dicechess.weights",
    "dicechess3.puzzles",
    "dicechess3.replies",
    "dicechess3.weights",
    "einstein-net.safetensors",
    "einstein.weights",
];
const NETS: &str = "crates/games/nets";
/// The other files of the package.
const BESIDE: [&str; 4] =
    ["crates/wasm/README.md", "crates/wasm/package/board.html", "LICENSE-APACHE", "LICENSE-MIT"];

/// Builds the module, whose crates must pass the lints, prints its size, and tests it. A quickly compiled one has a
/// folder of its own, from which no program takes it.
pub fn build(root: &Path, quick: bool) -> Result<()> {
    let (profile, folder) = if quick { ("wasm-quick", "engine-quick") } else { ("wasm", "engine") };
    cargo(root, &format!("{BUILD} {profile}"))?;
    let metadata = MetadataCommand::new().current_dir(root).exec()?;
    let target = metadata.target_directory.as_std_path();
    let compiled = target.join(TARGET).join(profile).join("wurfel_wasm.wasm");
    let folder = target.join(folder);
    // In a folder of its own it waits for nothing that is compiled at the same time.
    let mut bindgen = steps::cargo();
    bindgen.args(BINDGEN.split(' ')).arg(target.join("tools"));
    bindgen.arg("--").arg(compiled).args([&folder, Path::new(NAME)]);
    succeed(bindgen.current_dir(root))?;
    let module = folder.join(MODULE);
    let weights = FILES.iter().map(|name| format!("{NETS}/{name}"));
    for from in weights.chain(BESIDE.map(str::to_owned)) {
        let from = root.join(from);
        let to = folder.join(from.file_name().context("a file has a name")?);
        fs::copy(&from, to).with_context(|| from.display().to_string())?;
    }
    let mut compress = Command::new("node");
    succeed(compress.arg("xtask/wasm/compress.cjs").arg(&module).current_dir(root))?;
    fs::write(folder.join("package.json"), package(&metadata, &folder)?)?;
    let bytes = fs::read(&module).with_context(|| module.display().to_string())?;
    let brotli = fs::metadata(folder.join(COMPRESSED))?.len();
    let (name, gzip) = (module.display(), compressed(&bytes)?);
    println!("{name}: {} bytes, {gzip} compressed with gzip, {brotli} with Brotli", bytes.len());
    let mut tests = Command::new("node");
    tests.args(["--test", "crates/wasm/tests/"]).current_dir(root).env("WURFEL_WASM", &folder);
    succeed(&mut tests)?;
    pack(&folder)
}

/// Checks that npm would pack every file of the folder but the compressed one, and no other, without writing the package.
fn pack(folder: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    let Ok(output) = npm.args(["pack", "--dry-run", "--json"]).current_dir(folder).output() else {
        println!("skipped: the package is not checked, because npm is not on the PATH");
        return Ok(());
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`npm pack`: {}", errors.trim());
    let packages: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("`npm pack`")?;
    let files = packages[0]["files"].as_array().context("`npm pack` lists the files")?;
    let packed: BTreeSet<_> =
        files.iter().filter_map(|file| Some(file["path"].as_str()?.to_owned())).collect();
    let mut expected = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        expected.extend(entry?.file_name().into_string().ok().filter(|name| name != COMPRESSED));
    }
    ensure!(packed == expected, "`npm pack` packs {packed:?}: expected {expected:?}");
    println!("npm packs {} files, {} bytes", packed.len(), packages[0]["size"]);
    Ok(())
}

fn cargo(root: &Path, line: &str) -> Result<()> {
    println!("\n== {line}");
    steps::run(root, line).with_context(|| format!("needs `rustup target add {TARGET}`"))
}

/// The description of the package for npm, with every file that is in its folder.
fn package(metadata: &Metadata, folder: &Path) -> Result<String> {
    let own = metadata.packages.iter().find(|package| package.name == "wurfel-wasm");
    let own = own.context("the workspace has wurfel-wasm")?;
    let mut files = vec![];
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().into_string().ok();
        // A package is compressed as a whole.
        let is_part = |name: &String| name != "package.json" && name != COMPRESSED;
        files.extend(name.filter(is_part));
    }
    files.sort();
    let package = serde_json::json!({
        "name": "wurfel",
        "version": own.version.to_string(),
        "description": own.description,
        "license": own.license,
        "type": "module",
        "main": format!("{NAME}.js"),
        "types": format!("{NAME}.d.ts"),
        "exports": { ".": { "types": format!("./{NAME}.d.ts"), "default": format!("./{NAME}.js") }, "./*": "./*" },
        "files": files,
    });
    Ok(serde_json::to_string_pretty(&package)? + "\n")
}

/// How many bytes a browser loads from a server that compresses.
fn compressed(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(vec![], Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}
