//! Checks that the map of the project, `docs/architecture.md`, leaves nothing out.
//!
//! Each crate has a heading there that names its folder, and so does every folder inside that has a
//! table of its own. Everything that lies directly in such a folder is named under the heading: a
//! file of code as `rules.rs`, and a folder as `kernels/`, which then counts as described as a
//! whole.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

const MAP: &str = "docs/architecture.md";

/// Files that need no line, because they only name others or test them.
const PLAIN: [&str; 4] = ["lib.rs", "main.rs", "mod.rs", "tests.rs"];

/// Prints how many folders the map describes, or fails with everything that it leaves out.
pub fn check(root: &Path) -> Result<()> {
    let map = fs::read_to_string(root.join(MAP)).context(MAP)?;
    let entries = |folder: &str| entries(&root.join(folder));
    let crates: Vec<String> = entries("crates")
        .context("crates")?
        .into_iter()
        .filter(|entry| root.join("crates").join(entry).join("Cargo.toml").is_file())
        .map(|entry| format!("crates/{entry}"))
        .chain(["counts/".into(), "fuzz/".into(), "xtask/".into()])
        .collect();
    let problems = problems(&map, &crates, entries);
    if !problems.is_empty() {
        bail!("{MAP}\n  {}", problems.join("\n  "));
    }
    println!("{} folders, each with all that is in it", sections(&map).len());
    Ok(())
}

/// The entries of a folder, subfolders with a slash at the end; `None` if there is no such folder.
fn entries(folder: &Path) -> Option<Vec<String>> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let name = |entry: fs::DirEntry| {
        let slash = if entry.path().is_dir() { "/" } else { "" };
        format!("{}{slash}", entry.file_name().to_string_lossy())
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    Some(names)
}

/// One line for each crate without a heading, each heading without a folder, and each entry that is
/// not named.
fn problems(
    map: &str,
    crates: &[String],
    entries: impl Fn(&str) -> Option<Vec<String>>,
) -> Vec<String> {
    let sections = sections(map);
    let described = |folder: &str| sections.iter().any(|section| section.folder == folder);
    let mut problems: Vec<String> = crates
        .iter()
        .filter(|folder| !described(folder))
        .map(|folder| format!("{folder} has no heading"))
        .collect();
    for Section { folder, text } in &sections {
        // The code of a crate lies one folder deeper.
        let code = format!("{folder}src/");
        let (folder, listing) = match (entries(&code), entries(folder)) {
            (Some(listing), _) => (&*code, listing),
            (None, Some(listing)) => (*folder, listing),
            (None, None) => {
                problems.push(format!("{folder} has a heading, but is not there"));
                continue;
            }
        };
        for entry in listing {
            let named = text.contains(&format!("`{entry}`"));
            if is_code(&entry) && !named && !described(&format!("{folder}{entry}")) {
                problems.push(format!("{folder}{entry} is not named"));
            }
        }
    }
    problems
}

fn is_code(entry: &str) -> bool {
    let extension = Path::new(entry).extension().and_then(|extension| extension.to_str());
    let is_test = entry.starts_with("tests_") || entry == "node_modules/";
    let code = entry.ends_with('/') || extension.is_some_and(|kind| ["js", "rs"].contains(&kind));
    code && !is_test && !PLAIN.contains(&entry)
}

/// A heading that names a folder, and the text under it.
struct Section<'a> {
    /// The folder, with a slash at the end.
    folder: &'a str,
    text: String,
}

fn sections(map: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section> = vec![];
    let mut inside = false;
    for line in map.lines() {
        if line.starts_with('#') {
            let folder = line.split('`').nth(1).filter(|code| code.ends_with('/'));
            inside = folder.is_some();
            sections.extend(folder.map(|folder| Section { folder, text: String::new() }));
        } else if let Some(section) = sections.last_mut().filter(|_| inside) {
            section.text.push_str(line);
            section.text.push('\n');
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project with two crates: `core` with three files, one of which needs no line, and
    /// `games` with a folder of its own.
    fn listing(map: &str) -> Vec<String> {
        let entries = |folder: &str| {
            let entries: &[&str] = match folder {
                "crates/core/src/" => &["lib.rs", "rules.rs", "side.rs"],
                "crates/games/src/" => &["any.rs", "chess/"],
                "crates/games/src/chess/" => &["mod.rs", "kind.rs", "tests_kind.rs"],
                "crates/core/" | "crates/games/" => &["Cargo.toml", "src/"],
                _ => return None,
            };
            Some(entries.iter().map(|&entry| entry.to_owned()).collect())
        };
        problems(map, &["crates/core/".into(), "crates/games/".into()], entries)
    }

    const CORE: &str = "## `crates/core/`\n`rules.rs` and `side.rs`\n";

    #[test]
    fn a_folder_is_described_as_a_whole_or_under_its_own_heading() {
        let whole = "## `crates/games/`\n| `any.rs` | `chess/` |\n";
        assert!(listing(&format!("{CORE}{whole}")).is_empty());
        let apart = "## `crates/games/`\n`any.rs`\n### `crates/games/src/chess/`\n`kind.rs`\n";
        assert!(listing(&format!("{CORE}{apart}## Last words\nnone\n")).is_empty());
    }

    #[test]
    fn what_is_left_out_is_told() {
        assert_eq!(listing(CORE), ["crates/games/ has no heading"]);
        let missing = "## `crates/games/`\n`chess/`\n";
        assert_eq!(listing(&format!("{CORE}{missing}")), ["crates/games/src/any.rs is not named"]);
        // A name under another heading, or as part of another name, does not count.
        let moved = format!("# Top\n`any.rs`\n{CORE}## `crates/games/`\n`many.rs`, `chess/`\n");
        assert_eq!(listing(&moved), ["crates/games/src/any.rs is not named"]);
        let inside = "## `crates/games/`\n`any.rs`\n### `crates/games/src/chess/`\nno\n";
        assert_eq!(
            listing(&format!("{CORE}{inside}")),
            ["crates/games/src/chess/kind.rs is not named"]
        );
        let gone = "## `crates/games/`\n`any.rs` `chess/`\n## `crates/attic/`\n";
        assert_eq!(
            listing(&format!("{CORE}{gone}")),
            ["crates/attic/ has a heading, but is not there"]
        );
    }
}
