//! Where the rolls of a real game come from: a fair random stream, a script, or a person who rolls.
//!
//! Only the game loop holds dice. A search never sees them.

use crate::{Game, NotationError, Random, Weighted};

/// Why no roll could be returned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiceError {
    /// The script is at its end, or the person who rolls has stopped.
    #[error("no roll is left")]
    Ended,
    /// This roll cannot be used in the position.
    #[error(transparent)]
    Wrong(#[from] NotationError),
}

/// A source of rolls for games of `G`.
pub trait Dice<G: Game> {
    /// Rolls for the side to move. The roll always leaves a legal move.
    ///
    /// # Errors
    /// When there are no more rolls, or when the next one cannot be used in this position.
    fn roll(&mut self, position: &G) -> Result<G::Roll, DiceError>;
}

/// Fair dice. Roll number *n* of a game depends only on the seed and on *n*, so two games with the
/// same seed get the same dice on the same turn, however often a roll without a legal move was
/// repeated in between.
///
/// ```
/// use wurfel_core::{Dice, FairDice, Literal};
///
/// // Three faces let the first side win, three the second.
/// let game: Literal = "{[+][-]}".parse()?;
/// let [mut one, mut same] = [FairDice::new(7), FairDice::new(7)];
/// assert_eq!(one.roll(&game).ok(), same.roll(&game).ok());
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairDice {
    seed: u64,
    rolled: u64,
}

impl FairDice {
    /// The dice of the game that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { seed, rolled: 0 }
    }
}

impl<G: Game> Dice<G> for FairDice {
    fn roll(&mut self, position: &G) -> Result<G::Roll, DiceError> {
        let mut random = Random::new(Random::seed_for(self.seed, &[self.rolled]));
        self.rolled += 1;
        Ok(roll(position, &mut random))
    }
}

/// Rolls the physical dice of `G`, and rolls again as long as there is no legal move.
///
/// ```
/// use wurfel_core::{Game, Literal, Random, roll};
///
/// // Only a six can move: every other face is rolled again.
/// let game: Literal = "{5[]1[+]}".parse()?;
/// let rolled = roll(&game, &mut Random::new(1));
/// assert_eq!(game.moves(rolled).len(), 1);
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[inline(always)]
pub fn roll<G: Game>(position: &G, random: &mut Random) -> G::Roll {
    loop {
        let face = draw(G::DICE, random);
        if !position.moves(face).as_ref().is_empty() {
            return face;
        }
    }
}

/// One of `items`, drawn with the probability that its weight states.
///
/// # Panics
/// When `items` is empty.
#[inline(always)]
pub fn draw<T: Copy>(items: &[Weighted<T>], random: &mut Random) -> T {
    items[draw_index(items, random)].item
}

/// The index of one of `items`, drawn with the probability that its weight states.
///
/// # Panics
/// When `items` is empty.
#[inline(always)]
pub fn draw_index<T>(items: &[Weighted<T>], random: &mut Random) -> usize {
    let total: u32 = items.iter().map(|item| item.weight).sum();
    let mut left = random.below(total);
    // With weight 1 everywhere, as for ordinary dice, the random number is the index.
    if total as usize == items.len() {
        return left as usize;
    }
    for (place, item) in items.iter().enumerate() {
        if left < item.weight {
            return place;
        }
        left -= item.weight;
    }
    unreachable!("a number below the sum of the weights falls on one of them")
}

/// Rolls that are known beforehand, returned in order.
///
/// ```
/// use wurfel_core::{Dice, DiceError, Literal, ScriptedDice};
///
/// let game: Literal = "{[+][-]}".parse()?;
/// let mut dice = ScriptedDice::new(vec!["6".parse()?]);
/// assert_eq!(dice.roll(&game).ok(), Some("6".parse()?));
/// assert!(matches!(dice.roll(&game), Err(DiceError::Ended)));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptedDice<R> {
    rolls: Vec<R>,
    rolled: usize,
}

impl<R> ScriptedDice<R> {
    /// Dice that show `rolls` one after the other and then end.
    pub const fn new(rolls: Vec<R>) -> Self {
        Self { rolls, rolled: 0 }
    }
}

impl<G: Game> Dice<G> for ScriptedDice<G::Roll> {
    fn roll(&mut self, position: &G) -> Result<G::Roll, DiceError> {
        let roll = *self.rolls.get(self.rolled).ok_or(DiceError::Ended)?;
        check_roll(position, roll)?;
        self.rolled += 1;
        Ok(roll)
    }
}

