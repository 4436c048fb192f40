//! The error for a line that cannot be read.

use std::fmt;

/// A line that does not follow its protocol. It is displayed as one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ProtocolError {
    actual: String,
    expected: String,
}

impl ProtocolError {
    /// The error for `actual`, the text that was read; `expected` completes "expected …".
    pub fn new(actual: &str, expected: impl Into<String>) -> Self {
        const SHOWN: usize = 80;
        let mut text: String = actual.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if actual.chars().nth(SHOWN).is_some() {
            text.push('…');
        }
        Self { actual: text, expected: expected.into() }
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': expected {}", self.actual, self.expected)
    }
}
