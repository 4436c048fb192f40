//! The name that a person at the site has chosen. Others are shown it, so it is checked where it is read, and not
//! again after that.

use serde::{Deserialize, Serialize};

/// The maximum number of characters of a name.
const MAX_LENGTH: usize = 24;

/// A name in one line of at most 24 characters, none of which is invisible or changes how its surroundings are
/// written; empty if the person has not chosen one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PersonName(String);

/// A name is too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a name of {0} characters: expected at most {MAX_LENGTH}")]
pub struct LongName(usize);

impl PersonName {
    /// Whether no name was chosen.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl TryFrom<String> for PersonName {
    type Error = LongName;

    /// Leaves out what cannot be seen, and writes the rest with single spaces.
    fn try_from(text: String) -> Result<Self, LongName> {
        let seen: String = text.chars().filter(|&c| c.is_whitespace() || is_seen(c)).collect();
        let name = seen.split_whitespace().collect::<Vec<_>>().join(" ");
        match name.chars().count() {
            0..=MAX_LENGTH => Ok(Self(name)),
            length => Err(LongName(length)),
        }
    }
}

impl From<PersonName> for String {
    fn from(name: PersonName) -> Self {
        name.0
    }
}

/// Whether a character has a form of its own: control characters have none, nor do those that set the direction of
/// a text, join or separate letters, or fill a place with nothing.
fn is_seen(character: char) -> bool {
    !character.is_control()
        && !matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Result<String, LongName> {
        PersonName::try_from(text.to_owned()).map(String::from)
    }

    #[test]
    fn a_name_is_one_line_of_what_can_be_seen() {
        assert_eq!(name("  Ada \t\n Lovelace "), Ok("Ada Lovelace".to_owned()));
        assert_eq!(name("爱因斯坦 😀 <b>"), Ok("爱因斯坦 😀 <b>".to_owned()));
        // An override of the direction would turn round what is written after the name.
        assert_eq!(name("\u{202e}Ada\u{2066}\0\u{1b}[2J\u{200b}"), Ok("Ada[2J".to_owned()));
        assert_eq!(name("\u{200b}\u{3164} \u{feff}"), Ok(String::new()));
    }

    #[test]
    fn a_long_name_is_refused_by_its_characters() {
        assert_eq!(name(&"ä".repeat(24)), Ok("ä".repeat(24)));
        let refused = name(&"x".repeat(25)).unwrap_err().to_string();
        assert_eq!(refused, "a name of 25 characters: expected at most 24");
    }
}
