//! Words that must not come back: phrases that a native reader stumbles over, and participles as
//! names, which do not say what a value is. [STYLE.md](../../STYLE.md) has the rules; this check
//! only guards what was corrected once. A name is looked for where it is declared, a phrase
//! everywhere.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::files;

/// Phrases, each with what to write instead.
const PHRASES: [(&str, &str); 21] = [
    ("stands twice", "is given twice"),
    ("lost since", "lost because"),
    ("the first since", "the first because"),
    (" % likely", "likelihood of superiority … %"),
    ("signs fit", "characters fit"),
    ("signs of all kinds", "special characters"),
    ("could not be kept", "could not be saved"),
    ("works in it", "is in use by another program"),
    ("mend the line", "fix the line"),
    ("whose they are", "that made them"),
    ("first sight", "static evaluation"),
    ("drawn anew", "drawn again, or bootstrap resamples"),
    ("so many per cent", "quantile"),
    ("if left out", "default: …"),
    ("found out about", "knows about"),
    ("asked for in this way", "method not allowed"),
    ("for guests of a site", "guests may not …"),
    ("has none like it", "has no such …"),
    ("stayed at a take-back", "a take-back keeps …"),
    ("broken off", "stopped, or truncated"),
    ("Break off", "Abort"),
];

/// Names that say nothing of the value that they stand for.
const NAMES: [&str; 13] = [
    "asked", "compared", "drawn", "filed", "found", "heard", "held", "is_usual", "kept", "said",
    "told", "usual", "usually",
];

/// What comes before a name where it is declared.
const DECLARATIONS: [&str; 8] =
    ["fn ", "let ", "let mut ", "struct ", "const fn ", "mod ", "Some(", "|"];

/// The kinds of files that are read.
const KINDS: [&str; 6] = ["rs", "md", "py", "pyi", "toml", "js"];

/// Where the words may be: here, in history and in what a paper says.
const ALLOWED: [&str; 5] =
    ["xtask/src/words.rs", "STYLE.md", "CHANGELOG.md", "docs/journal/", "crates/lab/experiments/"];

/// Fails with every place of a word that must not come back.
pub fn check(root: &Path) -> Result<()> {
    let (mut problems, mut count) = (vec![], 0);
    for kind in KINDS {
        for path in files::with_extension(root, kind)? {
            let name = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            if ALLOWED.iter().any(|place| name.starts_with(place)) {
                continue;
            }
            let text = fs::read_to_string(&path).with_context(|| name.clone())?;
            count += 1;
            problems.extend(
                problems_in(&text, kind == "rs").map(|problem| format!("{name}, {problem}")),
            );
        }
    }
    if !problems.is_empty() {
        bail!("words\n  {}", problems.join("\n  "));
    }
    println!("none of {} words in {count} files", PHRASES.len() + NAMES.len());
    Ok(())
}

/// The problems in a text, each with its line.
fn problems_in(text: &str, is_code: bool) -> impl Iterator<Item = String> {
    (1..).zip(text.lines()).flat_map(move |(number, line)| {
        let phrases = PHRASES.iter().filter(|(phrase, _)| line.contains(phrase));
        let code = is_code && !line.trim_start().starts_with("//");
        let names = NAMES.iter().filter(move |name| code && declares(line, name));
        phrases
            .map(|(phrase, better)| format!("'{phrase}': write '{better}'"))
            .chain(names.map(|name| format!("name '{name}': expected a noun or a verb")))
            .map(move |problem| format!("line {number}: {problem}"))
            .collect::<Vec<_>>()
    })
}

/// Whether a line of code declares this name.
fn declares(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let is_whole = !after.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        is_whole && DECLARATIONS.iter().any(|declaration| before.ends_with(declaration))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_and_a_declared_name_are_found_with_their_line() {
        let text = "// It is said.\nlet said = 1;\nprintln!(\"{said} stands twice\");\n";
        let problems: Vec<_> = problems_in(text, true).collect();
        assert_eq!(
            problems,
            [
                "line 2: name 'said': expected a noun or a verb",
                "line 3: 'stands twice': write 'is given twice'",
            ]
        );
    }

    #[test]
    fn only_whole_names_count_and_only_in_code() {
        assert!(!declares("let said_so = 1;", "said") && !declares("let unsaid = 1;", "said"));
        assert!(declares("fn told(text: &str) {", "told") && declares("|kept| kept", "kept"));
        assert_eq!(problems_in("let told = 1", false).count(), 0);
    }
}
