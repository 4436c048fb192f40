//! The luck of rolls without a type parameter.

use wurfel_agents::Catalogued;
use wurfel_core::NotationError;

use crate::position::Position;

/// Measures the luck of rolls; see [`wurfel_arena::LuckMeter`].
pub trait LuckMeter: Send + Sync {
    /// The luck of the roll of a position for the side that rolled, from −1 to 1.
    ///
    /// # Errors
    /// When the position is one of another game, or has no roll.
    fn roll(&self, position: &Position) -> Result<f64, NotationError>;
}

pub(crate) struct Typed<G: Catalogued> {
    pub rules: G,
    pub meter: wurfel_arena::LuckMeter<G>,
}

impl<G: Catalogued> LuckMeter for Typed<G> {
    fn roll(&self, position: &Position) -> Result<f64, NotationError> {
        let turn = position.of(&self.rules)?.turn();
        Ok(self.meter.roll(turn.ok_or_else(|| position.refused("one with a roll"))?))
    }
}
