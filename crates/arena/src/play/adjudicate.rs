//! Ends games before the rules do, when tablebases know how they would end.
//!
//! There are two rules, and neither is free of bias. With [`Adjudication::Certain`] a side wins
//! when the tables say that with perfect play it wins for certain, whatever is rolled. This saves
//! the moves of a decided game and flatters only an agent that could still have lost such a
//! game. With [`Adjudication::Covered`] every game ends as soon as the tables know its value, and
//! the result is drawn with that probability. On average it is the result of perfect play from
//! there on, so endgames are no longer measured at all, and agents that play them badly are
//! flattered. Games that are to count in a ranking of agents are best played to the end.
//!
//! The values of tables are rounded to 1/65,535, so that *certain* means within 1/131,070 of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wurfel_core::{Outcome, Random};

use wurfel_agents::read_tables;
use wurfel_agents::{Catalogued, LimitError};

/// When tablebases end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjudication {
    /// When the value of the position is 0 or 1.
    Certain,
    /// When the value of the position is known; the result is drawn with that probability.
    Covered,
}

/// The probability that the **side to move** wins, before its roll, if the tables know it.
type Probe<G> = dyn Fn(&G) -> Option<f32> + Send + Sync;

/// Ends games by tablebases.
pub struct Adjudicator<G> {
    rule: Adjudication,
    value: Arc<Probe<G>>,
}

impl<G> Clone for Adjudicator<G> {
    fn clone(&self) -> Self {
        Self { rule: self.rule, value: Arc::clone(&self.value) }
    }
}

impl<G: Catalogued> Adjudicator<G> {
    /// Opens the tables for up to `pieces` pieces. Small ones are built if they are missing.
    ///
    /// # Errors
    /// When there are no tables for this many pieces.
    pub fn new(rule: Adjudication, pieces: u32) -> Result<Self, LimitError> {
        let tables = read_tables::<G>(&pieces.to_string())?;
        let probe = move |position: &G| tables.as_ref()?.probe(position);
        Ok(Self { rule, value: Arc::new(probe) })
    }
}

impl<G: wurfel_core::Game> Adjudicator<G> {
    /// The result of a game that ends in this position, before the roll; `None` when it goes on.
    pub(crate) fn ask(&self, position: &G, lots: &mut Random) -> Option<Outcome> {
        let value = f64::from((self.value)(position)?);
        let side = position.side();
        let wins = match self.rule {
            Adjudication::Certain if value >= 1.0 => true,
            Adjudication::Certain if value <= 0.0 => false,
            Adjudication::Certain => return None,
            Adjudication::Covered => lots.unit() < value,
        };
        Some(Outcome::Win(if wins { side } else { !side }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::Side;
    use wurfel_games::einstein::Einstein;

    /// An adjudicator whose tables give every position this value.
    fn saying(rule: Adjudication, value: f32) -> Adjudicator<Einstein> {
        Adjudicator { rule, value: Arc::new(move |_| Some(value)) }
    }

    #[test]
    fn only_a_certain_value_ends_a_game_unless_the_result_is_drawn() {
        let mut lots = Random::new(1);
        let position = Einstein::default();
        let mut ask = |rule, value| saying(rule, value).ask(&position, &mut lots);
        let (first, second) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
        assert_eq!(ask(Adjudication::Certain, 1.0), Some(first));
        assert_eq!(ask(Adjudication::Certain, 0.0), Some(second));
        assert_eq!(ask(Adjudication::Certain, 0.999), None);
        let won = (0..4000).filter(|_| ask(Adjudication::Covered, 0.3) == Some(first)).count();
        // 0.3 · 4000 within four standard errors of 29.
        assert!((1084..=1316).contains(&won), "{won}");
    }
}
