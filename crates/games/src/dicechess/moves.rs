//! Moves, and lists of them that live on the stack.

use std::fmt;

use arrayvec::ArrayVec;

use super::kind::Kind;
use super::square::Square;

/// A move of one piece, or a forced pass. The text form is that of the Universal
/// Chess Interface: `e2e4`, `e7e8q`, the king's step of two for castling, `0000`
/// for the pass.
///
/// From the top: what it is, the square it enters, the square it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

/// What is special about a move, beside the kinds 1 to 6 of plain ones.
pub(super) const DOUBLE: u16 = 7;
pub(super) const EN_PASSANT: u16 = 8;
pub(super) const CASTLE: u16 = 9;
/// Promotions are this plus the number of the new kind, 2 to 5.
pub(super) const PROMOTE: u16 = 8;

impl Move {
    /// Nothing can be moved.
    pub const PASS: Self = Self(0);

    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square, code: u16) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6 | code << 12)
    }

    /// Where the piece stands.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::known(self.0 as u32 & 63)
    }

    /// Where it goes.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::known(self.0 as u32 >> 6 & 63)
    }

    #[inline(always)]
    pub(super) const fn code(self) -> u16 {
        self.0 >> 12
    }

    /// The kind of the piece that moves; in a pass none does.
    #[inline(always)]
    pub const fn kind(self) -> Option<Kind> {
        match self.code() {
            0 => None,
            CASTLE => Some(Kind::King),
            code @ 1..=6 => Kind::new(code as u8),
            _ => Some(Kind::Pawn),
        }
    }

    /// What a pawn becomes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Kind> {
        match self.code() {
            code @ 10..=13 => Kind::new((code - PROMOTE) as u8),
            _ => None,
        }
    }

    /// Whether a pawn takes another that has just passed it.
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

/// The most moves of a turn: nine queens with 27 squares each, two rooks with 14,
/// two bishops with 13. Other kinds have fewer, and a pawn that promotes has at most
/// 12 moves where the queen it would become has more.
pub(super) const MAX_MOVES: usize = 9 * 27 + 2 * 14 + 2 * 13;

/// The legal moves of a turn.
pub type Moves = ArrayVec<Move, MAX_MOVES>;
