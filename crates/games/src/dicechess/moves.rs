//! Moves, and lists of them that live on the stack.

use std::fmt;

use arrayvec::ArrayVec;

use super::kind::Kind;
use super::square::Square;

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
    /// it with the same result. False for special moves, which are not examined.
    pub(super) fn swaps_with(self, earlier: Self) -> bool {
        let plain = |mv: Self| (1..DOUBLE).contains(&mv.code());
        let squares = |mv: Self| mv.from().bit() | mv.to().bit();
        plain(self)
            && plain(earlier)
            && squares(self) & squares(earlier) == 0
            && !self.passes_over(earlier.from())
            && !earlier.passes_over(self.to())
    }

    /// Whether a square lies between those that the piece leaves and enters.
    fn passes_over(self, square: Square) -> bool {
        let place = |square: Square| [i32::from(square.file()), i32::from(square.rank())];
        let [from, to, at] = [self.from(), self.to(), square].map(place);
        let way = [to[0] - from[0], to[1] - from[1]];
        let gone = [at[0] - from[0], at[1] - from[1]];
        let on_line = way[0] * gone[1] == way[1] * gone[0];
        let along = way[0] * gone[0] + way[1] * gone[1];
        on_line && 0 < along && along < way[0] * way[0] + way[1] * way[1]
    }

    /// Whether, of two moves that can be made in either order, this one is made first.
    pub(super) fn goes_before(self, other: Self) -> bool {
        (self.code(), self.from()) < (other.code(), other.from())
    }

    /// Whether a pawn captures another one in passing.
    #[inline(always)]
    pub(super) const fn takes_in_passing(self) -> bool {
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
