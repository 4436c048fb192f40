//! Toy games written as literals, so that a search test consists of a string and a number.
//!
//! ```text
//! {[+-][--]}
//! ```
//!
//! is a position at rest, `{…}`, with two rolls, each of which is a choice `[…]` between moves. A
//! move leads to a win of the first side `+`, a win of the second side `-`, a draw `=`, a position
//! `{…}` in which the other side rolls, or another choice `[…]`, in which the *same* side goes on.
//! A roll may be preceded by its number of die faces; without these numbers the rolls share the six
//! faces evenly. A roll without moves, `[]`, is rolled again. The position may be followed by the
//! side to roll, `1` or `2`, and then by the die, or `-` before the roll: `{2[+-]4[--]} 2 5`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use crate::{Game, NotationError, Outcome, Side, Situation, Weighted};

/// A position of a game that was written as a literal.
///
/// Two positions are equal when the text of the rest of the game is the same and the same side
/// rolls; the ply does not count.
///
/// ```
/// use wurfel_core::{Game, Literal, Outcome, Side};
///
/// let mut game: Literal = "{[+{[=]}]}".parse()?;
/// let roll = game.rolls()[0].item;
/// let second = game.find_move(roll, "2")?;
/// game.play(roll, second);
/// assert_eq!((game.side(), game.outcome()), (Side::Second, None));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Literal {
    /// The literal of the whole game.
    text: Arc<str>,
    /// The byte of `text` at which this position begins.
    start: usize,
    side: Side,
    ply: u32,
}

/// A face of the die, or a choice in which the same side goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LiteralRoll {
    /// The die shows 1 to 6.
    Face(u8),
    /// The choice that begins at this byte of the literal.
    Rest(usize),
}

/// A move: its number in the list, from 1, and the byte of the literal at which the node that it
/// leads to begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LiteralMove {
    number: usize,
    start: usize,
}

const FACES: u32 = 6;

/// The index of the byte after the node that begins at `start`.
fn end_of(text: &str, start: usize) -> usize {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'0'..=b'9' => continue,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// The bytes at which the children of the node at `start` begin.
fn parts(text: &str, start: usize) -> Vec<usize> {
    let end = end_of(text, start) - 1;
    let mut nodes = vec![];
    let mut at = start + 1;
    while at < end {
        nodes.push(at);
        at = end_of(text, at);
    }
    nodes
}

impl Literal {
    fn node(&self) -> &str {
        &self.text[self.start..end_of(&self.text, self.start)]
    }

    /// The choices of this position, each by the byte at which it begins, with its share of the six
    /// faces.
    fn choices(&self) -> Vec<Weighted<usize>> {
        let starts = parts(&self.text, self.start);
        let even = FACES / starts.len().max(1) as u32;
        starts
            .into_iter()
            .map(|start| match self.text.as_bytes()[start] {
                digit @ b'0'..=b'9' => {
                    Weighted { item: start + 1, weight: u32::from(digit - b'0') }
                }
                _ => Weighted { item: start, weight: even },
            })
            .collect()
    }

    fn choice(&self, roll: LiteralRoll) -> usize {
        match roll {
            LiteralRoll::Rest(start) => start,
            LiteralRoll::Face(face) => {
                let mut left = u32::from(face);
                let rolls = self.choices();
                let mut reached = rolls.iter().skip_while(|roll| {
                    let passed = left > roll.weight;
                    left = left.saturating_sub(roll.weight);
                    passed
                });
                reached.next().expect("the weights sum to six").item
            }
        }
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side && self.node() == other.node()
    }
}

impl Eq for Literal {}

impl Hash for Literal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.side.hash(state);
        self.node().hash(state);
    }
}

impl Default for Literal {
    /// A game of one roll, which decides nothing, and one choice, which does.
    fn default() -> Self {
        Self { text: "{[{[+-]}-]}".into(), start: 0, side: Side::First, ply: 1 }
    }
}

impl Game for Literal {
    type Roll = LiteralRoll;
    type Move = LiteralMove;
    type Rolls = Vec<Weighted<LiteralRoll>>;
    type Moves = Vec<LiteralMove>;

