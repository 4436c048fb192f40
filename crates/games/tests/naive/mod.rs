//! A deliberately naive `EinStein würfelt nicht!`, the test oracle for the fast implementation.
//!
//! It is written from the rules text alone and shares no code, table or idea with the crate under
//! test: a board of 25 cells that every question scans afresh. Keep it slow and plain; when the two
//! disagree, the rules text decides which of them is wrong.

#![allow(dead_code, reason = "each test uses a part of the twin")]

use std::collections::HashMap;

/// The six starting cells of Red; Blue starts on the same cells turned by half a turn.
pub const RED_START: [usize; 6] = [0, 1, 2, 5, 6, 10];

/// A position before the die is rolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naive {
    /// Row-major from the top-left: 0 is empty, +1..+6 are red cubes, -1..-6 are blue ones.
    pub cells: [i8; 25],
    /// Whether Red rolls and moves next.
    pub red_to_move: bool,
    /// The number of the ply about to be played; the first one is 1.
    pub ply: u32,
    /// Whether `einstein-nearest` is played instead of the official rule.
    pub nearest: bool,
}

/// The standard start of the perft numbers: red i on `RED_START`, blue i half a turn away.
pub fn start() -> Naive {
    set_up([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])
}

/// A random placement in both triangles; `next(n)` gives a uniform number in 0..n.
pub fn random_setup(next: &mut impl FnMut(u32) -> u32) -> Naive {
    let red = shuffled(next);
    let blue = shuffled(next);
    set_up(red, blue)
}

/// The numbers 1..=6 in a uniformly random order.
fn shuffled(next: &mut impl FnMut(u32) -> u32) -> [i8; 6] {
    let mut left = vec![1, 2, 3, 4, 5, 6];
    [6, 5, 4, 3, 2, 1].map(|count| left.remove(next(count) as usize))
}

/// The start with these numbers on `RED_START` and on the same cells turned by half a turn.
fn set_up(red: [i8; 6], blue: [i8; 6]) -> Naive {
    let mut cells = [0; 25];
    for i in 0..6 {
        cells[RED_START[i]] = red[i];
        cells[24 - RED_START[i]] = -blue[i];
    }
    Naive { cells, red_to_move: true, ply: 1, nearest: false }
}

/// A cell's name: columns a..e from left to right, row 5 at the top.
fn cell_text(cell: usize) -> String {
    let column = ["a", "b", "c", "d", "e"][cell % 5];
    format!("{column}{}", 5 - cell / 5)
}

/// A move as text, such as `a5b4`.
pub fn move_text(from: usize, to: usize) -> String {
    cell_text(from) + &cell_text(to)
}

impl Naive {
    /// Whether the side to move owns a cube on this cell.
    fn is_own(&self, cell: usize) -> bool {
        if self.red_to_move { self.cells[cell] > 0 } else { self.cells[cell] < 0 }
    }

    /// The numbers of the living cubes of the side to move, ascending.
    fn living(&self) -> Vec<u8> {
        let own = (0..25).filter(|&cell| self.is_own(cell));
        let mut numbers: Vec<u8> = own.map(|cell| self.cells[cell].unsigned_abs()).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The numbers of the cubes of the side to move that may move, ascending.
    pub fn movable(&self, die: u8) -> Vec<u8> {
        let living = self.living();
        if living.contains(&die) {
            return vec![die];
        }
        let lower = living.iter().copied().filter(|&number| number < die).max();
        let higher = living.iter().copied().filter(|&number| number > die).min();
        match (lower, higher) {
            (Some(lower), Some(higher)) if self.nearest && die - lower < higher - die => {
                vec![lower]
            }
            (Some(lower), Some(higher)) if self.nearest && die - lower > higher - die => {
                vec![higher]
            }
            (lower, higher) => lower.into_iter().chain(higher).collect(),
        }
    }

    /// The cells one step away: sideways, forward, diagonally, as far as they are on the board.
    fn steps(&self, from: usize) -> Vec<usize> {
        let (row, column) = (from / 5, from % 5);
        let mut steps = Vec::new();
        if self.red_to_move {
            if column < 4 {
                steps.push(from + 1);
            }
            if row < 4 {
                steps.push(from + 5);
            }
            if column < 4 && row < 4 {
                steps.push(from + 6);
            }
        } else {
            if column > 0 {
                steps.push(from - 1);
            }
            if row > 0 {
                steps.push(from - 5);
            }
            if column > 0 && row > 0 {
                steps.push(from - 6);
            }
        }
        steps
    }

    /// The moves (from, to) for a roll, by ascending cube, then sideways, forward, diagonal; none
    /// when the game is over.
    pub fn moves(&self, die: u8) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        if self.winner().is_some() {
            return moves;
        }
        for number in self.movable(die) {
            for from in 0..25 {
                if self.is_own(from) && self.cells[from].unsigned_abs() == number {
                    moves.extend(self.steps(from).into_iter().map(|to| (from, to)));
                }
            }
        }
        moves
    }

