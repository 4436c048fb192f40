//! The squares: their names, distances and steps, as tables computed at compile time.

use std::fmt;

use wurfel_core::Side;

/// A square, 0 to 24, row by row from the top left (a5); red's goal is 24.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell(u8);

/// How many rows and how many columns the board has.
pub(super) const SIZE: u8 = 5;
/// How many squares the board has.
pub(super) const CELLS: usize = 25;

impl Cell {
    /// The square with this number, 0 to 24.
    pub const fn new(index: usize) -> Option<Self> {
        if index < CELLS { Some(Self(index as u8)) } else { None }
    }

    /// The square in a row from the top and a column from the left, 0 to 4.
    pub(super) const fn at(row: u8, column: u8) -> Self {
        assert!(row < SIZE && column < SIZE);
        Self(row * SIZE + column)
    }

    /// The square with this index, which must be below 25.
    #[inline(always)]
    pub(super) const fn known(index: u8) -> Self {
        debug_assert!((index as usize) < CELLS);
        Self(index)
    }

    /// The index of the square: 0 to 24, row by row from the top left.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row from the top, 0 to 4.
    pub const fn row(self) -> u8 {
        self.0 / SIZE
    }

    /// The column from the left, 0 to 4.
    pub const fn column(self) -> u8 {
        self.0 % SIZE
    }

    /// The corner that `side` wants to reach.
    pub const fn goal(side: Side) -> Self {
        match side {
            Side::First => Self(24),
            Side::Second => Self(0),
        }
    }

    /// How many steps of a king it takes from here to the goal of `side`, 0 to 4.
    #[inline(always)]
    pub const fn distance(self, side: Side) -> u16 {
        DISTANCES[side.index()][self.index() & 31]
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), SIZE - self.row())
    }
}

/// The distances by side and square. There are 32 entries, so that a masked index needs no check.
static DISTANCES: [[u16; 32]; 2] = [distances(Side::First), distances(Side::Second)];

const fn distances(side: Side) -> [u16; 32] {
    let mut table = [0; 32];
    let mut cell = 0;
    while cell < CELLS {
        let Cell(goal) = Cell::goal(side);
        let rows = (goal / SIZE).abs_diff(Cell(cell as u8).row());
        let columns = (goal % SIZE).abs_diff(Cell(cell as u8).column());
        table[cell] = if rows > columns { rows } else { columns } as u16;
        cell += 1;
    }
    table
}

/// The squares that a cube may enter from one square: sideways, ahead and diagonally.
#[derive(Clone, Copy)]
pub(super) struct Neighbours {
    /// The squares; entries from `count` on are meaningless.
    to: [Cell; 3],
    /// How many squares there are: 1 or 3, and 0 on the goal.
    count: usize,
}

impl Neighbours {
    const NONE: Self = Self { to: [Cell(0); 3], count: 0 };

    /// The steps of `side` from a square.
    pub(super) const fn new(side: Side, from: Cell) -> Self {
        let mut neighbours = Self::NONE;
        let (row, column) = (from.row(), from.column());
        let goal = Cell::goal(side);
        let (next_row, next_column) = match side {
            Side::First => (row + 1, column + 1),
            Side::Second => (row.wrapping_sub(1), column.wrapping_sub(1)),
        };
        if column != goal.column() {
            neighbours.push(Cell::at(row, next_column));
        }
        if row != goal.row() {
            neighbours.push(Cell::at(next_row, column));
        }
        if column != goal.column() && row != goal.row() {
            neighbours.push(Cell::at(next_row, next_column));
        }
        neighbours
    }

    const fn push(&mut self, to: Cell) {
        self.to[self.count] = to;
        self.count += 1;
    }

    /// The squares that may be entered.
    pub(super) const fn squares(&self) -> &[Cell] {
        self.to.split_at(self.count).0
    }
}
