// src/game.rs
//! Sprint: each side has two runners on a track of twelve squares and rolls one die, which says how
//! far one of its runners goes. The sides run in opposite directions, and a runner that lands on an
//! enemy runner sends it back to its start. Whoever has both runners beyond square 12 wins.

use std::fmt;
use std::str::FromStr;

use wurfel_core::{BySide, Game, NotationError, Outcome, Side, Situation, Weighted};

/// The square of a runner that has arrived; 0 is its start.
pub const HOME: u32 = 13;

/// What the die shows, 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Die(pub u32);

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Die {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let face = text.parse().ok().filter(|face| (1..=6).contains(face));
        face.map(Self).ok_or_else(|| NotationError::whole("die", text, "a number from 1 to 6"))
    }
}

/// A position before the roll. Its text is a list of numbers: the squares of both sides' runners,
/// the side that rolls next, the number of the turn, and the roll if there is one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sprint {
    /// The squares of each side's runners, counted from its own start, the rear runner first.
    pub runners: BySide<[u32; 2]>,
    pub side: Side,
    pub ply: u32,
}

impl Default for Sprint {
    fn default() -> Self {
        Self { runners: BySide::new([0, 0], [0, 0]), side: Side::First, ply: 1 }
    }
}

const fn face(number: u32) -> Weighted<Die> {
    Weighted { item: Die(number), weight: 1 }
}

impl Game for Sprint {
    type Roll = Die;
    /// The square of the runner that goes.
    type Move = u32;
    type Rolls = Vec<Weighted<Die>>;
    type Moves = Vec<u32>;

    const DICE: &'static [Weighted<Die>] = &[face(1), face(2), face(3), face(4), face(5), face(6)];

    fn side(&self) -> Side {
        self.side
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|&side| self.runners[side] == [HOME; 2]);
        winner.map(Outcome::Win)
    }

    /// Faces that bring every runner home are one roll with their weights added.
    fn rolls(&self) -> Vec<Weighted<Die>> {
        let enough = (HOME - self.runners[self.side][0]).min(6);
        let weight = |face| if face == enough { 7 - enough } else { 1 };
        (1..=enough).map(|face| Weighted { item: Die(face), weight: weight(face) }).collect()
    }

    fn moves(&self, _: Die) -> Vec<u32> {
        match self.runners[self.side] {
            [rear, front] if front == HOME || rear == front => vec![rear],
            both => both.to_vec(),
        }
    }

    fn play(&mut self, Die(steps): Die, from: u32) -> Option<Die> {
        let to = (from + steps).min(HOME);
        let [own, enemy] = [self.side, !self.side];
        let runner = self.runners[own].iter().position(|&square| square == from);
        self.runners[own][runner.unwrap_or(0)] = to;
        // Squares 1 to 12 of one side are squares 12 to 1 of the other.
        for square in self.runners[enemy].iter_mut().filter(|square| (1..HOME).contains(*square)) {
            if *square + to == HOME {
                *square = 0;
            }
        }
        for side in Side::BOTH {
            self.runners[side].sort_unstable();
        }
        self.side = enemy;
        self.ply += 1;
        None
    }

    fn read(text: &str) -> Result<Situation<Self>, NotationError> {
        let wrong = || NotationError::whole("position", text, "such as '0 5 3 13 1 7' and a roll");
        let numbers: Result<Vec<u32>, _> = text.split_whitespace().map(str::parse).collect();
        let numbers = numbers.map_err(|_| wrong())?;
        let (position, roll) = match numbers[..] {
            [a, b, c, d, side @ (1 | 2), ply @ 1..=9999, ref roll @ ..] if a <= b && c <= d => {
                let side = Side::BOTH[side as usize - 1];
                (Self { runners: BySide::new([a, b], [c, d]), side, ply }, roll)
            }
            _ => return Err(wrong()),
        };
        let on_track = Side::BOTH.into_iter().all(|side| position.runners[side][1] <= HOME);
        match roll {
            [] if on_track => Ok(Situation { position, roll: None }),
            [face @ 1..=6] if on_track && position.outcome().is_none() => {
                Ok(Situation { position, roll: Some(Die(*face)) })
            }
            _ => Err(wrong()),
        }
    }

    fn write(&self, roll: Option<Die>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[a, b], [c, d]] = Side::BOTH.map(|side| self.runners[side]);
        write!(f, "{a} {b} {c} {d} {} {}", self.side.index() + 1, self.ply)?;
        roll.map_or(Ok(()), |roll| write!(f, " {roll}"))
    }
}

impl fmt::Display for Sprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(None, f)
    }
}

impl FromStr for Sprint {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Situation::at_rest(text)
    }
}
