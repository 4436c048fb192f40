//! The dice: one, or three that are each spent separately.

use std::fmt;
use std::str::FromStr;

use wurfel_core::{NotationError, Weighted};

use super::kind::Kind;

/// The dice of a roll that are left to be spent: one to three kinds in the order of their numbers.
/// The text form consists of their letters, `N` or `PNB`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pool(u16);

impl Pool {
    /// A single die.
    #[inline(always)]
    pub const fn of(kind: Kind) -> Self {
        Self(kind as u16)
    }

    /// Up to three dice, in any order; `None` for no dice and for more than three.
    pub fn new(kinds: &[Kind]) -> Option<Self> {
        let mut sorted = kinds.to_vec();
        sorted.sort_unstable();
        let packed =
            sorted.iter().rev().fold(0, |rest, &kind| rest << 3 | u16::from(kind.number()));
        (1..=3).contains(&kinds.len()).then_some(Self(packed))
    }

    /// The kind with the lowest number.
    #[inline(always)]
    pub const fn first(self) -> Kind {
        match Kind::new((self.0 & 7) as u8) {
            Some(kind) => kind,
            None => Kind::Pawn,
        }
    }

    #[inline(always)]
    pub(super) const fn last(self) -> Kind {
        match Kind::new((self.0 >> (3 * (self.count() - 1))) as u8 & 7) {
            Some(kind) => kind,
            None => Kind::Pawn,
        }
    }

