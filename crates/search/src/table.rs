//! The transposition table: bounds on the values of positions at rest.
//!
//! It has a fixed number of entries in groups of four, each group in one cache line. An entry
//! consists of two atomic words, the first of which is combined with the second by exclusive or, so
//! that threads share the table without locks, and an entry that two threads have mixed up is
//! simply not found (Hyatt and Mann, ICGA Journal 25(1), 2002).

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::allocation::zeroed_slice_box;
use prefetch_index::prefetch_index;

/// What is known about a position at one depth: bounds of its value for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bounds {
    pub low: f32,
    pub high: f32,
    /// Whether an evaluation went into the bounds.
    pub estimated: bool,
}

impl Bounds {
    /// The bounds that hold for any value.
    pub const UNKNOWN: Self = Self { low: 0.0, high: 1.0, estimated: false };
}

/// A table of positions with bounds, found by their hash.
///
/// ```
/// use std::sync::Arc;
///
/// use wurfel_core::{Agent, Budget, Even, Literal, Situation};
/// use wurfel_search::{Cutoffs, Star, TranspositionTable};
///
/// let situation: Situation<Literal> = "{[{[+][-]}+]} 1 1".parse()?;
/// let table = Arc::new(TranspositionTable::new(1));
/// let budget = Budget { depth: Some(2), ..Budget::default() };
/// let mut star = Star::new(Even, Cutoffs::Star2, table, budget);
/// let decision = star.decide(situation.turn().unwrap(), Budget::default());
/// assert_eq!((decision.mv.to_string().as_str(), decision.value), ("2", Some(1.0)));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    /// The groups, preceded by as many unused entries as it takes for the first group to begin a
    /// cache line.
    entries: Box<[Entry]>,
    /// Where the first group begins.
    start: usize,
    groups: usize,
    /// The number of the present generation. Entries of other generations count as empty.
    generation: AtomicU64,
}

type Entry = [AtomicU64; 2];

/// How many entries share a cache line of 64 bytes.
const GROUP: usize = 4;

/// The low bits of an entry's first word hold the depth, whether the bounds are estimates, and the
/// generation; the high bits are those of the hash.
const DEPTH_BITS: u64 = 0x7F;
const ESTIMATED: u64 = 0x80;
const GENERATION_BITS: u64 = 0xFF00;
const HASH_BITS: u64 = !0xFFFF;

impl TranspositionTable {
    /// A table of at most this many megabytes (2²⁰ bytes), at least one group.
    ///
    /// The memory comes zeroed from the operating system, which provides each page when it is first
    /// used, so a large table costs nothing until it is filled.
    pub fn new(megabytes: usize) -> Self {
        let groups = ((megabytes << 20) / size_of::<[Entry; GROUP]>()).max(1);
        // Memory aligned to 64 bytes would be written to at once. So this asks for unaligned
        // memory, one group more than is needed, and begins at the first cache line in it.
        let entries = zeroed_slice_box::<Entry>((groups + 1) * GROUP);
        let start = entries.as_ptr().align_offset(64).min(GROUP);
        // A new entry holds 0, so no generation may be 0.
        Self { entries, start, groups, generation: AtomicU64::new(1 << 8) }
    }

