//! Moves, and lists of them that live on the stack.

use std::fmt;

use wurfel_core::{BySide, Random, Side};

use super::board::{Cell, Neighbours};
use super::cube::Cube;

/// A step of one cube. The text form consists of its two squares, `a5b4`.
///
/// The bits hold, from the top: the cube, whether the step brings it closer to its goal, the square
/// that it leaves, and the square that it enters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    pub(super) const fn new(side: Side, cube: Cube, from: Cell, to: Cell) -> Self {
        let closer = from.distance(side) - to.distance(side);
        Self(
            (cube.index() as u16) << 11
                | closer << 10
                | (from.index() as u16) << 5
                | to.index() as u16,
        )
    }

    /// By how much the step reduces the distance of the cube from its goal, 0 or 1.
    #[inline(always)]
    pub(super) const fn gain(self) -> u16 {
        self.0 >> 10 & 1
    }

    /// The cube that steps.
    #[inline(always)]
    pub const fn cube(self) -> Cube {
        Cube::known((self.0 >> 11) as u8)
    }

    /// The square that the cube leaves.
    #[inline(always)]
    pub const fn from(self) -> Cell {
        Cell::known((self.0 >> 5 & 31) as u8)
    }

    /// The square that the cube enters.
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

/// The legal moves of a turn, at most six: those of the lower cube first, and for each cube
/// sideways, ahead, diagonally.
#[derive(Clone, Copy)]
pub struct Moves {
    items: [Move; 8],
    count: u8,
}

/// The moves of a cube from one square in three lanes of 16 bits, and their number in the fourth
/// lane, so that a list fits into two words.
type Lanes = u64;

/// The [`Lanes`] by cube and square. Cube index 6 stands for no cube and has no moves. There are 32
/// squares and 8 cubes, so that masked indices need no check.
type LaneTable = [[Lanes; 32]; 8];

static LANES: BySide<LaneTable> = BySide::new(lanes(Side::First), lanes(Side::Second));

const fn lanes(side: Side) -> LaneTable {
    let mut table = [[0; 32]; 8];
    let mut number = 0;
    while number < Cube::ALL.len() {
        let mut index = 0;
        while let Some(from) = Cell::new(index) {
            let neighbours = Neighbours::new(side, from);
            let squares = neighbours.squares();
            let mut n = 0;
            while n < squares.len() {
                let Move(lane) = Move::new(side, Cube::ALL[number], from, squares[n]);
                table[number][index] |= (lane as u64) << (16 * n);
                n += 1;
            }
            table[number][index] |= (n as u64) << 48;
            index += 1;
        }
        number += 1;
    }
    table
}

/// The moves of one cube.
#[derive(Clone, Copy)]
pub(super) struct Steps(Lanes);

impl Steps {
    /// The moves of a cube whose square is the byte `from`; a byte that is not a square gives no
    /// moves.
    #[inline(always)]
    pub(super) fn new(side: Side, cube: Cube, from: u8) -> Self {
        Self(LANES[side][cube.index() & 7][usize::from(from & 31)])
    }

    #[inline(always)]
    fn count(self) -> u32 {
        (self.0 >> 48) as u32
    }

    #[inline(always)]
    fn get(self, n: u32) -> Move {
        Move((self.0 >> (16 * n)) as u16)
    }

    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = Move> {
        (0..self.count()).map(move |n| self.get(n))
    }
}

/// One of the moves of one or two cubes, in the order of [`Moves`].
#[inline(always)]
pub(super) fn pick(first: Steps, second: Steps, random: &mut Random) -> Option<Move> {
    let before = first.count();
    let count = before + second.count();
    (count > 0).then(|| {
        let n = random.below(count);
        if n < before { first.get(n) } else { second.get(n - before) }
    })
}

impl Moves {
    /// The moves of one or two cubes.
    #[inline(always)]
    pub(super) fn of(first: Steps, second: Steps) -> Self {
        // The second cube's lanes are placed directly behind the first one's, across two words that
        // are combined in registers. If they were combined in memory, the list could not be read
        // until it had reached the cache. The counts in the fourth lanes end up behind the last
        // move, where nothing reads them.
        let shift = 16 * first.count();
        let low = first.0 & (u64::MAX >> 16) | second.0 << shift;
        let high = second.0 >> 1 >> (63 - shift);
        let lane = |n| if n < 4 { low >> (16 * n) } else { high >> (16 * (n - 4)) };
        let items = std::array::from_fn(|n| Move(lane(n) as u16));
        Self { items, count: (first.count() + second.count()) as u8 }
    }
}

impl AsRef<[Move]> for Moves {
    #[inline(always)]
    fn as_ref(&self) -> &[Move] {
        &self.items[..usize::from(self.count & 7)]
    }
}
