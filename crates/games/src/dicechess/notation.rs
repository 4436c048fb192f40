//! The text form of a position: DFEN, which is FEN, the notation of chess, with a seventh field for
//! the dice that are still to be spent.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 n
//! ```
//!
//! The fields are: the pieces row by row from rank 8, in upper case for White, with digits for runs
//! of empty squares; the side to move; the castling rights; the squares that pawns have just
//! passed, of which there may be several (`a3c3`); the turns since the last capture or pawn move;
//! the full-move number; and the dice, in the case of the side to move, or `-`. Fields after
//! the side to move may be left out, beginning with the last. Opening books leave out both counts and
//! keep the dice: `… w KQkq - BPR`.

use std::fmt;
use std::str::FromStr;

use wurfel_core::{Game, NotationError, Side, Situation};

use super::dice::Pool;
use super::kind::Kind;
use super::position::{ALL_RIGHTS, CASTLINGS, Position};
use super::square::{LAST_RANKS, Square, rank_of};
use super::variants::{DiceCount, MAX_QUIET, Variant};

const WHAT: &str = "position";
/// A larger move number is refused as a mistake, because no game is so long.
const MAX_MOVES: u16 = 9999;
/// The largest number of pieces of a side. With more, a turn could have more moves than the list
/// can hold.
const MAX_PIECES: u32 = 16;

