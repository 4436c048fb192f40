//! What may be drawn on a terminal, and how wide it is.

use std::env;
use std::io::{self, IsTerminal};

use terminal_size::{Width, terminal_size};

/// Whether the stream is a terminal on which a line can be drawn over.
pub fn draws(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Whether standard output takes colours, and the user has not asked for none
/// (<https://no-color.org>).
pub fn colours() -> bool {
    draws(&io::stdout()) && env::var_os("NO_COLOR").is_none_or(|said| said.is_empty())
}

/// How many columns a line of text has room for: those of `COLUMNS` or of the terminal, but at most
/// 100; no bound where nothing is known, because programs read lines whole.
pub fn width() -> usize {
    const MAX: usize = 100;
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || {
        let size = io::stdout().is_terminal().then(terminal_size).flatten();
        size.map(|(Width(columns), _)| columns.into())
    };
    said.filter(|&columns| columns > 0).or_else(seen).map_or(usize::MAX, |columns| MAX.min(columns))
}

/// A text in lines of at most `width` columns, as far as its words allow: the first indented by
/// `first` columns, the others by `others`.
pub fn wrapped(first: usize, text: &str, others: usize, width: usize) -> String {
    let mut done = " ".repeat(first);
    let (mut column, mut begun) = (first, false);
    for word in text.split_inclusive(' ') {
        let letters = word.trim_end().chars().count();
        if begun && column + letters > width {
            done.truncate(done.trim_end().len());
            done.push('\n');
            done.push_str(&" ".repeat(others));
            column = others;
        }
        done.push_str(word);
        (column, begun) = (column + word.chars().count(), true);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_wrapped_between_words() {
        let text = "c=  exploration constant, 0-10";
        assert_eq!(wrapped(2, text, 4, 80), format!("  {text}"));
        assert_eq!(wrapped(2, text, 4, 20), "  c=  exploration\n    constant, 0-10");
        assert_eq!(wrapped(0, "unbelievably long", 2, 5), "unbelievably\n  long");
        assert_eq!(wrapped(2, text, 4, usize::MAX), format!("  {text}"));
    }
}
