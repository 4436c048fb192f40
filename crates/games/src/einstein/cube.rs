//! The numbers of the cubes.

use std::fmt;

/// A cube's number, 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cube(u8);

impl Cube {
    /// The six cubes, 1 to 6.
    pub const ALL: [Cube; 6] = [Cube(0), Cube(1), Cube(2), Cube(3), Cube(4), Cube(5)];

    #[inline(always)]
    pub(super) const fn known(index: u8) -> Self {
        debug_assert!(index <= 6);
        Self(index)
    }

    /// The cube whose number is this digit.
    pub(super) fn called(digit: char) -> Option<Self> {
        Self::ALL.get((digit.to_digit(10)? as usize).checked_sub(1)?).copied()
    }

    /// The number of the cube, 1 to 6.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The index of the cube, 0 to 5.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