    const DICE: &'static [Weighted<LiteralRoll>] = &{
        let mut faces = [Weighted { item: LiteralRoll::Face(1), weight: 1 }; 6];
        let mut face = 1;
        while face < 6 {
            faces[face].item = LiteralRoll::Face(face as u8 + 1);
            face += 1;
        }
        faces
    };

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.text.as_bytes()[self.start] {
            b'+' => Some(Outcome::Win(Side::First)),
            b'-' => Some(Outcome::Win(Side::Second)),
            b'=' => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn rolls(&self) -> Self::Rolls {
        let mut face = 1;
        let mut rolls = vec![];
        for roll in self.choices() {
            if !parts(&self.text, roll.item).is_empty() {
                rolls.push(Weighted { item: LiteralRoll::Face(face), weight: roll.weight });
            }
            face += roll.weight as u8;
        }
        rolls
    }

    fn moves(&self, roll: LiteralRoll) -> Vec<LiteralMove> {
        let starts = parts(&self.text, self.choice(roll)).into_iter();
        starts.zip(1..).map(|(start, number)| LiteralMove { number, start }).collect()
    }

    fn play(&mut self, _roll: LiteralRoll, mv: LiteralMove) -> Option<LiteralRoll> {
        if self.text.as_bytes()[mv.start] == b'[' {
            return Some(LiteralRoll::Rest(mv.start));
        }
        self.start = mv.start;
        self.side = !self.side;
        self.ply += 1;
        None
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn read(text: &str) -> Result<Situation<Self>, NotationError> {
        let mut words = text.split_whitespace();
        let tree = words.next().unwrap_or_default();
        check(text, tree)?;
        let side = match words.next() {
            None | Some("1") => Side::First,
            Some("2") => Side::Second,
            Some(_) => return Err(NotationError::whole("game", text, "side 1 or 2")),
        };
        let position = Self { text: tree.into(), start: 0, side, ply: 1 };
        let roll = match words.next() {
            None | Some("-") => None,
            Some(die) => Some(die.parse()?),
        };
        match words.next() {
            None => Ok(Situation { position, roll }),
            Some(_) => Err(NotationError::whole("game", text, "a tree, a side and a die")),
        }
    }

    fn write(&self, roll: Option<LiteralRoll>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ", self.node(), self.side.index() + 1)?;
        match roll {
            None => f.write_str("-"),
            Some(roll) => write!(f, "{roll}"),
        }
    }
}

/// Checks that `tree` is a literal, so that nothing that reads it later can fail.
fn check(text: &str, tree: &str) -> Result<(), NotationError> {
    let wrong = |at: usize, expected: &str| Err(NotationError::at("game", text, at, expected));
    if !tree.is_ascii() {
        return Err(NotationError::whole(
            "game",
            text,
            "only digits and the characters + - = { } [ ]",
        ));
    }
    let mut open: Vec<u8> = vec![];
    for (at, byte) in tree.bytes().enumerate() {
        if at > 0 && open.is_empty() {
            return wrong(at, "nothing more");
        }
        match (byte, open.last()) {
            (b'+' | b'-' | b'=' | b'{', None | Some(b'[')) | (b'[', Some(_)) => {}
            (b'1'..=b'6', Some(b'{')) if tree.as_bytes().get(at + 1) == Some(&b'[') => {}
            (b'}', Some(b'{')) | (b']', Some(b'[')) => {
                open.pop();
                // Only a roll may have no moves; a side that goes on always has a choice.
                if tree[..at].ends_with('[') && open.last() != Some(&b'{') {
                    return wrong(at, "a move");
                }
            }
            (_, None) => return wrong(at, "+ - = or {"),
            (_, Some(b'{')) => return wrong(at, "[ or } or a number of faces before ["),
            (_, Some(_)) => return wrong(at, "+ - = { [ or ]"),
        }
        if matches!(byte, b'{' | b'[') {
            open.push(byte);
        }
    }
    if tree.is_empty() || !open.is_empty() {
        return wrong(tree.len(), "the rest of the game");
    }
    for (start, _) in tree.match_indices('{') {
        let node = Literal { text: tree.into(), start, side: Side::First, ply: 1 };
        let rolls = node.choices();
        if rolls.iter().map(|roll| roll.weight).sum::<u32>() != FACES {
            return wrong(start, "rolls that share the six faces");
        }
        if node.rolls().is_empty() {
            return wrong(start, "a roll with a move");
        }
    }
    Ok(())
}

impl FromStr for Literal {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Situation::at_rest(text)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(None, f)
    }
}

impl FromStr for LiteralRoll {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.parse() {
            Ok(face @ 1..=6) => Ok(Self::Face(face)),
            _ => Err(NotationError::whole("die", text, "a number 1-6")),
        }
    }
}

impl fmt::Display for LiteralRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Face(face) => write!(f, "{face}"),
            Self::Rest(start) => write!(f, "rest{start}"),
        }
    }
}

impl fmt::Display for LiteralMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_faces_are_shared_out() {
        let game: Literal = "{3[+]1[-+]2[=]}".parse().unwrap();
        let weights: Vec<u32> = game.rolls().iter().map(|roll| roll.weight).collect();
        assert_eq!(weights, [3, 1, 2]);
        let moves: Vec<usize> =
            Literal::DICE.iter().map(|face| game.moves(face.item).len()).collect();
        assert_eq!(moves, [1, 1, 1, 2, 1, 1]);
    }

    #[test]
    fn a_side_may_go_on() {
        let mut game: Literal = "{[[+-]-]}".parse().unwrap();
        let roll = game.rolls()[0].item;
        let first = game.moves(roll)[0];
        let rest = game.play(roll, first).expect("the same side goes on");
        assert_eq!((game.side(), game.moves(rest).len()), (Side::First, 2));
        let win = game.moves(rest)[0];
        assert_eq!(game.play(rest, win), None);
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("", "game '': it is empty, expected the rest of the game"),
            ("{[+]", "game '{[+]': it ends after character 4, expected the rest of the game"),
            (
                "{+}",
                "game '{+}': character 2 is '+', expected [ or } or a number of faces before [",
            ),
            ("{[+]}+", "game '{[+]}+': character 6 is '+', expected nothing more"),
            (
                "{2[+][-]}",
                "game '{2[+][-]}': character 1 is '{', expected rolls that share the six faces",
            ),
            ("{[]}", "game '{[]}': character 1 is '{', expected a roll with a move"),
            ("{[[]+]}", "game '{[[]+]}': character 4 is ']', expected a move"),
            ("{[+]} 3", "game '{[+]} 3': expected side 1 or 2"),
        ] {
            assert_eq!(text.parse::<Literal>().unwrap_err().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in r"[-+={}\[\]0-9 ]{0,24}|.{0,12}") {
            if let Ok(Situation { position, .. }) = Literal::read(&text)
                && position.outcome().is_none()
            {
                for roll in position.rolls() {
                    prop_assert!(!position.moves(roll.item).is_empty());
                }
            }
        }
    }
}
