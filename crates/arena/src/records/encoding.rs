//! Writing texts in the encodings that [`decode`](crate::decode) reads.

use encoding_rs::GBK;

use crate::decode;

/// Why a text cannot be written as GBK.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotGbk {
    /// GBK does not have this character.
    #[error("'{0}' is not in GBK: expected --encoding utf-8, or a text without it")]
    Sign(char),
    /// The bytes are also valid UTF-8 for another text, as which a reader would read them.
    #[error("this text in GBK would be read as another one in UTF-8: expected --encoding utf-8")]
    Ambiguous,
}

/// A text in GBK, as Chinese programs write it. [`decode`] reads back the same text.
///
/// # Errors
/// When the text cannot be written in GBK.
pub fn encode_gbk(text: &str) -> Result<Vec<u8>, NotGbk> {
    let (bytes, _, failed) = GBK.encode(text);
    if failed {
        let lacks = |sign: &char| GBK.encode(sign.encode_utf8(&mut [0; 4])).2;
        return Err(NotGbk::Sign(text.chars().find(lacks).unwrap_or_default()));
    }
    match decode(&bytes) {
        Ok(again) if again == text => Ok(bytes.into_owned()),
        _ => Err(NotGbk::Ambiguous),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_would_be_read_as_another_is_refused() {
        assert_eq!(encode_gbk("red").unwrap(), b"red");
        assert_eq!(encode_gbk("先手胜").unwrap(), b"\xcf\xc8\xca\xd6\xca\xa4");
        assert_eq!(encode_gbk("a 🎲"), Err(NotGbk::Sign('🎲')));
        // Its bytes in GBK are those of ģ in UTF-8.
        assert_eq!(encode_gbk("模"), Err(NotGbk::Ambiguous));
    }
}
