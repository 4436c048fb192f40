//! Set-ups: how a side arranges its cubes before the game.

use std::fmt;
use std::str::FromStr;

use wurfel_core::{NotationError, Random, Side};

use super::board::Cell;
use super::cube::Cube;

/// An arrangement of the six cubes in a side's corner. The text form is `S` followed by the numbers
/// of the cubes on the squares a5 b5 c5 a4 b4 a3 for red and e1 d1 c1 e2 d2 e3 for blue: `S124563`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup([Cube; 6]);

/// Red's squares; blue's are their images under a half turn.
const SQUARES: [usize; 6] = [0, 1, 2, 5, 6, 10];

/// All set-ups. The digits of number *n*, in a mixed base, are the five choices of a shuffle.
static ALL: [Setup; 720] = {
    let mut all = [Setup(Cube::ALL); 720];
    let mut n = 0;
    while n < all.len() {
        let Setup(cubes) = &mut all[n];
        let mut choices = n;
        let mut last = cubes.len() - 1;
        while last > 0 {
            cubes.swap(last, choices % (last + 1));
            choices /= last + 1;
            last -= 1;
        }
        n += 1;
    }
    all
};

impl Setup {
    /// The 720 set-ups.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// One of the 720 set-ups, each equally likely.
    pub fn random(random: &mut Random) -> Self {
        *random.pick(&ALL)
    }

    /// The set-up with these cubes on these squares, if it is a set-up of this side.
    pub(super) fn of(side: Side, placed: &[(Cell, Cube)]) -> Option<Self> {
        let squares = Self::default().placed(side).map(|(cell, _)| cell);
        let on = |cell| placed.iter().find(|(other, _)| *other == cell).map(|(_, cube)| *cube);
        let cubes: Vec<Cube> = squares.map(on).collect::<Option<_>>()?;
        cubes.try_into().ok().map(Self).filter(|_| placed.len() == SQUARES.len())
    }

    /// The cubes on their squares, in the order of the text form.
    pub(super) fn placed(self, side: Side) -> impl Iterator<Item = (Cell, Cube)> {
        let square = move |index: usize| match side {
            Side::First => index,
            Side::Second => 24 - index,
        };
        SQUARES
            .into_iter()
            .zip(self.0)
            .map(move |(index, cube)| (Cell::known(square(index) as u8), cube))
    }
}

impl Default for Setup {
    /// The set-up `S123456`.
    fn default() -> Self {
        Self(Cube::ALL)
    }
}

impl FromStr for Setup {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        const WHAT: &str = "set-up";
        if !text.starts_with('S') {
            return Err(NotationError::at(WHAT, text, 0, "S and six numbers, as in S124563"));
        }
        let mut cubes = vec![];
        for (at, character) in text.chars().enumerate().skip(1) {
            match Cube::called(character) {
                Some(_) if cubes.len() == 6 => {
                    return Err(NotationError::at(WHAT, text, at, "nothing after six cubes"));
                }
                Some(cube) if !cubes.contains(&cube) => cubes.push(cube),
                _ => return Err(NotationError::at(WHAT, text, at, "each of 1-6 once")),
            }
        }
        let missing = |_| NotationError::at(WHAT, text, text.chars().count(), "each of 1-6 once");
        Ok(Self(cubes.try_into().map_err(missing)?))
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("S")?;
        self.0.iter().try_for_each(|cube| write!(f, "{cube}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_mistakes_are_named() {
        assert_eq!("S124563".parse::<Setup>().unwrap().to_string(), "S124563");
        for (text, message) in [
            (
                "124563",
                "set-up '124563': character 1 is '1', expected S and six numbers, as in S124563",
            ),
            ("S114563", "set-up 'S114563': character 3 is '1', expected each of 1-6 once"),
            ("S12456", "set-up 'S12456': it ends after character 6, expected each of 1-6 once"),
            ("S1245637", "set-up 'S1245637': character 8 is '7', expected each of 1-6 once"),
            ("S1245631", "set-up 'S1245631': character 8 is '1', expected nothing after six cubes"),
        ] {
            assert_eq!(text.parse::<Setup>().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn every_set_up_is_drawn() {
        let mut random = Random::new(1);
        let samples: std::collections::HashSet<Setup> =
            (0..20_000).map(|_| Setup::random(&mut random)).collect();
        assert_eq!(samples.len(), 720);
    }
}
