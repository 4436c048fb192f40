//! A position at rest, or in the middle of a turn of three dice, and how a move changes it.
//!
//! Each square has the number of its piece's kind, or 0 when it is empty. The three bits of this
//! number are kept as three bitboards, beside a bitboard of the pieces of the side to move. So
//! finding what stands on a square needs no search, a move is an exclusive or, and a position takes
//! 48 bytes. Each move updates the sum of piece and square values from which evaluations start.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use wurfel_core::{Outcome, Side};

use super::kind::Kind;
use super::moves::{CASTLE, DOUBLE, EN_PASSANT, Move};
use super::square::{FILE_A, FILE_H, Square, each, rank_of};
use super::variants::{DiceCount, MAX_QUIET, Names, OneDie, Variant};
use super::worth::WORTH;

/// A position of Dice Chess with the dice `D`, under a rule set that it carries.
///
/// Two positions are equal when they have the same pieces, side to move, castling rights, squares on
/// which a pawn can be captured en passant, turn number, and rule set. The count of quiet turns is
/// compared only if it can end the game within the next 64 turns.
#[derive(Clone, Copy)]
pub struct Position<D: DiceCount = OneDie> {
    /// Bitboard *i* holds bit *i* of the number of each square's kind.
    planes: [u64; 3],
    /// The pieces of the side to move.
    own: u64,
    /// The sum of piece and square values for White, in hundredths of a pawn.
    score: i16,
    ply: u16,
    /// The number of turns since the last capture or pawn move.
    clock: u8,
    /// The castling rights in the low bits; above them the number of the variant, which in a byte of its
    /// own was more expensive to copy and to compare.
    castling: u8,
    /// The files of the pawns with which the other side has just moved two squares.
    passed: u8,
    /// The files of the pawns with which the side to move has moved two squares in this turn.
    passing: u8,
    side: Side,
    end: Option<Outcome>,
    dice: PhantomData<D>,
}

/// The rights of both sides to castle both ways.
pub(super) const ALL_RIGHTS: u8 = 15;

/// The place of the variant in the byte of the rights.
const VARIANT: u32 = 4;

/// The largest number of turns that a search looks ahead.
const HORIZON: u8 = 64;

/// A way to castle: its right, and the squares of king and rook before and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castling {
    pub right: u8,
    pub side: Side,
    pub letter: char,
    pub king: [Square; 2],
    pub rook: [Square; 2],
    /// The squares between king and rook, which must be empty.
    pub between: u64,
}

const fn castling(n: u32, side: Side, letter: char, files: [u32; 4], between: u64) -> Castling {
    let rank = match side {
        Side::First => 0,
        Side::Second => 56,
    };
    let [king, king_to, rook, rook_to] = files;
    Castling {
        right: 1 << n,
        side,
        letter,
        king: [Square::known(rank + king), Square::known(rank + king_to)],
        rook: [Square::known(rank + rook), Square::known(rank + rook_to)],
        between: between << rank,
    }
}

/// The four ways to castle, in the order of their letters in a position text.
pub(super) static CASTLINGS: [Castling; 4] = [
    castling(0, Side::First, 'K', [4, 6, 7, 5], 0b0110_0000),
    castling(1, Side::First, 'Q', [4, 2, 0, 3], 0b0000_1110),
    castling(2, Side::Second, 'k', [4, 6, 7, 5], 0b0110_0000),
    castling(3, Side::Second, 'q', [4, 2, 0, 3], 0b0000_1110),
];

/// The rights that are kept when a piece leaves or enters a square.
static RIGHTS_KEPT: [u8; 64] = {
    let mut masks = [0xFF; 64];
    let mut n = 0;
    while n < 4 {
        let way = CASTLINGS[n];
        masks[way.king[0].index()] &= !way.right;
        masks[way.rook[0].index()] &= !way.right;
        n += 1;
    }
    masks
};

impl<D: DiceCount> Position<D> {
    /// An empty board, with White to move.
    pub(super) const fn empty(variant: Variant) -> Self {
        Self {
            planes: [0; 3],
            own: 0,
            score: 0,
            ply: 1,
            clock: 0,
            castling: (variant as u8) << VARIANT,
            passed: 0,
            passing: 0,
            side: Side::First,
            end: None,
            dice: PhantomData,
        }
    }

