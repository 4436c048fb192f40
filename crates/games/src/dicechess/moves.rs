//! Moves, and lists of them that live on the stack.

use std::cmp::Ordering;
use std::fmt;

use arrayvec::ArrayVec;

use super::kind::Kind;
use super::square::{SQUARES, Square};

/// A move of one piece, or a forced pass. The text form is that of the Universal Chess Interface:
/// `e2e4`, `e7e8q`, the king's step of two squares for castling, and `0000` for a pass.
///
/// The bits hold, from the top: the kind of move, the square that the piece enters, and the square
/// that it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

/// The kind of move that is a pawn's double step; plain moves have the kind of their piece, 1 to 6.
pub(super) const DOUBLE: u16 = 7;
pub(super) const EN_PASSANT: u16 = 8;
pub(super) const CASTLE: u16 = 9;
/// A promotion has the kind of move `PROMOTE` plus the number of the new kind, 2 to 5.
pub(super) const PROMOTE: u16 = 8;

/// The squares between two squares on a rank, file or diagonal; none between others.
static BETWEEN: [[u64; SQUARES]; SQUARES] = {
    let mut between = [[0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < 9 {
            let (right, up) = (direction % 3 - 1, direction / 3 - 1);
            let (mut file, mut rank) = (from as i32 % 8 + right, from as i32 / 8 + up);
            let mut passed = 0;
            while direction != 4 && 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                let to = (8 * rank + file) as usize;
                between[from][to] = passed;
                passed |= 1 << to;
                (file, rank) = (file + right, rank + up);
            }
            direction += 1;
        }
        from += 1;
    }
    between
};

impl Move {
    /// The forced pass: nothing can be moved.
    pub const PASS: Self = Self(0);

    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square, code: u16) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | code << 12)
    }

    /// The square that the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::known(self.0 as u32 & 63)
    }

    /// The square that the piece enters.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::known(self.0 as u32 >> 6 & 63)
    }

    #[inline(always)]
    pub(super) const fn code(self) -> u16 {
        self.0 >> 12
    }

    /// The kind of the piece that moves; `None` for a pass.
    #[inline(always)]
    pub const fn kind(self) -> Option<Kind> {
        match self.code() {
            0 => None,
            CASTLE => Some(Kind::King),
            code @ 1..=6 => Kind::new(code as u8),
            _ => Some(Kind::Pawn),
        }
    }

    /// The kind to which a pawn promotes, if it does.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Kind> {
        match self.code() {
            code @ 10..=13 => Kind::new((code - PROMOTE) as u8),
            _ => None,
        }
    }

    /// Whether this move, made after `earlier` in the same turn, could also have been made before
    /// it with the same result. False for castling, promotions and captures en passant, which are
    /// not examined.
    #[inline(always)]
    pub(super) fn swaps_with(self, earlier: Self) -> bool {
        self.is_plain()
            && earlier.is_plain()
            && earlier.way() & (self.from().bit() | self.to().bit()) == 0
            && self.way() & earlier.from().bit() == 0
    }

    /// Whether one piece moves and neither changes its kind nor captures en passant.
    #[inline(always)]
    pub(super) const fn is_plain(self) -> bool {
        matches!(self.code(), 1..=DOUBLE)
    }

    /// The squares that the piece leaves, passes over and enters.
    #[inline(always)]
    pub(super) fn way(self) -> u64 {
        BETWEEN[self.from().index()][self.to().index()] | self.from().bit() | self.to().bit()
    }

    /// Whether, of two moves that can be made in either order, this one is made first when it comes
    /// after the other one.
    #[inline(always)]
    pub(super) fn goes_before(self, other: Self) -> bool {
        let order = |mv: Self| (mv.kind(), mv.code(), mv.from());
        order(self) < order(other)
    }

    /// Whether this move comes before the other one in the list of all moves that are possible with
    /// a die of each kind. The moves are plain and of different pieces.
    #[inline(always)]
    pub(super) fn is_listed_before(self, other: Self) -> bool {
        // Pawns step ahead, capture to the west, to the east, and step twice.
        let group = |mv: Self| match mv.to().file().cmp(&mv.from().file()) {
            _ if mv.code() == DOUBLE => 3,
            Ordering::Equal => 0,
            Ordering::Less => 1,
            Ordering::Greater => 2,
        };
        match (self.kind(), other.kind()) {
            (Some(Kind::Pawn), Some(Kind::Pawn)) => {
                (group(self), self.to()) < (group(other), other.to())
            }
            (one, two) => (one, self.from()) < (two, other.from()),
        }
    }

    /// Whether a pawn captures another one en passant.
    #[inline(always)]
    pub(super) const fn is_en_passant(self) -> bool {
        self.code() == EN_PASSANT
    }

    /// Whether the king castles.
    #[inline(always)]
    pub const fn castles(self) -> bool {
        self.code() == CASTLE
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::PASS {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The largest number of moves of a turn: nine queens with 27 squares each, two rooks with 14 and
/// two bishops with 13. Other kinds have fewer moves. A pawn that promotes has at most 12 moves,
/// fewer than the queen that it would become.
pub(super) const MAX_MOVES: usize = 9 * 27 + 2 * 14 + 2 * 13;

/// The legal moves of a turn.
pub type Moves = ArrayVec<Move, MAX_MOVES>;
