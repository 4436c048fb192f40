//! Checks that every relative link in every Markdown file of the repository leads to an existing
//! file, and every anchor to a heading. Addresses of other sites are not checked, because a check
//! that needs the network can fail without any fault in the project.
//!
//! No line of prose may be longer than 120 characters, except in pages that a program writes.
//!
//! Every page under `docs/` must also be listed in `docs/SUMMARY.md`, or no reader of the book
//! would find it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::files::{SKIPPED, with_extension};
use crate::markdown::{MAX_LINE, Page};

/// The table of contents of the book.
pub const SUMMARY: &str = "docs/SUMMARY.md";

/// Pages that a program writes.
const WRITTEN: [&str; 1] = ["crates/lab/experiments/report.md"];

/// Where a link leads.
#[derive(Debug, PartialEq)]
pub enum Target {
    /// Another site, or something that rustdoc checks.
    Elsewhere,
    /// A path from the root, with forward slashes, and perhaps an anchor in that file.
    Here(String, Option<String>),
}

/// All pages of the repository, by their paths from its root, with forward slashes.
pub type Pages = BTreeMap<String, Page>;

/// Prints how many links there are, or fails with all that are broken and all lines that are too long.
pub fn check(root: &Path) -> Result<()> {
    let pages = pages(root)?;
    let mut problems = problems(&pages, |path| root.join(path).exists());
    problems.extend(unlisted(&pages));
    problems.extend(by_reference(&pages));
    problems.extend(long_lines(&pages));
    if !problems.is_empty() {
        bail!("links\n  {}", problems.join("\n  "));
    }
    let links: usize = pages.values().map(|page| page.links.len()).sum();
    println!("{links} links in {} pages of Markdown, none of them broken", pages.len());
    Ok(())
}

pub fn pages(root: &Path) -> Result<Pages> {
    let mut pages = Pages::new();
    for file in with_extension(root, "md")? {
        let path = file.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).with_context(|| path.clone())?;
        pages.insert(path, Page::new(&text));
    }
    Ok(pages)
}

/// One line for each broken link.
fn problems(pages: &Pages, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut problems = vec![];
    for (path, page) in pages {
        for link in &page.links {
            if let Err(problem) = sound(pages, path, &link.target, &exists) {
                problems.push(format!("{path}:{}: '{}' {problem}", link.line, link.target));
            }
        }
    }
    problems
}

fn sound(
    pages: &Pages,
    path: &str,
    link: &str,
    exists: impl Fn(&str) -> bool,
) -> Result<(), String> {
    let Target::Here(target, anchor) = resolve(path, link)? else {
        return Ok(());
    };
    // A link into such a folder would work on a single machine only.
    if target.split('/').any(|part| SKIPPED.contains(&part)) {
        return Err("leads to a file that is not in the repository".into());
    }
    if !exists(&target) {
        return Err(format!("leads to {target}, which is not there"));
    }
    match (anchor, pages.get(&target)) {
        (None, _) => Ok(()),
        (Some(_), None) => Err("has an anchor, but leads to no page of Markdown".into()),
        (Some(anchor), Some(page)) if page.anchors.contains(&anchor) => Ok(()),
        (Some(anchor), Some(_)) => Err(format!("has an anchor, but {target} has no #{anchor}")),
    }
}

/// Where a link of the page at this path leads, if it stays in the repository.
pub fn resolve(page: &str, link: &str) -> Result<Target, String> {
    if link.is_empty() {
        // A chapter of the book without a page of its own is written as an empty link.
        return if page == SUMMARY { Ok(Target::Elsewhere) } else { Err("is empty".into()) };
    }
    let is_address = link.contains("://") || link.starts_with("mailto:");
    let is_rust = page.starts_with("crates/") && link.contains("::");
    if is_address || is_rust {
        return Ok(Target::Elsewhere);
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (link, None),
    };
    if path.is_empty() {
        return Ok(Target::Here(page.to_owned(), anchor));
    }
    if path.starts_with('/') {
        return Err("begins at the root of a disk".into());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or("leads out of the repository")?;
            }
            part => parts.push(part),
        }
    }
    Ok(Target::Here(parts.join("/"), anchor))
}

/// One line for each page under `docs/` that the table of contents does not list.
fn unlisted(pages: &Pages) -> Vec<String> {
    let listed = listed(pages);
    let missing = |path: &&String| path.starts_with("docs/") && !listed.contains(path);
    pages
        .keys()
        .filter(|path| *path != SUMMARY)
        .filter(missing)
        .map(|path| format!("{path} is not listed in {SUMMARY}"))
        .collect()
}

