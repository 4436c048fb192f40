//! Checks that every crate which may be published can be published: cargo packages it, it has the
//! metadata that crates.io shows, and the files that its source includes lie inside the package.
//!
//! cargo itself would find a missing file only by compiling each package, which takes longer than
//! all other checks. `cargo package --workspace` does this as well, and is run before a release.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Output;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::{MetadataCommand, Package};

use crate::steps;

/// Options of every call: it takes the files as they are, and does not use the network.
const AS_IT_IS: [&str; 2] = ["--allow-dirty", "--offline"];

/// The licences, which travel with every package; in each crate they are links to those of the project.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Checks every crate, then packages them all.
pub fn check(root: &Path) -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let public: Vec<&Package> =
        metadata.packages.iter().filter(|package| package.publish != Some(vec![])).collect();
    let mut problems = vec![];
    for package in &public {
        let name = &package.name;
        problems.extend(silent(package).map(|what| format!("{name}: no {what}")));
        let folder = package.manifest_path.parent().context("a manifest in no folder")?;
        let files = listed(root, name)?;
        for licence in LICENCES.iter().filter(|licence| !files.contains(Path::new(licence))) {
            problems.push(format!("{name}: no {licence}, a link to the file of the project"));
        }
        for missing in missing(folder.as_std_path(), &files)? {
            problems.push(format!("{name}: {missing}, which is not in the package"));
        }
    }
    if !problems.is_empty() {
        bail!("packages\n  {}", problems.join("\n  "));
    }
    // The lock file would be regenerated for each package, which needs the network.
    let mut line = vec!["package", "--workspace", "--no-verify", "--exclude-lockfile"];
    let private = metadata.packages.iter().filter(|package| package.publish == Some(vec![]));
    line.extend(private.flat_map(|package| ["--exclude", package.name.as_str()]));
    cargo(root, &line)?;
    println!("{} crates, each with what it includes", public.len());
    Ok(())
}

/// The metadata that crates.io shows and that this package lacks.
fn silent(package: &Package) -> impl Iterator<Item = &'static str> {
    [
        ("description", package.description.is_some()),
        ("licence", package.license.is_some()),
        ("keywords", !package.keywords.is_empty()),
        ("categories", !package.categories.is_empty()),
        ("README", package.readme.is_some()),
    ]
    .into_iter()
    .filter_map(|(what, present)| (!present).then_some(what))
}

/// The files that a package will have, by their paths from its folder.
fn listed(root: &Path, name: &str) -> Result<BTreeSet<PathBuf>> {
    let output = cargo(root, &["package", "--list", "--package", name])?;
    Ok(String::from_utf8(output.stdout)?.lines().map(PathBuf::from).collect())
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<Output> {
    let arguments = [arguments, &AS_IT_IS].concat();
    let output = steps::cargo().args(&arguments).current_dir(root).output()?;
    ensure!(
        output.status.success(),
        "cargo {}: {}\n{}",
        arguments.join(" "),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(output)
}

/// The files that the package's source includes and that the package lacks.
fn missing(folder: &Path, files: &BTreeSet<PathBuf>) -> Result<Vec<String>> {
    let mut missing = vec![];
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
        let text = std::fs::read_to_string(folder.join(file))
            .with_context(|| file.display().to_string())?;
        for included in included(&text) {
            let there = inside(file, included).is_some_and(|path| {
                files.iter().any(|file| *file == path)
                    // This is the beginning of a path, to which a macro adds the rest.
                    || included.ends_with('/') && files.iter().any(|file| file.starts_with(&path))
            });
            if !there {
                missing.push(format!("{} includes '{included}'", file.display()));
            }
        }
    }
    Ok(missing)
}

/// The paths that a source file includes, as they are written.
fn included(text: &str) -> impl Iterator<Item = &str> {
    ["include_str!(", "include_bytes!(", "#[path = "].into_iter().flat_map(|begin| {
        text.split(begin).skip(1).filter_map(|rest| {
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("concat!(").unwrap_or(rest).trim_start();
            rest.strip_prefix('"')?.split('"').next()
        })
    })
}

/// The path that a file names, from the package's folder; `None` if it lies outside.
fn inside(file: &Path, path: &str) -> Option<PathBuf> {
    let mut place = file.parent()?.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir if !place.pop() => return None,
            Component::Normal(name) => place.push(name),
            _ => {}
        }
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_includes_is_found() {
        let text = "#![doc = include_str!(\"../README.md\")]\nconst A: &[u8] =\n    include_bytes!(\n\
                    \"a.bin\");\n#[path = \"b.rs\"]\nmod b;\ninclude_str!(concat!(\"../web/\", $path))";
        let paths: Vec<&str> = included(text).collect();
        assert_eq!(paths, ["../README.md", "../web/", "a.bin", "b.rs"]);
    }

    #[test]
    fn paths_lead_from_file_to_file_and_not_out_of_the_package() {
        let inside = |file, path| inside(Path::new(file), path);
        assert_eq!(inside("src/lib.rs", "../README.md"), Some("README.md".into()));
        assert_eq!(inside("src/a/b.rs", "c.txt"), Some("src/a/c.txt".into()));
        assert_eq!(inside("src/lib.rs", "../../web/app.js"), None);
    }

    #[test]
    fn what_is_not_packaged_is_named() {
        let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/site");
        let files: BTreeSet<PathBuf> = ["src/files.rs", "web/app.js"].map(PathBuf::from).into();
        assert!(missing(&site, &files).unwrap().is_empty());
        let files = BTreeSet::from([PathBuf::from("src/files.rs")]);
        assert_eq!(missing(&site, &files).unwrap(), ["src/files.rs includes '../web/'"]);
    }
}
