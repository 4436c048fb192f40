//! The squares: names, distances and steps, as tables made at compile time.

use std::fmt;

use wurfel_game::{BySide, Side};

/// A square, 0 to 24, row by row from the top left (a5); red's goal is 24.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell(u8);

/// Rows, and columns.
pub(super) const SIZE: u8 = 5;
/// Squares.
pub(super) const CELLS: usize = 25;

impl Cell {
    /// The square with this number, 0 to 24.
    pub const fn new(index: usize) -> Option<Self> {
        if index < CELLS {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The square in a row from the top and a column from the left, 0 to 4.
    pub(super) const fn at(row: u8, column: u8) -> Self {
        assert!(row < SIZE && column < SIZE);
        Self(row * SIZE + column)
    }

    /// The square whose number is known to be below 25.
    #[inline(always)]
    pub(super) const fn known(index: u8) -> Self {
        debug_assert!((index as usize) < CELLS);
        Self(index)
    }

    /// 0 to 24, row by row from the top left.
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

    /// Steps of a king from here to the goal of `side`, 0 to 4.
    #[inline(always)]
    pub fn distance(self, side: Side) -> u16 {
        DISTANCES[side][self.index()]
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.column()),
            SIZE - self.row()
        )
    }
}

static DISTANCES: BySide<[u16; CELLS]> =
    BySide::new(distances(Side::First), distances(Side::Second));

const fn distances(side: Side) -> [u16; CELLS] {
    let mut table = [0; CELLS];
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

/// Where a cube may step from one square: sideways, ahead, diagonally.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    /// The squares; those from `count` on mean nothing.
    pub to: [Cell; 3],
    /// How many there are, 0 (on the goal), 1 or 3.
    pub count: u8,
}

/// [`Steps`] by side and square.
pub(super) static STEPS: BySide<[Steps; CELLS]> =
    BySide::new(steps(Side::First), steps(Side::Second));

const fn steps(side: Side) -> [Steps; CELLS] {
    let mut table = [Steps {
        to: [Cell(0); 3],
        count: 0,
    }; CELLS];
    let mut index = 0;
    while index < CELLS {
        let from = Cell(index as u8);
        let (row, column) = (from.row(), from.column());
        let (edge_row, edge_column) = (Cell::goal(side).row(), Cell::goal(side).column());
        let (next_row, next_column) = match side {
            Side::First => (row + 1, column + 1),
            Side::Second => (row.wrapping_sub(1), column.wrapping_sub(1)),
        };
        let steps = &mut table[index];
        if column != edge_column {
            steps.to[steps.count as usize] = Cell::at(row, next_column);
            steps.count += 1;
        }
        if row != edge_row {
            steps.to[steps.count as usize] = Cell::at(next_row, column);
            steps.count += 1;
        }
        if column != edge_column && row != edge_row {
            steps.to[steps.count as usize] = Cell::at(next_row, next_column);
            steps.count += 1;
        }
        index += 1;
    }
    table
}
