//! One side's cubes in the form that evaluations which consider captures need: where the cubes
//! stand, and which squares they can enter.

use wurfel_core::{BySide, Side};

use crate::einstein::board::{CELLS, Cell, Neighbours};
use crate::einstein::cube::Cube;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;

/// A set of squares: bit *n* for square *n*.
pub(super) type Squares = u32;

/// The squares that a cube can enter, by side and square.
static STEPS: BySide<[Squares; 32]> = BySide::new(steps(Side::First), steps(Side::Second));

const fn steps(side: Side) -> [Squares; 32] {
    let mut table = [0; 32];
    let mut index = 0;
    while let Some(from) = Cell::new(index) {
        let neighbours = Neighbours::new(side, from);
        let squares = neighbours.squares();
        let mut n = 0;
        while n < squares.len() {
            table[index] |= 1 << squares[n].index();
            n += 1;
        }
        index += 1;
    }
    table
}

/// The squares at each distance, 0 to 4, from the goal of a side.
static RINGS: BySide<[Squares; 5]> = BySide::new(rings(Side::First), rings(Side::Second));

const fn rings(side: Side) -> [Squares; 5] {
    let mut table = [0; 5];
    let mut index = 0;
    while index < CELLS {
        if let Some(cell) = Cell::new(index) {
            table[cell.distance(side) as usize] |= 1 << index;
        }
        index += 1;
    }
    table
}

/// The squares from which cubes of a side can reach a square, including the square itself. A cube
/// on one of them guards against an enemy cube on that square.
static BEFORE: BySide<[Squares; 32]> = BySide::new(before(Side::First), before(Side::Second));

const fn before(side: Side) -> [Squares; 32] {
    let mut table = [0; 32];
    let mut index = 0;
    while let Some(to) = Cell::new(index) {
        let mut other = 0;
        while let Some(from) = Cell::new(other) {
            let reaches = match side {
                Side::First => from.row() <= to.row() && from.column() <= to.column(),
                Side::Second => from.row() >= to.row() && from.column() >= to.column(),
            };
            if reaches {
                table[index] |= 1 << other;
            }
            other += 1;
        }
        index += 1;
    }
    table
}

/// The place of a captured cube. It is not a square, has no steps and is reached from nowhere, so
/// that loops over cubes need no branch.
const GONE: usize = 31;

/// The living cubes of one side.
pub(super) struct Army {
    side: Side,
    /// Bit *i* for cube *i* + 1.
    pub alive: u8,
    /// The squares on which they stand.
    pub squares: Squares,
    /// The square of each cube, or [`GONE`].
    places: [usize; 6],
}

impl Army {
    #[inline(always)]
    pub fn new<R: RuleSet>(position: &Position<R>, side: Side) -> Self {
        let places = Cube::ALL.map(|cube| position.cell(side, cube).map_or(GONE, Cell::index));
        let squares = places.iter().fold(0, |set, place| set | 1 << place);
        let alive = set_of(places.map(|place| place != GONE));
        Self { side, alive, squares: squares & !(1 << GONE), places }
    }

    /// The squares that each cube can enter.
    #[inline(always)]
    pub fn steps(&self) -> [Squares; 6] {
        self.places.map(|place| STEPS[self.side][place & 31])
    }

    /// The squares of this side's cubes at a distance from their goal.
    #[inline(always)]
    pub fn at(&self, distance: usize) -> Squares {
        self.squares & RINGS[self.side][distance]
    }

    /// The distance of the foremost cubes among those on `squares` from their goal, 1 to 4; `None`
    /// when there is no cube.
    #[inline(always)]
    pub fn foremost(&self, squares: Squares) -> Option<usize> {
        (1..=4).find(|&distance| self.at(distance) & squares != 0)
    }

    /// The cubes that can capture one of the enemy cubes on `squares`.
    #[inline(always)]
    pub fn takers(&self, squares: Squares) -> u8 {
        set_of(self.steps().map(|steps| steps & squares != 0))
    }

