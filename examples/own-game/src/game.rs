//! The rules.
//!
//! Each side has two runners on a track of twelve squares, and rolls one die. The number is how
//! far one of the runners goes. A runner that lands on a square where an enemy runner stands
//! sends it back to the start; beyond square 12 it is home. Whoever has both runners home wins.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use wurfel_core::{BySide, Game, NotationError, Outcome, Side, Situation, Weighted};

/// The square of a runner that is home; 0 is the start.
pub const HOME: u8 = 13;

/// What the die shows, 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Die(pub u8);

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Die {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.parse() {
            Ok(face @ 1..=6) => Ok(Self(face)),
            _ => Err(NotationError::whole("die", text, "a number from 1 to 6")),
        }
    }
}

/// The runner that goes, called by its place among the runners of its side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Runner {
    /// The one that is behind.
    Rear,
    /// The one that is ahead.
    Front,
}

impl fmt::Display for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rear => "rear",
            Self::Front => "front",
        })
    }
}

/// A position before the roll. Its text has the squares of both sides' runners, the side that
/// rolls next, the number of the turn, and the roll if there is one: `0,5 3,13 1 7 6`.
///
/// Positions are equal whatever the number of the turn: it decides nothing.
#[derive(Clone, Copy, Debug)]
pub struct Sprint {
    /// The squares of each side's runners, counted from its own start, the rear one first.
    pub runners: BySide<[u8; 2]>,
    /// Who rolls next.
    pub side: Side,
    /// The number of the turn, from 1.
    pub ply: u32,
}

impl PartialEq for Sprint {
    fn eq(&self, other: &Self) -> bool {
        (self.runners, self.side) == (other.runners, other.side)
    }
}

impl Eq for Sprint {}

impl Hash for Sprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.runners, self.side).hash(state);
    }
}

impl Default for Sprint {
    fn default() -> Self {
        Self { runners: BySide::new([0, 0], [0, 0]), side: Side::First, ply: 1 }
    }
}

/// All faces of the die.
const FACES: [Weighted<Die>; 6] = {
    let mut faces = [Weighted { item: Die(1), weight: 1 }; 6];
    let mut n = 1;
    while n < 6 {
        faces[n].item = Die(n as u8 + 1);
        n += 1;
    }
    faces
};

impl Game for Sprint {
    type Roll = Die;
    type Move = Runner;
    type Rolls = Vec<Weighted<Die>>;
    type Moves = Vec<Runner>;

    const DICE: &'static [Weighted<Die>] = &FACES;

    fn side(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|&side| self.runners[side] == [HOME; 2]);
        winner.map(Outcome::Win)
    }

    /// Faces that bring every runner home are one roll with their weights added.
    fn rolls(&self) -> Vec<Weighted<Die>> {
        let enough = (HOME - self.runners[self.side][0]).min(6);
        let weight = |face| if face == enough { u32::from(7 - enough) } else { 1 };
        (1..=enough).map(|face| Weighted { item: Die(face), weight: weight(face) }).collect()
    }

    fn moves(&self, _: Die) -> Vec<Runner> {
        match self.runners[self.side] {
            [rear, front] if front == HOME || rear == front => vec![Runner::Rear],
            _ => vec![Runner::Rear, Runner::Front],
        }
    }

    fn play(&mut self, Die(steps): Die, runner: Runner) -> Option<Die> {
        let own = &mut self.runners[self.side];
        let to = (own[runner as usize] + steps).min(HOME);
        own[runner as usize] = to;
        own.sort_unstable();
        // Both sides run the same track in opposite directions: squares 1 to 12 are 12 to 1.
        for enemy in &mut self.runners[!self.side] {
            if to != HOME && *enemy + to == HOME && *enemy != 0 {
                *enemy = 0;
            }
        }
        self.runners[!self.side].sort_unstable();
        self.side = !self.side;
        self.ply += 1;
        None
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn read(text: &str) -> Result<Situation<Self>, NotationError> {
        let wrong =
            || NotationError::whole("position", text, "such as '0,5 3,13 1 7' or '0,5 3,13 1 7 6'");
        let words: Vec<&str> = text.split_whitespace().collect();
        let [first, second, side, ply, roll @ ..] = &words[..] else { return Err(wrong()) };
        let runners = |word: &str| {
            let (rear, front) = word.split_once(',')?;
            let squares = [rear.parse().ok()?, front.parse().ok()?];
            (squares[0] <= squares[1] && squares[1] <= HOME).then_some(squares)
        };
        let side = match *side {
            "1" => Side::First,
            "2" => Side::Second,
            _ => return Err(wrong()),
        };
        let position = Self {
            runners: BySide::new(
                runners(first).ok_or_else(wrong)?,
                runners(second).ok_or_else(wrong)?,
            ),
            side,
            ply: ply.parse().ok().filter(|&ply| ply > 0 && ply < 10_000).ok_or_else(wrong)?,
        };
        match roll {
            [] => Ok(Situation { position, roll: None }),
            [roll] if position.outcome().is_none() => {
                Ok(Situation { position, roll: Some(roll.parse()?) })
            }
            _ => Err(wrong()),
        }
    }

    fn write(&self, roll: Option<Die>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[a, b], [c, d]] = Side::BOTH.map(|side| self.runners[side]);
        write!(f, "{a},{b} {c},{d} {} {}", self.side.index() + 1, self.ply)?;
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
