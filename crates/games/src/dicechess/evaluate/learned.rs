//! The learned evaluation of this game: its base and its parameters.

use wurfel_game::Features;

use super::threats::ThreatOdds;
use crate::dicechess::position::Position;
use crate::dicechess::variants::RuleSet;
use crate::learned::{Learned, Weights};

/// The parameters, fitted to the game with one die (`nets/dicechess.md` says how).
static WEIGHTS: &[u8] = include_bytes!("../../../../../nets/dicechess.weights");

/// The learned evaluation.
///
/// # Panics
/// When the program was built with a damaged file of parameters; a test reads it.
pub fn learned<R: RuleSet>() -> Learned<ThreatOdds> {
    let weights = Weights::from_bytes(WEIGHTS, Position::<R>::FEATURES);
    Learned::new(ThreatOdds, &weights.expect("the file in the program is whole"))
}