    /// The rules apart from the number of dice.
    pub const fn variant(&self) -> Variant {
        match self.castling >> VARIANT {
            0 => Variant::Standard,
            1 => Variant::PromotionByDie,
            _ => Variant::BareKingLoses,
        }
    }

    /// The names of the game whose rules apply.
    pub(super) const fn names(&self) -> Names {
        D::NAMES[self.variant() as usize]
    }

    /// Whether a pawn may also promote with a die that shows the kind that it becomes.
    #[inline(always)]
    pub(super) const fn promotes_by_die(&self) -> bool {
        !D::THREE_DICE && self.castling & (Variant::PromotionByDie as u8) << VARIANT != 0
    }

    /// Whether a side that has only its king left loses.
    #[inline(always)]
    const fn bare_king_loses(&self) -> bool {
        !D::THREE_DICE && self.castling & (Variant::BareKingLoses as u8) << VARIANT != 0
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, side: Side, kind: Kind, square: Square) {
        self.toggle(kind.number(), square.bit());
        if side == self.side {
            self.own |= square.bit();
        }
        self.score += WORTH[side.index()][usize::from(kind.number())][square.index()];
    }

    /// Sets everything except the pieces, which must be on the board already, and determines
    /// whether the game is over. `begun` says that the turn has begun.
    pub(super) fn settle(
        &mut self,
        (ply, clock): (u16, u8),
        castling: u8,
        (passed, passing): (u8, u8),
        begun: bool,
    ) {
        (self.ply, self.clock) = (ply, clock);
        self.castling = self.castling & !ALL_RIGHTS | castling;
        (self.passed, self.passing) = (passed, passing);
        self.keep_what_can_be_passed();
        let kings = self.pieces(Kind::King);
        self.end = if kings & self.own == 0 {
            Some(Outcome::Win(!self.side))
        } else if kings & !self.own == 0 {
            Some(Outcome::Win(self.side))
        } else {
            // A turn that has begun may still capture something.
            self.verdict(clock.saturating_sub(u8::from(begun)))
        };
    }

    /// The position with its files in reverse order if nobody may castle, and otherwise the
    /// position itself.
    pub(super) fn mirrored(&self) -> Self {
        if self.rights() != 0 {
            return *self;
        }
        let mut mirrored = Self { side: self.side, ..Self::empty(self.variant()) };
        for square in (0..64).map(Square::known) {
            if let Some((side, kind)) = self.at(square) {
                mirrored.put(side, kind, Square::known(square.index() as u32 ^ 7));
            }
        }
        let files = (self.passed.reverse_bits(), self.passing.reverse_bits());
        mirrored.settle((self.ply, self.clock), 0, files, false);
        mirrored.end = self.end;
        mirrored
    }

    /// Passes the turn to the other side without any other change.
    pub(super) fn turn_around(&mut self) {
        self.own ^= self.occupied();
        self.side = !self.side;
    }

    /// The pieces of a kind, of both sides.
    #[inline(always)]
    pub(super) const fn pieces(&self, kind: Kind) -> u64 {
        let [one, two, four] = self.planes;
        match kind {
            Kind::Pawn => one & !two & !four,
            Kind::Knight => two & !one & !four,
            Kind::Bishop => one & two,
            Kind::Rook => four & !one & !two,
            Kind::Queen => four & one,
            Kind::King => four & two,
        }
    }

    /// The pieces of a kind of the side to move.
    #[inline(always)]
    pub(super) const fn own(&self, kind: Kind) -> u64 {
        self.pieces(kind) & self.own
    }

    #[inline(always)]
    pub(super) fn pieces_of(&self, side: Side, kind: Kind) -> u64 {
        self.pieces(kind) & self.of(side)
    }

    #[inline(always)]
    pub(super) fn of(&self, side: Side) -> u64 {
        if side == self.side { self.own } else { self.enemies() }
    }