    /// The first entry of the group of a hash.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        // The bits that an entry does not store choose the group, so that group and entry together
        // distinguish the most positions.
        let index = (u128::from(hash.rotate_left(48)) * self.groups as u128) >> 64;
        self.start + index as usize * GROUP
    }

    #[inline]
    fn group(&self, hash: u64) -> &[Entry] {
        let place = self.place(hash);
        &self.entries[place..place + GROUP]
    }

    /// Begins to bring the entries of a hash into the cache, for a search that will ask for them
    /// soon.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch_index(&self.entries, self.place(hash));
    }

    /// The first word of an entry, without the flag for estimates.
    fn key(&self, hash: u64, depth: u32) -> u64 {
        hash & HASH_BITS | self.generation.load(Ordering::Relaxed) | u64::from(depth)
    }

    /// The bounds of the position with this hash at exactly this depth.
    #[inline]
    pub(crate) fn get(&self, hash: u64, depth: u32) -> Option<Bounds> {
        let wanted = self.key(hash, depth);
        self.group(hash).iter().find_map(|[key, value]| {
            let value = value.load(Ordering::Relaxed);
            let key = key.load(Ordering::Relaxed) ^ value;
            (key & !ESTIMATED == wanted).then(|| Bounds {
                low: f32::from_bits((value >> 32) as u32),
                high: f32::from_bits(value as u32),
                estimated: key & ESTIMATED != 0,
            })
        })
    }

    /// Stores bounds. They replace those of the same position and depth, or else an entry of
    /// another generation, or else the entry with the smallest depth in the group.
    #[inline]
    pub(crate) fn put(&self, hash: u64, depth: u32, bounds: Bounds) {
        let same = self.key(hash, depth);
        let flag = if bounds.estimated { ESTIMATED } else { 0 };
        let content = u64::from(bounds.low.to_bits()) << 32 | u64::from(bounds.high.to_bits());
        let worth_keeping = |[key, value]: &&Entry| {
            let known = key.load(Ordering::Relaxed) ^ value.load(Ordering::Relaxed);
            let old = (known ^ same) & GENERATION_BITS != 0;
            if old || known & !ESTIMATED == same { 0 } else { 1 + (known & DEPTH_BITS) }
        };
        if let Some([key, value]) = self.group(hash).iter().min_by_key(worth_keeping) {
            value.store(content, Ordering::Relaxed);
            key.store((same | flag) ^ content, Ordering::Relaxed);
        }
    }

    /// Empties the table.
    pub fn clear(&self) {
        let next = self.generation.load(Ordering::Relaxed) + (1 << 8);
        if next & !GENERATION_BITS == 0 {
            self.generation.store(next, Ordering::Relaxed);
            return;
        }
        // All generation numbers have been used: every entry is erased, and counting starts again.
        for [key, value] in &self.entries {
            key.store(0, Ordering::Relaxed);
            value.store(0, Ordering::Relaxed);
        }
        self.generation.store(1 << 8, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(low: f32, high: f32) -> Bounds {
        Bounds { low, high, estimated: true }
    }

    #[test]
    fn bounds_come_back_at_their_depth_only() {
        let table = TranspositionTable::new(1);
        let bounds =
            [known(0.25, 0.5), known(0.0, 0.0), Bounds { low: 1.0, high: 1.0, estimated: false }];
        for (hash, bounds) in [0x1234_5678_9ABC_DEF0, u64::MAX, 5 << 40].into_iter().zip(bounds) {
            assert_eq!(table.get(hash, 3), None);
            table.put(hash, 3, bounds);
            assert_eq!(table.get(hash, 3), Some(bounds));
            assert_eq!(table.get(hash, 2), None);
            assert_eq!(table.get(hash ^ 1 << 20, 3), None);
            table.put(hash, 3, known(0.3, 0.4));
            assert_eq!(table.get(hash, 3), Some(known(0.3, 0.4)));
        }
        for _ in 0..1000 {
            table.clear();
            assert_eq!(table.get(u64::MAX, 3), None);
            table.put(u64::MAX, 3, known(0.5, 0.5));
        }
        assert_eq!(table.get(u64::MAX, 3), Some(known(0.5, 0.5)));
    }

    #[test]
    fn a_full_group_gives_up_the_shallowest() {
        let table = TranspositionTable::new(0);
        for depth in [5, 2, 4, 3, 6] {
            table.put(u64::from(depth) << 50, depth, known(0.0, 0.5));
        }
        let survives: Vec<bool> = [2, 3, 4, 5, 6]
            .map(|depth| table.get(u64::from(depth) << 50, depth).is_some())
            .to_vec();
        assert_eq!(survives, [false, true, true, true, true]);
    }
}
