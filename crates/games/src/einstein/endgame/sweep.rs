//! The values of a unit, computed by sweeping over its rows.
//!
//! A step of a cube of small reduces the steps that small still has to its goal. Nothing else does,
//! except for captures, which lead to units of fewer cubes. So a row with small to move depends on
//! rows of a smaller distance with large to move, and a row with large to move depends on the same
//! row with small to move. In the order of distance, each row takes two passes over arrays, without
//! any search.
//!
//! A row is an array with an entry for each code of large's squares, which is a factor of 25 for
//! each cube. That leaves entries for placings on occupied squares, *holes*, which are put to use:
//! a step onto an occupied square leads to such an entry, and this entry holds the value after the
//! capture. So all steps of a cube are alike: they lead to an entry at a fixed distance, or to the
//! same entry of another row, and whole runs of entries can be processed together.
//!
//! Values are for the side to move, as `f32`; only the result is rounded to steps of 1/65,535.

use std::collections::VecDeque;
use std::sync::Mutex;

use wurfel_core::{EndgameIndex, threads};

use super::classes::{Class, Classes, Roll};
use super::layer::{Army, Layer, Row, Shape, Unit, cells, code, mirrored};
use super::placing::{Cells, Placing, free};
use crate::einstein::board::{CELLS, SIZE};

/// How many entries are processed together, so that they stay in the L1 cache.
const RUN: usize = 1024;

/// The values after a capture, in a row for each placing of small with an entry for each code of
/// large's squares.
#[derive(Debug)]
struct Captured {
    values: Vec<f32>,
    width: usize,
}

impl Captured {
    fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.width..][..self.width]
    }
}

/// The values when the cube in a slot was captured, with small and with large to move.
#[derive(Debug)]
struct Lost {
    small_moves: Captured,
    large_moves: Captured,
}

/// The solution of a unit in progress.
#[derive(Debug)]
pub(super) struct Sweep<'a> {
    shape: &'a Shape,
    unit: Unit,
    small: &'a Class,
    large: &'a Class,
    /// For each slot of small the values without its cube, in rows by the code of the other cubes'
    /// squares.
    small_lost: Vec<Lost>,
    /// For each slot of large the values without its cube, in the rows of the shape.
    large_lost: Vec<Lost>,
    /// For each code of large's squares the code of their mirror image.
    images: Vec<u32>,
    /// For each code of small's squares the index of its row in its [`Level`].
    places: Vec<u32>,
}

/// The rows of one distance with large to move, with their holes filled. A row that is not its own
/// mirror image is followed by that image.
struct Level {
    distance: u32,
    values: Vec<f32>,
}

/// A row that is to be solved, and where its values are to be written.
struct Task<'a> {
    number: usize,
    row: &'a Row,
    values: &'a mut [f32],
    small_moves: &'a mut [u16],
    large_moves: &'a mut [u16],
}

/// The buffers of one thread.
struct Scratch {
    /// The row with small to move.
    small_moves: Vec<f32>,
    /// For each slot, the smallest value that the side to move leaves to the other side when this
    /// cube steps.
    left: Vec<Vec<f32>>,
}

/// The squares that a cube of small can step to.
fn down(from: u8) -> impl Iterator<Item = u8> {
    steps(from % SIZE < SIZE - 1, from / SIZE < SIZE - 1).map(move |step| from + step)
}

/// The squares that a cube of large can step to.
fn up(from: u8) -> impl Iterator<Item = u8> {
    steps(!from.is_multiple_of(SIZE), from >= SIZE).map(move |step| from - step)
}

/// By how much each possible step changes the number of the square. Steps sideways or ahead are
/// left out where the board ends.
fn steps(sideways: bool, ahead: bool) -> impl Iterator<Item = u8> {
    let possible = [(sideways, 1), (ahead, SIZE), (sideways && ahead, SIZE + 1)];
    possible.into_iter().filter_map(|(can, step)| can.then_some(step))
}

/// The squares without that of one slot.
fn others(cells: Cells, count: usize, slot: usize) -> Cells {
    let mut others = [0; 6];
    let rest = (0..count).filter(|&other| other != slot);
    for (place, other) in others.iter_mut().zip(rest) {
        *place = cells[other];
    }
    others
}

/// The cubes of a class without the one in a slot, given the squares of the others.
fn army_without(class: &Class, slot: usize, others: Cells) -> Army {
    let (smaller, order) = class.without[slot];
    let cells = order.map(|place| others[usize::from(place)]);
    Army { class: smaller, count: class.count as u8 - 1, cells }
}

