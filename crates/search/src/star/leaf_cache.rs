//! A small cache of the values that positions have one turn ahead, where a search spends most of its
//! time.
//!
//! These positions are so numerous that in the transposition table they would evict the
//! others, and most of those that recur do so soon. In a deep search, a cache that fits into the L2
//! cache of the CPU already holds the results of a quarter of the work. Each search makes a cache
//! of its own, but only after it has run for a while, because making one takes as long as some
//! thousand nodes.

use prefetch_index::prefetch_index;

/// The binary logarithm of the number of entries. 2¹⁴ entries of 16 bytes take a quarter of the L2
/// cache of a typical CPU.
const BITS: u32 = 14;

/// The value of a position one turn ahead, as the cache returns it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Leaf {
    pub value: f32,
    /// Whether an evaluation went into the value.
    pub estimated: bool,
    /// How many positions were visited to find it.
    pub nodes: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    value: f32,
    /// Twice the number of nodes, and one more for an estimate.
    nodes: u32,
}

const EMPTY: Entry = Entry { hash: 0, value: 0.0, nodes: 0 };

/// Values of positions before a roll for the side to move, one turn ahead, by the hash of the
/// position. A new entry replaces the one in its place.
pub(super) struct LeafCache {
    entries: Box<[Entry]>,
}

impl LeafCache {
    pub fn new() -> Self {
        let mut entries = vec![EMPTY; 1 << BITS].into_boxed_slice();
        // An empty entry in the first place would be taken for the position with hash 0.
        entries[0].hash = u64::MAX;
        Self { entries }
    }

    #[inline(always)]
    const fn place(hash: u64) -> usize {
        (hash >> (u64::BITS - BITS)) as usize
    }

    /// Begins to bring the entry of a hash closer to the CPU.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch_index(&self.entries, Self::place(hash));
    }

    #[inline(always)]
    pub fn get(&self, hash: u64) -> Option<Leaf> {
        let Entry { hash: stored, value, nodes } = self.entries[Self::place(hash)];
        let leaf = Leaf { value, estimated: nodes & 1 != 0, nodes: nodes >> 1 };
        (stored == hash).then_some(leaf)
    }

    #[inline(always)]
    pub fn put(&mut self, hash: u64, leaf: Leaf) {
        let nodes = leaf.nodes << 1 | u32::from(leaf.estimated);
        self.entries[Self::place(hash)] = Entry { hash, value: leaf.value, nodes };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_knows_what_was_put_in_last() {
        let mut cache = LeafCache::new();
        let estimate = Leaf { value: 0.25, estimated: true, nodes: 7 };
        let exact = Leaf { value: 1.0, estimated: false, nodes: 40_000 };
        for hash in [0, 1, u64::MAX, 1 << 63] {
            assert_eq!(cache.get(hash), None);
            for leaf in [estimate, exact] {
                cache.put(hash, leaf);
                assert_eq!(cache.get(hash), Some(leaf));
            }
        }
        // Hashes 0 and 1 share a place.
        assert_eq!(cache.get(0), None);
        assert_eq!(cache.get(1), Some(exact));
    }
}
