//! Builds a release for the machine that this runs on: an archive with the program, which has the engine for web
//! pages inside, its manual, its completions and the licences, and the archive's checksum. Both are written to
//! `target/release-VERSION`.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::{Metadata, MetadataCommand, Package};
use sha2::{Digest, Sha256};

use crate::steps::{cargo, succeed};

/// The files that go into the archive unchanged.
const FILES: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs/nginx.conf",
    "docs/wurfel.service",
];

/// The shells, and the names of the files in which they expect a program's completions.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "wurfel.bash"),
    ("zsh", "_wurfel"),
    ("fish", "wurfel.fish"),
    ("powershell", "_wurfel.ps1"),
];

/// Builds the program and packs it.
pub fn build(root: &Path) -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(root).exec().context("cargo metadata")?;
    let program = metadata.packages.iter().find(|package| package.name == "wurfel-cli");
    let version = program.context("a package wurfel-cli")?.version.to_string();
    let host = host()?;
    let target = metadata.target_directory.as_std_path();
    crate::wasm::build(root, false)?;
    succeed(
        cargo()
            .args(["build", "--profile", "dist", "--locked", "--package", "wurfel-cli"])
            .current_dir(root),
    )?;

    let name = format!("wurfel-{version}-{host}");
    let releases = target.join(format!("release-{version}"));
    let folder = releases.join(&name);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => bail!(error),
        _ => fs::create_dir_all(folder.join("completions"))?,
    }
    let program = format!("wurfel{}", env::consts::EXE_SUFFIX);
    copy(&target.join("dist").join(&program), &folder.join(&program))?;
    for file in FILES {
        let name = file.rsplit('/').next().unwrap_or(file);
        copy(&root.join(file), &folder.join(name))?;
    }
    fs::write(folder.join("THIRD-PARTY.txt"), notices(&metadata)?)?;
    let program = folder.join(&program);
    succeed(Command::new(&program).args(["man", "man"]).current_dir(&folder))?;
    for (shell, file) in SHELLS {
        let printed = Command::new(&program).args(["completions", shell]).output()?;
        ensure!(printed.status.success(), "wurfel completions {shell}: {}", printed.status);
        fs::write(folder.join("completions").join(file), printed.stdout)?;
    }

    let archive = format!("{name}.tar.gz");
    succeed(Command::new("tar").args(["-czf", &archive, &name]).current_dir(&releases))?;
    let sum = Sha256::digest(fs::read(releases.join(&archive))?);
    let sum: Vec<String> = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    let sum = sum.concat();
    fs::write(releases.join("SHA256SUMS"), format!("{sum}  {archive}\n"))?;
    println!("{}\n{sum}", releases.join(&archive).display());
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}

/// The name of this machine among the targets of rustc.
fn host() -> Result<String> {
    let printed = Command::new("rustc").arg("-vV").output().context("rustc")?;
    let printed = String::from_utf8(printed.stdout)?;
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

/// The notices of all packages that may be in the program, each text once.
fn notices(metadata: &Metadata) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata.packages.iter().filter(|package| package.source.is_some()) {
        let named = format!("{} {}", package.name, package.version);
        for text in licence_texts(package)? {
            texts.entry(text).or_default().push(named.clone());
        }
    }
    let parts = texts.into_iter().map(|(text, packages)| {
        format!("{}\n\n{}\n\n{}\n", packages.join(", "), text.trim(), "-".repeat(72))
    });
    Ok(parts.collect::<Vec<_>>().join("\n"))
}

/// The files of a package that state its licence.
fn licence_texts(package: &Package) -> Result<Vec<String>> {
    let folder = package.manifest_path.parent().context("a manifest in no folder")?;
    let mut texts = vec![];
    for file in fs::read_dir(folder).with_context(|| folder.to_string())? {
        let file = file?;
        let name = file.file_name().to_string_lossy().to_uppercase();
        let begins = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
        if begins.iter().any(|begin| name.starts_with(begin)) && file.file_type()?.is_file() {
            texts.push(fs::read_to_string(file.path()).context(name)?);
        }
    }
    if texts.is_empty() {
        let licence = package.license.as_deref().unwrap_or("no licence named");
        texts.push(format!("{licence} (the package has no file with its text)"));
    }
    texts.sort();
    Ok(texts)
}
