//! Squares, and sets of them as bits.

use std::fmt;

use wurfel_core::Side;

/// A square: 0 is a1, 1 is b1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Square(u8);

pub(super) const SQUARES: usize = 64;

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_H: u64 = FILE_A << 7;
pub(super) const RANK_1: u64 = 0xFF;
/// The ranks on which pawns promote.
pub(super) const LAST_RANKS: u64 = RANK_1 | RANK_1 << 56;

/// Rank `number`, 1 to 8, counted from where `side` begins.
#[inline(always)]
pub(super) const fn rank_of(side: Side, number: u32) -> u64 {
    match side {
        Side::First => RANK_1 << (8 * (number - 1)),
        Side::Second => RANK_1 << (8 * (8 - number)),
    }
}

impl Square {
    /// The square with this number, 0 to 63.
    pub const fn new(index: usize) -> Option<Self> {
        if index < SQUARES { Some(Self(index as u8)) } else { None }
    }

    /// The square with this index, which must be below 64.
    #[inline(always)]
    pub(super) const fn known(index: u32) -> Self {
        Self((index & 63) as u8)
    }

    /// 0 (a1) to 63 (h8).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file a, 7 for file h.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for rank 1, 7 for rank 8.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square as the other side sees it: on the same file, with ranks counted from the other
    /// end.
    #[inline(always)]
    pub(super) const fn flipped(self) -> Self {
        Self(self.0 ^ 0o70)
    }

    /// The set that contains only this square.
    #[inline(always)]
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// Calls `visit` with each square of a set, a1 first.
#[inline(always)]
pub(super) fn each(mut squares: u64, mut visit: impl FnMut(Square)) {
    while squares != 0 {
        visit(Square::known(squares.trailing_zeros()));
        squares &= squares - 1;
    }
}
