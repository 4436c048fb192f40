//! A position at rest, and how a move changes it.
//!
//! The cubes of a side are six bytes of one word, so that the cube on a square is found by
//! comparing all cubes at once, and a capture needs no branch. Beside them are the set of living
//! cubes and the distance code that evaluations look up; every move updates both. A position takes
//! 32 bytes.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use wurfel_core::{BySide, Side};

use super::board::Cell;
use super::cube::Cube;
use super::moves::{Move, Steps};
use super::rolls::{Die, Official, RuleSet};
use super::setup::Setup;

/// A position of EinStein würfelt nicht! before the roll, under rule set `R`.
///
/// Two positions are equal when the same cubes stand on the same squares and the same side rolls;
/// the ply does not count.
#[derive(Clone, Copy)]
pub struct Position<R: RuleSet = Official> {
    /// Byte *i* is the square of cube *i* + 1, or [`GONE`]; bytes 6 and 7 are
    /// [`GONE`].
    cubes: Pair<u64>,
    /// Digit *i* in base 5 is the distance of cube *i* + 1 from its goal, 0 when it was captured.
    codes: Pair<u16>,
    /// Bit *i* for cube *i* + 1.
    alive: Pair<u8>,
    side: Side,
    winner: Option<Side>,
    ply: u16,
    rules: PhantomData<R>,
}

/// A value for the side to move and one for the other side. Every move exchanges the two, because
/// fields with fixed places can live in registers, while fields that are looked up by side cannot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pair<T> {
    mover: T,
    other: T,
}

impl<T: Copy> Pair<T> {
    #[inline(always)]
    const fn swapped(self) -> Self {
        Self { mover: self.other, other: self.mover }
    }
}

/// The square of a captured cube. Its top bit is 0, as the comparison in [`standing`] requires.
const GONE: u64 = 0x7F;
const ALL_GONE: u64 = GONE * EVERY_BYTE;
const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;
const TOP_BITS: u64 = 0x80 * EVERY_BYTE;

/// The power of 5 for the byte of a cube; 0 for all other indices up to 8, which stands for "no
/// byte".
#[inline(always)]
fn power(byte: usize) -> u16 {
    static POWERS: [u16; 16] = [1, 5, 25, 125, 625, 3125, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    POWERS[byte & 15]
}

/// The top bit of the byte of `cubes` that equals `cell`, or 0.
#[inline(always)]
const fn standing(cubes: u64, cell: Cell) -> u64 {
    let differences = cubes ^ (cell.index() as u64 * EVERY_BYTE);
    // When 0x7F is added to a byte below 0x80, its top bit stays clear only if the byte is 0.
    !(differences + 0x7F * EVERY_BYTE) & TOP_BITS
}

impl<R: RuleSet> Position<R> {
    pub(super) const EMPTY: Self = Self {
        cubes: Pair { mover: ALL_GONE, other: ALL_GONE },
        codes: Pair { mover: 0, other: 0 },
        alive: Pair { mover: 0, other: 0 },
        side: Side::First,
        winner: None,
        ply: 1,
        rules: PhantomData,
    };

    /// The start of a game with these set-ups; red rolls first.
    pub fn new(red: Setup, blue: Setup) -> Self {
        let mut position = Self::EMPTY;
        for (side, setup) in BySide::new(red, blue).iter() {
            for (cell, cube) in setup.placed(side) {
                position.put(side, cube, cell);
            }
        }
        position
    }

    /// Puts a cube that is not on the board on an empty square.
    pub(super) fn put(&mut self, side: Side, cube: Cube, cell: Cell) {
        let byte = 8 * cube.index();
        debug_assert!(self.cell(side, cube).is_none() && self.at(cell).is_none());
        let (cubes, code, alive) = if side == self.side {
            (&mut self.cubes.mover, &mut self.codes.mover, &mut self.alive.mover)
        } else {
            (&mut self.cubes.other, &mut self.codes.other, &mut self.alive.other)
        };
        *cubes ^= (GONE ^ cell.index() as u64) << byte;
        *code += cell.distance(side) * power(cube.index());
        *alive |= 1 << cube.index();
    }

    /// Sets who rolls and the ply, and finds out from the cubes whether somebody has won.
    pub(super) fn settle(&mut self, side: Side, ply: u16) {
        if side != self.side {
            self.exchange();
        }
        let won = |side: &Side| {
            let home = self.at(Cell::goal(*side)).is_some_and(|(owner, _)| owner == *side);
            home || self.cubes(!*side).next().is_none()
        };
        self.winner = Side::BOTH.into_iter().find(won);
        self.ply = ply;
    }

    /// Makes the other side the side to move.
    #[inline(always)]
    fn exchange(&mut self) {
        self.side = !self.side;
        self.cubes = self.cubes.swapped();
        self.codes = self.codes.swapped();
        self.alive = self.alive.swapped();
    }

    /// The part of a pair that belongs to a side.
    #[inline(always)]
    fn of<T>(&self, side: Side, pair: Pair<T>) -> T {
        if side == self.side { pair.mover } else { pair.other }
    }

    /// The square of a cube; `None` when it was captured.
    pub fn cell(&self, side: Side, cube: Cube) -> Option<Cell> {
        Cell::new((self.of(side, self.cubes) >> (8 * cube.index()) & 0xFF) as usize)
    }

    /// The cube on a square, if there is one.
    pub fn at(&self, cell: Cell) -> Option<(Side, Cube)> {
        Side::BOTH.into_iter().find_map(|side| {
            let byte = standing(self.of(side, self.cubes), cell).trailing_zeros() / 8;
            (byte < 6).then(|| (side, Cube::known(byte as u8)))
        })
    }

    /// The living cubes of a side with their squares, lowest number first.
    pub fn cubes(&self, side: Side) -> impl Iterator<Item = (Cube, Cell)> {
        Cube::ALL.into_iter().filter_map(move |cube| Some((cube, self.cell(side, cube)?)))
    }

    /// The distance code of a side: digit *i* in base 5 is the distance (in steps of a king, 0 to
    /// 4) of cube *i* + 1 from its goal, or 0 when the cube was captured. From 0 to 15,624.
    #[inline(always)]
    pub fn distance_code(&self, side: Side) -> u16 {
        self.of(side, self.codes)
    }

    /// The distance codes of the side to move and of the other side, in this order.
    #[inline(always)]
    pub(super) fn distance_codes(&self) -> (u16, u16) {
        (self.codes.mover, self.codes.other)
    }

    /// The living cubes of a side (bit *i* for cube *i* + 1) and their squares (byte *i*).
    #[inline(always)]
    pub(super) fn pieces_of(&self, side: Side) -> (u8, u64) {
        (self.of(side, self.alive), self.of(side, self.cubes))
    }

    /// How many cubes both sides have left together.
    #[inline(always)]
    pub(super) const fn pieces_left(&self) -> u32 {
        (self.alive.mover as u32 | (self.alive.other as u32) << 8).count_ones()
    }

    /// The set of cubes that this die lets move: bit *i* for cube *i* + 1.
    pub(super) fn movable(&self, die: Die) -> u8 {
        R::ROLLS.movable(self.alive.mover, die)
    }

    #[inline(always)]
    pub(super) const fn mover(&self) -> Side {
        self.side
    }

    #[inline(always)]
    pub(super) const fn winner(&self) -> Option<Side> {
        self.winner
    }

    pub(super) fn number_of_turn(&self) -> u32 {
        u32::from(self.ply)
    }

    /// The set of living cubes of the side to move: bit *i* for cube *i* + 1.
    #[inline(always)]
    pub(super) const fn alive(&self) -> u8 {
        self.alive.mover
    }

    /// Plays a legal move.
    #[inline(always)]
    pub(super) fn advance(&mut self, mv: Move) {
        let (side, cube, from, to) = (self.side, mv.cube(), mv.from(), mv.to());
        let Self { cubes, codes, alive, .. } = self;
        remove(!side, to, &mut cubes.other, &mut codes.other, &mut alive.other);
        remove(side, to, &mut cubes.mover, &mut codes.mover, &mut alive.mover);
        cubes.mover ^= ((from.index() ^ to.index()) as u64) << (8 * cube.index());
        codes.mover -= mv.gain() * power(cube.index());
        if to == Cell::goal(side) || alive.other == 0 {
            self.winner = Some(side);
        }
        self.exchange();
        self.ply += 1;
    }

    /// The position after a legal move.
    #[inline(always)]
    pub(super) fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.advance(mv);
        next
    }

    /// The steps of a cube of the side to move.
    #[inline(always)]
    pub(super) fn steps(&self, cube: Cube) -> Steps {
        let from = (self.cubes.mover >> (8 * cube.index())) as u8;
        Steps::new(self.side, cube, from)
    }
}

