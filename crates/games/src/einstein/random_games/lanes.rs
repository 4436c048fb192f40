//! A turn of a random game in 32-bit numbers without a branch, for many games at once.
//!
//! The compiler turns the loops over lanes into vector instructions, each lane of which holds one
//! game. The squares of a side's six cubes are 30 bits of one number, as that side sees them: its
//! goal is square 24, so the rules need not ask whose turn it is, and a move exchanges two numbers.
//! Shifts and sums then find everything that the rules need to know about the cubes: which are
//! alive, which are nearest to the die, and which one stands on a square. The tests compare it with
//! the rules, game for game.
#![allow(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]

use super::draws::{Stream, below, next};
use crate::einstein::rolls::RuleSet;

/// How many games are played at once. Which games are played depends on this number, so it is the
/// same for all instructions: narrower vectors play the lanes in several portions.
pub(super) const LANES: usize = 32;

/// The lowest bit of each of six fields of five bits.
const LOWEST: u32 = 0b00001_00001_00001_00001_00001_00001;
/// The highest bit of each of the fields.
const HIGHEST: u32 = LOWEST << 4;
/// The bit of each field that stands for its cube in a set of cubes: see [`place`].
const CUBES: u32 = LOWEST << 1;
/// The field of a captured cube, and six of them.
const GONE: u32 = 31;
const ALL_GONE: u32 = GONE * LOWEST;
/// A bit above the fields that is set in the cubes of the first side.
const FIRST: u32 = 1 << 30;
/// The goal of the side that sees the board.
const GOAL: u32 = 24;
/// The first square of the goal's row.
const LAST_ROW: u32 = 20;
/// The squares outside the goal's row and its column: bit *n* + 1 for square *n*. From these a cube
/// has three moves instead of one.
const INNER: u32 = 0b01111_01111_01111_01111 << 1;
/// By how much moves sideways, ahead and diagonally change a square, in four bits each.
const STEPS: u32 = 0x651;

/// A position as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    /// The squares of the cubes of the side to move, five bits each; 31 for a captured cube. Above them
    /// [`FIRST`], if it is the first side.
    mover: u32,
    /// The squares of the other side's cubes, as that side sees them.
    other: u32,
}

impl Board {
    /// The board on which the cubes of both sides stand on these squares, each as its side sees it.
    pub fn new(mover: [Option<u32>; 6], other: [Option<u32>; 6], first_moves: bool) -> Self {
        let fields = |squares: [Option<u32>; 6]| {
            let fields = squares.into_iter().map(|square| square.unwrap_or(GONE)).rev();
            fields.fold(0, |cubes, field| cubes << 5 | field)
        };
        let flag = |is_first| if is_first { FIRST } else { 0 };
        Self { mover: fields(mover) | flag(first_moves), other: fields(other) | flag(!first_moves) }
    }
}

/// The games that are played in one lane, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lane {
    pub board: Board,
    pub stream: Stream,
    /// How many games are left, the present one included.
    pub left: u32,
    /// How many games the first side has won.
    pub wins: u32,
    /// How many moves were made.
    pub plies: u32,
}

/// The die, the cube and the move that were drawn for one turn.
struct Choice {
    /// Where the field of the cube begins.
    shift: u32,
    /// The square that the cube enters, and below it, by how much its number exceeds that of the
    /// square that the cube leaves.
    to: u32,
    step: u32,
    /// Whether the draw counts.
    counts: bool,
}

/// Where the field of the highest cube of `set` begins, a set of bits of [`CUBES`]; 0 for an empty
/// set. It is read from the exponent of a floating-point number, because every CPU with vectors has
/// instructions for that conversion. The exponent is 128 more than the place of the field, because
/// the bit of a cube is the second one of its field.
#[inline(always)]
fn place(set: u32) -> u32 {
    (set as i32 as f32).to_bits() >> 23 & 31
}

/// Draws the die and one of the moves that it allows; `cubes` are those of the side to move.
#[inline(always)]
fn choose<R: RuleSet>(cubes: u32, number: u32) -> Choice {
    let (die, die_counts) = below(number >> 16, 6);
    // A field is above 27 only if the cube is gone.
    let alive = !(cubes >> 1 & cubes >> 2 & cubes >> 3) & CUBES;
    let own = 2 << (5 * die);
    // The nearest living cubes from the die downwards and upwards. Both are the die's own cube if
    // that is alive.
    let under = alive & (own | (own - 1));
    let over = alive & own.wrapping_neg();
    let (under_place, over_place) = (place(under), place(over & over.wrapping_neg()));
    let mut lower = if under == 0 { over_place } else { under_place };
    let mut higher = if over == 0 { under_place } else { over_place };
    if R::NEAREST {
        let own = 5 * die;
        let (down, up) = (own.wrapping_sub(lower) as i32, higher.wrapping_sub(own) as i32);
        (lower, higher) =
            (if up < down { higher } else { lower }, if down < up { lower } else { higher });
    }
    let (lower_from, higher_from) = (cubes >> lower & 31, cubes >> higher & 31);
    let moves = |from: u32| INNER >> from & 2 | 1;
    let lower_moves = moves(lower_from);
    let higher_moves = if lower == higher { 0 } else { moves(higher_from) };
    let (chosen, chosen_counts) = below(number & 0xFFFF, lower_moves + higher_moves);
    let is_higher = chosen >= lower_moves;
    let way = if is_higher { chosen - lower_moves } else { chosen };
    let (shift, from) = if is_higher { (higher, higher_from) } else { (lower, lower_from) };
    let on_edge = if from < LAST_ROW { 5 } else { 1 };
    let inner = if is_higher { higher_moves } else { lower_moves };
    let step = if inner & 2 == 0 { on_edge } else { STEPS >> (4 * way & 31) & 15 };
    Choice { shift, to: from + step, step, counts: die_counts & chosen_counts }
}

