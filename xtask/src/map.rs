//! The map of the project, `docs/architecture.md`, names every file of code by its own first sentence.
//!
//! Each crate has a heading there that names its folder, and so does every folder inside that has a
//! table of its own. The table has a row for everything that lies directly in the folder: a file of
//! code, or a folder without a heading, which is described as a whole, by its `mod.rs`. Rows for what
//! has no such sentence, such as scripts, are written by hand and stay. The price is that the order
//! of the rows cannot be chosen; in return, the map cannot contradict the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

const MAP: &str = "docs/architecture.md";

/// Files that need no row, because they only name others or test them.
const PLAIN: [&str; 4] = ["lib.rs", "main.rs", "mod.rs", "tests.rs"];

/// Checks that the map agrees with the files.
pub fn check(root: &Path) -> Result<()> {
    run(root, false)
}

/// Compares the map with the files, or writes it if `keep`.
pub fn run(root: &Path, keep: bool) -> Result<()> {
    let map = fs::read_to_string(root.join(MAP)).context(MAP)?;
    let described = folders(&map);
    let crates = entries(&root.join("crates")).context("crates")?;
    let crates =
        crates.iter().filter(|entry| root.join("crates").join(entry).join("Cargo.toml").is_file());
    let crates = crates.map(|entry| format!("crates/{entry}"));
    for folder in crates.chain(["counts/".into(), "fuzz/".into(), "xtask/".into()]) {
        ensure!(described.contains(&folder), "{MAP}: {folder} has no heading");
    }
    let rows = write_rows(&map, |folder| {
        let code = format!("{folder}src/");
        let folder = if root.join(&code).is_dir() { code } else { folder.to_owned() };
        contents(root, &folder, &described)
    })?;
    if keep {
        fs::write(root.join(MAP), &rows).context(MAP)?;
    } else if rows != map {
        let old = rows.lines().zip(map.lines()).find(|(new, old)| new != old);
        let (new, old) = old.unwrap_or(("the end", "more lines"));
        bail!("{MAP} has '{old}': expected '{new}'; `cargo xtask map --keep` writes it");
    }
    println!("{} folders, each with all that is in it", described.len());
    Ok(())
}

/// Everything that a folder's table names, with its first sentence where it has one.
fn contents(
    root: &Path,
    folder: &str,
    described: &BTreeSet<String>,
) -> Result<Vec<(String, Option<String>)>> {
    let path = root.join(folder);
    let files = entries(&path)
        .with_context(|| format!("{MAP}: {folder} has a heading, but is not there"))?;
    let named = files
        .into_iter()
        .filter(|entry| is_code(entry) && !described.contains(&format!("{folder}{entry}")));
    let with_sentence = |entry: String| {
        let file =
            if entry.ends_with('/') { path.join(&entry).join("mod.rs") } else { path.join(&entry) };
        let sentence = fs::read_to_string(file).ok().and_then(|text| first_sentence(&text));
        (entry, sentence)
    };
    Ok(named.map(with_sentence).collect())
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

fn is_code(entry: &str) -> bool {
    let extension = Path::new(entry).extension().and_then(|extension| extension.to_str());
    let is_test = entry.starts_with("tests_") || entry == "node_modules/";
    let code = entry.ends_with('/') || extension.is_some_and(|kind| ["js", "rs"].contains(&kind));
    code && !is_test && !PLAIN.contains(&entry)
}

/// The first sentence of the comment with which a file begins, without its full stop.
fn first_sentence(text: &str) -> Option<String> {
    let comment = |line: &'_ str| {
        line.strip_prefix("//!").or(line.strip_prefix("//")).map(|line| line.trim().to_owned())
    };
    let lines: Vec<String> =
        text.lines().map_while(comment).take_while(|line| !line.is_empty()).collect();
    let paragraph = lines.join(" ");
    let sentence = paragraph.split(". ").next().unwrap_or_default().trim_end_matches('.');
    (!sentence.is_empty()).then(|| without_links(sentence).replace('|', "\\|"))
}

/// A text of Rust's documentation without the targets of its links.
fn without_links(text: &str) -> String {
    let mut plain = text.replace("[`", "`");
    while let Some(begin) = plain.find("`](") {
        let end = plain[begin..].find(')').map_or(plain.len(), |end| begin + end + 1);
        plain.replace_range(begin + 1..end, "");
    }
    plain.replace("`]", "`")
}

