//! One random game: the same moves as by the rules, drawn with the same random numbers, but faster.
//!
//! Each move waits for the one before it, so speed depends on how many operations in a row lie
//! between two moves, not on how many instructions there are. The longest chain is that of a
//! capture: which cube stood on the square, which cubes its side has left, and which of them the
//! die lets move. Here a board of 32 bytes answers the first question, so that a capture is one
//! look-up and one bit, and captured cubes may keep their squares. A position keeps no such board,
//! because searches copy positions more often than they play them on.

use wurfel_core::{BySide, Outcome, Random, RandomGame, Side};

use crate::einstein::board::{CELLS, Cell, Neighbours};
use crate::einstein::cube::Cube;
use crate::einstein::position::Position;
use crate::einstein::rolls::{Die, RuleSet};

/// The moves of a cube, by the square where it stands, as three lanes of 16 bits. Each lane holds
/// the square that is entered and, from bit 8 on, the bits in which it differs from the square that
/// is left. The fourth lane is the number of moves. There are 32 squares, so that masked indices
/// need no check.
type Steps = [u64; 32];

static STEPS: BySide<Steps> = BySide::new(steps(Side::First), steps(Side::Second));

const fn steps(side: Side) -> Steps {
    let mut table = [0; 32];
    let mut from = 0;
    while let Some(cell) = Cell::new(from) {
        let neighbours = Neighbours::new(side, cell);
        let squares = neighbours.squares();
        let mut n = 0;
        while n < squares.len() {
            let to = squares[n].index();
            table[from] |= (to as u64 | ((from ^ to) as u64) << 8) << (16 * n);
            n += 1;
        }
        table[from] |= (n as u64) << 48;
        from += 1;
    }
    table
}

/// The bit that stands for no cube.
const NONE: u8 = 31;

/// A game in progress.
struct Playing {
    /// Byte *i* is the square of cube *i* + 1. For a captured cube it is a square that no longer
    /// counts.
    cubes: BySide<u64>,
    /// The living cubes: bit *i* for red's cube *i* + 1, bit 8 + *i* for blue's.
    alive: u32,
    /// The bit of the cube on each square, or [`NONE`].
    board: [u8; 32],
}

impl Playing {
    #[inline(always)]
    fn new<R: RuleSet>(position: &Position<R>) -> Self {
        let mut playing =
            Self { cubes: BySide::new(0, 0), alive: 0, board: [NONE; CELLS.next_power_of_two()] };
        for side in Side::BOTH {
            let (alive, cubes) = position.pieces_of(side);
            playing.cubes[side] = cubes;
            playing.alive |= u32::from(alive) << first_bit(side);
            for cube in Cube::ALL {
                // The square of a captured cube becomes entry 31, which is not a square.
                let square = cubes >> (8 * cube.index()) & 31;
                playing.board[square as usize] = (first_bit(side) + cube.index() as u32) as u8;
            }
        }
        playing
    }

    /// Makes a random move of `side` with a roll. Returns whether it wins.
    #[inline(always)]
    fn turn<R: RuleSet>(&mut self, side: Side, die: Die, random: &mut Random) -> bool {
        let (first, second) = R::ROLLS.pair(self.living(side), die);
        let cubes = self.cubes[side];
        let (first, second) = (first.index() as u32, second.index() as u32);
        let steps = |cube: u32| STEPS[side][(cubes >> (8 * cube) & 31) as usize];
        let (first_steps, second_steps) = (steps(first), steps(second));
        let before = (first_steps >> 48) as u32;
        let n = random.below(before + (second_steps >> 48) as u32);
        let (steps, n, cube) =
            if n < before { (first_steps, n, first) } else { (second_steps, n - before, second) };
        let step = steps >> (16 * n);
        let (to, change) = ((step & 31) as usize, step >> 8 & 31);
        self.alive &= !(1 << (self.board[to] & 31));
        self.board[to ^ change as usize] = NONE;
        self.board[to] = (first_bit(side) + cube) as u8;
        self.cubes[side] = cubes ^ change << (8 * cube);
        to == Cell::goal(side).index() || self.living(!side) == 0
    }

    /// The living cubes of a side: bit *i* for cube *i* + 1.
    #[inline(always)]
    const fn living(&self, side: Side) -> u8 {
        (self.alive >> first_bit(side) & 63) as u8
    }
}

/// The bit of a side's first cube.
const fn first_bit(side: Side) -> u32 {
    8 * side.index() as u32
}

/// Plays a random game from a position that is not over. With a `die`, the side to move goes on with it.
///
/// This is a function of its own so that its loop, in which nearly all of the game takes place, has
/// all registers to itself.
#[inline(never)]
pub(in crate::einstein) fn play<R: RuleSet>(
    position: &Position<R>,
    die: Option<Die>,
    random: &mut Random,
) -> RandomGame {
    let mut playing = Playing::new(position);
    // A local copy of the stream can stay in registers.
    let mut stream = random.clone();
    let mut die = die.unwrap_or_else(|| Die::rolled(&mut stream));
    let mut plies = 0;
    let mut is_first = position.mover() == Side::First;
    // The loop is unrolled by side, so that each turn is compiled with the tables and the goal of
    // its side.
    let winner = loop {
        if is_first {
            plies += 1;
            if playing.turn::<R>(Side::First, die, &mut stream) {
                break Side::First;
            }
            die = Die::rolled(&mut stream);
        }
        is_first = true;
        plies += 1;
        if playing.turn::<R>(Side::Second, die, &mut stream) {
            break Side::Second;
        }
        die = Die::rolled(&mut stream);
    };
    *random = stream;
    RandomGame { outcome: Outcome::Win(winner), plies }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Nearest, Official, Setup};
    use wurfel_core::{Game, draw, random_game};

    /// Compares games from each position of some games, before and after the roll.
    fn a_game_is_that_of_the_rules<R: RuleSet>() {
        let mut random = Random::new(8);
        for _ in 0..if cfg!(miri) { 1 } else { 300 } {
            let mut position =
                Position::<R>::new(Setup::random(&mut random), Setup::random(&mut random));
            loop {
                let die = draw(Position::<R>::DICE, &mut random);
                for roll in [None, Some(die)] {
                    let mut twin = random.clone();
                    let expected = random_game(position, roll, &mut twin);
                    assert_eq!(position.random_game(roll, &mut random), expected, "{position}");
                    assert_eq!(random, twin, "{position}");
                }
                if position.outcome().is_some() {
                    break;
                }
                position.play(die, *random.pick(position.moves(die).as_ref()));
            }
        }
    }

    #[test]
    fn one_game_is_that_of_the_rules() {
        a_game_is_that_of_the_rules::<Official>();
        a_game_is_that_of_the_rules::<Nearest>();
    }
}
