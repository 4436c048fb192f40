//! The learned evaluation of EWN: its base and its parameters.

use wurfel_core::Features;

use super::zweistein::ZweisteinOdds;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;
use crate::learned::{Learned, Weights};
use crate::shipped::{ShippedFile, shipped};

/// The parameters, which were fitted under the official rules; `nets/einstein.md` says how.
pub(crate) const WEIGHTS: &ShippedFile = &shipped!("einstein.weights", 0xf7b9_60d1_4210_d0f4);

/// The learned evaluation with the parameters that ship with the program.
///
/// # Panics
/// When `WEIGHTS` are missing.
pub fn learned<R: RuleSet>() -> Learned<ZweisteinOdds<R>> {
    let weights = Weights::from_bytes(WEIGHTS.known_bytes(), Position::<R>::FEATURES);
    Learned::new(ZweisteinOdds::default(), &weights.expect("the file in the program is whole"))
}
