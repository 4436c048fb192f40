//! The numbering of positions: the index of each among all positions with as many cubes.
//!
//! A position is turned so that the side with fewer cubes, *small*, moves from square 0 to square
//! 24 and the other side, *large*, moves to square 0; a half turn with the colours exchanged
//! changes no value. With equally many cubes, small is the side of the lower class, and with equal
//! classes the side to move. Then
//!
//! ```text
//! number = first of the unit (class of small, class of large)
//!        + size of the unit's first half, if large is to move
//!        + first of the row (squares of small)
//!        + rank of the squares of large
//! ```
//!
//! A row is a placing of small, up to the mirror in the main diagonal (which is applied to large as
//! well) and, if its class has a twin, up to the exchange of its cubes. A row whose placing is its
//! own mirror image holds the placings of large only up to the mirror: of two mirror images it
//! holds the one of lower rank, and only such placings are counted. So every number is used, each
//! by one position up to symmetry.

use super::classes::Classes;
use super::placing::{Cells, Marked, Placing, exchanged, free};
use crate::einstein::board::{CELLS, SIZE};

/// The largest number of cubes of the smaller side.
pub(super) const MAX_SMALL: usize = 3;
/// The largest number of cubes of a side.
const MAX_LARGE: usize = 6;

/// The cubes of a side in the slots of their class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Army {
    pub class: u8,
    pub count: u8,
    pub cells: Cells,
}

impl Army {
    fn turned(self) -> Self {
        Self { cells: self.cells.map(|cell| 24u8.wrapping_sub(cell)), ..self }
    }
}

/// All positions with one class of cubes on each side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub small: u8,
    pub large: u8,
    shape: usize,
    /// The number of the unit's first position.
    first: u64,
    /// Whether positions with large to move are numbered separately from those with small to move.
    pub both: bool,
}

/// The rows of a unit. They are the same for all pairs of classes with the same numbers of cubes
/// and with or without twins.
#[derive(Debug)]
pub(super) struct Shape {
    pub small: usize,
    pub large: Placing,
    /// Rows by ascending distance of their cubes.
    pub rows: Vec<Row>,
    /// The slot of each placing of small, by the code of its squares.
    slots: Vec<Slot>,
    /// How many positions with small to move there are; as many have large to move.
    pub half: u64,
}

/// A placing of small, up to symmetry.
#[derive(Debug)]
pub(super) struct Row {
    pub cells: Cells,
    /// The largest number of steps that the cubes still have to their goal, added up.
    pub distance: u32,
    /// The number of the row's first position within a half.
    pub first: u64,
    /// If the row is its own mirror image, the ranks of those placings of large that are counted.
    pub marked: Option<Marked>,
    /// How many positions the row has in a half.
    pub count: u64,
}

/// The row that contains a placing of small, and how the placing maps to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// The number of the row's first position within a half. The largest one, of three cubes
    /// against four, is 1.2 · 10⁹.
    first: u32,
    pub row: u16,
    /// Whether the placing must be mirrored to be the one of the row.
    pub mirrored: bool,
    /// Whether the row is its own mirror image.
    own_image: bool,
}

/// The mirror image of a square in the main diagonal.
#[inline(always)]
pub(super) const fn mirrored(cell: u8) -> u8 {
    const MIRROR: [u8; 32] = {
        let mut table = [0; 32];
        let mut cell = 0;
        while cell < CELLS {
            table[cell] = cell as u8 % SIZE * SIZE + cell as u8 / SIZE;
            cell += 1;
        }
        table
    };
    MIRROR[(cell & 31) as usize]
}

/// Squares as one number in base 25, the first one being the most significant digit.
#[inline(always)]
pub(super) fn code(cells: &[u8]) -> usize {
    cells.iter().fold(0, |code, &cell| code * CELLS + usize::from(cell))
}

/// The squares that a code stands for.
pub(super) fn cells(code: usize, count: usize) -> Cells {
    let mut cells = [0; 6];
    let mut rest = code;
    for slot in (0..count).rev() {
        cells[slot] = (rest % CELLS) as u8;
        rest /= CELLS;
    }
    cells
}