/// Collects values by placing of small and code of large's squares. `value` is called where no two
/// squares coincide. When one side has no cubes left, all values are 0, because the side to move
/// has lost.
fn gather(
    rows: &[Option<Cells>],
    (small, large): (usize, usize),
    threads: usize,
    value: impl Fn(Cells, Cells) -> f32 + Sync,
) -> Captured {
    let width = CELLS.pow(large as u32);
    let mut values = vec![0.0; rows.len() * width];
    if small > 0 && large > 0 {
        let share = rows.len().div_ceil(threads);
        let fill = |rows: &[Option<Cells>], values: &mut [f32]| {
            for (row, values) in rows.iter().zip(values.chunks_mut(width)) {
                let Some(row) = row else { continue };
                let placing = Placing { cubes: large, twin: false };
                placing.each(free(&row[..small]), &mut |cells| {
                    values[code(&cells[..large])] = value(*row, cells);
                });
            }
        };
        let shares = rows.chunks(share).zip(values.chunks_mut(share * width));
        side_by_side(shares, |(rows, values)| fill(rows, values));
    }
    Captured { values, width }
}

impl<'a> Sweep<'a> {
    /// Prepares a unit of a layer by collecting the values after captures, which are in the layer
    /// with one cube less.
    pub fn new(
        classes: &'a Classes,
        layer: &'a Layer,
        fewer: Option<&Layer>,
        unit: usize,
        known: &(impl Fn(EndgameIndex) -> f32 + Sync),
        threads: usize,
    ) -> Self {
        let unit = layer.units[unit];
        let shape = layer.shape(unit);
        let (small, large) = (classes.get(unit.small), classes.get(unit.large));
        let pieces = (small.count + large.count - 1) as u32;
        let value = |down, up, small_moves| {
            fewer.map_or(0.0, |fewer| {
                known(EndgameIndex { pieces, index: fewer.number(down, up, small_moves) })
            })
        };
        let whole = |class, count: usize, cells| Army { class, count: count as u8, cells };

        let rest = small.count - 1;
        let rows: Vec<Option<Cells>> =
            (0..CELLS.pow(rest as u32)).map(|code| placing_of(code, rest)).collect();
        let small_lost = |slot| {
            let table = |small_moves| {
                gather(&rows, (rest, large.count), threads, |others, cells| {
                    let down = army_without(small, slot, others);
                    value(down, whole(unit.large, large.count, cells), small_moves)
                })
            };
            Lost { small_moves: table(true), large_moves: table(false) }
        };
        let small_lost = (0..small.count).map(small_lost).collect();

        let rest = large.count - 1;
        let rows: Vec<Option<Cells>> = shape.rows.iter().map(|row| Some(row.cells)).collect();
        let large_lost = |slot| {
            let table = |small_moves| {
                gather(&rows, (small.count, rest), threads, |cells, others| {
                    let up = army_without(large, slot, others);
                    value(whole(unit.small, small.count, cells), up, small_moves)
                })
            };
            Lost { small_moves: table(true), large_moves: table(false) }
        };
        let large_lost = (0..large.count).map(large_lost).collect();

        let image = |number| {
            let image = cells(number, large.count).map(mirrored);
            code(&image[..large.count]) as u32
        };
        let images = (0..CELLS.pow(large.count as u32)).map(image).collect();
        let places = places(shape, small.count);
        Self { shape, unit, small, large, small_lost, large_lost, images, places }
    }

    /// An upper bound on the memory that the unit takes, in bytes.
    pub fn memory(classes: &Classes, layer: &Layer, unit: usize, threads: usize) -> u64 {
        let unit = layer.units[unit];
        let shape = layer.shape(unit);
        let (small, large) = (classes.get(unit.small).count, classes.get(unit.large).count);
        let width = CELLS.pow(large as u32);
        let captured = 2 * small * CELLS.pow(small as u32 - 1) * width
            + 2 * large * shape.rows.len() * CELLS.pow(large as u32 - 1);
        let most = levels(&shape.rows).map(rows_in_memory).max().unwrap_or_default();
        let scratch = threads * width * (1 + large);
        let floats = captured + 3 * most * width + scratch + width;
        4 * floats as u64 + 2 * layer.size(unit)
    }

