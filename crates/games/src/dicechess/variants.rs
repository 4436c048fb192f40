//! The rule sets of Dice Chess. They are types so that the hot code is compiled for each of them.

use std::fmt;
use std::hash::Hash;

use super::dice::{ONE, Pool, Rolls, THREE};
use wurfel_core::Weighted;

/// A rule set of Dice Chess, as a type.
pub trait RuleSet: Copy + Eq + Hash + fmt::Debug + Default + Send + Sync + 'static {
    /// The name of the game under these rules.
    const NAME: &'static str;
    /// The name of the game for people.
    const TITLE: &'static str;
    /// The rules in one line.
    const ABOUT: &'static str;
    /// Whether three dice are rolled, each of which is spent separately.
    const THREE_DICE: bool = false;
    /// Whether a pawn may also promote with a die that shows the kind that it turns into.
    const PROMOTES_BY_DIE: bool = false;
    /// Whether a side that has only its king left loses.
    const BARE_KING_LOSES: bool = false;
    /// After how many moves of each side a game is drawn.
    const MAX_MOVES: u16 = 100;
    /// After how many turns in a row without a capture or a pawn move a game is drawn: the 75-move
    /// rule.
    const QUIET: u8 = 150;
    /// The physical dice.
    const DICE: &'static [Weighted<Pool>] = if Self::THREE_DICE { &THREE } else { &ONE };
    /// The rolls that differ, for each set of kinds that can move.
    const ROLLS: &'static Rolls = if Self::THREE_DICE { &Rolls::THREE } else { &Rolls::ONE };
}

/// One die: the game of paper `dice-chess-agents`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OneDie;

/// One die, and a pawn may also promote to a kind when that kind is rolled: `BrainKing`'s reading
/// of the rule on promotion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PromotionByDie;

/// One die, and a bare king loses: the rule in the program of paper `dice-chess-agents`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BareKing;

/// Three dice, each spent separately.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ThreeDice;

impl RuleSet for OneDie {
    const NAME: &'static str = "dicechess";
    const TITLE: &'static str = "Dice Chess";
    const ABOUT: &'static str = "one die says which kind moves; capturing the king wins";
}

impl RuleSet for PromotionByDie {
    const NAME: &'static str = "dicechess-promotion";
    const TITLE: &'static str = "Dice Chess (promotion by die)";
    const ABOUT: &'static str = "the same; a pawn may also become the kind that is rolled";
    const PROMOTES_BY_DIE: bool = true;
}

impl RuleSet for BareKing {
    const NAME: &'static str = "dicechess-bare";
    const TITLE: &'static str = "Dice Chess (bare king loses)";
    const ABOUT: &'static str = "compatibility: the same; a side with nothing but its king loses";
    const BARE_KING_LOSES: bool = true;
}

impl RuleSet for ThreeDice {
    const NAME: &'static str = "dicechess3";
    const TITLE: &'static str = "Dice Chess (three dice)";
    const ABOUT: &'static str = "three dice, each moves a piece of its kind, in any order";
    const THREE_DICE: bool = true;
}
