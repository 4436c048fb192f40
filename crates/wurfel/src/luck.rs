//! The luck of rolls without a type parameter.

use wurfel_agents::Catalogued;
use wurfel_core::NotationError;

use crate::position::Position;

/// Measures the luck of rolls; see [`wurfel_arena::LuckMeter`].
pub struct LuckMeter(Box<dyn AnyMeter>);

trait AnyMeter: Send + Sync {
    fn roll(&self, position: &Position) -> Result<f64, NotationError>;
}

impl LuckMeter {
    pub(crate) fn new<G: Catalogued>() -> Self {
        Self(Box::new(wurfel_arena::LuckMeter::<G>::usual()))
    }

    /// The luck of the roll of a position for the side that rolled, from −1 to 1.
    ///
    /// # Errors
    /// When the position is one of another game, or has no roll.
    pub fn roll(&self, position: &Position) -> Result<f64, NotationError> {
        self.0.roll(position)
    }
}

impl<G: Catalogued> AnyMeter for wurfel_arena::LuckMeter<G> {
    fn roll(&self, position: &Position) -> Result<f64, NotationError> {
        let turn = position.of::<G>()?.turn();
        Ok(self.roll(turn.ok_or_else(|| position.refused("one with a roll"))?))
    }
}