    /// Solves the unit on this many threads; the values are in the order of the positions' numbers.
    pub fn run(&self, threads: usize) -> Vec<u16> {
        let width = self.images.len();
        let half = self.shape.half as usize;
        let mut result = vec![0; if self.unit.both { 2 * half } else { half }];
        let (mut small_moves, mut large_moves) = result.split_at_mut(half);
        let mut scratch: Vec<Scratch> = (0..threads)
            .map(|_| Scratch {
                small_moves: vec![0.0; width],
                left: vec![vec![0.0; width]; self.large.count.max(self.small.count)],
            })
            .collect();
        // A step reduces the distance by 1 or 2, so two finished levels are needed while one is
        // filled.
        let most = levels(&self.shape.rows).map(rows_in_memory).max().unwrap_or_default();
        let level = || Level { distance: u32::MAX, values: vec![0.0; most * width] };
        let mut solved: VecDeque<Level> = (0..3).map(|_| level()).collect();
        let mut number = 0;
        for rows in levels(&self.shape.rows) {
            let mut level = solved.pop_back().unwrap_or_else(level);
            let mut values = &mut level.values[..];
            let mut tasks = vec![];
            for row in rows {
                let count = row.count as usize;
                let both = if self.unit.both { count } else { 0 };
                tasks.push(Task {
                    number,
                    row,
                    values: values.split_off_mut(..rows_kept(row) * width).unwrap_or_default(),
                    small_moves: small_moves.split_off_mut(..count).unwrap_or_default(),
                    large_moves: large_moves.split_off_mut(..both).unwrap_or_default(),
                });
                number += 1;
            }
            let tasks = Mutex::new(tasks.into_iter());
            side_by_side(scratch.iter_mut(), |scratch| {
                while let Some(task) = next(&tasks) {
                    self.solve(task, &solved, scratch);
                }
            });
            level.distance = rows[0].distance;
            solved.push_front(level);
        }
        result
    }

    /// Solves a row: first with small to move, then with large to move. Writes both to the result.
    fn solve(&self, task: Task<'_>, solved: &VecDeque<Level>, scratch: &mut Scratch) {
        let Task { number, row, values, small_moves, large_moves } = task;
        let (large_row, image) = values.split_at_mut(self.images.len());
        self.small_moves(row, solved, scratch);
        self.fill_small_lost(row, &mut scratch.small_moves);
        self.large_moves(number, scratch, large_row);
        self.write(row, (&scratch.small_moves, large_row), (small_moves, large_moves));
        self.fill_large_lost(number, row, large_row);
        for (entry, &of) in image.iter_mut().zip(&self.images) {
            *entry = large_row[of as usize];
        }
    }

    /// Computes the row with small to move, except for its holes.
    fn small_moves(&self, row: &Row, solved: &VecDeque<Level>, scratch: &mut Scratch) {
        let count = self.small.count;
        let after: Vec<Option<Vec<&[f32]>>> =
            (0..count).map(|slot| self.after_steps(row, slot, solved)).collect();
        let Scratch { small_moves, left } = scratch;
        for (run, values) in small_moves.chunks_mut(RUN).enumerate() {
            let range = run * RUN..run * RUN + values.len();
            for (left, after) in left.iter_mut().zip(&after) {
                let left = &mut left[range.clone()];
                match after {
                    None => left.fill(0.0),
                    Some(rows) => least(left, rows.iter().map(|row| &row[range.clone()])),
                }
            }
            mean_of_best(values, &self.small.rolls, left, range.start);
        }
    }

