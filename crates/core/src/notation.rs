//! The error that all parsers return: what was read, where it is wrong, and what was expected
//! instead.

use std::fmt;

/// A text that does not follow its notation. It is displayed as one line.
///
/// ```
/// use wurfel_core::NotationError;
///
/// let error = NotationError::at("die", "47", 1, "nothing after the die");
/// assert_eq!(error.to_string(), "die '47': character 2 is '7', expected nothing after the die");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct NotationError {
    /// What the text was meant to be: "position", "die", "move" …
    what: &'static str,
    /// The text as it was given.
    text: String,
    /// The first character that is wrong, counted from 0; `None` when the text is wrong as a whole.
    at: Option<usize>,
    /// What would have been right, or which rule the text breaks.
    expected: String,
}

impl NotationError {
    /// The text as a whole is wrong; `expected` completes "expected …".
    pub fn whole(what: &'static str, text: &str, expected: impl Into<String>) -> Self {
        Self { what, text: text.to_owned(), at: None, expected: expected.into() }
    }

    /// Character number `at`, from 0, is wrong, or the text ends there too early.
    pub fn at(what: &'static str, text: &str, at: usize, expected: impl Into<String>) -> Self {
        Self { what, text: text.to_owned(), at: Some(at), expected: expected.into() }
    }
}

/// The text as an error shows it: shortened so that it fits on one line.
fn shown(text: &str) -> String {
    const MAX_SHOWN: usize = 80;
    let mut line: String = text.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_SHOWN).is_some() {
        line.push('…');
    }
    line
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}': ", self.what, shown(&self.text))?;
        match self.at {
            None => {}
            Some(at) => match self.text.chars().nth(at) {
                Some(character) => {
                    write!(f, "character {} is '{}', ", at + 1, character.escape_debug())?;
                }
                None if at == 0 => f.write_str("it is empty, ")?,
                None => write!(f, "it ends after character {at}, ")?,
            },
        }
        write!(f, "expected {}", self.expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_one_line_that_names_the_character() {
        let error = NotationError::at("die", "4\nx", 1, "a digit");
        assert_eq!(error.to_string(), r"die '4\nx': character 2 is '\n', expected a digit");
        let error = NotationError::at("die", "", 0, "a digit 1-6");
        assert_eq!(error.to_string(), "die '': it is empty, expected a digit 1-6");
        assert!(NotationError::whole("die", &"7".repeat(999), "x").to_string().len() < 120);
    }
}