    /// The squares on which a piece stands.
    #[inline(always)]
    pub(super) const fn occupied(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    /// The pieces of the side to move.
    #[inline(always)]
    pub(super) const fn own_pieces(&self) -> u64 {
        self.own
    }

    /// The pieces of the other side.
    #[inline(always)]
    pub(super) const fn enemies(&self) -> u64 {
        self.occupied() & !self.own
    }

    /// The number of the kind on a square, 0 when it is empty.
    #[inline(always)]
    const fn number_at(&self, square: Square) -> u8 {
        let n = square.index() as u32;
        let [one, two, four] = self.planes;
        ((one >> n & 1) | (two >> n & 1) << 1 | (four >> n & 1) << 2) as u8
    }

    /// The highest number of a kind on these squares; 0 when they are empty.
    #[inline(always)]
    pub(super) fn highest(&self, mut squares: u64) -> u8 {
        let mut number = 0;
        for (bit, plane) in self.planes.iter().enumerate().rev() {
            let with = squares & plane;
            if with != 0 {
                squares = with;
                number |= 1 << bit;
            }
        }
        number
    }

    /// The squares whose contents differ from those in another position.
    #[inline(always)]
    pub(super) fn changed_since(&self, before: &Self) -> u64 {
        let kinds = self.planes.iter().zip(&before.planes);
        let sides = self.of(Side::First) ^ before.of(Side::First);
        kinds.fold(sides, |changed, (now, then)| changed | (now ^ then))
    }

    /// The piece on a square, if there is one.
    #[inline(always)]
    pub fn at(&self, square: Square) -> Option<(Side, Kind)> {
        let kind = Kind::new(self.number_at(square))?;
        let side = if self.own & square.bit() != 0 { self.side } else { !self.side };
        Some((side, kind))
    }

    #[inline(always)]
    pub(super) const fn mover(&self) -> Side {
        self.side
    }

    #[inline(always)]
    pub(super) const fn end(&self) -> Option<Outcome> {
        self.end
    }

    #[inline(always)]
    pub(super) const fn number_of_turn(&self) -> u32 {
        self.ply as u32
    }

    /// The number of turns since the last turn with a capture or a pawn move. A turn that has begun
    /// is counted, too.
    pub(super) const fn quiet_turns(&self) -> u8 {
        self.clock
    }

    #[inline(always)]
    pub(super) const fn rights(&self) -> u8 {
        self.castling & ALL_RIGHTS
    }

    /// The castling rights of the side to move: on the king's side, on the queen's.
    #[inline(always)]
    pub(super) const fn may_castle(&self) -> [bool; 2] {
        let own = match self.side {
            Side::First => self.castling,
            Side::Second => self.castling >> 2,
        };
        [own & 1 != 0, own & 2 != 0]
    }

    /// The files of pawns that have just moved two squares: those of the other side, and those of
    /// the side to move in the current turn.
    pub(super) const fn double_steps(&self) -> (u8, u8) {
        (self.passed, self.passing)
    }

    /// The sum of piece and square values for White, in hundredths of a pawn, without the kings.
    #[inline(always)]
    pub(super) const fn score(&self) -> i16 {
        self.score
    }

    /// The squares on which a pawn that has just passed them can be captured.
    #[inline(always)]
    pub(super) fn passed_squares(&self) -> u64 {
        if self.passed == 0 {
            return 0;
        }
        let squares = FILE_A * u64::from(self.passed) & rank_of(self.side, 6);
        squares & !self.occupied()
    }

    /// Whether a move enters a square of the other side.
    #[inline(always)]
    pub(super) fn captures(&self, mv: Move) -> bool {
        self.enemies() & mv.to().bit() != 0
    }

    #[inline(always)]
    fn toggle(&mut self, number: u8, squares: u64) {
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            *plane ^= squares & (u64::from(number) >> bit & 1).wrapping_neg();
        }
    }

    /// Removes the enemy's piece from a square; returns whether there was one.
    #[inline(always)]
    fn take(&mut self, square: Square) -> bool {
        let number = self.number_at(square);
        let bit = square.bit();
        for plane in &mut self.planes {
            *plane &= !bit;
        }
        self.score -= WORTH[(!self.side).index()][usize::from(number & 7)][square.index()];
        if number == Kind::King.number() {
            self.end = Some(Outcome::Win(self.side));
        }
        if D::THREE_DICE && rank_of(self.side, 5) & bit != 0 {
            self.passed &= !(1 << square.file());
        }
        number != 0
    }

