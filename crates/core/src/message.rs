//! Messages that stay one line, whatever they quote.

/// The message with its control characters escaped, line breaks among them. It is for the messages
/// of libraries, which may quote what they have read as it is.
pub fn in_one_line(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for sign in message.chars() {
        if sign.is_control() {
            line.extend(sign.escape_default());
        } else {
            line.push(sign);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::in_one_line;

    #[test]
    fn control_characters_are_escaped_and_nothing_else_is() {
        assert_eq!(in_one_line("a\nb\r\tc\u{7f}\u{85}"), "a\\nb\\r\\tc\\u{7f}\\u{85}");
        assert_eq!(in_one_line("“c\\rtain” – ä"), "“c\\rtain” – ä");
    }
}
