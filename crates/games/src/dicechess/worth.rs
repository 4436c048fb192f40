//! Piece-square values: the terms of the sum that every position keeps up to date.
//!
//! Piece values are those of paper `dice-chess-agents`, table I. Square values are T. Michniewski's
//! Simplified Evaluation Function (1995, on the Chess Programming Wiki), which the paper uses. All
//! are in hundredths of a pawn.

use wurfel_core::Side;

use super::kind::Kind;
use super::square::SQUARES;

/// A board with rank 8 first, from file a to h, as White sees it.
type Board = [[i16; 8]; 8];

/// The value of a piece on any square, by kind. The value of a king is not used before the game is
/// over.
pub(super) const PIECES: [i16; 7] = [0, 100, 350, 350, 535, 1000, 2000];

const PAWN: Board = [
    [0; 8],
    [50; 8],
    [10, 10, 20, 30, 30, 20, 10, 10],
    [5, 5, 10, 25, 25, 10, 5, 5],
    [0, 0, 0, 20, 20, 0, 0, 0],
    [5, -5, -10, 0, 0, -10, -5, 5],
    [5, 10, 10, -20, -20, 10, 10, 5],
    [0; 8],
];
const KNIGHT: Board = [
    [-50, -40, -30, -30, -30, -30, -40, -50],
    [-40, -20, 0, 0, 0, 0, -20, -40],
    [-30, 0, 10, 15, 15, 10, 0, -30],
    [-30, 5, 15, 20, 20, 15, 5, -30],
    [-30, 0, 15, 20, 20, 15, 0, -30],
    [-30, 5, 10, 15, 15, 10, 5, -30],
    [-40, -20, 0, 5, 5, 0, -20, -40],
    [-50, -40, -30, -30, -30, -30, -40, -50],
];
const BISHOP: Board = [
    [-20, -10, -10, -10, -10, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 10, 10, 5, 0, -10],
    [-10, 5, 5, 10, 10, 5, 5, -10],
    [-10, 0, 10, 10, 10, 10, 0, -10],
    [-10, 10, 10, 10, 10, 10, 10, -10],
    [-10, 5, 0, 0, 0, 0, 5, -10],
    [-20, -10, -10, -10, -10, -10, -10, -20],
];
const ROOK: Board = [
    [0; 8],
    [5, 10, 10, 10, 10, 10, 10, 5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [0, 0, 0, 5, 5, 0, 0, 0],
];
const QUEEN: Board = [
    [-20, -10, -10, -5, -5, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 5, 5, 5, 0, -10],
    [-5, 0, 5, 5, 5, 5, 0, -5],
    [0, 0, 5, 5, 5, 5, 0, -5],
    [-10, 5, 5, 5, 5, 5, 0, -10],
    [-10, 0, 5, 0, 0, 0, 0, -10],
    [-20, -10, -10, -5, -5, -10, -10, -20],
];
const KING_EARLY: Board = [
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-20, -30, -30, -40, -40, -30, -30, -20],
    [-10, -20, -20, -20, -20, -20, -20, -10],
    [20, 20, 0, 0, 0, 0, 20, 20],
    [20, 30, 10, 0, 0, 10, 30, 20],
];
const KING_LATE: Board = [
    [-50, -40, -30, -20, -20, -30, -40, -50],
    [-30, -20, -10, 0, 0, -10, -20, -30],
    [-30, -10, 20, 30, 30, 20, -10, -30],
    [-30, -10, 30, 40, 40, 30, -10, -30],
    [-30, -10, 30, 40, 40, 30, -10, -30],
    [-30, -10, 20, 30, 30, 20, -10, -30],
    [-30, -30, 0, 0, 0, 0, -30, -30],
    [-50, -30, -30, -30, -30, -30, -30, -50],
];

/// The full move from which the end-game square values of kings are used: paper `dice-chess-agents`
/// has "after turn 50".
pub(super) const LATE: u32 = 50;

/// The value of a square in a table, which is mirrored for Black.
const fn square_worth(board: &Board, side: Side, square: usize) -> i16 {
    let row = match side {
        Side::First => 7 - square / 8,
        Side::Second => square / 8,
    };
    board[row][square % 8]
}

/// The value of a piece and its square by side, kind (0 is no piece) and square: positive for
/// White, negative for Black. Kings have 0 here.
pub(super) static WORTH: [[[i16; SQUARES]; 8]; 2] = {
    let mut worth = [[[0; SQUARES]; 8]; 2];
    let boards = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN];
    let mut kind = 1;
    while kind <= boards.len() {
        let mut square = 0;
        while square < SQUARES {
            let board = &boards[kind - 1];
            worth[0][kind][square] = PIECES[kind] + square_worth(board, Side::First, square);
            worth[1][kind][square] = -PIECES[kind] - square_worth(board, Side::Second, square);
            square += 1;
        }
        kind += 1;
    }
    worth
};

/// The value of a square for a side's king: by early (0) or late (1) in the game, side and square.
static KINGS: [[[i16; SQUARES]; 2]; 2] = {
    let mut kings = [[[0; SQUARES]; 2]; 2];
    let mut square = 0;
    while square < SQUARES {
        kings[0][0][square] = square_worth(&KING_EARLY, Side::First, square);
        kings[0][1][square] = square_worth(&KING_EARLY, Side::Second, square);
        kings[1][0][square] = square_worth(&KING_LATE, Side::First, square);
        kings[1][1][square] = square_worth(&KING_LATE, Side::Second, square);
        square += 1;
    }
    kings
};

/// The value of a square for a side's king at this ply, where the end-game values are used from the
/// full move `late` on.
#[inline(always)]
pub(super) fn king_square(side: Side, square: usize, ply: u32, late: u32) -> i16 {
    KINGS[usize::from(ply >= 2 * late - 1)][side.index()][square & 63]
}

/// The value of a square for a piece, from −50 to 50.
pub(super) fn square_of(side: Side, kind: Kind, square: usize, ply: u32) -> i16 {
    match kind {
        Kind::King => king_square(side, square, ply, LATE),
        _ => WORTH[side.index()][kind as usize][square].abs() - PIECES[kind as usize],
    }
}
