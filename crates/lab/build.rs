//! Lists the experiments for the program: each folder `experiments/<paper>/<name>/` with its
//! definition and the figures of the paper. A list that is made here needs no package and no
//! registry to keep in step with the folders.
//!
//! It also names the commit that is compiled, for the records of results. When the program runs, the
//! source may have moved on.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let experiments = root.join("experiments");
    println!("cargo::rerun-if-changed={}", experiments.display());
    let mut list = String::from("&[\n");
    for paper in folders(&experiments)? {
        for experiment in folders(&paper)? {
            let definition = experiment.join("experiment.toml");
            if !definition.is_file() {
                continue;
            }
            let figures = experiment.join("paper.csv");
            let figures = if figures.is_file() { included(&figures) } else { "\"\"".to_owned() };
            let mut files = String::new();
            for path in entries(&experiment)? {
                if path.extension().is_some_and(|end| end == "toml") && path != definition {
                    let _ = write!(files, "({:?}, {}), ", name(&path), included(&path));
                }
            }
            let _ = writeln!(
                list,
                "    Source {{ name: \"{}/{}\", definition: {}, figures: {figures}, files: &[{files}] }},",
                name(&paper),
                name(&experiment),
                included(&definition),
            );
        }
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("experiments.rs"), list)?;
    if let Some(commit) = commit(&root) {
        println!("cargo::rustc-env=WURFEL_COMMIT={commit}");
    }
    Ok(())
}

/// The commit of the source, with a `+` if that was changed since; `None` where there is no repository.
fn commit(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A commit and a change of any crate's source run this script again.
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).is_file() {
        println!("cargo::rerun-if-changed={log}");
    }
    for folder in entries(root.parent()?).ok()? {
        let source = folder.join("src");
        if source.is_dir() {
            println!("cargo::rerun-if-changed={}", source.display());
        }
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", "src", "../*/src"])?;
    Some(if changed.is_empty() { commit } else { commit + "+" })
}

fn included(path: &Path) -> String {
    format!("include_str!({:?})", path.display().to_string())
}

fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// What lies in a folder, in the order of the names.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = vec![];
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
