//! The numbering of positions: where each stands among all with as many cubes.
//!
//! A position is turned so that the side with fewer cubes is *small* and goes from
//! square 0 to square 24, the other is *large* and goes to square 0 (a half turn with
//! the colours exchanged changes no value); with equally many, small is the one of the
//! lower class, and when these are equal, too, the one to move. Then
//!
//! ```text
//! number = first of the unit (class of small, class of large)
//!        + size of the unit's first half, if large is to move
//!        + first of the row (squares of small)
//!        + rank of the squares of large
//! ```
//!
//! Rows are the placings of small up to the mirror in the main diagonal and, if its
//! class has a twin, the exchange of its cubes; the mirror is applied to large as
//! well. A row whose placing is its own mirror image holds the placings of large
//! only up to the mirror, too: of two images the one of lower rank, and ranks count
//! only such. So every number is used, and by one position up to symmetry.

use super::classes::Classes;
use super::placing::{Cells, Marked, Placing, exchanged, free};
use crate::einstein::board::{CELLS, SIZE};

/// The most cubes of the smaller side.
pub(super) const MAX_SMALL: usize = 3;
/// The most cubes of a side.
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
    /// The first number.
    first: u64,
    /// Whether positions with large to move are others than those with small to move.
    pub both: bool,
}

/// The rows of a unit; they are the same for all classes that have as many cubes and
/// have twins or not.
#[derive(Debug)]
pub(super) struct Shape {
    pub small: usize,
    pub large: Placing,
    /// Rows by ascending distance of their cubes.
    pub rows: Vec<Row>,
    /// By code of a placing of small.
    slots: Vec<Slot>,
    /// Positions with small to move; as many with large to move.
    pub half: u64,
}

/// One placing of small, up to symmetry.
#[derive(Debug)]
pub(super) struct Row {
    pub cells: Cells,
    /// The steps that the cubes still have to their goal at most, summed up.
    pub distance: u32,
    /// Its first number in a half.
    pub first: u64,
    /// When the row is its own mirror image, which placings of large count.
    pub marked: Option<Marked>,
    /// Positions in a half.
    pub count: u64,
}

/// Where a placing of small is found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// The first number of the row in a half; the largest, of three against four, has
    /// 1.2 · 10⁹.
    first: u32,
    pub row: u16,
    /// Whether the mirror leads to the row.
    pub mirrored: bool,
    /// Whether the row is its own mirror image.
    own_image: bool,
}

/// The square mirrored in the main diagonal.
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

/// Some squares as one number in base 25, the first the most significant.
#[inline(always)]
pub(super) fn code(cells: &[u8]) -> usize {
    cells.iter().fold(0, |code, &cell| code * CELLS + usize::from(cell))
}

/// The squares of a code.
pub(super) fn cells(code: usize, count: usize) -> Cells {
    let mut cells = [0; 6];
    let mut rest = code;
    for slot in (0..count).rev() {
        cells[slot] = (rest % CELLS) as u8;
        rest /= CELLS;
    }
    cells
}

/// Steps to square 24 at most.
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

    /// Where a placing of small is found.
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

    /// The place of a rank in a row that is its own mirror image.
    #[cold]
    fn place(&self, slot: Slot, taken: &[u8], large: Cells, rank: u64) -> u64 {
        let image = self.large.rank(taken, large.map(mirrored));
        let marked = self.rows[usize::from(slot.row)].marked.as_ref();
        marked.map_or(rank, |marked| marked.place(rank.min(image)))
    }

    /// The squares of both sides at a number within a half.
    fn at(&self, number: u64) -> (Cells, Cells) {
        let row = self.rows.partition_point(|row| row.first <= number) - 1;
        let row = &self.rows[row];
        let place = number - row.first;
        let rank = row.marked.as_ref().map_or(place, |marked| marked.rank(place));
        (row.cells, self.large.at(free(&row.cells[..self.small]), rank))
    }
}

/// All placings of so many cubes that go to square 24.
fn placings(count: usize) -> impl Iterator<Item = Cells> {
    (0..CELLS.pow(count as u32)).map(move |code| cells(code, count)).filter(move |cells| {
        let cells = &cells[..count];
        let distinct = (1..count).all(|slot| !cells[..slot].contains(&cells[slot]));
        distinct && !cells.contains(&24)
    })
}

impl Placing {
    /// Beside a smaller side that is its own mirror image: of each two mirror images the
    /// one of lower rank.
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

/// All positions with so many cubes.
#[derive(Debug)]
pub(super) struct Layer {
    pub units: Vec<Unit>,
    shapes: Vec<Shape>,
    /// The number of a unit by class of small and class of large.
    by_class: Vec<u16>,
    classes: usize,
    /// Positions.
    pub count: u64,
}

impl Layer {
    /// The layer of positions with so many cubes.
    pub fn new(classes: &Classes, cubes: usize) -> Self {
        let mut layer = Self {
            units: vec![],
            shapes: vec![],
            by_class: vec![u16::MAX; classes.len() * classes.len()],
            classes: classes.len(),
            count: 0,
        };
        for count in cubes.saturating_sub(MAX_LARGE).max(1)..=(cubes / 2).min(MAX_SMALL) {
            // Shapes by whether small and large have twins.
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

    /// The number of a position before the end: the cubes that go to square 24, those that
    /// go to square 0, and whether the first are to move.
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

    /// A position with this number: small, which goes to square 24, large, and whether
    /// small is to move; `None` when there is none.
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
