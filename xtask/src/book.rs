//! The book: the pages that `docs/SUMMARY.md` lists, rendered by mdBook into `target/book`, where
//! `wurfel serve --docs target/book` serves them.
//!
//! Pages link to each other as they lie in the repository, so that links work wherever the files
//! are read. But mdBook takes pages from a single folder, and the site allows no scripts inside a
//! page. So the pages are first copied into one folder with their links adapted, and the scripts of
//! the rendered pages are then moved into files. The rendered book is checked again: every link
//! between its files must lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;

use crate::files::with_extension;
use crate::links::{self, Target, resolve};
use crate::markdown::Page;

/// The version that `.ci/run` installs.
const INSTALL: &str = "cargo install mdbook --locked --version 0.5.4";

/// Checks the links, then renders the book.
pub fn build(root: &Path) -> Result<()> {
    links::check(root)?;
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let target = metadata.target_directory.as_std_path();
    let (source, book) = (target.join("book-source"), target.join("book"));
    gather(root, &source)?;
    clear(&book)?;
    render(&source, &book)?;
    let mut pages = rendered(&book)?;
    part_scripts(&book, &mut pages)?;
    let problems = broken(&pages, |path| book.join(path).is_file());
    if !problems.is_empty() {
        bail!("the book\n  {}", problems.join("\n  "));
    }
    println!("{} pages in {}", pages.len(), book.display());
    Ok(())
}

/// Makes the folder, and empties it if it exists.
fn clear(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(folder),
    }
    .with_context(|| folder.display().to_string())
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .with_context(|| path.display().to_string())
}

/// Where a file of the repository lies in the book: `docs/` is its root, and the pages about
/// networks do not lie deep inside a crate.
fn place(path: &str) -> String {
    let inside = path.strip_prefix("docs/").or_else(|| path.strip_prefix("crates/games/"));
    let path = inside.unwrap_or(path);
    // mdBook turns the first page of a folder into its index, but does not adapt the links to it.
    match path.strip_suffix("README.md") {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => format!("{folder}index.md"),
        _ => path.to_owned(),
    }
}

/// Copies the settings, the listed pages, and the files under `docs/` that they link to.
fn gather(root: &Path, source: &Path) -> Result<()> {
    clear(source)?;
    let settings = fs::read(root.join("docs/book.toml")).context("docs/book.toml")?;
    write(&source.join("book.toml"), &settings)?;
    let theme = source.join("theme");
    // This replaces the fonts that come with mdBook. An empty file would be left out of the book.
    write(&theme.join("fonts/fonts.css"), b"/* Readers have their own fonts. */\n")?;
    let icon =
        fs::read(root.join("crates/site/web/icon.svg")).context("crates/site/web/icon.svg")?;
    write(&theme.join("favicon.svg"), &icon)?;
    for name in ["head.hbs", "header.hbs", "book.css"] {
        let path = format!("docs/theme/{name}");
        write(&theme.join(name), &fs::read(root.join(&path)).context(path)?)?;
    }
    let style = "crates/site/web/style.css";
    let sheet = fs::read_to_string(root.join(style)).context(style)?;
    write(&theme.join("colours.css"), colours(&sheet).context(style)?.as_bytes())?;

    let pages = links::pages(root)?;
    let mut files: BTreeSet<String> = links::listed(&pages).into_iter().collect();
    for path in files.clone() {
        for link in &pages[&path].links {
            if let Ok(Target::Here(target, _)) = resolve(&path, &link.target)
                && target.starts_with("docs/")
            {
                files.insert(target);
            }
        }
    }
    files.insert(links::SUMMARY.into());
    for path in &files {
        let from = root.join(path);
        let content = if let Some(page) = pages.get(path) {
            let text = fs::read_to_string(from).with_context(|| path.clone())?;
            adapt(path, page, &text, &files)?.into_bytes()
        } else {
            fs::read(from).with_context(|| path.clone())?
        };
        write(&source.join("src").join(place(path)), &content)?;
    }
    Ok(())
}

/// The page with its links adapted to the book. A link to something outside the book is replaced by
/// its text.
fn adapt(path: &str, page: &Page, text: &str, files: &BTreeSet<String>) -> Result<String> {
    let mut adapted = text.to_owned();
    // Links are replaced from last to first, so that the places of earlier links stay valid.
    for link in page.links.iter().rev() {
        let Ok(Target::Here(target, anchor)) = resolve(path, &link.target) else {
            continue;
        };
        let written = &text[link.range.clone()];
        let words = written.rsplit_once("](").map(|(words, _)| words.trim_start_matches('['));
        let words = words.with_context(|| format!("{path}:{}: not an inline link", link.line))?;
        let anchor = anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
        let new = if files.contains(&target) && target != links::SUMMARY {
            format!("[{words}]({}{anchor})", relative(&place(path), &place(&target)))
        } else {
            words.to_owned()
        };
        adapted.replace_range(link.range.clone(), &new);
    }
    Ok(adapted)
}