    /// The position after a move, which removes whatever stands on its target.
    pub fn play(&self, from: usize, to: usize) -> Naive {
        let mut after = self.clone();
        after.cells[to] = self.cells[from];
        after.cells[from] = 0;
        after.red_to_move = !self.red_to_move;
        after.ply = self.ply + 1;
        after
    }

    /// The winner, `Some(true)` for Red, or `None` while the game goes on.
    pub fn winner(&self) -> Option<bool> {
        let red_lives = self.cells.iter().any(|&cell| cell > 0);
        let blue_lives = self.cells.iter().any(|&cell| cell < 0);
        if self.cells[24] > 0 || !blue_lives {
            Some(true)
        } else if self.cells[0] < 0 || !red_lives {
            Some(false)
        } else {
            None
        }
    }

    /// The text form, such as `ABC2/DE3/F3f/3ed/2cba r 4 1`.
    pub fn text(&self, die: Option<u8>) -> String {
        let mut rows = Vec::new();
        for row in self.cells.chunks(5) {
            let mut text = String::new();
            let mut empty = 0;
            for &cell in row {
                if cell == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                let first = if cell > 0 { b'A' } else { b'a' };
                text.push(char::from(first + cell.unsigned_abs() - 1));
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            rows.push(text);
        }
        let board = rows.join("/");
        let side = if self.red_to_move { "r" } else { "b" };
        let die = die.map_or("-".to_string(), |die| die.to_string());
        format!("{board} {side} {die} {}", self.ply)
    }

    /// The number of sequences of (die face, move) pairs of this length, all six faces counted.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for die in 1..=6 {
            for (from, to) in self.moves(die) {
                count += self.play(from, to).perft(depth - 1);
            }
        }
        count
    }

    /// Red's exact chance to win before the roll, both playing optimally; one memo per rule set.
    pub fn exact(&self, memo: &mut HashMap<([i8; 25], bool), f64>) -> f64 {
        if let Some(red_won) = self.winner() {
            return if red_won { 1.0 } else { 0.0 };
        }
        if let Some(&value) = memo.get(&(self.cells, self.red_to_move)) {
            return value;
        }
        let mut sum = 0.0;
        for die in 1..=6 {
            let mut best = if self.red_to_move { 0.0 } else { 1.0 };
            for (from, to) in self.moves(die) {
                let value = self.play(from, to).exact(memo);
                best = if self.red_to_move { value.max(best) } else { value.min(best) };
            }
            sum += best;
        }
        let value = sum / 6.0;
        memo.insert((self.cells, self.red_to_move), value);
        value
    }

    /// The position mirrored across the main diagonal.
    pub fn mirrored(&self) -> Naive {
        let mut mirrored = self.clone();
        for row in 0..5 {
            for column in 0..5 {
                mirrored.cells[5 * column + row] = self.cells[5 * row + column];
            }
        }
        mirrored
    }

    /// The position after a half turn with the colours and the side to move swapped.
    pub fn colours_swapped(&self) -> Naive {
        let mut swapped = self.clone();
        for cell in 0..25 {
            swapped.cells[24 - cell] = -self.cells[cell];
        }
        swapped.red_to_move = !self.red_to_move;
        swapped
    }

    /// The position with the numbers of one colour reversed, i to 7 - i.
    pub fn numbers_reversed(&self, red: bool) -> Naive {
        let mut reversed = self.clone();
        for cell in &mut reversed.cells {
            if red && *cell > 0 {
                *cell = 7 - *cell;
            } else if !red && *cell < 0 {
                *cell = -7 - *cell;
            }
        }
        reversed
    }
}
