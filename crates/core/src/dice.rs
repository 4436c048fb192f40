//! Where real throws come from: a fair stream, a script, a person's hand.
//!
//! Only the game loop holds dice. A search never sees them.

use crate::{Game, NotationError, Random, Weighted};

/// Why there is no throw.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiceError {
    /// The script is at its end, or the person who throws has stopped.
    #[error("no throw is left")]
    Ended,
    /// This throw cannot be used in the position.
    #[error(transparent)]
    Wrong(#[from] NotationError),
}

/// Something that throws the dice of `G`.
pub trait Dice<G: Game> {
    /// Throws for the side to move. The roll always has a legal move.
    ///
    /// # Errors
    /// When no throw is left, or the next one cannot be used here.
    fn throw(&mut self, position: &G) -> Result<G::Roll, DiceError>;
}

/// Fair dice: throw number *n* depends on the seed and on *n* alone, so two
/// games from one seed meet the same dice at the same turn, however often a
/// face had to be thrown again in between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairDice {
    seed: u64,
    thrown: u64,
}

impl FairDice {
    /// The dice of one game.
    pub const fn new(seed: u64) -> Self {
        Self { seed, thrown: 0 }
    }
}

impl<G: Game> Dice<G> for FairDice {
    fn throw(&mut self, position: &G) -> Result<G::Roll, DiceError> {
        let mut random = Random::new(Random::seed_for(self.seed, &[self.thrown]));
        self.thrown += 1;
        Ok(throw(position, &mut random))
    }
}

/// Throws the physical dice of `G`, again while the throw leaves nothing to do.
#[inline(always)]
pub fn throw<G: Game>(position: &G, random: &mut Random) -> G::Roll {
    loop {
        let face = draw(G::DICE, random);
        if !position.moves(face).as_ref().is_empty() {
            return face;
        }
    }
}

/// One of `items`, each as likely as its weight says.
///
/// # Panics
/// When `items` is empty.
#[inline(always)]
pub fn draw<T: Copy>(items: &[Weighted<T>], random: &mut Random) -> T {
    items[draw_place(items, random)].item
}

/// The place of one of `items`, each as likely as its weight says.
///
/// # Panics
/// When `items` is empty.
#[inline(always)]
pub fn draw_place<T>(items: &[Weighted<T>], random: &mut Random) -> usize {
    let total: u32 = items.iter().map(|item| item.weight).sum();
    let mut left = random.below(total);
    // The usual dice, every face once, need no search for the one that fell.
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

/// Throws that are known beforehand, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptedDice<R> {
    rolls: Vec<R>,
    thrown: usize,
}

impl<R> ScriptedDice<R> {
    /// Dice that show `rolls`, then end.
    pub const fn new(rolls: Vec<R>) -> Self {
        Self { rolls, thrown: 0 }
    }
}

impl<G: Game> Dice<G> for ScriptedDice<G::Roll> {
    fn throw(&mut self, position: &G) -> Result<G::Roll, DiceError> {
        let roll = *self.rolls.get(self.thrown).ok_or(DiceError::Ended)?;
        check_throw(position, roll)?;
        self.thrown += 1;
        Ok(roll)
    }
}

/// Dice thrown by hand: `ask` is called with the position and, after an answer
/// that could not be used, with what was wrong. `None` ends the game.
pub struct EnteredDice<F> {
    ask: F,
}

impl<F> EnteredDice<F> {
    /// Dice whose throws `ask` returns as text.
    pub const fn new(ask: F) -> Self {
        Self { ask }
    }
}

impl<G: Game, F> Dice<G> for EnteredDice<F>
where
    F: FnMut(&G, Option<&NotationError>) -> Option<String>,
{
    fn throw(&mut self, position: &G) -> Result<G::Roll, DiceError> {
        let mut wrong = None;
        loop {
            let text = (self.ask)(position, wrong.as_ref()).ok_or(DiceError::Ended)?;
            let roll =
                text.trim().parse().and_then(|roll| check_throw(position, roll).map(|()| roll));
            match roll {
                Ok(roll) => return Ok(roll),
                Err(error) => wrong = Some(error),
            }
        }
    }
}

/// Refuses a throw that leaves nothing to do, or that no dice of `G` show.
///
/// # Errors
/// Names the throw and lists those that can be used.
pub fn check_throw<G: Game>(position: &G, roll: G::Roll) -> Result<(), NotationError> {
    let on_the_dice = G::DICE.iter().any(|face| face.item == roll);
    if on_the_dice && !position.moves(roll).as_ref().is_empty() {
        return Ok(());
    }
    let usable: Vec<String> = G::DICE
        .iter()
        .filter(|face| !position.moves(face.item).as_ref().is_empty())
        .map(|face| face.item.to_string())
        .collect();
    Err(NotationError::whole("throw", &roll.to_string(), format!("one of {}", usable.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Literal;

    fn game(text: &str) -> Literal {
        text.parse().unwrap()
    }

    #[test]
    fn fair_dice_depend_on_the_seed_and_the_number_of_the_throw_alone() {
        let usual = game("{[+][-][+][-][+][-]}");
        let picky = game("{[][][][][][+-]}");
        let mut dice = FairDice::new(5);
        let plain: Vec<_> = (0..40).map(|_| dice.throw(&usual).unwrap()).collect();
        let mut dice = FairDice::new(5);
        for (n, &face) in plain.iter().enumerate() {
            // Where only a six can move, others are thrown again, and the
            // throws that follow stay the same.
            let position = if n % 3 == 0 { &picky } else { &usual };
            let thrown = dice.throw(position).unwrap();
            assert_eq!(thrown.to_string(), if n % 3 == 0 { "6".into() } else { face.to_string() });
        }
    }

    #[test]
    fn fair_dice_are_fair() {
        let position = game("{[+][-][+][-][+][-]}");
        let mut counts = std::collections::HashMap::new();
        for seed in 0..20_000 {
            let mut dice = FairDice::new(seed);
            for _ in 0..3 {
                *counts.entry(dice.throw(&position).unwrap()).or_insert(0u32) += 1;
            }
        }
        let chi: f64 = counts.values().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!(counts.len() == 6 && chi < 20.5, "{counts:?}");
    }

    #[test]
    fn a_script_refuses_what_cannot_be_thrown() {
        let position = game("{[][][][][][+-]}");
        let mut dice = ScriptedDice::new(vec!["6".parse().unwrap(), "1".parse().unwrap()]);
        assert!(dice.throw(&position).is_ok());
        let error = Dice::<Literal>::throw(&mut dice, &position).unwrap_err();
        assert_eq!(error.to_string(), "throw '1': expected one of 6");
        let mut empty = ScriptedDice::new(vec![]);
        assert_eq!(Dice::<Literal>::throw(&mut empty, &position), Err(DiceError::Ended));
    }

    #[test]
    fn a_hand_is_asked_again_until_the_throw_can_be_used() {
        let position = game("{[][][][][][+-]}");
        let mut answers = vec!["6", "3", "seven"];
        let mut complaints = vec![];
        let mut dice = EnteredDice::new(|_: &Literal, wrong: Option<&NotationError>| {
            complaints.extend(wrong.map(ToString::to_string));
            answers.pop().map(str::to_owned)
        });
        assert_eq!(dice.throw(&position).unwrap().to_string(), "6");
        assert_eq!(dice.throw(&position), Err(DiceError::Ended));
        assert_eq!(
            complaints,
            ["die 'seven': expected a number 1-6", "throw '3': expected one of 6"]
        );
    }
}
