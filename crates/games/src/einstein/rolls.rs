//! The die and the cubes that it lets move, under the two rule sets.

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use wurfel_core::{NotationError, Random, Weighted};

use super::cube::Cube;

/// A face of the die, 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Die(u8);

impl Die {
    /// The face with this number, if the die has it.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=6 => Some(Self(number)),
            _ => None,
        }
    }

    /// One of the six faces, each equally likely, with the draws of [`wurfel_core::draw`].
    #[inline(always)]
    pub(super) fn rolled(random: &mut Random) -> Self {
        Self(random.below(6) as u8 + 1)
    }

    /// The face that shows the number of a cube.
    #[inline(always)]
    pub const fn of(cube: Cube) -> Self {
        Self(cube.number())
    }

    /// The number of the face, 1 to 6.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl FromStr for Die {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        // Only a single digit is a face: "+4" and "04" are numbers, but not what a die shows.
        let face = FACES.iter().map(|face| face.item).find(|face| face.to_string() == text);
        face.ok_or_else(|| NotationError::whole("die", text, "a number 1-6"))
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The six faces, each once.
pub(super) static FACES: [Weighted<Die>; 6] = {
    let mut faces = [Weighted { item: Die(1), weight: 1 }; 6];
    let mut face = 0;
    while face < 6 {
        faces[face].item = Die(face as u8 + 1);
        face += 1;
    }
    faces
};

/// A rule for rolls whose cube was captured. Rule sets are types so that the hot code is compiled
/// for each of them.
pub trait RuleSet: Copy + Eq + Hash + fmt::Debug + Default + Send + Sync + 'static {
    /// The name of the game under this rule set.
    const NAME: &'static str;
    /// The name of the game for people.
    const TITLE: &'static str;
    /// The rule set in one line.
    const ABOUT: &'static str;
    /// Whether a choice between two cubes is left only when both numbers are equally close to the roll.
    const NEAREST: bool;
    /// What each face of the die allows, for every set of living cubes.
    const ROLLS: &'static Rolls;
}

/// The official rules: the player chooses between the living cubes with the next higher and the
/// next lower number, however far away these numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Official;

/// The nearest-number rule: the living cube with the closest number, or a choice between two that
/// are equally close. Papers `policy-value-network` and `heuristic-pruned-mcts` read the rules like
/// this.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Nearest;

impl RuleSet for Official {
    const NAME: &'static str = "einstein";
    const TITLE: &'static str = "EinStein würfelt nicht!";
    const ABOUT: &'static str =
        "official rules: for a missing cube, the next higher or the next lower one moves";
    const NEAREST: bool = false;
    const ROLLS: &'static Rolls = &Rolls::new(Self::NEAREST);
}

impl RuleSet for Nearest {
    const NAME: &'static str = "einstein-nearest";
    const TITLE: &'static str = "EinStein würfelt nicht! (nearest number)";
    const ABOUT: &'static str = "compatibility: only the numerically closest cube may move";
    const NEAREST: bool = true;
    const ROLLS: &'static Rolls = &Rolls::new(Self::NEAREST);
}

/// What the die allows, for each set of living cubes (bit *i* for cube *i* + 1).
#[derive(Debug)]
pub struct Rolls {
    /// The indices of the two cubes of each set and each number of the die, 1 to 6.
    pairs: [[[u8; 2]; 8]; 64],
    merged: [[Weighted<Die>; 6]; 64],
    counts: [u8; 64],
    /// For each set and each number of the die the index of its merged roll.
    places: [[u8; 8]; 64],
}

impl Rolls {
    const fn new(nearest: bool) -> Self {
        let mut pairs = [[[6; 2]; 8]; 64];
        let mut merged = [[Weighted { item: Die(1), weight: 1 }; 6]; 64];
        let mut counts = [0; 64];
        let mut places = [[0; 8]; 64];
        let mut alive = 1;
        while alive < 64 {
            let mut face = 0;
            while face < 6 {
                let cubes = choose(alive as u8, face, nearest);
                let rest = cubes & (cubes - 1);
                let second = if rest == 0 { 6 } else { rest.trailing_zeros() as u8 };
                pairs[alive][face as usize + 1] = [cubes.trailing_zeros() as u8, second];
                let count = counts[alive] as usize;
                // Faces that allow the same cubes are neighbours, so a face can only be merged with
                // the one before it.
                if face > 0 && cubes == choose(alive as u8, face - 1, nearest) {
                    merged[alive][count - 1].weight += 1;
                } else {
                    merged[alive][count] = Weighted { item: Die(face as u8 + 1), weight: 1 };
                    counts[alive] += 1;
                }
                places[alive][face as usize + 1] = counts[alive] - 1;
                face += 1;
            }
            alive += 1;
        }
        Self { pairs, merged, counts, places }
    }

    /// The set of the one or two cubes that may move: bit *i* for cube *i* + 1.
    pub fn movable(&self, alive: u8, die: Die) -> u8 {
        let (first, second) = self.pair(alive, die);
        // The byte that stands for no cube is not in a set of six cubes.
        (1 << first.index() | 1 << second.index()) & 63
    }

    /// The cubes that may move: one cube, and then either a second one or the index that stands for
    /// no cube.
    #[inline(always)]
    pub(super) fn pair(&self, alive: u8, die: Die) -> (Cube, Cube) {
        let [first, second] = self.pairs[(alive & 63) as usize][(die.0 & 7) as usize];
        (Cube::known(first), Cube::known(second))
    }

    /// The index among the [`merged`](Self::merged) rolls of the one that a face belongs to.
    #[inline(always)]
    pub(super) fn place(&self, alive: u8, die: Die) -> usize {
        self.places[(alive & 63) as usize][(die.0 & 7) as usize].into()
    }

    /// The rolls that differ, with their numbers of faces as weights.
    #[inline(always)]
    pub fn merged(&self, alive: u8) -> &[Weighted<Die>] {
        let alive = (alive & 63) as usize;
        &self.merged[alive][..self.counts[alive] as usize]
    }
}

/// The cubes that a face, counted from 0, lets move.
const fn choose(alive: u8, face: u32, nearest: bool) -> u8 {
    let own = 1 << face;
    if alive & own != 0 {
        return own;
    }
    let below = alive & (own - 1);
    let above = alive & !(own - 1);
    if below == 0 {
        return above & above.wrapping_neg();
    }
    let lower = below.ilog2();
    if above == 0 {
        return 1 << lower;
    }
    let higher = above.trailing_zeros();
    if nearest && face - lower < higher - face {
        1 << lower
    } else if nearest && face - lower > higher - face {
        1 << higher
    } else {
        1 << lower | 1 << higher
    }
}
