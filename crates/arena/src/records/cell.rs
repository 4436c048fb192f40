//! Names in tables of CSV.

use std::borrow::Cow;

/// The cell for a text that others have chosen, such as the name of a player. A spreadsheet would
/// evaluate a text that begins like a formula, whatever its author has put into it, so such a text
/// gets an apostrophe in front, which makes it a plain text there.
pub(crate) fn text_cell(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_begins_like_a_formula_is_written_as_text() {
        for name in ["=cmd|' /c calc'!A1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(text_cell(name), format!("'{name}"));
        }
        for name in ["star2:depth=2", "Ada = Bea", "", "'quoted'"] {
            assert_eq!(text_cell(name), name);
        }
    }
}
