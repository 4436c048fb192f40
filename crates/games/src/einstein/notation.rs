//! The text form of a position: `ABC2/DE3/F3f/3ed/2cba r 4 1`.
//!
//! The board comes first, row by row from the top, with A–F for red's cubes 1–6, a–f for blue's,
//! and digits for runs of empty squares. Then follow the side to roll, the die or `-`, and the ply.
//! The die and the ply may be left out; then the position is before the roll, at ply 1.

use std::fmt;
use std::str::FromStr;

use wurfel_core::{Game, NotationError, Side, Situation};

use super::board::{CELLS, Cell, SIZE};
use super::cube::Cube;
use super::position::Position;
use super::rolls::{Die, RuleSet};

/// A larger ply is refused as a mistake, because no game is so long.
const MAX_PLIES: u16 = 9999;

/// Reads a text character by character and keeps track of the place, which errors name.
struct Reader<'a> {
    text: &'a str,
    characters: Vec<char>,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek();
        self.at += 1;
        character
    }

    /// The error for the character that was read last.
    fn wrong<T>(&self, expected: impl Into<String>) -> Result<T, NotationError> {
        self.wrong_at(self.at - 1, expected)
    }

    fn wrong_at<T>(&self, at: usize, expected: impl Into<String>) -> Result<T, NotationError> {
        Err(NotationError::at("position", self.text, at, expected))
    }

    fn broken<T>(&self, rule: &str) -> Result<T, NotationError> {
        Err(NotationError::whole("position", self.text, rule))
    }

    fn board<R: RuleSet>(&mut self) -> Result<Position<R>, NotationError> {
        let mut position = Position::<R>::EMPTY;
        for row in 0..SIZE {
            if row > 0 && self.next() != Some('/') {
                return self.wrong(format!("'/' after the five squares of row {}", SIZE + 1 - row));
            }
            self.row(row, &mut position)?;
        }
        Ok(position)
    }

    fn row<R: RuleSet>(&mut self, row: u8, board: &mut Position<R>) -> Result<(), NotationError> {
        let mut column = 0;
        while column < SIZE {
            let character = self.next().unwrap_or('\0');
            let (side, first) = if character.is_ascii_uppercase() {
                (Side::First, b'A')
            } else {
                (Side::Second, b'a')
            };
            match character {
                'A'..='F' | 'a'..='f' => {
                    let cube = Cube::known(character as u8 - first);
                    if board.cell(side, cube).is_some() {
                        return self
                            .wrong(format!("each cube once, but {character} is given twice"));
                    }
                    board.put(side, cube, Cell::at(row, column));
                    column += 1;
                }
                '1'..='5' if column + character as u8 - b'0' <= SIZE => {
                    column += character as u8 - b'0';
                }
                '1'..='5' => {
                    return self.wrong(format!("at most {} empty squares here", SIZE - column));
                }
                _ => {
                    return self.wrong(format!(
                        "A-F (red), a-f (blue) or a number of empty squares on square {} of row {}",
                        column + 1,
                        SIZE - row
                    ));
                }
            }
        }
        Ok(())
    }

    /// Skips to the next word; returns false at the end of the text.
    fn word(&mut self) -> Result<bool, NotationError> {
        let from = self.at;
        while self.peek() == Some(' ') {
            self.at += 1;
        }
        match self.peek() {
            None => Ok(false),
            Some(_) if self.at > from => Ok(true),
            Some(_) => self.wrong_at(from, "a space"),
        }
    }

    fn side(&mut self) -> Result<Side, NotationError> {
        if !self.word()? {
            return self.wrong_at(self.at, "the side to roll, r or b");
        }
        match self.next() {
            Some('r') => Ok(Side::First),
            Some('b') => Ok(Side::Second),
            _ => self.wrong("the side to roll, r or b"),
        }
    }

    fn die(&mut self) -> Result<Option<Die>, NotationError> {
        if !self.word()? {
            return Ok(None);
        }
        match self.next() {
            Some('-') => Ok(None),
            Some(character @ '1'..='6') => Ok(Die::new(character as u8 - b'0')),
            _ => self.wrong("the die, 1-6, or - when it is not rolled"),
        }
    }

    fn ply(&mut self) -> Result<u16, NotationError> {
        if !self.word()? {
            return Ok(1);
        }
        let from = self.at;
        let mut ply = 0u32;
        while let Some(digit) = self.peek().and_then(|character| character.to_digit(10)) {
            ply = ply * 10 + digit;
            if ply > u32::from(MAX_PLIES) {
                break;
            }
            self.at += 1;
        }
        match u16::try_from(ply) {
            Ok(ply @ 1..=MAX_PLIES) => Ok(ply),
            _ => self.wrong_at(from, format!("a ply, 1-{MAX_PLIES}")),
        }
    }
}

