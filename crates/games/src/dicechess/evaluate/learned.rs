//! The learned evaluation of Dice Chess: its base and its parameters.

use super::threats::ThreatOdds;
use crate::dicechess::position::Position;
use crate::dicechess::variants::DiceCount;
use crate::learned::{Learned, Weights};

/// The parameters for one die and for three dice; `nets/dicechess.md` says how they were fitted.
static WEIGHTS: [&[u8]; 2] = [
    include_bytes!("../../../nets/dicechess.weights"),
    include_bytes!("../../../nets/dicechess3.weights"),
];

/// The learned evaluation with the parameters that ship with the program.
///
/// # Panics
/// When the program was built with a damaged file of parameters, which a test rules out.
pub fn learned<D: DiceCount>() -> Learned<ThreatOdds> {
    let weights = Weights::of_game::<Position<D>>(WEIGHTS[usize::from(D::THREE_DICE)]);
    Learned::new(ThreatOdds, &weights.expect("the file in the program is whole"))
}