/// The folders that headings name.
fn folders(map: &str) -> BTreeSet<String> {
    map.lines().filter_map(heading).map(str::to_owned).collect()
}

/// The folder that a heading names, with a slash at the end.
fn heading(line: &str) -> Option<&str> {
    let code = line.starts_with('#').then(|| line.split('`').nth(1))??;
    code.ends_with('/').then_some(code)
}

/// The map with a row for each of the contents of every folder.
fn write_rows(
    map: &str,
    contents: impl Fn(&str) -> Result<Vec<(String, Option<String>)>>,
) -> Result<String> {
    let mut text = String::new();
    let mut folder = None;
    let mut lines = map.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            folder = heading(line);
        }
        text.push_str(line);
        text.push('\n');
        // Under its heading, the table of a folder is the one whose first line is this.
        let Some(inside) = folder.filter(|_| line == "|---|---|") else { continue };
        let mut rows = vec![];
        while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
            rows.push(row);
        }
        for row in table(inside, &contents(inside)?, &rows)? {
            text.push_str(&row);
            text.push('\n');
        }
        folder = None;
    }
    Ok(text)
}

/// The rows of a folder: those that follow from its files, and then those that were written by hand.
fn table(
    folder: &str,
    contents: &[(String, Option<String>)],
    rows: &[&str],
) -> Result<Vec<String>> {
    let follows = |row: &str| {
        let named = row.split('|').nth(1).unwrap_or_default();
        named.contains(".rs`")
            || contents
                .iter()
                .any(|(name, sentence)| sentence.is_some() && named.contains(&format!("`{name}`")))
    };
    let by_hand: Vec<&str> = rows.iter().copied().filter(|row| !follows(row)).collect();
    let mut table = vec![];
    for (name, sentence) in contents {
        match sentence {
            Some(sentence) => table.push(format!("| `{name}` | {sentence} |")),
            None => ensure!(
                by_hand.iter().any(|row| row.contains(&format!("`{name}`"))),
                "{MAP}: {folder}{name} has no first sentence and no row of its own"
            ),
        }
    }
    table.extend(by_hand.into_iter().map(str::to_owned));
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(folder: &str) -> Result<Vec<(String, Option<String>)>> {
        ensure!(folder == "crates/core/", "{folder}");
        let files =
            [("rules.rs", Some("The rules")), ("side.rs", Some("Two sides")), ("nets/", None)];
        Ok(files.map(|(name, text)| (name.to_owned(), text.map(str::to_owned))).into())
    }

    const TABLE: &str = "# Map\n## `crates/core/`\nText.\n\n| file | subject |\n|---|---|\n";

    #[test]
    fn rows_follow_from_the_files_and_others_stay() {
        let rows = "| `side.rs`, `gone.rs` | old |\n| `nets/` | networks |\n| `make.py` | a script |\nEnd\n";
        let made = write_rows(&format!("{TABLE}{rows}"), core).unwrap();
        let expected = "| `rules.rs` | The rules |\n| `side.rs` | Two sides |\n\
            | `nets/` | networks |\n| `make.py` | a script |\nEnd\n";
        assert_eq!(made, format!("{TABLE}{expected}"));
        assert_eq!(write_rows(&made, core).unwrap(), made);
    }

    #[test]
    fn what_has_no_sentence_must_be_named() {
        let error =
            write_rows(&format!("{TABLE}| `side.rs` | old |\n"), core).unwrap_err().to_string();
        assert_eq!(
            error,
            "docs/architecture.md: crates/core/nets/ has no first sentence and no row of its own"
        );
    }

    #[test]
    fn the_first_sentence_is_that_of_the_comment_at_the_top() {
        let sentence = |text: &str| first_sentence(text);
        let text =
            "//! Reads [`Row`](crate::Row) and\n//! [`Line`]. More.\n//!\n//! Much more.\nuse x;\n";
        assert_eq!(sentence(text).unwrap(), "Reads `Row` and `Line`");
        assert_eq!(sentence("// A board.\nconst x = 1;\n").unwrap(), "A board");
        assert_eq!(sentence("use x;\n//! Late.\n"), None);
    }
}