    /// How close the enemy's foremost unguarded cube is to its goal: from 0 (there is none, or it
    /// is four steps away) to 1 (one step away). A cube is guarded until it has passed all cubes of
    /// this side, because until then one of them could still capture it.
    #[inline(always)]
    pub fn exposure(&self, enemy: &Self) -> f32 {
        let unguarded = enemy.places.into_iter().fold(0, |set, place| {
            let is_unguarded = BEFORE[self.side][place & 31] & self.squares == 0;
            set | Squares::from(is_unguarded) << place
        });
        enemy.foremost(unguarded).map_or(0.0, |distance| (4 - distance) as f32 / 3.0)
    }

    /// Whether the enemy can enter every square by which a foremost cube would come closer to its
    /// goal.
    pub fn is_blocked(&self, enemy: &Self) -> bool {
        let covered = enemy.steps().into_iter().fold(0, |set, steps| set | steps);
        let Some(distance) = self.foremost(self.squares) else { return false };
        let foremost = self.at(distance);
        let free = RINGS[self.side][distance - 1] & !covered;
        let steps = self.places.into_iter().zip(self.steps());
        steps.filter(|(place, _)| foremost >> place & 1 == 1).all(|(_, steps)| steps & free == 0)
    }
}

/// Bit *i* for cube *i* + 1.
#[inline(always)]
fn set_of(cubes: [bool; 6]) -> u8 {
    cubes.into_iter().enumerate().fold(0, |set, (cube, is)| set | u8::from(is) << cube)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "numbers that floats hold exactly")]
mod tests {
    use super::*;
    use crate::einstein::Einstein;

    fn armies(board: &str) -> [Army; 2] {
        let position: Einstein = format!("{board} r").parse().unwrap();
        Side::BOTH.map(|side| Army::new(&position, side))
    }

    #[test]
    fn takers_are_the_cubes_next_to_a_victim_on_their_way() {
        // A . . . .
        // . B c . .      B can take c and c can take B; before A stands only B,
        // . . . d .      before d only c.
        // . . . . .
        // . . . . .
        let [red, blue] = armies("A4/1Bc2/3d1/5/5");
        assert_eq!(red.takers(blue.squares), 0b10);
        assert_eq!(blue.takers(red.squares), 0b100);
    }

    #[test]
    fn a_cube_that_all_have_passed_is_exposed() {
        // . . A . .
        // . c . . .      c is one step from a5, and neither A nor B can turn
        // . . . . .      back; d stands before both of them.
        // . . . B .
        // . . . . d
        let [red, blue] = armies("2A2/1c3/5/3B1/4d");
        assert_eq!([red.exposure(&blue), blue.exposure(&red)], [1.0, 0.0]);
        // With A on a5 it is guarded.
        let [red, blue] = armies("A4/1c3/5/3B1/4d");
        assert_eq!(red.exposure(&blue), 0.0);
        // Two steps from a5, and passed.
        let [red, blue] = armies("3A1/5/1e3/5/4d");
        assert_eq!(red.exposure(&blue), 2.0 / 3.0);
    }

    #[test]
    fn a_path_is_blocked_when_the_enemy_covers_each_square_of_it() {
        let is_blocked = |board| {
            let [red, blue] = armies(board);
            red.is_blocked(&blue)
        };
        // C on c3 gets closer by d2 alone, which e covers from e1, not from a1.
        assert!(is_blocked("A4/5/2C2/5/4e"));
        assert!(!is_blocked("A4/5/2C2/5/e4"));
        // B, as near on c2, has d1 besides: e covers that, too, but not from e2.
        assert!(is_blocked("5/5/2C2/2B2/4e"));
        assert!(!is_blocked("5/5/2C2/2B2/3e1"));
        // D on d2 is the foremost, and can enter the goal.
        assert!(!is_blocked("5/5/2C2/3D1/e4"));
    }
}
