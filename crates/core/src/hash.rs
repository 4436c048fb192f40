//! A quick hash of positions for tables in memory. It is meant neither for files nor for secrets.

use std::hash::{Hash, Hasher};

/// The hash of a position. Each word is mixed in by a multiplication to 128 bits whose halves are
/// then folded together (the step of Wang Yi's wyhash, public domain).
pub fn quick_hash(position: &impl Hash) -> u64 {
    let mut hasher = Folding(0x9E37_79B9_7F4A_7C15);
    position.hash(&mut hasher);
    hasher.finish()
}

struct Folding(u64);

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline(always)]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(0xA076_1D64_78BD_642F_u64);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    #[inline(always)]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    #[inline(always)]
    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}
