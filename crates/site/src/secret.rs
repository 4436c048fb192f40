//! Secrets and their hashes.

use std::fmt::Write;
use std::io;

use sha2::{Digest, Sha256};

/// `BYTES` random bytes from the operating system, as hexadecimal digits.
pub(crate) fn random_hex<const BYTES: usize>() -> io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The SHA-256 hash of bytes as hexadecimal digits.
pub(crate) fn hash_hex_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256 hash of a text.
pub(crate) fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// The SHA-256 hash of a text as hexadecimal digits.
pub(crate) fn hash_hex(text: &str) -> String {
    hex(&hash(text))
}

/// Whether the texts are equal. The time that the comparison takes does not reveal where they
/// differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let differ = |(one, other)| one ^ other;
    one.len() == other.len()
        && one.bytes().zip(other.bytes()).map(differ).fold(0, |all, bits| all | bits) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_published_one() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            hash_hex("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn secrets_differ() {
        let [one, other] = [(); 2].map(|()| random_hex::<16>().unwrap());
        assert!(one.len() == 32 && one != other && same(&one, &one) && !same(&one, &other));
        assert!(!same(&one, &one[1..]));
    }
}
