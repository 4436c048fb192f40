//! Compares the package that `docs/extending.md` describes with the one in `examples/sprint`, and runs
//! its example, which must print what the page shows.
//!
//! A package that exists only on the page would have to be compiled outside the workspace, with all its
//! dependencies again.

use std::fs;
use std::path::{Component, Path};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;

use crate::steps;

const PAGE: &str = "docs/extending.md";
const PACKAGE: &str = "examples/sprint";

/// Where the package of the page finds wurfel, and where the one in the workspace does.
const BESIDE: [&str; 2] = ["../wurfel/", "../../"];

/// Compares both packages and runs the example.
pub fn check(root: &Path) -> Result<()> {
    let page = fs::read_to_string(root.join(PAGE)).context(PAGE)?;
    for (path, content) in files(&page)? {
        let file = Path::new(PACKAGE).join(&path);
        let source = fs::read_to_string(root.join(&file));
        let source = source.with_context(|| format!("{PAGE} has {path}: {}", file.display()))?;
        let content = content.replace(BESIDE[0], BESIDE[1]);
        ensure!(source == content, "{PAGE}: {path} is not what {} has", file.display());
    }
    // As the tests are built, so that nothing is compiled again for it.
    let line = "cargo build --profile test --workspace --locked --example duel";
    steps::run(root, line)?;
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let example = metadata.target_directory.join("debug/examples/duel");
    let output = Command::new(example.as_std_path()).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{PAGE}: {example}: {}", output.status);
    let printed = String::from_utf8(output.stdout)?;
    let shown = block(&page, "text").with_context(|| format!("{PAGE} shows no output"))?;
    ensure!(printed == shown, "{PAGE} shows\n{shown}\nbut its example prints\n{printed}");
    println!("the package of {PAGE} does what the page says");
    Ok(())
}

/// The files of the page, each with its path: blocks whose first line is a comment with nothing but
/// a path.
fn files(page: &str) -> Result<Vec<(String, String)>> {
    let mut files: Vec<(String, String)> = vec![];
    for (language, content) in blocks(page) {
        let comment = match language {
            "rust,ignore" => "// ",
            "toml" => "# ",
            _ => continue,
        };
        let path = content.lines().next().and_then(|line| line.strip_prefix(comment));
        let Some(path) = path.map(str::to_owned) else {
            bail!("{PAGE}: a block of {language} names no file");
        };
        let inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(inside && !path.contains(' '), "{PAGE}: '{path}' is no path inside a package");
        ensure!(files.iter().all(|(known, _)| *known != path), "{PAGE}: {path} is there twice");
        files.push((path, content));
    }
    ensure!(!files.is_empty(), "{PAGE} has no files");
    Ok(files)
}

fn block(page: &str, language: &str) -> Option<String> {
    blocks(page).into_iter().find(|(known, _)| *known == language).map(|(_, content)| content)
}

/// The fenced blocks of the page, each with its language.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut lines = page.lines();
    let mut blocks = vec![];
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| *line != "```");
            blocks.push((language, inside.flat_map(|line| [line, "\n"]).collect()));
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_becomes_the_file_that_its_first_line_names() {
        let page = "One\n```toml\n# Cargo.toml\n[package]\n```\n```text\nout\n```\n\
                    ```rust,ignore\n// src/lib.rs\n\nmod a;\n```\n";
        let expected = [
            ("Cargo.toml".to_owned(), "# Cargo.toml\n[package]\n".to_owned()),
            ("src/lib.rs".to_owned(), "// src/lib.rs\n\nmod a;\n".to_owned()),
        ];
        assert_eq!(files(page).unwrap(), expected);
        assert_eq!(block(page, "text").unwrap(), "out\n");
    }

    #[test]
    fn a_block_without_a_file_is_refused() {
        let refused = |block: &str| files(&format!("```rust,ignore\n{block}\n```\n")).is_err();
        assert!(!refused("// src/lib.rs"));
        assert!(refused("fn main() {}"));
        assert!(refused("// The main function."));
        assert!(refused("// ../lib.rs"));
        assert!(refused("// a.rs\n```\n```rust,ignore\n// a.rs"));
    }
}
