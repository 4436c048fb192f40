//! A cache of evaluations, for positions that a search meets again.
//!
//! Rolls that differ only in a die that cannot be used lead to the same replies, and so do a few
//! candidates. Such replies come again soon, so a small cache finds nearly all of them.

use std::hash::Hash;

use wurfel_core::quick_hash;

/// The binary logarithm of the number of entries, of 16 bytes each. A candidate has fewer than 500
/// replies that are evaluated.
const BITS: u32 = 11;

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    value: f32,
}

/// Values of positions by their hash. A new entry replaces the one in its place.
pub(super) struct Values {
    entries: Box<[Entry]>,
}

impl Values {
    pub fn new() -> Self {
        let mut entries = vec![Entry { hash: 0, value: 0.0 }; 1 << BITS].into_boxed_slice();
        // An empty entry in the first place would be taken for the position with hash 0.
        entries[0].hash = u64::MAX;
        Self { entries }
    }

    /// The value of a position, from `evaluate` unless it is known.
    #[inline(always)]
    pub fn of<G: Hash>(&mut self, position: &G, evaluate: impl FnOnce(&G) -> f32) -> f32 {
        let hash = quick_hash(position);
        let entry = &mut self.entries[(hash >> (u64::BITS - BITS)) as usize];
        if entry.hash != hash {
            *entry = Entry { hash, value: evaluate(position) };
        }
        entry.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_position_that_comes_again_is_evaluated_once() {
        let (mut values, count) = (Values::new(), Cell::new(0));
        let mut value = |position: u64| {
            values.of(&position, |position| {
                count.set(count.get() + 1);
                *position as f32
            })
        };
        let all: Vec<f32> = (0..10).chain(0..10).map(&mut value).collect();
        let expected: Vec<f32> = (0..10).chain(0..10).map(|n| n as f32).collect();
        assert_eq!(all, expected);
        assert_eq!(count.get(), 10);
    }
}
