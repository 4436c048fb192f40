//! The error for a line that cannot be read.

use std::fmt;

/// A line that does not follow its protocol. It is displayed as one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ProtocolError {
    found: String,
    expected: String,
}

impl ProtocolError {
    /// The error for `found`, the text that was read; `expected` completes "expected …".
    pub fn new(found: &str, expected: impl Into<String>) -> Self {
        const SHOWN: usize = 80;
        let mut text: String = found.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if found.chars().nth(SHOWN).is_some() {
            text.push('…');
        }
        Self { found: text, expected: expected.into() }
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': expected {}", self.found, self.expected)
    }
}