/// The largest number of steps to square 24.
fn steps(cell: u8) -> u32 {
    let last = u32::from(SIZE) - 1;
    2 * last - u32::from(cell / SIZE) - u32::from(cell % SIZE)
}

impl Shape {
    fn new(small: usize, twin: bool, large: Placing) -> Self {
        let all: Vec<Cells> = placings(small).collect();
        let images = |&own: &Cells| {
            let exchange = |cells| if twin { exchanged(cells) } else { cells };
            let mirror = own.map(mirrored);
            [(own, false), (exchange(own), false), (mirror, true), (exchange(mirror), true)]
        };
        let code = |cells: &Cells| code(&cells[..small]);
        let is_least = |own: &Cells| images(own).iter().all(|(image, _)| code(own) <= code(image));
        let mut least: Vec<Cells> = all.iter().copied().filter(is_least).collect();
        let distance = |cells: &Cells| cells[..small].iter().map(|&cell| steps(cell)).sum();
        least.sort_by_key(|cells| (distance(cells), code(cells)));
        let mut shape = Self {
            small,
            large,
            rows: vec![],
            slots: vec![Slot::default(); CELLS.pow(small as u32)],
            half: 0,
        };
        for own in least {
            let own_image =
                images(&own).iter().any(|&(image, mirror)| mirror && code(&image) == code(&own));
            for (image, mirrored) in images(&own).into_iter().rev() {
                let (first, row) = (shape.half as u32, shape.rows.len() as u16);
                shape.slots[code(&image)] = Slot { first, row, mirrored, own_image };
            }
            let squares = free(&own[..small]);
            let limit = large.count(squares.count_ones());
            let marked = own_image.then(|| large.least_of_images(&own[..small]));
            let count = marked.as_ref().map_or(limit, Marked::count);
            let distance = distance(&own);
            let first = shape.half;
            shape.rows.push(Row { cells: own, distance, first, marked, count });
            shape.half += count;
        }
        shape
    }

    /// The row of a placing of small.
    #[inline(always)]
    pub fn slot(&self, small: &[u8]) -> Slot {
        self.slots[code(small)]
    }

    /// The number of a position within a half.
    #[inline(always)]
    fn number(&self, small: Cells, large: Cells) -> u64 {
        let slot = self.slot(&small[..self.small]);
        let image = |cells: Cells| if slot.mirrored { cells.map(mirrored) } else { cells };
        let (small, large) = (image(small), image(large));
        let taken = &small[..self.small];
        let rank = self.large.rank(taken, large);
        let place = if slot.own_image { self.place(slot, taken, large, rank) } else { rank };
        u64::from(slot.first) + place
    }

    /// The index of a rank among the counted ranks of a row that is its own mirror image.
    #[cold]
    fn place(&self, slot: Slot, taken: &[u8], large: Cells, rank: u64) -> u64 {
        let image = self.large.rank(taken, large.map(mirrored));
        let marked = self.rows[usize::from(slot.row)].marked.as_ref();
        marked.map_or(rank, |marked| marked.place(rank.min(image)))
    }

    /// The squares of both sides in the position with a number within a half.
    fn at(&self, number: u64) -> (Cells, Cells) {
        let row = self.rows.partition_point(|row| row.first <= number) - 1;
        let row = &self.rows[row];
        let place = number - row.first;
        let rank = row.marked.as_ref().map_or(place, |marked| marked.rank(place));
        (row.cells, self.large.at(free(&row.cells[..self.small]), rank))
    }
}

/// All placings of `count` cubes of the side that moves to square 24.
fn placings(count: usize) -> impl Iterator<Item = Cells> {
    (0..CELLS.pow(count as u32)).map(move |code| cells(code, count)).filter(move |cells| {
        let cells = &cells[..count];
        let distinct = (1..count).all(|slot| !cells[..slot].contains(&cells[slot]));
        distinct && !cells.contains(&24)
    })
}

