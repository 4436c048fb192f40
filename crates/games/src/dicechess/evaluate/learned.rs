//! The learned evaluation of Dice Chess: its base and its parameters.

use super::threats::ThreatOdds;
use crate::dicechess::position::Position;
use crate::dicechess::variants::DiceCount;
use crate::learned::{Learned, Weights};
use crate::shipped::{ShippedFile, shipped};

/// The parameters for one die and for three dice; `nets/dicechess.md` says how they were fitted.
const WEIGHTS: [&ShippedFile; 2] = [
    &shipped!("dicechess.weights", 0x3613_a680_5325_cd8f),
    &shipped!("dicechess3.weights", 0x27ef_5626_96ce_25a5),
];

pub(crate) const fn weights<D: DiceCount>() -> &'static ShippedFile {
    WEIGHTS[D::THREE_DICE as usize]
}

/// The learned evaluation with the parameters that ship with the program.
///
/// # Panics
/// When `weights` are missing.
pub fn learned<D: DiceCount>() -> Learned<ThreatOdds> {
    let weights = Weights::of_game::<Position<D>>(weights::<D>().known_bytes());
    Learned::new(ThreatOdds, &weights.expect("the file in the program is whole"))
}
