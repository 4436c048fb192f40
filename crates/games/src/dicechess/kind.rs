//! The six kinds of pieces, which are also the six faces of the die.

use wurfel_core::Side;

/// A kind of piece, which a face of the die allows to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// 1
    Pawn = 1,
    /// 2
    Knight = 2,
    /// 3
    Bishop = 3,
    /// 4
    Rook = 4,
    /// 5
    Queen = 5,
    /// 6
    King = 6,
}

/// The letters of White's pieces, by number.
const LETTERS: [char; 7] = ['?', 'P', 'N', 'B', 'R', 'Q', 'K'];

impl Kind {
    /// All kinds, pawn first.
    pub const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

    /// The kind with this number, 1 to 6.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=6 => Some(Self::ALL[number as usize - 1]),
            _ => None,
        }
    }

    /// The number on the die, 1 to 6.
    #[inline(always)]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// A set of this kind alone: bit *n* − 1 for kind *n*.
    #[inline(always)]
    pub const fn bit(self) -> u8 {
        1 << (self as u8 - 1)
    }

    /// `P`, `N`, `B`, `R`, `Q` or `K`.
    pub const fn letter(self) -> char {
        LETTERS[self as usize]
    }

    /// The kind with this letter, upper or lower case.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The letter of a piece: upper case for White.
    pub const fn letter_of(self, side: Side) -> char {
        match side {
            Side::First => self.letter(),
            Side::Second => self.letter().to_ascii_lowercase(),
        }
    }
}
