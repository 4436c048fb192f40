//! The symmetries of the game, each of which keeps every value exactly.
//!
//! Together they map a position to up to 16 positions, or 8 with the same side to roll.

use wurfel_core::{Game, Side};

use super::board::Cell;
use super::cube::Cube;
use super::position::Position;
use super::rolls::RuleSet;

impl<R: RuleSet> Position<R> {
    /// The position mirrored in the main diagonal (a5–e1).
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.rebuilt(self.side(), |side, cube, cell| {
            (side, cube, Cell::at(cell.column(), cell.row()))
        })
    }

    /// The position after a half turn with the colours exchanged: the other side rolls, with the
    /// same win probability.
    #[must_use]
    pub fn colours_swapped(&self) -> Self {
        self.rebuilt(!self.side(), |side, cube, cell| {
            (!side, cube, Cell::at(4 - cell.row(), 4 - cell.column()))
        })
    }

    /// The position with the numbers of one side's cubes reversed (*i* → 7 − *i*).
    #[must_use]
    pub fn numbers_reversed(&self, of: Side) -> Self {
        self.rebuilt(self.side(), |side, cube, cell| {
            let reversed = Cube::known(5 - cube.index() as u8);
            (side, if side == of { reversed } else { cube }, cell)
        })
    }

    fn rebuilt(
        &self,
        to_roll: Side,
        image: impl Fn(Side, Cube, Cell) -> (Side, Cube, Cell),
    ) -> Self {
        let mut position = Self::EMPTY;
        for side in Side::BOTH {
            for (cube, cell) in self.cubes(side) {
                let (side, cube, cell) = image(side, cube, cell);
                position.put(side, cube, cell);
            }
        }
        position.settle(to_roll, self.ply() as u16);
        position
    }
}
