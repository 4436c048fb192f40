//! The learned evaluation of EWN: its base and its parameters.

use wurfel_core::Features;

use super::zweistein::ZweisteinOdds;
use crate::einstein::position::Position;
use crate::einstein::rolls::RuleSet;
use crate::learned::{Learned, Weights};

/// The parameters, which were fitted under the official rules; `nets/einstein.md` says how.
static WEIGHTS: &[u8] = include_bytes!("../../../nets/einstein.weights");

/// The learned evaluation with the parameters that ship with the program.
///
/// # Panics
/// When the program was built with a damaged file of parameters, which a test rules out.
pub fn learned<R: RuleSet>() -> Learned<ZweisteinOdds<R>> {
    let weights = Weights::from_bytes(WEIGHTS, Position::<R>::FEATURES);
    Learned::new(ZweisteinOdds::default(), &weights.expect("the file in the program is whole"))
}