    /// Moves an own piece, whose kind has this number, to an empty square.
    #[inline(always)]
    fn shift(&mut self, number: u8, from: Square, to: Square) {
        let both = from.bit() | to.bit();
        self.toggle(number, both);
        self.own ^= both;
        let worth = &WORTH[self.side.index()][usize::from(number & 7)];
        self.score += worth[to.index()] - worth[from.index()];
    }

    /// Makes a move without ending the turn. Returns whether it was a capture or a pawn move.
    #[inline(always)]
    pub(super) fn advance(&mut self, mv: Move) -> bool {
        let (from, to, code) = (mv.from(), mv.to(), mv.code());
        let captures = self.take(to);
        self.castling &= RIGHTS_KEPT[from.index() & 63] & RIGHTS_KEPT[to.index() & 63];
        if code >= DOUBLE {
            return self.advance_specially(mv);
        }
        self.shift(code as u8, from, to);
        let pawn = code == u16::from(Kind::Pawn.number());
        if D::THREE_DICE && pawn && rank_of(self.side, 4) & from.bit() != 0 {
            self.passing &= !(1 << from.file());
        }
        captures || pawn
    }

    fn advance_specially(&mut self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let pawn = Kind::Pawn.number();
        match mv.code() {
            CASTLE => {
                self.shift(Kind::King.number(), from, to);
                if let Some(way) = CASTLINGS.iter().find(|way| way.king == [from, to]) {
                    self.shift(Kind::Rook.number(), way.rook[0], way.rook[1]);
                }
                return false;
            }
            DOUBLE => {
                self.shift(pawn, from, to);
                self.passing |= 1 << from.file();
            }
            EN_PASSANT => {
                self.shift(pawn, from, to);
                self.take(Square::known(to.index() as u32 ^ 8));
                self.passed &= !(1 << to.file());
            }
            _ => {
                self.shift(pawn, from, to);
                if let Some(kind) = mv.promotion() {
                    let worth = &WORTH[self.side.index()];
                    self.toggle(pawn ^ kind.number(), to.bit());
                    self.score += worth[usize::from(kind.number())][to.index()]
                        - worth[usize::from(pawn)][to.index()];
                }
            }
        }
        true
    }

    /// Counts a turn, when its first move has been made. `quiet` says that the move captured nothing
    /// and moved no pawn.
    #[inline(always)]
    pub(super) fn count_turn(&mut self, quiet: bool) {
        self.clock = if quiet { self.clock + 1 } else { 0 };
    }

    /// Starts the count of quiet turns again, because of a later move of the turn.
    #[inline(always)]
    pub(super) fn restart_clock(&mut self) {
        self.clock = 0;
    }

    /// Ends the turn: the other side rolls next, or the game is over.
    #[inline(always)]
    pub(super) fn pass_on(&mut self) {
        self.turn_around();
        self.passed = self.passing;
        self.passing = 0;
        self.keep_what_can_be_passed();
        self.ply += 1;
        if self.end.is_none() {
            self.end = self.verdict(self.clock);
        }
    }

    /// Forgets double steps of pawns that nobody can capture en passant, so that positions that do
    /// not really differ are equal. With three dice they are kept, because an enemy pawn may still
    /// move beside them in the same turn.
    #[inline(always)]
    fn keep_what_can_be_passed(&mut self) {
        if !D::THREE_DICE && self.passed != 0 {
            let stand = FILE_A * u64::from(self.passed) & rank_of(self.side, 5);
            let beside = (stand & !FILE_A) >> 1 | (stand & !FILE_H) << 1;
            let mut files = 0;
            each(self.own(Kind::Pawn) & beside, |square| {
                files |= (1u16 << square.file() << 1 | 1 << square.file() >> 1) as u8;
            });
            self.passed &= files;
        }
    }

    /// The result by a rule that ends the game while both kings are on the board, after this number
    /// of quiet turns; `None` while it goes on.
    #[inline(always)]
    fn verdict(&self, quiet: u8) -> Option<Outcome> {
        if self.bare_king_loses()
            && let Some(outcome) = self.verdict_on_bare_kings()
        {
            return Some(outcome);
        }
        let over = self.ply > 2 * D::MAX_MOVES || quiet >= MAX_QUIET;
        let stuck = !D::THREE_DICE && !self.can_move();
        (over || stuck).then_some(Outcome::Draw)
    }

