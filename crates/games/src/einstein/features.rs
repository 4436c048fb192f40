//! What a learned evaluation sees of a position: for each cube its side (to move
//! or not), its square, and which numbers of its side live.
//!
//! The living numbers decide how often a cube may move and which cube is the
//! other choice, so "cube 3 on c4" is another feature beside {2, 3, 6} than
//! beside {3, 4}. Squares are seen from the side to move; reversing a side's
//! numbers (*i* → 7 − *i*) changes nothing.
//!
//! Known to be coarse: where a set of living numbers is its own reverse, as that of
//! all six, a cube and its counterpart are one feature, each by itself. So
//! exchanging 1 and 6 alone is not seen, although it changes which numbers are
//! neighbours.

use wurfel_game::{Features, Game, Side};

use super::position::Position;
use super::throws::RuleSet;

/// Squares.
const CELLS: usize = 25;
/// The number of pairs of a set of living cubes and a cube in it, sets that are
/// each other's reverse counted once.
const ROLES: usize = 96;

/// For each set of living cubes and each cube the number of the pair.
static ROLE: [[u8; 8]; 64] = {
    let mut roles = [[0; 8]; 64];
    let mut count = 0;
    let mut alive = 1;
    while alive < 64u8 {
        let reversed = alive.reverse_bits() >> 2;
        let mut cube = 0;
        while cube < 6 {
            if alive >> cube & 1 == 1 {
                let known = reversed < alive || (reversed == alive && cube > 2);
                roles[alive as usize][cube] = if known {
                    roles[reversed as usize][5 - cube]
                } else {
                    count += 1;
                    count as u8 - 1
                };
            }
            cube += 1;
        }
        alive += 1;
    }
    assert!(count == ROLES);
    roles
};

/// Where the features of the side to move begin, and those of the other.
const OWN: usize = 0;
const OTHER: usize = ROLES * CELLS;

/// The number of a cube's feature among those of its side.
#[inline(always)]
fn feature(viewer: Side, alive: u8, cube: usize, cell: u8) -> usize {
    let cell = usize::from(cell & 31).min(CELLS - 1);
    let cell = if viewer == Side::First { cell } else { CELLS - 1 - cell };
    let role = ROLE[usize::from(alive & 63)][cube & 7];
    usize::from(role) * CELLS + cell
}

/// For each number of a pair on how many faces of the die the cube may move: its
/// own, and those of the dead cubes next to it.
static FACES: [u8; ROLES] = {
    let mut faces = [0; ROLES];
    let mut alive = 1;
    while alive < 64u8 {
        let mut cube = 0;
        while cube < 6 {
            if alive >> cube & 1 == 1 {
                let below = alive & ((1 << cube) - 1);
                let above = alive >> cube >> 1;
                let next_below = if below == 0 { 0 } else { below.ilog2() as u8 + 1 };
                let next_above =
                    if above == 0 { 6 } else { cube as u8 + 1 + above.trailing_zeros() as u8 };
                faces[ROLE[alive as usize][cube] as usize] = next_above - next_below;
            }
            cube += 1;
        }
        alive += 1;
    }
    faces
};

impl<R: RuleSet> Features for Position<R> {
    const FEATURES: usize = 2 * ROLES * CELLS;

    #[inline(always)]
    fn features(&self, viewer: Side, mut add: impl FnMut(usize)) {
        for (start, side) in [(OWN, viewer), (OTHER, !viewer)] {
            let (alive, cubes) = self.men_of(side);
            let mut left = alive;
            while left != 0 {
                let cube = left.trailing_zeros() as usize;
                add(start + feature(viewer, alive, cube, (cubes >> (8 * cube)) as u8));
                left &= left - 1;
            }
        }
    }

    /// The step of one cube that took nothing: two features. With a capture all
    /// of a side's change.
    #[inline(always)]
    fn changes(
        &self,
        before: &Self,
        mut remove: impl FnMut(usize),
        mut add: impl FnMut(usize),
    ) -> bool {
        let (viewer, moved) = (self.side(), before.side());
        let ((alive, now), (alive_before, then)) = (self.men_of(moved), before.men_of(moved));
        if alive != alive_before || self.men_of(viewer).0 != before.men_of(viewer).0 {
            return false;
        }
        let cube = (now ^ then).trailing_zeros() as usize / 8;
        let feature =
            |cubes: u64| OTHER + feature(viewer, alive, cube, (cubes >> (8 * (cube & 7))) as u8);
        remove(feature(then));
        add(feature(now));
        true
    }

    const KINDS: usize = 2 * 6 * CELLS;

    /// A cube on a square that may move with the same number of faces.
    fn kind(feature: usize) -> usize {
        let (side, rest) = (feature / OTHER, feature % OTHER);
        let (role, cell) = (rest / CELLS, rest % CELLS);
        let faces = usize::from(FACES[role]);
        (side * 6 + faces - 1) * CELLS + cell
    }

    fn twin(&self) -> Self {
        self.mirrored()
    }
}
