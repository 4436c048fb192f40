//! QR codes of invitations, for the camera of another device.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};
use serde::Serialize;

/// The longest text in bytes; an address with its invitation has about a hundred.
const MAX_TEXT: usize = 300;

/// A QR code as an SVG path.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Qr {
    /// The number of squares in a row, without the margin.
    pub size: i32,
    /// The dark squares.
    pub path: String,
}

/// The code of a text; `None` if the text is too long.
pub(crate) fn draw(text: &str) -> Option<Qr> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let squares = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let dark = squares.filter(|&(x, y)| code.get_module(x, y));
    let mut path = String::new();
    for (x, y) in dark {
        write!(path, "M{x} {y}h1v1h-1z").ok()?;
    }
    Some(Qr { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_three_corners_and_long_texts_have_none() {
        let code = draw("http://localhost:3140/room/0123456789abcdef#0123").unwrap();
        let last = code.size - 7;
        for corner in [(0, 0), (last, 0), (0, last)] {
            for step in 0..7 {
                let square = format!("M{} {}h1v1h-1z", corner.0 + step, corner.1);
                assert!(code.path.contains(&square), "{square}");
            }
        }
        assert!(draw(&"x".repeat(MAX_TEXT + 1)).is_none());
    }
}