/// The words of a text, each with its place.
struct Reader<'a> {
    text: &'a str,
    words: Vec<(usize, &'a str)>,
    next: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let (mut words, mut at) = (vec![], 0);
        for word in text.split(' ') {
            if !word.is_empty() {
                words.push((at, word));
            }
            at += word.chars().count() + 1;
        }
        Self { text, words, next: 0 }
    }

    /// The next word and its place; at the end of the text an empty word.
    fn word(&mut self) -> (usize, &'a str) {
        let end = (self.text.chars().count(), "");
        let word = self.words.get(self.next).copied().unwrap_or(end);
        self.next += 1;
        word
    }

    fn wrong<T>(&self, at: usize, expected: impl Into<String>) -> Result<T, NotationError> {
        Err(NotationError::at(WHAT, self.text, at, expected))
    }

    fn broken<T>(&self, rule: impl Into<String>) -> Result<T, NotationError> {
        Err(NotationError::whole(WHAT, self.text, rule))
    }

    fn board<D: DiceCount>(&mut self, variant: Variant) -> Result<Position<D>, NotationError> {
        let (start, word) = self.word();
        let mut position = Position::<D>::empty(variant);
        let (mut file, mut rank) = (0, 7);
        for (at, character) in (start..).zip(word.chars()) {
            let here = format!("rank {} has {file} of 8 squares", rank + 1);
            match character {
                '/' if file == 8 && rank > 0 => (file, rank) = (0, rank - 1),
                '1'..='8' if file + u32::from(character as u8 - b'0') <= 8 => {
                    file += u32::from(character as u8 - b'0');
                }
                _ => match Kind::of_letter(character) {
                    Some(kind) if file < 8 => {
                        let square = Square::known(8 * rank + file);
                        let side =
                            if character.is_ascii_uppercase() { Side::First } else { Side::Second };
                        if kind == Kind::Pawn && square.bit() & LAST_RANKS != 0 {
                            return self.wrong(at, "no pawn on the first or the last rank");
                        }
                        position.put(side, kind, square);
                        file += 1;
                    }
                    _ if file == 8 && rank > 0 => {
                        return self.wrong(
                            at,
                            format!("'/' after the eight squares of rank {}", rank + 1),
                        );
                    }
                    _ if file == 8 => {
                        return self.wrong(at, "a space after the eight squares of rank 1");
                    }
                    _ => {
                        return self.wrong(at, format!("KQRBNP (White), kqrbnp (Black) or a number of empty squares that fits: {here}"));
                    }
                },
            }
        }
        if (file, rank) != (8, 0) {
            let end = start + word.chars().count();
            return self
                .wrong(end, format!("eight ranks of eight squares, rank {} has {file}", rank + 1));
        }
        self.check_pieces(&position)?;
        Ok(position)
    }

    /// Refuses positions that no game can lead to, and those with more pieces than the program can
    /// handle.
    fn check_pieces<D: DiceCount>(&self, position: &Position<D>) -> Result<(), NotationError> {
        let mut kings = 0;
        for (side, name) in Side::BOTH.into_iter().zip(["White", "Black"]) {
            let count = |kind| position.pieces_of(side, kind).count_ones();
            let [pawns, knights, bishops, rooks, queens, own_kings] = Kind::ALL.map(count);
            kings += own_kings;
            let promoted = knights.saturating_sub(2)
                + bishops.saturating_sub(2)
                + rooks.saturating_sub(2)
                + queens.saturating_sub(1);
            if own_kings > 1 {
                return self.broken(format!("one king of {name}"));
            }
            if position.of(side).count_ones() > MAX_PIECES || pawns + promoted > 8 {
                return self.broken(format!(
                    "for {name} no more than 16 pieces, and no more than 8 pawns and pieces that were pawns"
                ));
            }
        }
        if kings == 0 { self.broken("a king on the board") } else { Ok(()) }
    }

    fn side(&mut self) -> Result<Side, NotationError> {
        let (at, word) = self.word();
        match word {
            "w" => Ok(Side::First),
            "b" => Ok(Side::Second),
            _ => self.wrong(at, "the side to move, w or b"),
        }
    }

    fn castling<D: DiceCount>(
        &mut self,
        position: &Position<D>,
        drop_castling: bool,
    ) -> Result<u8, NotationError> {
        let (start, word) = self.word();
        let (mut rights, mut named) = (0, 0);
        if matches!(word, "" | "-") {
            return Ok(0);
        }
        for (at, character) in (start..).zip(word.chars()) {
            let way =
                CASTLINGS.iter().find(|way| way.letter == character && named & way.right == 0);
            let Some(way) = way else {
                return self.wrong(at, "castling rights, each of KQkq at most once, or -");
            };
            named |= way.right;
            let home = |square: Square, kind| position.at(square) == Some((way.side, kind));
            if !home(way.king[0], Kind::King) || !home(way.rook[0], Kind::Rook) {
                if drop_castling {
                    continue;
                }
                let (king, rook) = (way.king[0], way.rook[0]);
                return self
                    .wrong(at, format!("a king on {king} and a rook on {rook} for this right"));
            }
            rights |= way.right;
        }
        Ok(rights)
    }

    /// The files of pawns that have just moved two squares: those of the other side, and those of
    /// the side to move.
    fn passed<D: DiceCount>(&mut self, position: &Position<D>) -> Result<(u8, u8), NotationError> {
        let (start, word) = self.word();
        if matches!(word, "" | "-") {
            return Ok((0, 0));
        }
        let side = position.mover();
        let mut files = (0u8, 0u8);
        let characters: Vec<char> = word.chars().collect();
        for (at, name) in (start..).step_by(2).zip(characters.chunks(2)) {
            let square = square(name);
            let (owner, set) = match square {
                Some(square) if square.bit() & rank_of(side, 6) != 0 => (!side, &mut files.0),
                Some(square) if D::THREE_DICE && square.bit() & rank_of(side, 3) != 0 => {
                    (side, &mut files.1)
                }
                _ => return self.wrong(at, "a square that a pawn has just passed, or -"),
            };
            let square = square.map_or(Square::known(0), |square| square);
            // The pawn itself stands on the rank behind the square that it has passed over.
            let stands = Square::known(square.index() as u32 ^ 8);
            let file = 1 << square.file();
            let again = *set & file != 0 || (*set != 0 && !D::THREE_DICE);
            if again || position.at(stands) != Some((owner, Kind::Pawn)) {
                return self.wrong(
                    at,
                    format!("a square that a pawn on {stands} has just passed, each once"),
                );
            }
            *set |= file;
        }
        Ok(files)
    }

    fn number(&mut self, least: u16, most: u16, what: &str) -> Result<u16, NotationError> {
        let (at, word) = self.word();
        if word.is_empty() {
            return Ok(least);
        }
        let digits = word.bytes().all(|character| character.is_ascii_digit());
        match word.parse() {
            Ok(number) if digits && (least..=most).contains(&number) => Ok(number),
            _ => self.wrong(at, format!("{what}, {least}-{most}")),
        }
    }

    /// Whether the next word is dice, or that there are none, and not a number.
    fn at_dice(&self) -> bool {
        let word = self.words.get(self.next).map_or("", |(_, word)| word);
        word == "-" || word.starts_with(|character: char| character.is_ascii_alphabetic())
    }

    fn dice<D: DiceCount>(&mut self) -> Result<Option<Pool>, NotationError> {
        let (at, word) = self.word();
        if matches!(word, "" | "-") {
            return Ok(None);
        }
        let fits = |pool: &Pool| D::THREE_DICE || pool.count() == 1;
        match word.parse::<Pool>().ok().filter(fits) {
            Some(pool) => Ok(Some(pool)),
            None if D::THREE_DICE => {
                self.wrong(at, "the dice to be spent, up to three of pnbrqk, or - when not rolled")
            }
            None => self.wrong(at, "the die, one of pnbrqk, or - when it is not rolled"),
        }
    }
}