/// The cubes without the one that stands on `square`, whose number is repeated in all six fields.
#[inline(always)]
fn without(cubes: u32, square: u32) -> u32 {
    let differences = cubes ^ square;
    // The highest bit of a field stays set if the field is not 0.
    let others = (differences | HIGHEST).wrapping_sub(LOWEST) | differences;
    let gone = !others & HIGHEST;
    cubes | gone | gone.wrapping_sub(gone >> 4)
}

impl Lane {
    /// Plays one turn; every game begins with `start`. A lane without games left plays on, but its
    /// results are not counted.
    #[inline(always)]
    fn step<R: RuleSet>(self, start: Board) -> Self {
        let Board { mover, other } = self.board;
        let (number, stream) = next(self.stream);
        let Choice { shift, to, step, counts } = choose::<R>(mover, number);
        let square = to.wrapping_mul(LOWEST);
        let moved = without(mover, square).wrapping_add(step << shift);
        let met = without(other, (GOAL * LOWEST).wrapping_sub(square));
        let over = counts & ((to == GOAL) | (met & ALL_GONE == ALL_GONE));
        let is_game = self.left != 0;
        let (made, ended) = (u32::from(counts & is_game), u32::from(over & is_game));
        let after = |after: u32, before: u32, first: u32| {
            let there = if counts { after } else { before };
            if over { first } else { there }
        };
        Self {
            board: Board {
                mover: after(met, mover, start.mover),
                other: after(moved, other, start.other),
            },
            stream,
            left: self.left - ended,
            wins: self.wins + (mover >> 30 & ended),
            plies: self.plies + made,
        }
    }
}

/// `N` lanes, field by field, so that a vector instruction finds what it needs side by side.
#[derive(Clone)]
struct Columns<const N: usize> {
    mover: [u32; N],
    other: [u32; N],
    stream: [[u32; N]; 2],
    left: [u32; N],
    wins: [u32; N],
    plies: [u32; N],
}

impl<const N: usize> Columns<N> {
    #[inline(always)]
    fn new(lanes: &[Lane; N]) -> Self {
        Self {
            mover: lanes.map(|lane| lane.board.mover),
            other: lanes.map(|lane| lane.board.other),
            stream: [0, 1].map(|part| lanes.map(|lane| lane.stream[part])),
            left: lanes.map(|lane| lane.left),
            wins: lanes.map(|lane| lane.wins),
            plies: lanes.map(|lane| lane.plies),
        }
    }

    #[inline(always)]
    fn lane(&self, n: usize) -> Lane {
        Lane {
            board: Board { mover: self.mover[n], other: self.other[n] },
            stream: [self.stream[0][n], self.stream[1][n]],
            left: self.left[n],
            wins: self.wins[n],
            plies: self.plies[n],
        }
    }

    #[inline(always)]
    fn set(&mut self, n: usize, lane: Lane) {
        let Lane { board, stream, left, wins, plies } = lane;
        (self.mover[n], self.other[n]) = (board.mover, board.other);
        (self.stream[0][n], self.stream[1][n]) = (stream[0], stream[1]);
        (self.left[n], self.wins[n], self.plies[n]) = (left, wins, plies);
    }

    /// Writes the state of these lanes after one turn to `after`. It does not write to `self`,
    /// because the compiler would then store only the lanes whose draw counts, and a CPU is slow to
    /// read back what has just been written in part.
    #[inline(always)]
    fn play<R: RuleSet>(&self, start: Board, after: &mut Self) {
        for n in 0..N {
            after.set(n, self.lane(n).step::<R>(start));
        }
    }
}

/// How many turns are played between two checks whether any game is left.
const TURNS_PER_LOOK: usize = 8;

/// Plays all games of all lanes, `N` lanes together.
#[inline(always)]
pub(super) fn play<R: RuleSet, const N: usize>(start: Board, lanes: &mut [Lane; LANES]) {
    for some in lanes.as_chunks_mut::<N>().0 {
        let mut columns = Columns::new(some);
        let mut other = columns.clone();
        while columns.left.iter().fold(0, |sum, left| sum | left) != 0 {
            for _ in 0..TURNS_PER_LOOK / 2 {
                columns.play::<R>(start, &mut other);
                other.play::<R>(start, &mut columns);
            }
        }
        *some = std::array::from_fn(|n| columns.lane(n));
    }
}
