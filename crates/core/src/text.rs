//! Reading texts of several lines, character by character or word by word, with the place of every
//! mistake.

use std::fmt::Display;

use crate::message::in_one_line;

/// What is wrong with a text, and where. It is displayed as one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct TextError {
    line: usize,
    column: usize,
    problem: String,
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPosition {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl TextPosition {
    /// The beginning of a line; lines are counted from 1.
    pub const fn line(line: usize) -> Self {
        Self { line, column: 1 }
    }

    /// The error for a problem at this place.
    pub fn wrong(self, problem: impl Display) -> TextError {
        TextError { line: self.line, column: self.column, problem: in_one_line(problem) }
    }
}

/// Reads a text character by character and keeps track of the place.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    rest: &'a str,
    place: TextPosition,
}

impl<'a> Scanner<'a> {
    /// Begins with the first character of a text.
    pub const fn new(text: &'a str) -> Self {
        Self { rest: text, place: TextPosition { line: 1, column: 1 } }
    }

    /// Begins with a text that starts at `place` in a larger one.
    pub const fn within(text: &'a str, place: TextPosition) -> Self {
        Self { rest: text, place }
    }

    /// The place of the next character.
    pub const fn place(&self) -> TextPosition {
        self.place
    }

    /// The part of the text that has not been read yet.
    pub const fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next character, without reading it.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads the next character and returns it; `None` at the end.
    pub fn next_char(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.rest = &self.rest[character.len_utf8()..];
        self.place = match character {
            '\n' => TextPosition::line(self.place.line + 1),
            _ => TextPosition { column: self.place.column + 1, ..self.place },
        };
        Some(character)
    }

    /// Reads characters as long as `holds` is true of them, and returns them.
    pub fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let before = self.rest;
        while self.peek().is_some_and(&holds) {
            self.next_char();
        }
        &before[..before.len() - self.rest.len()]
    }

    /// Reads the next word and returns it with its place; `None` at the end.
    pub fn word(&mut self) -> Option<(TextPosition, &'a str)> {
        self.take_while(char::is_whitespace);
        let place = self.place;
        let word = self.take_while(|character| !character.is_whitespace());
        (!word.is_empty()).then_some((place, word))
    }

    /// The error for a next character that is not allowed here.
    pub fn wrong(&self, expected: impl Display) -> TextError {
        let actual = match self.peek() {
            None => "the text ends".to_owned(),
            Some('\n') => "the line ends".to_owned(),
            Some(character) => format!("'{}' found", character.escape_debug()),
        };
        self.place.wrong(format!("{actual} where {expected} was expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_mistakes_have_their_places() {
        let mut scanner = Scanner::new(" ab\n  ü c");
        let words: Vec<_> = std::iter::from_fn(|| scanner.word()).collect();
        let place = |line, column| TextPosition { line, column };
        assert_eq!(words, [(place(1, 2), "ab"), (place(2, 3), "ü"), (place(2, 5), "c")]);
        let error = scanner.wrong("a word").to_string();
        assert_eq!(error, "line 2, column 6: the text ends where a word was expected");
    }

    /// A file may claim to be of a game whose name has a line break, which used to make two lines
    /// of the refusal.
    #[test]
    fn a_problem_is_one_line_whatever_it_quotes() {
        let error = TextPosition::line(1).wrong("games of a\nb").to_string();
        assert_eq!(error, r"line 1, column 1: games of a\nb");
    }
}
