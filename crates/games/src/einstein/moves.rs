//! Moves, and lists of them that live on the stack.

use std::fmt;

use wurfel_game::{BySide, Side};

use super::board::{Cell, Steps};
use super::position::Cube;

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

/// The legal moves of a turn, at most six: lower cube first; sideways, ahead,
/// diagonally.
#[derive(Clone, Copy)]
pub struct Moves {
    items: [Move; 8],
    count: u8,
}

/// The moves of cube 1 from one square, in lanes of 16 bits, and their number
/// in the fourth lane: so a list is two words, written at once.
type Lanes = u64;

/// [`Lanes`] by side and square; those from 25 on are empty, so that five bits
/// of any byte are an index.
static LANES: BySide<[Lanes; 32]> = BySide::new(lanes(Side::First), lanes(Side::Second));

const fn lanes(side: Side) -> [Lanes; 32] {
    let mut table = [0; 32];
    let mut index = 0;
    while let Some(from) = Cell::new(index) {
        let steps = Steps::new(side, from);
        let squares = steps.squares();
        let mut n = 0;
        while n < squares.len() {
            let Move(lane) = Move::new(Cube::known(0), from, squares[n]);
            table[index] |= (lane as u64) << (16 * n);
            n += 1;
        }
        table[index] |= (n as u64) << 48;
        index += 1;
    }
    table
}

impl Moves {
    /// The steps of one or two cubes, given with the bytes of their squares; a
    /// byte that is no square has no steps.
    #[inline(always)]
    pub(super) fn of(side: Side, first: (Cube, u8), second: (Cube, u8)) -> Self {
        const NUMBERS: u64 = 1 << 10 | 1 << 26 | 1 << 42;
        let lanes = |(cube, from): (Cube, u8)| {
            let lanes = LANES[side][usize::from(from & 31)];
            let count = lanes >> 48;
            let numbered = lanes | cube.index() as u64 * NUMBERS;
            (numbered & ((1 << (16 * count)) - 1), count)
        };
        let (low, count) = lanes(first);
        let (high, more) = lanes(second);
        // The second cube's lanes go behind the first one's, across two words
        // made in registers: pieced together in memory, the list could not be
        // read back before it has reached the cache.
        let shift = 16 * count;
        let words = [low | high << shift, high >> 1 >> (63 - shift)];
        let items = std::array::from_fn(|n| Move((words[n / 4] >> (16 * (n % 4))) as u16));
        Self { items, count: (count + more) as u8 }
    }
}

impl AsRef<[Move]> for Moves {
    #[inline(always)]
    fn as_ref(&self) -> &[Move] {
        &self.items[..usize::from(self.count & 7)]
    }
}