    /// The rows that the steps of a cube of small lead to; `None` when one of the steps wins.
    fn after_steps<'b>(
        &'b self,
        row: &Row,
        slot: usize,
        solved: &'b VecDeque<Level>,
    ) -> Option<Vec<&'b [f32]>> {
        let (count, width) = (self.small.count, self.images.len());
        let from = row.cells[slot];
        let mut rows = vec![];
        for to in down(from) {
            if to == 24 {
                return None;
            }
            let mut cells = row.cells;
            cells[slot] = to;
            // A cube of its own side that stands on the target is captured.
            if let Some(lost) = (0..count).find(|&other| other != slot && cells[other] == to) {
                let others = code(&others(cells, count, lost)[..count - 1]);
                rows.push(self.small_lost[lost].large_moves.row(others));
            } else {
                let distance = row.distance - if to - from > SIZE { 2 } else { 1 };
                let level = solved.iter().find(|level| level.distance == distance)?;
                let place = self.places[code(&cells[..count])] as usize;
                rows.push(&level.values[place * width..][..width]);
            }
        }
        Some(rows)
    }

    /// Fills those holes of a row with small to move in which large has captured a cube of small or
    /// has reached its goal.
    fn fill_small_lost(&self, row: &Row, values: &mut [f32]) {
        let (small, large) = (self.small.count, self.large.count);
        for slot in 0..small {
            let others = code(&others(row.cells, small, slot)[..small - 1]);
            let lost = self.small_lost[slot].small_moves.row(others);
            for cube in 0..large {
                for range in entries(large, cube, row.cells[slot]) {
                    values[range.clone()].copy_from_slice(&lost[range]);
                }
            }
        }
        for cube in 0..large {
            for range in entries(large, cube, 0) {
                values[range].fill(0.0);
            }
        }
    }

    /// Computes the row with large to move, except for its holes.
    fn large_moves(&self, number: usize, scratch: &mut Scratch, values: &mut [f32]) {
        let Scratch { small_moves, left } = scratch;
        for (slot, left) in left.iter_mut().enumerate().take(self.large.count) {
            self.fill_own_lost(number, slot, small_moves);
            let inner = CELLS.pow((self.large.count - 1 - slot) as u32);
            if inner == 1 {
                let after = small_moves.as_chunks::<CELLS>().0;
                for (left, after) in left.as_chunks_mut::<CELLS>().0.iter_mut().zip(after) {
                    least_of_square(left, after);
                }
                continue;
            }
            let whole = CELLS * inner;
            for (left, after) in left.chunks_mut(whole).zip(small_moves.chunks(whole)) {
                for from in 1..CELLS {
                    let after = up(from as u8).map(|to| &after[usize::from(to) * inner..][..inner]);
                    least(&mut left[from * inner..][..inner], after);
                }
            }
        }
        for (run, values) in values.chunks_mut(RUN).enumerate() {
            mean_of_best(values, &self.large.rolls, left, run * RUN);
        }
    }

    /// Fills those holes of a row with small to move that a step of one cube of large onto another
    /// one leads to.
    fn fill_own_lost(&self, number: usize, slot: usize, values: &mut [f32]) {
        let count = self.large.count;
        for lost in (0..count).filter(|&lost| lost != slot) {
            let (upper, lower) = (slot.min(lost), slot.max(lost));
            let [outer, middle, inner] =
                [upper, lower - upper - 1, count - 1 - lower].map(|cubes| CELLS.pow(cubes as u32));
            let source = self.large_lost[lost].small_moves.row(number);
            for (outer, cell) in (0..outer).flat_map(|n| (0..CELLS).map(move |cell| (n, cell))) {
                for middle_n in 0..middle {
                    let hole = ((outer * CELLS + cell) * middle + middle_n) * CELLS + cell;
                    let from = if lost == lower {
                        (outer * CELLS + cell) * middle + middle_n
                    } else {
                        (outer * middle + middle_n) * CELLS + cell
                    };
                    values[hole * inner..][..inner]
                        .copy_from_slice(&source[from * inner..][..inner]);
                }
            }
        }
    }

    /// Fills those holes of a row with large to move in which small has captured a cube of large.
    fn fill_large_lost(&self, number: usize, row: &Row, values: &mut [f32]) {
        let count = self.large.count;
        for slot in 0..count {
            let lost = self.large_lost[slot].large_moves.row(number);
            let inner = CELLS.pow((count - 1 - slot) as u32);
            for &cell in &row.cells[..self.small.count] {
                for (range, lost) in entries(count, slot, cell).zip(lost.chunks(inner)) {
                    values[range].copy_from_slice(lost);
                }
            }
        }
    }

    /// Writes the values of a row to the result, in the order of the positions' numbers.
    fn write(
        &self,
        row: &Row,
        values: (&[f32], &[f32]),
        (small_moves, large_moves): (&mut [u16], &mut [u16]),
    ) {
        let (mut rank, mut place) = (0, 0);
        self.shape.large.each(free(&row.cells[..self.small.count]), &mut |cells| {
            if row.marked.as_ref().is_none_or(|marked| marked.has(rank)) {
                let entry = code(&cells[..self.large.count]);
                small_moves[place] = fixed(values.0[entry]);
                if let Some(value) = large_moves.get_mut(place) {
                    *value = fixed(values.1[entry]);
                }
                place += 1;
            }
            rank += 1;
        });
    }
}