    /// How many dice there are.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        (self.0 > 0) as u32 + (self.0 > 7) as u32 + (self.0 > 63) as u32
    }

    /// The kinds of the dice, lowest number first.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        (0..3).filter_map(move |n| Kind::new((self.0 >> (3 * n) & 7) as u8))
    }

    /// A number for hashing, different for different dice.
    #[inline(always)]
    pub(super) const fn mixed(self) -> u64 {
        (self.0 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The set of kinds among the dice: bit *n* − 1 for kind *n*.
    #[inline(always)]
    pub(super) const fn set(self) -> u8 {
        // Number 0, which stands for no die, sets bit 0, and that is shifted out.
        let numbers = 1u16 << (self.0 & 7) | 1 << (self.0 >> 3 & 7) | 1 << (self.0 >> 6);
        (numbers >> 1) as u8
    }

    /// The parts of these dice: each of them, and every two of them.
    #[inline(always)]
    pub(super) const fn parts(self) -> u32 {
        let [low, middle, high] = [self.0 & 7, self.0 >> 3 & 7, self.0 >> 6];
        let mut parts = self.set() as u32;
        if middle > 0 {
            parts |= pair(low, middle);
        }
        if high > 0 {
            parts |= pair(low, high) | pair(middle, high);
        }
        parts
    }

    /// The dice that are left when a die of this kind is spent; `None` when none is left, or when
    /// there is no such die.
    #[inline(always)]
    pub(super) const fn without(self, kind: Kind) -> Option<Self> {
        let kind = kind as u16;
        let rest = if self.0 & 7 == kind {
            self.0 >> 3
        } else if self.0 >> 3 & 7 == kind {
            self.0 & 7 | self.0 >> 6 << 3
        } else if self.0 >> 6 == kind {
            self.0 & 0o77
        } else {
            0
        };
        if rest == 0 { None } else { Some(Self(rest)) }
    }
}

/// The bits of all parts of rolls that are pairs. A part of a roll is one die, whose bit is that of
/// its kind, or two dice.
pub(super) const PAIRS: u32 = !0o77;

/// How many parts of rolls there are: 6 single dice and 21 pairs.
pub(super) const PARTS_OF_ROLLS: usize = 6 + 21;

/// The bit of the part that consists of these two dice.
const fn pair(one: u16, other: u16) -> u32 {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    1 << (6 + high * (high - 1) / 2 + low - 1)
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kinds().try_for_each(|kind| write!(f, "{}", kind.letter()))
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Pool {
    type Err = NotationError;

    /// Reads letters in any order and case, or the numbers 1 (pawn) to 6 (king).
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let expected = "one to three of P N B R Q K, or of 1-6";
        let mut kinds = vec![];
        for (at, character) in text.chars().enumerate() {
            let number = character.to_digit(10).and_then(|number| Kind::new(number as u8));
            match Kind::of_letter(character).or(number) {
                Some(kind) if at < 3 => kinds.push(kind),
                _ => return Err(NotationError::at("dice", text, at, expected)),
            }
        }
        Self::new(&kinds).ok_or_else(|| NotationError::at("dice", text, 0, expected))
    }
}

/// One die: six faces, each once.
pub(super) static ONE: [Weighted<Pool>; 6] = {
    let mut faces = [Weighted { item: Pool::of(Kind::Pawn), weight: 1 }; 6];
    let mut n = 0;
    while n < 6 {
        faces[n].item = Pool::of(Kind::ALL[n]);
        n += 1;
    }
    faces
};

/// How many different rolls three dice have.
const ROLLS: usize = 56;

/// Three dice: each multiset of kinds with the number of the 216 outcomes that show it.
pub(super) static THREE: [Weighted<Pool>; ROLLS] = {
    let mut rolls = [Weighted { item: Pool::of(Kind::Pawn), weight: 0 }; ROLLS];
    let (mut count, mut low) = (0, 1);
    while low <= 6 {
        let mut middle = low;
        while middle <= 6 {
            let mut high = middle;
            while high <= 6 {
                let weight = if low == high {
                    1
                } else if low == middle || middle == high {
                    3
                } else {
                    6
                };
                rolls[count] = Weighted { item: Pool(low | middle << 3 | high << 6), weight };
                count += 1;
                high += 1;
            }
            middle += 1;
        }
        low += 1;
    }
    rolls
};

/// The pairs of a die of one kind with a die of each of the `others`, as parts of rolls.
#[inline(always)]
pub(super) fn pairs_with(kind: Kind, others: u8) -> u32 {
    let paired = |number: u16| {
        if others >> (number - 1) & 1 == 0 { 0 } else { pair(kind as u16, number) }
    };
    (1..=6).fold(0, |parts, number| parts | paired(number))
}

static PARTS: [u32; ROLLS] = {
    let mut parts = [0; ROLLS];
    let mut n = 0;
    while n < ROLLS {
        parts[n] = THREE[n].item.parts();
        n += 1;
    }
    parts
};

static WEIGHTS: [u32; ROLLS] = {
    let mut weights = [0; ROLLS];
    let mut n = 0;
    while n < ROLLS {
        weights[n] = THREE[n].weight;
        n += 1;
    }
    weights
};

/// How many of the 216 outcomes of three dice show at least one of these parts.
#[inline(always)]
pub(super) fn chances_of(parts: u32) -> u32 {
    let shown = |(of_roll, weight): (&u32, &u32)| if of_roll & parts == 0 { 0 } else { *weight };
    PARTS.iter().zip(&WEIGHTS).map(shown).sum()
}

/// The share of rolls of three dice that show at least one of these parts, 0 to 1.
#[inline(always)]
pub(super) fn chance_of(parts: u32) -> f32 {
    chances_of(parts) as f32 / 216.0
}

/// The rolls that differ, tabulated for each set of kinds that can move.
#[derive(Debug)]
pub struct Rolls {
    items: [[Weighted<Pool>; ROLLS]; 64],
    counts: [u8; 64],
}

impl Rolls {
    /// One die. A kind that cannot move is rolled again.
    pub(super) const ONE: Self = {
        let mut rolls = Self::none();
        let mut movable = 0;
        while movable < 64 {
            let mut n = 0;
            while n < 6 {
                if movable >> n & 1 == 1 {
                    rolls.add(movable, ONE[n]);
                }
                n += 1;
            }
            movable += 1;
        }
        rolls
    };

    /// Three dice. All rolls that leave nothing to move are merged into one, a forced pass.
    pub(super) const THREE: Self = {
        let mut rolls = Self::none();
        let mut movable = 0;
        while movable < 64 {
            let (mut n, mut pass) = (0, ROLLS);
            while n < ROLLS {
                if THREE[n].item.set() as usize & movable != 0 {
                    rolls.add(movable, THREE[n]);
                } else if pass == ROLLS {
                    pass = rolls.counts[movable] as usize;
                    rolls.add(movable, THREE[n]);
                } else {
                    rolls.items[movable][pass].weight += THREE[n].weight;
                }
                n += 1;
            }
            movable += 1;
        }
        rolls
    };

    #[expect(clippy::large_stack_arrays, reason = "it is made when the program is compiled")]
    const fn none() -> Self {
        let none = Weighted { item: Pool::of(Kind::Pawn), weight: 0 };
        Self { items: [[none; ROLLS]; 64], counts: [0; 64] }
    }

    const fn add(&mut self, movable: usize, roll: Weighted<Pool>) {
        let count = &mut self.counts[movable];
        self.items[movable][*count as usize] = roll;
        *count += 1;
    }

    /// The rolls that differ when these kinds can move.
    #[inline(always)]
    pub(super) fn merged(&self, movable: u8) -> &[Weighted<Pool>] {
        let movable = usize::from(movable & 63);
        &self.items[movable][..usize::from(self.counts[movable])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_dice_show_56_multisets_in_216_ways() {
        assert_eq!(THREE.iter().map(|roll| roll.weight).sum::<u32>(), 216);
        for (n, one) in THREE.iter().enumerate() {
            assert_eq!(one.item.count(), 3);
            assert!(THREE[..n].iter().all(|other| other.item != one.item));
        }
        let weight = |text: &str| {
            let pool: Pool = text.parse().unwrap();
            THREE.iter().find(|roll| roll.item == pool).unwrap().weight
        };
        assert_eq!([weight("PPP"), weight("KPK"), weight("BNP")], [1, 3, 6]);
        // At the start only pawns and knights can move; 64 of the 216 outcomes show neither.
        let start = Rolls::THREE.merged(0b11).iter().map(|roll| roll.weight);
        assert_eq!((start.clone().sum::<u32>(), start.max()), (216, Some(64)));
    }

    #[test]
    fn dice_are_spent_one_by_one() {
        let pool: Pool = "QPN".parse().unwrap();
        assert_eq!(pool.to_string(), "PNQ");
        let rest = |pool: Pool, kind| pool.without(kind).map_or(String::new(), |p| p.to_string());
        assert_eq!(rest(pool, Kind::Pawn), "NQ");
        assert_eq!(rest(pool, Kind::Knight), "PQ");
        assert_eq!(rest(pool, Kind::Queen), "PN");
        assert_eq!(rest("55".parse().unwrap(), Kind::Queen), "Q");
        assert_eq!(rest("5".parse().unwrap(), Kind::Queen), "");
    }

    #[test]
    fn mistakes_are_named() {
        let expected = "expected one to three of P N B R Q K, or of 1-6";
        for (text, at) in [
            ("", "it is empty, "),
            ("7", "character 1 is '7', "),
            ("px", "character 2 is 'x', "),
            ("PPPP", "character 4 is 'P', "),
        ] {
            let error = text.parse::<Pool>().unwrap_err().to_string();
            assert_eq!(error, format!("dice '{text}': {at}{expected}"));
        }
    }
}
