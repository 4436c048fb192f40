//! Moves, and lists of them that live on the stack.

use std::fmt;

use super::board::{Cell, STEPS};
use super::position::Cube;
use wurfel_game::Side;

/// A step of one cube. The text form is its squares, `a5b4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub(super) const fn new(cube: Cube, from: Cell, to: Cell) -> Self {
        Self((cube.index() as u16) << 10 | (from.index() as u16) << 5 | to.index() as u16)
    }

    /// The cube that steps.
    #[inline(always)]
    pub const fn cube(self) -> Cube {
        Cube::known((self.0 >> 10) as u8)
    }

    /// Where it stands.
    #[inline(always)]
    pub const fn from(self) -> Cell {
        Cell::known((self.0 >> 5 & 31) as u8)
    }

    /// Where it goes.
    #[inline(always)]
    pub const fn to(self) -> Cell {
        Cell::known((self.0 & 31) as u8)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{self}", self.cube())
    }
}

/// Two cubes may have a choice, each with at most three steps.
const MOST: usize = 6;

/// The legal moves of a turn: lower cube first; sideways, ahead, diagonally.
#[derive(Clone, Copy)]
pub struct Moves {
    items: [Move; MOST],
    count: u8,
}

impl Moves {
    pub(super) const NONE: Self = Self {
        items: [Move(0); MOST],
        count: 0,
    };

    /// Adds the steps of a cube. At most two cubes are ever added.
    #[inline(always)]
    pub(super) fn add(&mut self, side: Side, cube: Cube, from: Cell) {
        let steps = &STEPS[side][from.index()];
        for (n, &to) in steps.to.iter().enumerate() {
            // All three are written, so that there is no branch on the count.
            if let Some(slot) = self.items.get_mut(self.count as usize + n) {
                *slot = Move::new(cube, from, to);
            }
        }
        self.count += steps.count;
    }
}

impl AsRef<[Move]> for Moves {
    #[inline(always)]
    fn as_ref(&self) -> &[Move] {
        &self.items[..self.count as usize]
    }
}
