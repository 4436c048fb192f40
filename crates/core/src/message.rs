//! Messages that stay one line, whatever they quote.

use std::fmt::Display;

/// The message with its control characters escaped, line breaks among them. It is for the messages
/// of libraries, which may quote what they have read as it is.
///
/// ```
/// assert_eq!(wurfel_core::in_one_line("two\nlines"), "two\\nlines");
/// ```
pub fn in_one_line(message: impl Display) -> String {
    let message = message.to_string();
    let mut line = String::with_capacity(message.len());
    for character in message.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// The beginning of a text that somebody has sent, at most 200 characters, on one line: characters that
/// cannot be seen are escaped.
pub fn excerpt(text: &str) -> String {
    const MAX_SHOWN: usize = 200;
    let mut line = String::new();
    for character in text.chars().take(MAX_SHOWN) {
        match character {
            '\'' | '"' | '\\' => line.push(character),
            _ => line.extend(character.escape_debug()),
        }
    }
    line
}

/// A problem at byte `at` of `text`, in one line that begins with its line number: 1 where the
/// place is not known. The lines of a longer message are joined by semicolons.
pub fn at_line(text: &str, at: Option<usize>, problem: &str) -> String {
    let line = 1 + text[..at.unwrap_or(0)].matches('\n').count();
    format!("line {line}: {}", in_one_line(problem.replace('\n', "; ")))
}

#[cfg(test)]
mod tests {
    use super::{at_line, excerpt, in_one_line};

    #[test]
    fn control_characters_are_escaped_and_nothing_else_is() {
        assert_eq!(in_one_line("a\nb\r\tc\u{7f}\u{85}"), "a\\nb\\r\\tc\\u{7f}\\u{85}");
        assert_eq!(in_one_line("“c\\rtain” – ä"), "“c\\rtain” – ä");
    }

    #[test]
    fn an_excerpt_is_short_and_shows_what_cannot_be_seen() {
        assert_eq!(excerpt("\u{feff}“it's” \"ä\" a\\b\n"), "\\u{feff}“it's” \"ä\" a\\b\\n");
        assert_eq!(excerpt(&"ü".repeat(300)), "ü".repeat(200));
    }

    #[test]
    fn a_problem_has_the_number_of_its_line() {
        assert_eq!(at_line("a\nb\nc", Some(4), "x\ny\r"), "line 3: x; y\\r");
        assert_eq!(at_line("a\nb", Some(1), "x"), "line 1: x");
        assert_eq!(at_line("a\nb", None, "x"), "line 1: x");
    }
}
