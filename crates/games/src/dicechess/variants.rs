//! The rule sets of Dice Chess. The number of dice is a type, because it changes what a turn is. Other
//! differences between rule sets are a value that each position carries: testing it takes no
//! measurable time, while a type for each rule set compiled every search again.

use std::fmt;
use std::hash::Hash;

use super::dice::{ONE, Pool, Rolls, THREE};
use wurfel_core::Weighted;

/// How many dice are rolled, as a type.
pub trait DiceCount: Copy + Eq + Hash + fmt::Debug + Default + Send + Sync + 'static {
    /// Whether three dice are rolled, each of which is spent separately.
    const THREE_DICE: bool;
    /// The names of the game under each of its rule sets, in the order of [`Variant::ALL`]; those with
    /// three dice have only the first.
    const NAMES: &'static [Names];
    /// The number of moves of each side after which a game is drawn.
    const MAX_MOVES: u16 = 100;
    /// The physical dice.
    const DICE: &'static [Weighted<Pool>] = if Self::THREE_DICE { &THREE } else { &ONE };
    /// The rolls that differ, for each set of kinds that can move.
    const ROLLS: &'static Rolls = if Self::THREE_DICE { &Rolls::THREE } else { &Rolls::ONE };
}

/// What a game is called under a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Names {
    /// The name in commands and records.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The rules in one line.
    pub about: &'static str,
}

/// One die: the game of paper `dice-chess-agents`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OneDie;

/// Three dice, each spent separately.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ThreeDice;

impl DiceCount for OneDie {
    const THREE_DICE: bool = false;
    const NAMES: &'static [Names] = &[
        Names {
            name: "dicechess",
            title: "Dice Chess",
            about: "one die says which kind of piece moves; capturing the king wins",
        },
        Names {
            name: "dicechess-promotion",
            title: "Dice Chess (promotion by die)",
            about: "as Dice Chess, but a pawn may also promote when the kind it becomes is rolled",
        },
        Names {
            name: "dicechess-bare",
            title: "Dice Chess (bare king loses)",
            about: "compatibility: as Dice Chess, but a side with only its king left loses",
        },
    ];
}

impl DiceCount for ThreeDice {
    const THREE_DICE: bool = true;
    const NAMES: &'static [Names] = &[Names {
        name: "dicechess3",
        title: "Dice Chess (three dice)",
        about: "three dice; each moves a piece of its kind, in any order",
    }];
}

/// What may differ between rule sets with the same dice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// The rules of paper `dice-chess-agents`.
    #[default]
    Standard,
    /// A pawn may also promote to a kind when that kind is rolled: `BrainKing`'s reading of the rule on
    /// promotion.
    PromotionByDie,
    /// A side that has only its king left loses: the rule in the program of paper `dice-chess-agents`.
    BareKingLoses,
}

impl Variant {
    /// All variants, which games with one die have.
    pub const ALL: [Self; 3] = [Self::Standard, Self::PromotionByDie, Self::BareKingLoses];
}

/// The number of turns in a row without a capture or a pawn move after which a game is drawn: the
/// 75-move rule.
pub(super) const MAX_QUIET: u8 = 150;