/// The integer from 0 to 65,535 that is nearest to a value from 0 to 1.
#[inline(always)]
fn fixed(value: f32) -> u16 {
    // A cast keeps the number within the range of its type.
    (value * f32::from(u16::MAX) + 0.5) as u16
}

/// Does the work of each share on a thread of its own, the first on this one. A unit that one thread
/// solves therefore starts none, however many levels it has.
fn side_by_side<T: Send>(mut shares: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let own = shares.next();
    threads::scope(|scope| {
        for share in shares {
            scope.spawn(|| work(share));
        }
        own.map(&work);
    });
}

fn next<'a>(tasks: &Mutex<impl Iterator<Item = Task<'a>>>) -> Option<Task<'a>> {
    tasks.lock().ok()?.next()
}

/// How many rows of a [`Level`] this row fills: two, unless it is its own mirror image.
fn rows_kept(row: &Row) -> usize {
    if row.marked.is_some() { 1 } else { 2 }
}

/// How many rows of a [`Level`] these rows fill.
fn rows_in_memory(rows: &[Row]) -> usize {
    rows.iter().map(rows_kept).sum()
}

fn levels(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|one, other| one.distance == other.distance)
}

/// For each code of small's squares the index of its row in its level.
fn places(shape: &Shape, count: usize) -> Vec<u32> {
    let mut of_row = vec![];
    for rows in levels(&shape.rows) {
        let mut place = 0;
        for row in rows {
            of_row.push(place);
            place += rows_kept(row) as u32;
        }
    }
    let place = |code| {
        let slot = shape.slot(&cells(code, count)[..count]);
        of_row[usize::from(slot.row)] + u32::from(slot.mirrored)
    };
    (0..CELLS.pow(count as u32)).map(place).collect()
}

/// The squares of a code, if cubes of the side that moves to square 24 can stand on them.
fn placing_of(code: usize, count: usize) -> Option<Cells> {
    let cells = cells(code, count);
    let distinct = (1..count).all(|slot| !cells[..slot].contains(&cells[slot]));
    (distinct && !cells.contains(&24)).then_some(cells)
}

/// The ranges of entries of a row in which the cube in a slot stands on a given square.
fn entries(count: usize, cube: usize, cell: u8) -> impl Iterator<Item = std::ops::Range<usize>> {
    let inner = CELLS.pow((count - 1 - cube) as u32);
    let starts = (0..CELLS.pow(cube as u32)).map(move |n| (n * CELLS + usize::from(cell)) * inner);
    starts.map(move |start| start..start + inner)
}

/// The smaller of two numbers, as a single instruction.
#[inline(always)]
fn smaller(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

/// Writes the minimum of one or three arrays into `into`, entry by entry.
#[inline(always)]
fn least<'a>(into: &mut [f32], mut arrays: impl Iterator<Item = &'a [f32]>) {
    match (arrays.next(), arrays.next(), arrays.next()) {
        (Some(one), Some(two), Some(three)) => {
            for (((least, &one), &two), &three) in into.iter_mut().zip(one).zip(two).zip(three) {
                *least = smaller(smaller(one, two), three);
            }
        }
        (Some(one), ..) => into.copy_from_slice(one),
        _ => {}
    }
}

/// The smallest value that the steps of one cube of large leave to small, by the cube's square.
#[inline(always)]
fn least_of_square(left: &mut [f32; CELLS], after: &[f32; CELLS]) {
    const SIDE: usize = SIZE as usize;
    left[1..SIDE].copy_from_slice(&after[..SIDE - 1]);
    for row in 1..SIDE {
        let from = row * SIDE;
        left[from] = after[from - SIDE];
        for from in from + 1..from + SIDE {
            let straight = smaller(after[from - 1], after[from - SIDE]);
            left[from] = smaller(straight, after[from - SIDE - 1]);
        }
    }
}

/// The mean over the rolls of the value that the best cube reaches. Each cube leaves the values in
/// `left`, from entry `start` on, to the other side.
fn mean_of_best(values: &mut [f32], rolls: &[Roll], left: &[Vec<f32>], start: usize) {
    values.fill(1.0);
    for &Roll { weight, slots: [one, other] } in rolls {
        let one = &left[usize::from(one)][start..];
        let other = &left[usize::from(other)][start..];
        for ((value, &one), &other) in values.iter_mut().zip(one).zip(other) {
            *value -= weight * smaller(one, other);
        }
    }
}
