//! Checks that every package which any part of the project uses, on any platform and with any
//! feature, has a licence that asks for no more than its notice to be kept, and that it comes from
//! crates.io or from this workspace.

use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::{CargoOpt, MetadataCommand, Package};
use spdx::{Expression, Licensee, ParseMode};

/// The accepted licences. Weak copyleft such as MPL-2.0 is left out on purpose.
const ACCEPTED: [&str; 14] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unlicense",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "CC0-1.0",
    "BSL-1.0",
    "0BSD",
    // LLVM's former licence, as permissive as BSD-3-Clause: that of libFuzzer, which only
    // cargo-fuzz links.
    "NCSA",
];

/// The workspaces whose packages are checked: the one of the program and the one of the package for
/// Python.
const WORKSPACES: [&str; 2] = ["", "crates/python"];

/// Prints the number of packages of each workspace, or fails with all that are refused.
pub fn check(root: &Path) -> Result<()> {
    WORKSPACES.iter().try_for_each(|workspace| check_workspace(root, workspace))
}

fn check_workspace(root: &Path, folder: &str) -> Result<()> {
    let metadata = MetadataCommand::new()
        .current_dir(root.join(folder))
        .features(CargoOpt::AllFeatures)
        // The other workspaces have lock files of their own, which become stale when one of our
        // crates changes its dependencies. This is the first check to notice that.
        .other_options(vec!["--locked".to_owned()])
        .exec()
        .with_context(|| format!("'{folder}': cargo metadata --locked"))?;
    let accepted = accepted()?;
    let problems: Vec<String> = metadata
        .packages
        .iter()
        .flat_map(|package| {
            let licence = refusal(package.license.as_deref(), &accepted);
            [licence, stranger(package, root)]
                .into_iter()
                .flatten()
                .map(|reason| format!("{} {}: {reason}", package.name, package.version))
        })
        .collect();
    if !problems.is_empty() {
        bail!("licences\n  {}", problems.join("\n  "));
    }
    println!("{} packages, all with an accepted licence", metadata.packages.len());
    Ok(())
}

fn accepted() -> Result<Vec<Licensee>> {
    ACCEPTED
        .iter()
        .map(|&name| Licensee::parse(name).with_context(|| format!("accepted licence {name}")))
        .collect()
}

/// Why a package with this licence expression is refused; `None` if it is accepted.
fn refusal(licence: Option<&str>, accepted: &[Licensee]) -> Option<String> {
    let Some(licence) = licence else {
        return Some("no licence expression".into());
    };
    // Parsed leniently, because many packages still write `MIT/Apache-2.0`.
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) => {
            let satisfied = expression
                .evaluate(|required| accepted.iter().any(|licence| licence.satisfies(required)));
            (!satisfied).then(|| format!("{licence} is not accepted"))
        }
        Err(error) => Some(format!("{licence} is no licence expression: {}", error.reason)),
    }
}

/// Why a package from this origin is refused; `None` if it is accepted.
fn stranger(package: &Package, root: &Path) -> Option<String> {
    match &package.source {
        Some(source) if source.is_crates_io() => None,
        Some(source) => Some(format!("from {source}, not from crates.io")),
        None if package.manifest_path.starts_with(root) => None,
        None => Some("a path outside the project".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(licence: &str) -> Option<String> {
        refusal(Some(licence), &accepted().expect("valid names"))
    }

    #[test]
    fn each_accepted_licence_suffices() {
        for licence in ACCEPTED {
            assert_eq!(refused(licence), None);
        }
    }

    #[test]
    fn one_accepted_alternative_suffices() {
        for licence in [
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        ] {
            assert_eq!(refused(licence), None);
        }
    }

    #[test]
    fn other_licences_are_refused_by_name() {
        for licence in [
            "MPL-2.0",
            "GPL-3.0-or-later",
            "MIT AND MPL-2.0",
            "(MIT OR Apache-2.0) AND LGPL-2.1-only",
            "MIT WITH LLVM-exception",
            "LicenseRef-ours",
        ] {
            assert_eq!(refused(licence), Some(format!("{licence} is not accepted")));
        }
    }

    #[test]
    fn no_licence_is_refused() {
        assert_eq!(
            refusal(None, &accepted().expect("valid names")),
            Some("no licence expression".into())
        );
        for licence in ["", "free for all", "MIT OR"] {
            let reason = refused(licence).expect("refused");
            assert!(reason.contains("is no licence expression"), "{reason}");
        }
    }
}