/// The relative path from one file to another.
fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folders = from.len() - 1;
    let common = from.iter().zip(&to).take(folders.min(to.len() - 1));
    let common = common.take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n("..", folders - common);
    up.chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// The colours of the site's style sheet, the dark ones under the name that a dark page has in the book.
fn colours(sheet: &str) -> Result<String> {
    let (colours, _) =
        sheet.split_once("/* The sides of chess */").context("no end of the colours")?;
    Ok(colours.replace("[data-theme=\"dark\"]", ".navy"))
}

fn render(source: &Path, book: &Path) -> Result<()> {
    let mut command = Command::new("mdbook");
    command.arg("build").arg(source).arg("--dest-dir").arg(book);
    match command.status() {
        Ok(status) => {
            ensure!(status.success(), "mdbook: {status}");
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("mdbook is not on the PATH: `{INSTALL}` installs it")
        }
        Err(error) => Err(error).context("mdbook"),
    }
}

/// The rendered pages, by their paths in the book.
fn rendered(book: &Path) -> Result<BTreeMap<String, String>> {
    let mut pages = BTreeMap::new();
    for path in with_extension(book, "html")? {
        let text = fs::read_to_string(&path)?;
        let name = path.strip_prefix(book)?.to_string_lossy().replace('\\', "/");
        pages.insert(name, text);
    }
    Ok(pages)
}

/// Moves each script inside a page into a file, as the site's content-security policy demands.
fn part_scripts(book: &Path, pages: &mut BTreeMap<String, String>) -> Result<()> {
    let mut scripts = vec![];
    for (path, page) in pages.iter_mut() {
        *page = without_scripts(path, page, &mut scripts);
        write(&book.join(path), page.as_bytes())?;
    }
    for (number, script) in scripts.iter().enumerate() {
        write(&book.join(script_name(number)), script.as_bytes())?;
    }
    Ok(())
}

fn script_name(number: usize) -> String {
    format!("inline-{number}.js")
}

/// The page with links in place of the scripts that were inside; new scripts are added to the list.
fn without_scripts(path: &str, page: &str, scripts: &mut Vec<String>) -> String {
    const BEGIN: &str = "<script>";
    const END: &str = "</script>";
    // The only style inside a page of mdBook, which the policy forbids as well: `docs/theme/book.css` has it.
    const STYLE: &str = " style=\"clear: both\"";
    let page = page.replace(STYLE, "");
    let (mut done, mut rest) = (String::new(), &*page);
    while let Some((before, behind)) = rest.split_once(BEGIN) {
        let (script, after) = behind.split_once(END).unwrap_or((behind, ""));
        let number = scripts.iter().position(|known| known == script).unwrap_or_else(|| {
            scripts.push(script.to_owned());
            scripts.len() - 1
        });
        let name = relative(path, &script_name(number));
        done.extend([before, "<script src=\"", &*name, "\">", END]);
        rest = after;
    }
    done + rest
}

/// One line for each link between files of the book that leads nowhere.
fn broken(pages: &BTreeMap<String, String>, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut problems = vec![];
    for (path, page) in pages {
        for link in attributes(page, "href").chain(attributes(page, "src")) {
            let sound = match resolve(path, &link) {
                Ok(Target::Elsewhere) => true,
                Ok(Target::Here(target, anchor)) => {
                    let has = |anchor: &str| {
                        let page = pages.get(&target);
                        page.is_some_and(|page| attributes(page, "id").any(|id| id == anchor))
                    };
                    exists(&target) && anchor.is_none_or(|anchor| has(&anchor))
                }
                // The site is above the book.
                Err(_) => link == "../".repeat(path.matches('/').count() + 1),
            };
            if !sound {
                problems.push(format!("{path}: '{link}' leads nowhere"));
            }
        }
    }
    problems
}