pub(super) fn read<R: RuleSet>(text: &str) -> Result<Situation<Position<R>>, NotationError> {
    let mut reader = Reader { text, characters: text.chars().collect(), at: 0 };
    let mut position = reader.board::<R>()?;
    let side = reader.side()?;
    let roll = reader.die()?;
    let ply = reader.ply()?;
    if reader.word()? {
        return reader.wrong_at(reader.at, "nothing after the ply");
    }
    let on_goal =
        |side: Side| position.at(Cell::goal(side)).is_some_and(|(owner, _)| owner == side);
    if Side::BOTH.into_iter().all(|side| position.cubes(side).next().is_none()) {
        return reader.broken("a cube on the board");
    }
    if Side::BOTH.into_iter().all(on_goal) {
        return reader.broken("only one side on its goal");
    }
    position.settle(side, ply);
    if roll.is_some() && position.outcome().is_some() {
        return reader.broken("no roll, as the game is over");
    }
    Ok(Situation { position, roll })
}

pub(super) fn write<R: RuleSet>(
    position: &Position<R>,
    roll: Option<Die>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut empty = 0;
    for cell in (0..CELLS as u8).map(Cell::known) {
        if cell.column() == 0 && cell.row() > 0 {
            f.write_str("/")?;
        }
        let piece = position.at(cell);
        empty += u8::from(piece.is_none());
        if empty > 0 && (piece.is_some() || cell.column() + 1 == SIZE) {
            write!(f, "{empty}")?;
            empty = 0;
        }
        if let Some((side, cube)) = piece {
            write!(f, "{}", letter(side, cube))?;
        }
    }
    let side = match position.side() {
        Side::First => 'r',
        Side::Second => 'b',
    };
    match roll {
        Some(die) => write!(f, " {side} {die} {}", position.ply()),
        None => write!(f, " {side} - {}", position.ply()),
    }
}

/// The letter of a cube: A–F for red's, a–f for blue's.
pub(super) fn letter(side: Side, cube: Cube) -> char {
    let first = match side {
        Side::First => b'A',
        Side::Second => b'a',
    };
    char::from(first + cube.index() as u8)
}

impl<R: RuleSet> FromStr for Position<R> {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Situation::at_rest(text)
    }
}

impl<R: RuleSet> fmt::Display for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(None, f)
    }
}

impl<R: RuleSet> fmt::Debug for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{self}'", R::NAME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::Einstein;

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, message) in [
            (
                "",
                "it is empty, expected A-F (red), a-f (blue) or a number of empty squares on square 1 of row 5",
            ),
            (
                "ABG2/5/5/5/5 r",
                "character 3 is 'G', expected A-F (red), a-f (blue) or a number of empty squares on square 3 of row 5",
            ),
            ("AB4/5/5/5/5 r", "character 3 is '4', expected at most 3 empty squares here"),
            ("A4/A4/5/5/5 r", "character 4 is 'A', expected each cube once, but A is given twice"),
            ("A5/5/5/5/5 r", "character 2 is '5', expected at most 4 empty squares here"),
            ("5A/5/5/5/5 r", "character 2 is 'A', expected '/' after the five squares of row 5"),
            ("A4/5/5/5/4a", "it ends after character 11, expected the side to roll, r or b"),
            ("A4/5/5/5/4a w", "character 13 is 'w', expected the side to roll, r or b"),
            ("A4/5/5/5/4ar", "character 12 is 'r', expected a space"),
            (
                "A4/5/5/5/4a r 7",
                "character 15 is '7', expected the die, 1-6, or - when it is not rolled",
            ),
            ("A4/5/5/5/4a r 1 0", "character 17 is '0', expected a ply, 1-9999"),
            ("A4/5/5/5/4a r 1 10000", "character 17 is '1', expected a ply, 1-9999"),
            ("A4/5/5/5/4a r 1 1 x", "character 19 is 'x', expected nothing after the ply"),
            ("5/5/5/5/5 r", "expected a cube on the board"),
            ("a4/5/5/5/4A r", "expected only one side on its goal"),
            ("5/5/5/5/4A r 3", "expected no roll, as the game is over"),
        ] {
            let error = Einstein::read(text).unwrap_err().to_string();
            assert_eq!(error, format!("position '{text}': {message}"));
        }
    }

    #[test]
    fn short_texts_are_completed() {
        let position: Einstein = "A4/5/5/5/4a b".parse().unwrap();
        assert_eq!(position.to_string(), "A4/5/5/5/4a b - 1");
    }
}
