//! A page of Markdown as far as links are concerned: the anchors that it offers, and its own links;
//! and its lines of prose that are too long.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

/// Maximum number of characters in a line of prose.
pub const MAX_LINE: usize = 120;

/// A page, as far as links and lines are concerned.
pub struct Page {
    /// The anchors, one for each heading.
    pub anchors: BTreeSet<String>,
    pub links: Vec<Link>,
    /// The numbers, from 1, of lines of prose that are longer than [`MAX_LINE`] and could be broken.
    pub long_lines: Vec<usize>,
}

/// A link or an image.
pub struct Link {
    /// The target as it is written: a path with or without an anchor, or an address.
    pub target: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its bytes in the page, from the bracket before the text to the one after the target.
    pub range: Range<usize>,
    /// Whether it is written as `[text](target)`, with nothing else.
    pub inline: bool,
}

impl Page {
    pub fn new(text: &str) -> Self {
        let mut page =
            Self { anchors: BTreeSet::new(), links: vec![], long_lines: long_lines(text) };
        let mut heading: Option<String> = None;
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.offer(&heading.take().unwrap_or_default()),
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::Start(
                    Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
                ) => page.links.push(Link {
                    target: dest_url.into_string(),
                    line: text[..range.start].matches('\n').count() + 1,
                    range,
                    inline: link_type == LinkType::Inline,
                }),
                _ => {}
            }
        }
        page
    }

    /// Adds the anchor of a heading. Where several headings would have the same anchor, all but the
    /// first are numbered.
    fn offer(&mut self, heading: &str) {
        let anchor = anchor(heading);
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered);
        let free = free.into_iter().find(|anchor| !self.anchors.contains(anchor));
        self.anchors.extend(free);
    }
}

/// The lines of prose that are too long and could be broken. A line of a heading, a table or a block
/// of code cannot, and neither can a word or code within a line.
fn long_lines(text: &str) -> Vec<usize> {
    // Whether each byte belongs to something at which no line ends.
    let mut whole = vec![false; text.len()];
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let is_whole = matches!(
            event,
            Event::Start(Tag::Heading { .. } | Tag::Table(_) | Tag::CodeBlock(_) | Tag::HtmlBlock)
                | Event::Code(_)
        );
        if is_whole {
            whole[range].fill(true);
        }
    }
    let mut start = 0;
    let mut result = vec![];
    for (number, line) in text.split('\n').enumerate() {
        let end = line.char_indices().nth(MAX_LINE);
        // The mark of a list or a quotation stays with the first word after it.
        let mark = line.len() - line.trim_start_matches([' ', '*', '-', '>']).len();
        let break_at = |(place, character): (usize, char)| {
            character == ' ' && place > mark && !whole[start + place]
        };
        if end.is_some_and(|(end, _)| line[..end].char_indices().any(break_at)) {
            result.push(number + 1);
        }
        start += line.len() + 1;
    }
    result
}

/// The anchor that code hosts and mdBook give to a heading.
fn anchor(heading: &str) -> String {
    let stays = |character: &char| character.is_alphanumeric() || " -_".contains(*character);
    heading.trim().to_lowercase().chars().filter(stays).collect::<String>().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchors(text: &str) -> Vec<String> {
        Page::new(text).anchors.into_iter().collect()
    }

    #[test]
    fn a_heading_has_an_anchor_of_its_words() {
        assert_eq!(anchors("# On a GPU\n"), ["on-a-gpu"]);
        assert_eq!(
            anchors("## `wurfel match SPEC [--pairs N]`\n"),
            ["wurfel-match-spec---pairs-n"]
        );
        assert_eq!(anchors("Luck, *measured*\n====\n"), ["luck-measured"]);
    }

    #[test]
    fn the_same_heading_again_is_numbered() {
        assert_eq!(
            anchors("# Fixed\n# Added\n# Fixed\n# Fixed\n"),
            ["added", "fixed", "fixed-1", "fixed-2"]
        );
    }

    #[test]
    fn what_looks_like_a_heading_or_a_link_in_code_is_none() {
        let page = Page::new("```sh\n# a remark\n[a](b)\n```\n`[c](d)`\n");
        assert!(page.anchors.is_empty());
        assert!(page.links.is_empty());
    }

    #[test]
    fn only_a_long_line_that_could_be_broken_is_found() {
        let word = "x".repeat(MAX_LINE);
        let long = |text: &str| Page::new(text).long_lines;
        assert_eq!(long(&format!("one\n\n* two {word}\n")), [3]);
        assert_eq!(long(&format!("* {word}x\n")), [0; 0]);
        assert_eq!(long(&format!("[{word}](a.md)\n`a {word}`\n")), [0; 0]);
        assert_eq!(long(&format!("# a {word}\n\n```text\na {word}\n```\n")), [0; 0]);
        assert_eq!(long(&format!("| a {word} |\n|---|\n| a {word} |\n")), [0; 0]);
    }

    #[test]
    fn links_are_found_with_their_lines() {
        let text = "One\n\n| [a](x.md) |\n|---|\n| ![b](y.svg) [c][d] |\n\n[d]: z.md#e\n";
        let links = Page::new(text).links;
        let result: Vec<_> =
            links.iter().map(|link| (&*link.target, link.line, link.inline)).collect();
        assert_eq!(result, [("x.md", 3, true), ("y.svg", 5, true), ("z.md#e", 5, false)]);
        assert_eq!(&text[links[0].range.clone()], "[a](x.md)");
    }
}
