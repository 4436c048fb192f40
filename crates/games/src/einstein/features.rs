//! What a learned evaluation sees of a position: for each cube its side (to move
//! or not), its square, and which numbers of its side live.
//!
//! The living numbers decide how often a cube may move and which cube is the
//! other choice, so "cube 3 on c4" is another feature beside {2, 3, 6} than
//! beside {3, 4}. Squares are seen from the side to move; reversing a side's
//! numbers (*i* → 7 − *i*) changes nothing.
//!
//! Where a set of living numbers is its own reverse, as that of all six, the side is
//! turned as a whole: its lowest number is the one whose cube comes first, square by
//! square. So 1 and 6 can trade their names, but not alone: that would change
//! which numbers are neighbours.

use wurfel_core::{Features, Game, Side};

use super::position::Position;
use super::rolls::RuleSet;

/// Squares.
const CELLS: usize = 25;
/// The number of pairs of a set of living cubes and a cube in it, where sets that are
/// each other's reverse count as one.
const ROLES: usize = 108;

/// The number of the pair for each set of living cubes and each cube: first as the
/// numbers are, then as they are when the side is turned. A set that is not its own
/// reverse cannot be turned: the reversed set has the same numbers of pairs already.
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

/// Where the features of the side to move begin, and those of the other.
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

/// Whether a side whose cubes stand so is turned, as `viewer` sees it.
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

    /// The step of one cube that took nothing: two features. With a capture all
    /// of a side's change, as they do when the side turns.
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
