//! The ways to place the cubes of the larger side on the squares that the smaller side leaves free,
//! and their ranks.
//!
//! The larger side moves as blue does, to square 0. On that square it would have won, so its cubes
//! stand on squares 1 to 24. Of the *n* squares that are free, the first cube stands on number
//! *r*₀, the second on number *r*₁ of those that are left then, and so on, counting from 0. The
//! rank is ((*r*₀ (*n* − 1) + *r*₁)(*n* − 2) + *r*₂)…, which is the index of the placing in
//! lexicographic order.
//!
//! When exchanging the cubes in slots 0 and 1, 2 and 3… changes nothing, the first cube is taken to
//! stand on the lower square of the two, and the pair counts as one thing with the rank *r*₁ (*r*₁
//! + 1) / 2 + *r*₀.

/// How many squares a cube can stand on without having won.
const OPEN: u64 = 24;

/// The square of each cube in the order of its slots, 0 to 24; unused entries are 0.
pub(super) type Cells = [u8; 6];

/// A set of squares, one for each bit.
pub(super) type Squares = u32;

/// Which placings of the larger side are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Placing {
    /// How many cubes are placed.
    pub cubes: usize,
    /// Whether exchanging slots 0 and 1, 2 and 3, 4 and 5 changes nothing.
    pub twin: bool,
}

/// The squares that are free beside those that the smaller side takes.
pub(super) fn free(taken: &[u8]) -> Squares {
    taken.iter().fold(0x01FF_FFFE, |free, cell| free & !(1 << cell))
}

/// The placing with the cubes of slots 0 and 1, 2 and 3, 4 and 5 exchanged.
#[inline(always)]
pub(super) fn exchanged(cells: Cells) -> Cells {
    std::array::from_fn(|slot| cells[slot ^ 1])
}

impl Placing {
    /// The number of placings on `free` squares.
    pub fn count(self, free: u32) -> u64 {
        let ordered: u64 = (0..self.cubes as u64).map(|n| u64::from(free) - n).product();
        if self.twin { ordered / 2 } else { ordered }
    }

    /// The rank of a placing. `taken` are the squares of the smaller side, which may not be among
    /// `cells`.
    #[inline(always)]
    pub fn rank(self, taken: &[u8], mut cells: Cells) -> u64 {
        if self.twin && cells[0] > cells[1] {
            cells = exchanged(cells);
        }
        let goal = taken.contains(&0);
        let mut left = OPEN - taken.len() as u64 + u64::from(goal);
        let mut rank = 0;
        for (slot, &cell) in cells[..self.cubes].iter().enumerate() {
            let below = |other: &&u8| **other < cell;
            // Square 0 is never free.
            let used = taken.iter().filter(below).count()
                + usize::from(!goal)
                + cells[..slot].iter().filter(below).count();
            let r = u64::from(cell) - used as u64;
            rank = match slot {
                1 if self.twin => r * (r + 1) / 2 + rank,
                _ => rank * left + r,
            };
            left -= 1;
        }
        rank
    }

    /// Calls `visit` with every placing on the free squares, in the order of their ranks.
    pub fn each(self, free: Squares, visit: &mut impl FnMut(Cells)) {
        let mut cells = [0; 6];
        if self.twin {
            for second in squares(free) {
                for first in squares(free & ((1 << second) - 1)) {
                    (cells[0], cells[1]) = (first, second);
                    self.rest(2, free & !(1 << first | 1 << second), &mut cells, visit);
                }
            }
        } else {
            self.rest(0, free, &mut cells, visit);
        }
    }

    fn rest(self, slot: usize, free: Squares, cells: &mut Cells, visit: &mut impl FnMut(Cells)) {
        if slot == self.cubes {
            return visit(*cells);
        }
        for cell in squares(free) {
            cells[slot] = cell;
            self.rest(slot + 1, free & !(1 << cell), cells, visit);
        }
    }

    /// The placing on the free squares with this rank.
    pub fn at(self, free: Squares, rank: u64) -> Cells {
        let mut cells = [0; 6];
        let mut ranks = [0; 6];
        let mut rank = rank;
        let least = if self.twin { 2 } else { 0 };
        for slot in (least..self.cubes).rev() {
            let left = u64::from(free.count_ones()) - slot as u64;
            (rank, ranks[slot]) = (rank / left, rank % left);
        }
        if self.twin {
            let mut second = 0;
            while (second + 1) * (second + 2) / 2 <= rank {
                second += 1;
            }
            // The second cube stands on one of the squares that are left when the lower one is
            // taken.
            (ranks[0], ranks[1]) = (rank - second * (second + 1) / 2, second);
        }
        let mut free = free;
        for slot in 0..self.cubes {
            let cell = squares(free).nth(ranks[slot] as usize).unwrap_or(0);
            free &= !(1 << cell);
            cells[slot] = cell;
        }
        cells
    }
}

/// The squares of a set in ascending order.
#[inline(always)]
pub(super) fn squares(set: Squares) -> impl Iterator<Item = u8> {
    let mut left = set;
    std::iter::from_fn(move || {
        let square = left.trailing_zeros() as u8;
        (left != 0).then(|| {
            left &= left - 1;
            square
        })
    })
}

/// Those ranks below a limit that are marked, numbered without gaps.
#[derive(Debug)]
pub(super) struct Marked {
    words: Vec<u64>,
    /// How many ranks are marked before each word of bits.
    before: Vec<u32>,
}

impl Marked {
    /// Marks the ranks below `limit` for which `keep` is true; it is called in ascending order.
    pub fn new(limit: u64, keep: &mut impl FnMut(u64) -> bool) -> Self {
        let mut words = vec![0u64; limit.div_ceil(64) as usize];
        for rank in 0..limit {
            words[(rank / 64) as usize] |= u64::from(keep(rank)) << (rank % 64);
        }
        let mut sum = 0;
        let count = |word: &u64| {
            let before = sum;
            sum += word.count_ones();
            before
        };
        let before = words.iter().map(count).collect();
        Self { words, before }
    }

    /// How many ranks are marked.
    pub fn count(&self) -> u64 {
        match (self.words.last(), self.before.last()) {
            (Some(word), Some(&before)) => u64::from(before + word.count_ones()),
            _ => 0,
        }
    }

    /// Whether a rank is marked.
    #[inline(always)]
    pub fn has(&self, rank: u64) -> bool {
        self.words[(rank / 64) as usize] >> (rank % 64) & 1 == 1
    }

    /// How many marked ranks there are below `rank`, which is its index if it is marked itself.
    #[inline(always)]
    pub fn place(&self, rank: u64) -> u64 {
        let word = (rank / 64) as usize;
        let below = self.words[word] & ((1 << (rank % 64)) - 1);
        u64::from(self.before[word] + below.count_ones())
    }

    /// The marked rank with this index.
    pub fn rank(&self, place: u64) -> u64 {
        let word = self.before.partition_point(|&before| u64::from(before) <= place) - 1;
        let mut left = self.words[word];
        for _ in u64::from(self.before[word])..place {
            left &= left - 1;
        }
        64 * word as u64 + u64::from(left.trailing_zeros())
    }
}
