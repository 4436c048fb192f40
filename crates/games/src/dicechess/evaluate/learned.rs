//! The learned evaluation of this game: its base and its parameters.

use wurfel_core::Features;

use super::threats::ThreatOdds;
use crate::dicechess::position::Position;
use crate::dicechess::variants::RuleSet;
use crate::learned::{Learned, Weights};

/// The parameters for the game with one die and for that with three (`nets/dicechess.md` says
/// how they were fitted).
static WEIGHTS: [&[u8]; 2] = [
    include_bytes!("../../../nets/dicechess.weights"),
    include_bytes!("../../../nets/dicechess3.weights"),
];

/// The learned evaluation.
///
/// # Panics
/// When the program was built with a damaged file of parameters; a test reads it.
pub fn learned<R: RuleSet>() -> Learned<ThreatOdds> {
    let weights = Weights::from_bytes(WEIGHTS[usize::from(R::THREE_DICE)], Position::<R>::FEATURES);
    Learned::new(ThreatOdds, &weights.expect("the file in the program is whole"))
}