/// One line for each reference link in a page of the book, because the book adapts only inline links.
fn by_reference(pages: &Pages) -> Vec<String> {
    let referring = |path: &String| {
        pages[path]
            .links
            .iter()
            .filter(|link| {
                !link.inline && matches!(resolve(path, &link.target), Ok(Target::Here(..)))
            })
            .map(|link| format!("{path}:{}: expected a link of the form [text](target)", link.line))
            .collect::<Vec<_>>()
    };
    listed(pages).iter().filter(|path| pages.contains_key(*path)).flat_map(referring).collect()
}

/// One line for each line of prose that is too long.
fn long_lines(pages: &Pages) -> Vec<String> {
    let typed = pages.iter().filter(|(path, _)| !WRITTEN.contains(&path.as_str()));
    let line = |path: &str, line| format!("{path}:{line}: expected at most {MAX_LINE} characters");
    typed
        .flat_map(|(path, page)| page.long_lines.iter().map(move |&number| line(path, number)))
        .collect()
}

/// The pages of the book, by their paths from the root.
pub fn listed(pages: &Pages) -> Vec<String> {
    let links = pages.get(SUMMARY).map_or(&[][..], |page| &page.links);
    let target = |target: &str| match resolve(SUMMARY, target) {
        Ok(Target::Here(path, _)) => Some(path),
        _ => None,
    };
    links.iter().filter_map(|link| target(&link.target)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(pages: &[(&str, &str)]) -> Pages {
        pages.iter().map(|(path, text)| ((*path).to_owned(), Page::new(text))).collect()
    }

    #[test]
    fn a_page_of_the_book_links_inline() {
        let summary = "[One](one.md)\n";
        let page = "[here](one.md) and [there]\n\n<https://example.org>\n\n[there]: one.md\n";
        let book = pages(&[(SUMMARY, summary), ("docs/one.md", page), ("README.md", page)]);
        assert_eq!(
            by_reference(&book),
            ["docs/one.md:1: expected a link of the form [text](target)"]
        );
    }

    /// The problem with this one link in `docs/page.md`, which has a heading *Here*; there are a
    /// `README.md` with the heading *Start* and a file `docs/nginx.conf`.
    fn problem(link: &str) -> Option<String> {
        let page = format!("# Here\n\nwords\n[words]({link})\n");
        let pages = pages(&[("docs/page.md", &page), ("README.md", "# Start\n")]);
        let files = ["docs/page.md", "README.md", "docs/nginx.conf", "target/book/index.html"];
        let mut problems = problems(&pages, |path| files.contains(&path));
        assert!(problems.len() <= 1, "{problems:?}");
        problems.pop()
    }

    #[test]
    fn what_is_there_may_be_linked() {
        for link in [
            "page.md",
            "./page.md",
            "#here",
            "page.md#here",
            "../README.md#start",
            "nginx.conf",
            "../docs/../README.md",
            "https://example.org/none#x",
            "mailto:a@example.org",
        ] {
            assert_eq!(problem(link), None, "{link}");
        }
    }

    #[test]
    fn what_is_not_there_is_refused_with_its_line() {
        let refused = |link: &str, why: &str| {
            assert_eq!(problem(link), Some(format!("docs/page.md:4: '{link}' {why}")));
        };
        refused("gone.md", "leads to docs/gone.md, which is not there");
        refused("README.md", "leads to docs/README.md, which is not there");
        refused("#gone", "has an anchor, but docs/page.md has no #gone");
        refused("#Here", "has an anchor, but docs/page.md has no #Here");
        refused("../README.md#here", "has an anchor, but README.md has no #here");
        refused("nginx.conf#here", "has an anchor, but leads to no page of Markdown");
        refused("../../README.md", "leads out of the repository");
        refused("", "is empty");
        refused("/README.md", "begins at the root of a disk");
        refused("../target/book/index.html", "leads to a file that is not in the repository");
    }

    #[test]
    fn links_to_items_are_left_to_rustdoc_where_it_reads_them() {
        assert_eq!(resolve("crates/core/README.md", "wurfel_core::Game"), Ok(Target::Elsewhere));
        assert!(problem("wurfel_core::Game").is_some());
    }

    #[test]
    fn a_page_that_the_book_lacks_is_named() {
        let summary = "# Summary\n[Start](../README.md)\n- [Two]()\n- [One](one.md)\n";
        let book = pages(&[(SUMMARY, summary), ("docs/one.md", ""), ("docs/two/three.md", "")]);
        assert_eq!(unlisted(&book), ["docs/two/three.md is not listed in docs/SUMMARY.md"]);
        assert_eq!(listed(&book), ["README.md", "docs/one.md"]);
    }
}
