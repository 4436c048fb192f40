//! Which squares a piece attacks, as sets of squares, for all kinds except pawns.
//!
//! The attacks of sliders are computed, not looked up. Along a file or a diagonal they are "o −
//! 2r", computed once forwards and once with the bytes of the board reversed (hyperbola
//! quintessence, G. Osborne and others); ranks use a table of 512 bytes. This takes 2 KB and no
//! further crate. Magic bitboards would take 800 KB of cache, which a search needs for its own
//! positions.

use super::kind::Kind;
use super::square::{FILE_A, FILE_H, SQUARES, Square};

/// The lines through a square, without the square itself.
#[derive(Clone, Copy)]
struct Lines {
    file: u64,
    rising: u64,
    falling: u64,
}

static LINES: [Lines; SQUARES] = {
    let mut lines = [Lines { file: 0, rising: 0, falling: 0 }; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let (file, rank) = (from as i32 % 8 - to as i32 % 8, from as i32 / 8 - to as i32 / 8);
            if from != to {
                let bit = 1 << to;
                if file == 0 {
                    lines[from].file |= bit;
                } else if file == rank {
                    lines[from].rising |= bit;
                } else if file == -rank {
                    lines[from].falling |= bit;
                }
            }
            to += 1;
        }
        from += 1;
    }
    lines
};

/// The files that a slider reaches on its rank, by its own file and by the occupancy of the six
/// inner files.
static RANKS: [[u8; 64]; 8] = {
    let mut ranks = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u8) << 1;
            let mut reached = 0;
            let mut at = file + 1;
            while at < 8 {
                reached |= 1 << at;
                at = if occupied >> at & 1 == 1 { 8 } else { at + 1 };
            }
            let mut at = file;
            while at > 0 {
                at -= 1;
                reached |= 1 << at;
                at = if occupied >> at & 1 == 1 { 0 } else { at };
            }
            ranks[file][inner] = reached;
            inner += 1;
        }
        file += 1;
    }
    ranks
};

static KNIGHT: [u64; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        table[from] = knight_steps(1 << from);
        from += 1;
    }
    table
};

static KING: [u64; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        table[from] = straight_steps(1 << from) | diagonal_steps(1 << from);
        from += 1;
    }
    table
};

/// The squares that knights on these squares reach on an empty board.
#[inline(always)]
pub(super) const fn knight_steps(pieces: u64) -> u64 {
    let one = (pieces & !FILE_A) >> 1 | (pieces & !FILE_H) << 1;
    let files = FILE_A | FILE_A << 1;
    let two = (pieces & !files) >> 2 | (pieces & !(files << 6)) << 2;
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The squares one step along files and ranks from these squares.
#[inline(always)]
pub(super) const fn straight_steps(pieces: u64) -> u64 {
    pieces << 8 | pieces >> 8 | (pieces & !FILE_A) >> 1 | (pieces & !FILE_H) << 1
}

/// The squares one step along diagonals from these squares.
#[inline(always)]
pub(super) const fn diagonal_steps(pieces: u64) -> u64 {
    let sideways = (pieces & !FILE_A) >> 1 | (pieces & !FILE_H) << 1;
    sideways << 8 | sideways >> 8
}

/// The squares that a slider attacks along a line that has at most one square on each rank.
#[inline(always)]
const fn along(line: u64, square: u64, occupied: u64) -> u64 {
    let forward = occupied & line;
    let backward = forward.swap_bytes().wrapping_sub(square.swap_bytes());
    (forward.wrapping_sub(square) ^ backward.swap_bytes()) & line
}

#[inline(always)]
pub(super) fn knight(from: Square) -> u64 {
    KNIGHT[from.index() & 63]
}

#[inline(always)]
pub(super) fn king(from: Square) -> u64 {
    KING[from.index() & 63]
}

/// The squares that a bishop attacks, including the first piece in each direction.
#[inline(always)]
pub(super) fn bishop(from: Square, occupied: u64) -> u64 {
    let lines = &LINES[from.index() & 63];
    let square = from.bit();
    along(lines.rising, square, occupied) | along(lines.falling, square, occupied)
}

/// The squares that a rook attacks, including the first piece in each direction.
#[inline(always)]
pub(super) fn rook(from: Square, occupied: u64) -> u64 {
    let shift = 8 * usize::from(from.rank());
    let inner = (occupied >> shift >> 1 & 63) as usize;
    let rank = u64::from(RANKS[from.index() & 7][inner]) << shift;
    along(LINES[from.index() & 63].file, from.bit(), occupied) | rank
}

/// The squares that a queen attacks, including the first piece in each direction.
#[inline(always)]
pub(super) fn queen(from: Square, occupied: u64) -> u64 {
    bishop(from, occupied) | rook(from, occupied)
}

/// The squares that a piece of this kind attacks, including the first piece in each direction. None
/// for a pawn, because a pawn's attacks depend on its side.
#[inline(always)]
pub(super) fn non_pawn(kind: Kind, from: Square, occupied: u64) -> u64 {
    match kind {
        Kind::Pawn => 0,
        Kind::Knight => knight(from),
        Kind::Bishop => bishop(from, occupied),
        Kind::Rook => rook(from, occupied),
        Kind::Queen => queen(from, occupied),
        Kind::King => king(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::Random;

    /// Walks in each direction, square by square, until a piece stands in the way.
    fn walk(from: Square, occupied: u64, directions: &[(i8, i8)]) -> u64 {
        let mut reached = 0;
        for (right, up) in directions {
            let (mut file, mut rank) = (from.file() as i8 + right, from.rank() as i8 + up);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let bit = 1 << (8 * rank + file);
                reached |= bit;
                if occupied & bit != 0 {
                    break;
                }
                (file, rank) = (file + right, rank + up);
            }
        }
        reached
    }

    #[test]
    fn sliders_reach_what_they_walk_to() {
        let mut random = Random::new(1);
        for n in 0..100_000 {
            let from = Square::known(n);
            let occupied = random.bits() & random.bits();
            let diagonals = walk(from, occupied, &[(1, 1), (1, -1), (-1, 1), (-1, -1)]);
            let straights = walk(from, occupied, &[(0, 1), (0, -1), (-1, 0), (1, 0)]);
            assert_eq!(bishop(from, occupied), diagonals, "{from} {occupied:x}");
            assert_eq!(rook(from, occupied), straights, "{from} {occupied:x}");
        }
    }

    #[test]
    fn steps_are_those_of_the_board() {
        for n in 0..64 {
            let from = Square::known(n);
            let near = |to: Square, wanted: &[(u8, u8)]| {
                let gap = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
                wanted.contains(&gap)
            };
            for to in (0..64).map(Square::known) {
                let knights = near(to, &[(1, 2), (2, 1)]);
                assert_eq!(knight(from) & to.bit() != 0, knights, "{from} {to}");
                let kings = near(to, &[(0, 1), (1, 0), (1, 1)]);
                assert_eq!(king(from) & to.bit() != 0, kings, "{from} {to}");
            }
        }
    }
}
