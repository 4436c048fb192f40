//! A checksum for files and bench signatures whose definition never changes. It is not meant for
//! secrets.

/// The 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo).
///
/// ```
/// // The published value of 64-bit FNV-1a for the letter a.
/// assert_eq!(wurfel_core::checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
/// ```
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The checksum in the form that is written to files: sixteen hexadecimal digits.
pub fn checksum_text(bytes: impl AsRef<[u8]>) -> String {
    format!("{:016x}", checksum(bytes.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::{checksum, checksum_text};

    #[test]
    fn it_gives_its_published_values() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(checksum_text("foobar"), "85944171f73967e8");
        assert_eq!(checksum_text("baa"), "0039231913392937");
    }
}