/// Removes the cube of `side` from a square, if one stands there.
#[inline(always)]
fn remove(side: Side, cell: Cell, cubes: &mut u64, code: &mut u16, alive: &mut u8) {
    let top = standing(*cubes, cell);
    let byte = (top.trailing_zeros() / 8) as usize;
    *cubes |= top - (top >> 7);
    *code -= cell.distance(side) * power(byte);
    *alive &= !((1u32 << byte) as u8);
}

impl<R: RuleSet> PartialEq for Position<R> {
    fn eq(&self, other: &Self) -> bool {
        (self.cubes, self.side) == (other.cubes, other.side)
    }
}

impl<R: RuleSet> Eq for Position<R> {}

impl<R: RuleSet> Hash for Position<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.cubes, self.side).hash(state);
    }
}

impl<R: RuleSet> Default for Position<R> {
    /// Both sides with cubes 1 to 6 in the order of a set-up's squares.
    fn default() -> Self {
        Self::new(Setup::default(), Setup::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::Moves;
    use crate::einstein::rolls::FACES;
    use wurfel_core::Game;

    #[test]
    fn a_position_fits_in_half_a_cache_line() {
        assert_eq!(size_of::<Position>(), 32);
        assert_eq!(size_of::<Move>(), 2);
        assert_eq!(size_of::<Moves>(), 18);
    }

    #[test]
    fn what_a_move_keeps_is_what_the_cubes_say() {
        let mut random = wurfel_core::Random::new(3);
        for _ in 0..2000 {
            let mut position =
                Position::<Official>::new(Setup::random(&mut random), Setup::random(&mut random));
            while position.outcome().is_none() {
                let die = wurfel_core::draw(&FACES, &mut random);
                position.play(die, *random.pick(position.moves(die).as_ref()));
                let mut fresh = Position::<Official>::EMPTY;
                for side in Side::BOTH {
                    for (cube, cell) in position.cubes(side) {
                        fresh.put(side, cube, cell);
                    }
                }
                fresh.settle(position.side, position.ply);
                assert_eq!(position, fresh);
                assert_eq!(position.codes, fresh.codes, "{position}");
                assert_eq!(position.alive, fresh.alive, "{position}");
                assert_eq!(position.winner, fresh.winner, "{position}");
            }
        }
    }
}
