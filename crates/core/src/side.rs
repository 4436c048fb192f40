//! The two players, and pairs that hold one thing for each of them.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// One of the two players.
///
/// Which colour a side has and who begins is up to the game: `First` is red in EinStein würfelt
/// nicht! and white in Dice Chess.
///
/// ```
/// use wurfel_core::Side;
///
/// assert_eq!(!Side::First, Side::Second);
/// assert_eq!(Side::BOTH.map(Side::index), [0, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(extend("maximum" = 1)))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
#[repr(u8)]
pub enum Side {
    /// The side that the game names first.
    First = 0,
    /// The side that the game names second.
    Second = 1,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for [`Side::First`], 1 for [`Side::Second`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side. Where no `const` is needed, `!side` does the same.
    #[inline(always)]
    #[must_use]
    pub const fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl From<Side> for u8 {
    fn from(side: Side) -> Self {
        side as u8
    }
}

impl TryFrom<u8> for Side {
    type Error = String;

    fn try_from(index: u8) -> Result<Self, String> {
        let side = Side::BOTH.get(usize::from(index));
        side.copied().ok_or_else(|| format!("expected side 0 or 1, found {index}"))
    }
}

impl Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        self.opponent()
    }
}

/// Two values of the same type, one for each side, indexed by [`Side`].
///
/// ```
/// use wurfel_core::{BySide, Side};
///
/// let mut points = BySide::new(1.0, 0.5);
/// points[Side::Second] += 1.0;
/// assert_eq!(points.map(|half| 2.0 * half), BySide::new(2.0, 3.0));
/// assert_eq!(points.swapped()[Side::First], 1.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BySide<T> {
    sides: [T; 2],
}

impl<T> BySide<T> {
    /// The pair of these two values.
    pub const fn new(first: T, second: T) -> Self {
        Self { sides: [first, second] }
    }

    /// The pair of the values that `make` returns for each side.
    pub fn from_fn(make: impl FnMut(Side) -> T) -> Self {
        Self { sides: Side::BOTH.map(make) }
    }

    /// The pair with `change` applied to both values.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> BySide<U> {
        BySide { sides: self.sides.map(change) }
    }

    /// The pair with its two values exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        let [first, second] = self.sides;
        Self::new(second, first)
    }

    /// Each side with its value, the first side first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        Side::BOTH.into_iter().zip(&self.sides)
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, side: Side) -> &T {
        &self.sides[side.index()]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline(always)]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.sides[side.index()]
    }
}

/// How a game ended. It names the winner, whoever is to move.
///
/// ```
/// use wurfel_core::{Outcome, Side};
///
/// let outcome = Outcome::Win(Side::Second);
/// assert_eq!(outcome.winner(), Some(Side::Second));
/// assert_eq!(Side::BOTH.map(|side| outcome.value_for(side)), [0.0, 1.0]);
/// assert_eq!(Outcome::Draw.value_for(Side::First), 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// The game is drawn.
    Draw,
}

impl Outcome {
    /// The result for `side`: 1 for a win, ½ for a draw, 0 for a loss.
    #[inline(always)]
    pub fn value_for(self, side: Side) -> f32 {
        match self {
            Outcome::Win(winner) => f32::from(u8::from(winner == side)),
            Outcome::Draw => 0.5,
        }
    }

    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Win(Side::First) => "1-0",
            Outcome::Win(Side::Second) => "0-1",
            Outcome::Draw => "1/2-1/2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_both_sides_sum_to_one() {
        for outcome in [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw] {
            let sum: f32 = Side::BOTH.iter().map(|&side| outcome.value_for(side)).sum();
            assert!((sum - 1.0).abs() < f32::EPSILON, "{outcome}");
        }
    }

    #[test]
    fn a_pair_is_indexed_by_side() {
        let pair = BySide::new('w', 'b');
        assert_eq!(pair[Side::First], 'w');
        assert_eq!(pair.swapped()[Side::First], 'b');
        assert_eq!(BySide::from_fn(|side| pair[!side]), pair.swapped());
    }
}
