//! The features of an EWN position for the learned evaluation. Each cube is one feature, by its
//! side (to move or not), its square, and the living numbers of its side.
//!
//! The living numbers decide how often a cube may move and which other cube is the alternative, so
//! "cube 3 on c4" beside {2, 3, 6} is a different feature than beside {3, 4}. Squares are seen from
//! the side to move. Reversing a side's numbers (*i* → 7 − *i*) changes no feature.
//!
//! Where a set of living numbers is its own reverse, like the set of all six, the side is turned as
//! a whole: of its lowest and highest numbers, the one whose cube comes first on the board, square
//! by square, is taken to be the lowest. So 1 and 6 cannot be exchanged by themselves, which would
//! change which numbers are neighbours, but only together with all other pairs.

use wurfel_core::{Features, Game, Side};

use super::position::Position;
use super::rolls::RuleSet;

/// How many squares the board has.
const CELLS: usize = 25;
/// How many *roles* there are: pairs of a set of living cubes and a cube of this set, where a set
/// and its reverse count as one.
const ROLES: usize = 108;

/// The role of each cube in each set of living cubes: first with the numbers as they are, then for
/// a side that is turned. A set that is not its own reverse cannot be turned, because the reversed
/// set has the same roles already.
static ROLE: [[[u8; 8]; 64]; 2] = {
    let mut roles = [[[0; 8]; 64]; 2];
    let mut count = 0;
    let mut alive = 1;
    while alive < 64u8 {
        let reversed = alive.reverse_bits() >> 2;
        let mut cube = 0;
        while cube < 6 {
            if alive >> cube & 1 == 1 {
                if reversed < alive {
                    let known = roles[0][reversed as usize][5 - cube];
                    roles[0][alive as usize][cube] = known;
                    roles[1][alive as usize][cube] = known;
                } else {
                    roles[0][alive as usize][cube] = count;
                    let turned = if reversed == alive { 5 - cube } else { cube };
                    roles[1][alive as usize][turned] = count;
                    count += 1;
                }
            }
            cube += 1;
        }
        alive += 1;
    }
    assert!(count as usize == ROLES);
    roles
};

/// The first feature of the side to move; below, that of the other side.
const OWN: usize = 0;
const OTHER: usize = ROLES * CELLS;

/// The sets of living cubes that are their own reverse: bit *n* for set *n*.
const REVERSIBLE: u64 = {
    let mut sets = 0;
    let mut alive = 1u8;
    while alive < 64 {
        if alive.reverse_bits() >> 2 == alive {
            sets |= 1 << alive;
        }
        alive += 1;
    }
    sets
};

/// Whether `viewer` sees a side with these cubes as turned.
#[inline(always)]
#[expect(clippy::manual_ilog2, reason = "it would ask whether there is a cube at all")]
fn turned(viewer: Side, alive: u8, cubes: u64) -> bool {
    let cell = |cube: u32| (cubes >> (8 * (cube & 7))) as u8;
    let (lowest, highest) = (alive.trailing_zeros(), 7 - alive.leading_zeros());
    (cell(lowest) > cell(highest)) == (viewer == Side::First)
}

/// The number of a cube's feature among those of its side.
#[inline(always)]
fn feature(viewer: Side, (alive, turned): (u8, bool), cubes: u64, cube: usize) -> usize {
    let cell = usize::from((cubes >> (8 * (cube & 7))) as u8 & 31).min(CELLS - 1);
    let cell = if viewer == Side::First { cell } else { CELLS - 1 - cell };
    let role = ROLE[usize::from(turned)][usize::from(alive & 63)][cube & 7];
    usize::from(role) * CELLS + cell
}

/// For each role, the number of faces of the die that let the cube move: its own, and those of the
/// captured cubes next to it.
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
                faces[ROLE[0][alive as usize][cube] as usize] = next_above - next_below;
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
            let (alive, cubes) = self.pieces_of(side);
            let set = (alive, turned(viewer, alive, cubes));
            let mut left = alive;
            while left != 0 {
                let cube = left.trailing_zeros() as usize;
                add(start + feature(viewer, set, cubes, cube));
                left &= left - 1;
            }
        }
    }

    /// A step of one cube without a capture changes two features. A capture changes all features of
    /// a side, and so does turning the side.
    #[inline(always)]
    fn changes(
        &self,
        before: &Self,
        mut remove: impl FnMut(usize),
        mut add: impl FnMut(usize),
    ) -> bool {
        let (viewer, moved) = (self.side(), before.side());
        let ((alive, now), (alive_before, then)) = (self.pieces_of(moved), before.pieces_of(moved));
        let set = (alive, turned(viewer, alive, now));
        if alive != alive_before
            || self.pieces_of(viewer).0 != before.pieces_of(viewer).0
            || REVERSIBLE >> alive & 1 == 1 && set.1 != turned(viewer, alive, then)
        {
            return false;
        }
        let cube = (now ^ then).trailing_zeros() as usize / 8;
        remove(OTHER + feature(viewer, set, then, cube));
        add(OTHER + feature(viewer, set, now, cube));
        true
    }

    const KINDS: usize = 2 * 6 * CELLS;

    /// Features are of one kind when they belong to cubes on the same square that the same number
    /// of faces lets move.
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