/// The values of an attribute in a rendered page.
fn attributes<'a>(page: &'a str, name: &str) -> impl Iterator<Item = String> + use<'a> {
    let begin = format!(" {name}=\"");
    page.match_indices(&*begin)
        .map(|(at, begin)| &page[at + begin.len()..])
        .filter_map(|rest| rest.split_once('"'))
        .map(|(value, _)| value.replace("&amp;", "&"))
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_one_page_to_another() {
        assert_eq!(relative("cli.md", "site.md"), "site.md");
        assert_eq!(relative("methods/star2.md", "cli.md"), "../cli.md");
        assert_eq!(relative("methods/star2.md", "methods/uct.md"), "uct.md");
        assert_eq!(relative("README.md", "methods/uct.md"), "methods/uct.md");
        assert_eq!(relative("a/b/c.md", "a/d/e.md"), "../d/e.md");
    }

    fn adapted(path: &str, text: &str) -> Result<String> {
        let files =
            ["README.md", "docs/cli.md", "docs/methods/uct.md", "crates/games/nets/einstein.md"];
        let files = files.map(str::to_owned).into();
        adapt(path, &Page::new(text), text, &files)
    }

    #[test]
    fn links_are_adapted_to_where_pages_lie_in_the_book() {
        assert_eq!(
            adapted("README.md", "see [the *commands*](docs/cli.md#uct), [here](#start)").unwrap(),
            "see [the *commands*](cli.md#uct), [here](index.md#start)"
        );
        assert_eq!(
            adapted(
                "docs/methods/uct.md",
                "[a](../cli.md) [b](../../crates/games/nets/einstein.md)"
            )
            .unwrap(),
            "[a](../cli.md) [b](../nets/einstein.md)"
        );
        let other = "[a](https://example.org/x.md)";
        assert_eq!(adapted("docs/cli.md", other).unwrap(), other);
    }

    #[test]
    fn a_link_to_what_the_book_lacks_becomes_its_text() {
        assert_eq!(
            adapted("docs/cli.md", "[`config.rs`](../crates/train/src/config.rs) says").unwrap(),
            "`config.rs` says"
        );
    }

    #[test]
    fn a_link_that_cannot_be_adapted_is_refused() {
        let error = adapted("docs/cli.md", "\n[a][b]\n\n[b]: ../README.md\n").unwrap_err();
        assert!(error.to_string().starts_with("docs/cli.md:2: "), "{error}");
    }

    #[test]
    fn a_script_inside_a_page_becomes_a_file_once() {
        let page = "<p><script>one</script><script src=\"x.js\"></script><script>two</script>";
        let mut scripts = vec![];
        assert_eq!(
            without_scripts("a/b.html", page, &mut scripts),
            "<p><script src=\"../inline-0.js\"></script><script src=\"x.js\"></script>\
             <script src=\"../inline-1.js\"></script>"
        );
        assert!(without_scripts("c.html", page, &mut scripts).contains("\"inline-1.js\""));
        assert_eq!(scripts, ["one", "two"]);
    }

    #[test]
    fn a_rendered_link_must_lead_to_a_file_and_an_anchor() {
        let page = |body: &str| {
            let pages = BTreeMap::from([
                ("a.html".to_owned(), body.to_owned()),
                ("b/c.html".to_owned(), "<h1 id=\"top\">".to_owned()),
            ]);
            let files = ["a.html", "b/c.html", "x.js"];
            broken(&pages, |path| files.contains(&path))
        };
        assert!(
            page("<a href=\"b/c.html#top\"><script src=\"x.js\"><a href=\"https://x.org\">")
                .is_empty()
        );
        for link in ["c.html", "b/c.html#end", "#top", "../a.html", "/a.html"] {
            let reported = page(&format!("<a class=\"x\" href=\"{link}\">"));
            assert_eq!(reported, [format!("a.html: '{link}' leads nowhere")]);
        }
    }

    #[test]
    fn the_book_has_the_colours_of_the_site_and_a_way_back_to_it() {
        let sheet = ":root { --ink: #000; }\n[data-theme=\"dark\"] { --ink: #fff; }\n/* The sides of chess */ p {}";
        assert_eq!(colours(sheet).unwrap(), ":root { --ink: #000; }\n.navy { --ink: #fff; }\n");
        assert!(colours("p {}").is_err());
        let page = |link: &str| format!("<a href=\"{link}\">");
        let pages = |link| BTreeMap::from([("methods/uct.html".to_owned(), page(link))]);
        assert_eq!(broken(&pages("../../"), |_| false), [""; 0]);
        assert_eq!(
            broken(&pages("../../../"), |_| false),
            ["methods/uct.html: '../../../' leads nowhere"]
        );
    }
}