/// Dice that a person rolls. `ask` gets the position and, after an answer that could not be used,
/// the error; it returns the roll as text, or `None` to end the game.
pub struct EnteredDice<F> {
    ask: F,
}

impl<F> EnteredDice<F> {
    /// Dice whose rolls are the texts that `ask` returns.
    pub const fn new(ask: F) -> Self {
        Self { ask }
    }
}

impl<G: Game, F> Dice<G> for EnteredDice<F>
where
    F: FnMut(&G, Option<&NotationError>) -> Option<String>,
{
    fn roll(&mut self, position: &G) -> Result<G::Roll, DiceError> {
        let mut wrong = None;
        loop {
            let text = (self.ask)(position, wrong.as_ref()).ok_or(DiceError::Ended)?;
            let roll =
                text.trim().parse().and_then(|roll| check_roll(position, roll).map(|()| roll));
            match roll {
                Ok(roll) => return Ok(roll),
                Err(error) => wrong = Some(error),
            }
        }
    }
}

/// Refuses a roll that the dice of `G` cannot show, or that leaves no legal move.
///
/// # Errors
/// When the roll is refused; the error names it and lists the usable rolls.
pub fn check_roll<G: Game>(position: &G, roll: G::Roll) -> Result<(), NotationError> {
    let on_the_dice = G::DICE.iter().any(|face| face.item == roll);
    if on_the_dice && !position.moves(roll).as_ref().is_empty() {
        return Ok(());
    }
    let usable: Vec<String> = G::DICE
        .iter()
        .filter(|face| !position.moves(face.item).as_ref().is_empty())
        .map(|face| face.item.to_string())
        .collect();
    Err(NotationError::whole("roll", &roll.to_string(), format!("one of {}", usable.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Literal;

    fn game(text: &str) -> Literal {
        text.parse().unwrap()
    }

    #[test]
    fn fair_dice_depend_on_the_seed_and_the_number_of_the_roll_alone() {
        let plain_game = game("{[+][-][+][-][+][-]}");
        let picky = game("{[][][][][][+-]}");
        let mut dice = FairDice::new(5);
        let plain: Vec<_> = (0..40).map(|_| dice.roll(&plain_game).unwrap()).collect();
        let mut dice = FairDice::new(5);
        for (n, &face) in plain.iter().enumerate() {
            // Where only a six can move, other faces are rolled again, and the rolls that follow
            // stay the same.
            let position = if n % 3 == 0 { &picky } else { &plain_game };
            let rolled = dice.roll(position).unwrap();
            assert_eq!(rolled.to_string(), if n % 3 == 0 { "6".into() } else { face.to_string() });
        }
    }

    #[test]
    fn fair_dice_are_fair() {
        let position = game("{[+][-][+][-][+][-]}");
        let mut counts = std::collections::HashMap::new();
        for seed in 0..20_000 {
            let mut dice = FairDice::new(seed);
            for _ in 0..3 {
                *counts.entry(dice.roll(&position).unwrap()).or_insert(0u32) += 1;
            }
        }
        let chi: f64 = counts.values().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!(counts.len() == 6 && chi < 20.5, "{counts:?}");
    }

    #[test]
    fn a_script_refuses_what_cannot_be_rolled() {
        let position = game("{[][][][][][+-]}");
        let mut dice = ScriptedDice::new(vec!["6".parse().unwrap(), "1".parse().unwrap()]);
        assert!(dice.roll(&position).is_ok());
        let error = Dice::<Literal>::roll(&mut dice, &position).unwrap_err();
        assert_eq!(error.to_string(), "roll '1': expected one of 6");
        let mut empty = ScriptedDice::new(vec![]);
        assert_eq!(Dice::<Literal>::roll(&mut empty, &position), Err(DiceError::Ended));
    }

    #[test]
    fn a_hand_is_asked_again_until_the_roll_can_be_used() {
        let position = game("{[][][][][][+-]}");
        let mut answers = vec!["6", "3", "seven"];
        let mut complaints = vec![];
        let mut dice = EnteredDice::new(|_: &Literal, wrong: Option<&NotationError>| {
            complaints.extend(wrong.map(ToString::to_string));
            answers.pop().map(str::to_owned)
        });
        assert_eq!(dice.roll(&position).unwrap().to_string(), "6");
        assert_eq!(dice.roll(&position), Err(DiceError::Ended));
        assert_eq!(
            complaints,
            ["die 'seven': expected a number 1-6", "roll '3': expected one of 6"]
        );
    }
}