    /// The result where a bare king loses and a king is bare. It is a separate function, so that it costs the
    /// default rules only one test.
    #[cold]
    #[inline(never)]
    fn verdict_on_bare_kings(&self) -> Option<Outcome> {
        let bare = |pieces: u64| pieces & !self.pieces(Kind::King) == 0;
        match (bare(self.own), bare(self.enemies())) {
            (true, true) => Some(Outcome::Draw),
            (true, false) => Some(Outcome::Win(!self.side)),
            (false, true) => Some(Outcome::Win(self.side)),
            (false, false) => None,
        }
    }

    /// The rule that ends the game as a draw, for people; `None` when it is not drawn.
    pub(super) fn why_drawn(&self) -> Option<&'static str> {
        let why = || {
            if self.bare_king_loses() && self.occupied() == self.pieces(Kind::King) {
                "only the kings are left"
            } else if self.clock >= MAX_QUIET {
                "too many turns without a capture or a pawn move"
            } else if self.ply > 2 * D::MAX_MOVES {
                "the maximum number of turns has been played"
            } else {
                "no piece can move with any roll"
            }
        };
        (self.end() == Some(Outcome::Draw)).then(why)
    }

    /// The count of quiet turns if equality compares it, or else 0.
    #[inline(always)]
    const fn clock_that_matters(&self) -> u8 {
        if self.clock >= MAX_QUIET - HORIZON { self.clock } else { 0 }
    }

    /// A hash by which positions of one turn are told apart, quicker than that of the whole key.
    #[inline(always)]
    pub(super) fn hash_in_turn(&self) -> u64 {
        let fold = |one: u64, other: u64| {
            let product = u128::from(one) * u128::from(other);
            (product >> 64) as u64 ^ product as u64
        };
        let [one, two, four] = self.planes;
        let marks = u64::from(self.castling) << 16 | u64::from(self.passed | self.passing) << 32;
        fold(one ^ 0xA076_1D64_78BD_642F, two ^ 0xE703_7ED1_A0B4_28DB)
            ^ fold(four ^ 0x8EBC_6AF0_9C88_C6E3, self.own ^ marks ^ 0x5899_65CC_7537_4CC3)
    }

    /// Everything that equality and hashing compare.
    #[inline(always)]
    const fn key(&self) -> ([u64; 3], u64, u64) {
        let small = self.side as u64
            | (self.castling as u64) << 8
            | (self.passed as u64) << 16
            | (self.passing as u64) << 24
            | (self.clock_that_matters() as u64) << 32
            | (self.ply as u64) << 40;
        (self.planes, self.own, small)
    }
}

/// Ends of turns by quiet moves of one kind of piece other than pawns. They differ only in the
/// squares of the piece, so they are made from one position in which the turn is already over.
pub(super) struct QuietEnd<D: DiceCount> {
    over: Position<D>,
    number: u8,
    worth: &'static [i16; 64],
}

impl<D: DiceCount> QuietEnd<D> {
    /// Moves by pieces of this kind, not pawns, with the last die.
    #[inline(always)]
    pub fn new(before: &Position<D>, kind: Kind) -> Self {
        let mut over = *before;
        over.pass_on();
        let number = kind.number();
        Self { over, number, worth: &WORTH[before.side.index()][usize::from(number)] }
    }

    /// The position after a turn that ends with this move to an empty square.
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Position<D> {
        let (from, to) = (mv.from(), mv.to());
        let mut after = self.over;
        after.toggle(self.number, from.bit() | to.bit());
        after.score += self.worth[to.index()] - self.worth[from.index()];
        after.castling &= RIGHTS_KEPT[from.index()] & RIGHTS_KEPT[to.index()];
        after
    }
}

impl<D: DiceCount> PartialEq for Position<D> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<D: DiceCount> Eq for Position<D> {}

impl<D: DiceCount> Hash for Position<D> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let ([one, two, four], own, small) = self.key();
        for word in [one, two, four, own, small] {
            state.write_u64(word);
        }
    }
}