impl Placing {
    /// For a placing of small that is its own mirror image: the ranks of the placings of large
    /// whose mirror image has no lower rank.
    fn least_of_images(self, taken: &[u8]) -> Marked {
        let squares = free(taken);
        let mut least = vec![];
        self.each(squares, &mut |cells| {
            let image = self.rank(taken, cells.map(mirrored));
            least.push(least.len() as u64 <= image);
        });
        Marked::new(self.count(squares.count_ones()), &mut |rank| least[rank as usize])
    }
}

/// All positions with a given number of cubes.
#[derive(Debug)]
pub(super) struct Layer {
    pub units: Vec<Unit>,
    shapes: Vec<Shape>,
    /// The index of each unit, by the class of small and the class of large.
    by_class: Vec<u16>,
    classes: usize,
    /// How many positions the layer has.
    pub count: u64,
}

impl Layer {
    /// The layer of the positions with this many cubes.
    pub fn new(classes: &Classes, cubes: usize) -> Self {
        let mut layer = Self {
            units: vec![],
            shapes: vec![],
            by_class: vec![u16::MAX; classes.len() * classes.len()],
            classes: classes.len(),
            count: 0,
        };
        for count in cubes.saturating_sub(MAX_LARGE).max(1)..=(cubes / 2).min(MAX_SMALL) {
            // The shapes made so far, by whether small and large have twins.
            let mut known = [[None; 2]; 2];
            let rest = cubes - count;
            for small in classes.of_count(count) {
                for large in classes.of_count(rest).filter(|&large| count < rest || small <= large)
                {
                    let twin = classes.get(small).twin;
                    let placing = Placing { cubes: rest, twin: classes.get(large).twin };
                    let shape = &mut known[usize::from(twin)][usize::from(placing.twin)];
                    let shape = *shape.get_or_insert_with(|| {
                        layer.shapes.push(Shape::new(count, twin, placing));
                        layer.shapes.len() - 1
                    });
                    let unit =
                        Unit { small, large, shape, first: layer.count, both: small != large };
                    layer.by_class[usize::from(small) * classes.len() + usize::from(large)] =
                        layer.units.len() as u16;
                    layer.units.push(unit);
                    layer.count += layer.size(unit);
                }
            }
        }
        layer
    }

    /// The rows of a unit.
    #[inline(always)]
    pub fn shape(&self, unit: Unit) -> &Shape {
        &self.shapes[unit.shape]
    }

    /// How many positions a unit has.
    pub fn size(&self, unit: Unit) -> u64 {
        self.shape(unit).half * if unit.both { 2 } else { 1 }
    }

    /// The number of a position before the end. `down` are the cubes that move to square 24, `up`
    /// those that move to square 0, and `down_moves` says which side is to move.
    #[inline(always)]
    pub fn number(&self, down: Army, up: Army, down_moves: bool) -> u64 {
        let keeps = (down.count, down.class, !down_moves) <= (up.count, up.class, down_moves);
        let (small, large) = if keeps { (down, up) } else { (up.turned(), down.turned()) };
        let small_moves = keeps == down_moves;
        let unit =
            self.by_class[usize::from(small.class) * self.classes + usize::from(large.class)];
        let unit = self.units[usize::from(unit)];
        let shape = self.shape(unit);
        let half = if small_moves { 0 } else { shape.half };
        unit.first + half + shape.number(small.cells, large.cells)
    }

    /// The position with this number: small, which moves to square 24, then large, and whether
    /// small is to move. `None` when there is no such position.
    pub fn at(&self, number: u64) -> Option<(Army, Army, bool)> {
        if number >= self.count {
            return None;
        }
        let unit = self.units[self.units.partition_point(|unit| unit.first <= number) - 1];
        let shape = self.shape(unit);
        let place = number - unit.first;
        let small_moves = place < shape.half;
        let (small, large) = shape.at(place % shape.half);
        let army = |class, count, cells| Army { class, count: count as u8, cells };
        let small = army(unit.small, shape.small, small);
        let large = army(unit.large, shape.large.cubes, large);
        Some((small, large, small_moves))
    }
}
