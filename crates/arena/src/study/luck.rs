//! Measures the luck of rolls by a fast evaluation. Matches and rollouts take this luck off their
//! results.
//!
//! The luck of a roll is the value after the best move for it, less the mean of that value over all
//! rolls (the terms are those of GNU Backgammon). Whatever the evaluation, the mean of luck over
//! the rolls is 0, and so is the mean over games of the luck in a whole game. Luck can therefore be
//! taken off results without changing their mean ([`Control`](crate::Control)).

use std::sync::Arc;

use wurfel_agents::{Catalogued, RollLuck};
use wurfel_core::{Dice, DiceError, Game, Side, Transcript, Turn, UnknownName};
use wurfel_games::Playable;

/// Measures luck by an evaluation of the positions one move ahead.
///
/// ```
/// use wurfel_arena::LuckMeter;
/// use wurfel_core::Situation;
/// use wurfel_games::einstein::Einstein;
///
/// let meter = LuckMeter::<Einstein>::new("zweistein")?;
/// // 5  .  .  .  .  .
/// // 4  .  a  .  .  .
/// // 3  D  .  .  .  .
/// // 2  .  .  .  C  .
/// // 1  .  .  .  .  .
/// //    a  b  c  d  e
/// let luck = |text: &str| -> Result<f64, Box<dyn std::error::Error>> {
///     let situation: Situation<Einstein> = text.parse()?;
///     Ok(meter.roll(situation.turn().expect("the text has a roll")))
/// };
/// // With a 1, 2 or 3 red wins at once; otherwise its D must move, and blue wins.
/// assert!((luck("5/1a3/D4/3C1/5 r 3 1")? - 0.5).abs() < 1e-6);
/// assert!((luck("5/1a3/D4/3C1/5 r 4 1")? + 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LuckMeter<G: Game> {
    roll: Arc<RollLuck<G>>,
}

impl<G: Game> Clone for LuckMeter<G> {
    fn clone(&self) -> Self {
        Self { roll: Arc::clone(&self.roll) }
    }
}

impl<G: Catalogued> LuckMeter<G> {
    /// A meter with the evaluation of this name.
    ///
    /// # Errors
    /// When the game has no such evaluation.
    pub fn new(evaluation: &str) -> Result<Self, UnknownName> {
        G::luck(evaluation).map(|roll| Self { roll })
    }

    /// A meter with the game's best evaluation. Between agents that search it saves several times
    /// as many games as other evaluations do, and takes some 30 µs per game.
    ///
    /// # Panics
    /// When the game has no evaluation with the name that it calls its best.
    pub fn default_for_game() -> Self {
        Self::new(G::BEST_EVALUATION).expect("a game knows its best evaluation")
    }
}

impl<G: Playable> LuckMeter<G> {
    /// The luck of a roll for the side that rolled, from −1 to 1.
    pub fn roll(&self, turn: Turn<'_, G>) -> f64 {
        f64::from((self.roll)(turn))
    }

    /// The luck of all rolls of a game for the **first side**.
    pub fn game(&self, game: &Transcript<G>) -> f64 {
        let mut sum = 0.0;
        game.replay(|step| {
            if step.rolled {
                sum += for_first(step.turn.side(), self.roll(step.turn));
            }
        });
        sum
    }
}

/// Converts the luck of `side` into that of the **first side**.
fn for_first(side: Side, luck: f64) -> f64 {
    match side {
        Side::First => luck,
        Side::Second => -luck,
    }
}

/// Dice that add up the luck of their rolls.
pub(crate) struct MeteredDice<'a, G: Game, D> {
    dice: D,
    meter: Option<&'a LuckMeter<G>>,
    /// The first roll, if it is given; it then counts as luck for neither side.
    given: Option<G::Roll>,
    luck: f64,
}

impl<'a, G: Game, D> MeteredDice<'a, G, D> {
    pub const fn new(dice: D, meter: Option<&'a LuckMeter<G>>, given: Option<G::Roll>) -> Self {
        Self { dice, meter, given, luck: 0.0 }
    }

    /// The luck so far of the **first side**.
    pub const fn luck(&self) -> f64 {
        self.luck
    }
}

impl<G: Playable, D: Dice<G>> Dice<G> for MeteredDice<'_, G, D> {
    fn roll(&mut self, position: &G) -> Result<G::Roll, DiceError> {
        if let Some(given) = self.given.take() {
            return Ok(given);
        }
        let roll = self.dice.roll(position)?;
        if let Some(meter) = self.meter {
            let luck = meter.roll(Turn { position, roll });
            self.luck += for_first(position.side(), luck);
        }
        Ok(roll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::{Random, Situation};
    use wurfel_games::einstein::Einstein;

    #[test]
    fn luck_sums_to_nothing_over_the_dice() {
        let mut random = Random::new(1);
        for evaluation in ["zweistein", "learned"] {
            let meter = LuckMeter::<Einstein>::new(evaluation).unwrap();
            for pieces in 2..9 {
                let Some(position) = Einstein::default().scattered(pieces, &mut random) else {
                    continue;
                };
                let luck = |roll| meter.roll(Turn { position: &position, roll });
                let sum: f64 = Einstein::DICE.iter().map(|face| luck(face.item)).sum();
                assert!(sum.abs() < 1e-5, "{position}: {sum}");
            }
        }
    }

    #[test]
    fn the_roll_that_wins_is_worth_what_the_others_lack() {
        // Red wins immediately with a 1, 2 or 3. With a higher roll its F must move, and blue, one
        // step from its goal, wins with any roll.
        let meter = LuckMeter::<Einstein>::new("zweistein").unwrap();
        for (die, luck) in [(1, 0.5), (3, 0.5), (4, -0.5), (6, -0.5)] {
            let text = format!("5/1a3/F4/3A1/5 r {die} 1");
            let text = text.replace('A', "C").replace('F', "D");
            let situation: Situation<Einstein> = text.parse().unwrap();
            let turn = Turn { position: &situation.position, roll: situation.roll.unwrap() };
            assert!((meter.roll(turn) - luck).abs() < 1e-6, "{text}: {}", meter.roll(turn));
        }
    }
}