fn square(name: &[char]) -> Option<Square> {
    match *name {
        [file @ 'a'..='h', rank @ '1'..='8'] => {
            Some(Square::known(8 * (rank as u32 - '1' as u32) + (file as u32 - 'a' as u32)))
        }
        _ => None,
    }
}

/// Reads a position of a variant; with `drop_castling`, castling rights that the board rules out are dropped,
/// not refused.
pub(super) fn read<D: DiceCount>(
    text: &str,
    variant: Variant,
    drop_castling: bool,
) -> Result<Situation<Position<D>>, NotationError> {
    let mut reader = Reader::new(text);
    let mut position = reader.board::<D>(variant)?;
    let side = reader.side()?;
    if side == Side::Second {
        position.turn_around();
    }
    let castling = reader.castling(&position, drop_castling)?;
    let passed = reader.passed(&position)?;
    let (clock, full_move) = if reader.at_dice() {
        (0, 1)
    } else {
        let clock =
            reader.number(0, u16::from(MAX_QUIET), "turns without a capture or a pawn move")?;
        (clock, reader.number(1, MAX_MOVES, "the full-move number")?)
    };
    let roll = reader.dice::<D>()?;
    let (at, more) = reader.word();
    if !more.is_empty() {
        return reader.wrong(at, "nothing after the dice");
    }
    let ply = 2 * full_move - 1 + u16::from(side == Side::Second);
    // All dice are rolled at once.
    let begun = D::THREE_DICE && roll.is_some_and(|pool| pool.count() < 3);
    position.settle((ply, clock as u8), castling, passed, begun);
    match roll {
        Some(_) if position.outcome().is_some() => reader.broken("no dice, as the game is over"),
        Some(pool) if position.moves(pool).is_empty() => {
            let usable = position.rolls().iter().map(|roll| roll.item.to_string());
            let usable: Vec<String> = usable.collect();
            reader.broken(format!("dice that let a piece move: one of {}", usable.join(" ")))
        }
        None if passed.1 != 0 => reader.broken("dice, as the turn has begun"),
        _ => Ok(Situation { position, roll }),
    }
}

pub(super) fn write<D: DiceCount>(
    position: &Position<D>,
    roll: Option<Pool>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let piece = position.at(Square::known(8 * rank + file));
            empty += u32::from(piece.is_none());
            if empty > 0 && (piece.is_some() || file == 7) {
                write!(f, "{empty}")?;
                empty = 0;
            }
            if let Some((side, kind)) = piece {
                write!(f, "{}", kind.letter_of(side))?;
            }
        }
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    let side = position.mover();
    f.write_str(if side == Side::First { " w " } else { " b " })?;
    let rights_left = CASTLINGS.iter().filter(|way| position.rights() & way.right != 0);
    let letters: String = rights_left.map(|way| way.letter).collect();
    let (passed, passing) = position.double_steps();
    let squares = |files: u8, rank: u64| {
        let rank = rank.trailing_zeros();
        let files = (0..8).filter(move |file| files >> file & 1 == 1);
        files.map(move |file| Square::known(rank + file).to_string())
    };
    let squares: String =
        squares(passed, rank_of(side, 6)).chain(squares(passing, rank_of(side, 3))).collect();
    let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    let full_move = position.ply().div_ceil(2);
    write!(f, "{} {} {} {full_move}", or_none(letters), or_none(squares), position.quiet_turns())?;
    match roll {
        Some(pool) => {
            f.write_str(" ")?;
            pool.kinds().try_for_each(|kind| write!(f, "{}", kind.letter_of(side)))
        }
        None if D::THREE_DICE => f.write_str(" -"),
        None => Ok(()),
    }
}

impl<D: DiceCount> FromStr for Position<D> {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Situation::at_rest(text)
    }
}

impl<D: DiceCount> fmt::Display for Position<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(None, f)
    }
}

impl<D: DiceCount> fmt::Debug for Position<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{self}'", self.names().name)
    }
}

impl<D: DiceCount> Default for Position<D> {
    /// The initial position of chess, with White to move, under the default rules.
    fn default() -> Self {
        Self::initial(Variant::Standard)
    }
}

impl<D: DiceCount> Position<D> {
    /// The initial position of chess, with White to move.
    pub(super) fn initial(variant: Variant) -> Self {
        use Kind::{Bishop, King, Knight, Queen, Rook};
        const BACK_RANK: [Kind; 8] = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        let mut position = Self::empty(variant);
        for (file, kind) in (0..).zip(BACK_RANK) {
            for (side, first, second) in [(Side::First, 0, 8), (Side::Second, 56, 48)] {
                position.put(side, kind, Square::known(first + file));
                position.put(side, Kind::Pawn, Square::known(second + file));
            }
        }
        position.settle((1, 0), ALL_RIGHTS, (0, 0), false);
        position
    }
}
