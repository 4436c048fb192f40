//! The moves that led to the current position, for engines that keep their search tree from turn to
//! turn: they receive the moves instead of having to guess them.

use wurfel_core::{Game, Turn};

use crate::ahead::at_rest;

/// The moves of a game, as far as they are known.
pub(crate) struct History<G> {
    /// The position before the first of them, without its roll.
    start: String,
    /// The rolls and moves since then, each after a space.
    steps: String,
    /// The position after them; `None` before the first move.
    reached: Option<G>,
    /// Whether a part of the last roll is left to be played.
    goes_on: bool,
}

impl<G: Game> History<G> {
    pub const fn new() -> Self {
        Self { start: String::new(), steps: String::new(), reached: None, goes_on: false }
    }

    /// Adds a move. One that does not follow from those before it begins another history.
    pub fn add(&mut self, turn: Turn<'_, G>, mv: G::Move) {
        if self.reached.as_ref() != Some(turn.position) {
            *self = Self { start: at_rest(turn.position), ..Self::new() };
        }
        self.steps = self.with_roll(turn.roll) + &format!(" {mv}");
        let mut position = turn.position.clone();
        self.goes_on = position.play(turn.roll, mv).is_some();
        self.reached = Some(position);
    }

    /// The words after `position` that give a turn by the moves that led to it; `None` when these are
    /// not known.
    pub fn leading_to(&self, turn: Turn<'_, G>) -> Option<String> {
        let is_known = self.reached.as_ref() == Some(turn.position);
        is_known.then(|| format!("fen {} moves{}", self.start, self.with_roll(turn.roll)))
    }

    /// The steps with a roll, which is given only before the first of the moves that are made with
    /// it.
    fn with_roll(&self, roll: G::Roll) -> String {
        let roll = if self.goes_on { String::new() } else { format!(" @{roll}") };
        format!("{}{roll}", self.steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::dicechess::DiceChess3;
    use wurfel_games::einstein::Einstein;

    /// Plays a move with a roll, both given as texts, and adds it to the history.
    fn play<G: Game>(
        history: &mut History<G>,
        position: &mut G,
        roll: G::Roll,
        mv: &str,
    ) -> Option<G::Roll> {
        let mv = position.find_move(roll, mv).unwrap();
        history.add(Turn { position, roll }, mv);
        position.play(roll, mv)
    }

    #[test]
    fn a_turn_is_told_by_its_moves_as_long_as_nobody_leaves_one_out() {
        let mut position = Einstein::default();
        let mut history = History::new();
        let rolls = position.rolls();
        let roll = |number: usize| rolls[number - 1].item;
        let text = |history: &History<Einstein>, position: &Einstein| {
            history.leading_to(Turn { position, roll: roll(2) })
        };
        assert_eq!(text(&history, &position), None);
        play(&mut history, &mut position, roll(4), "a4b4");
        play(&mut history, &mut position, roll(1), "e1e2");
        let start = at_rest(&Einstein::default());
        let expected = format!("fen {start} moves @4 a4b4 @1 e1e2 @2");
        assert_eq!(text(&history, &position), Some(expected));
        // The history of another position is not known until moves from it are added.
        let mut other = Einstein::default();
        assert_eq!(text(&history, &other), None);
        play(&mut history, &mut other, roll(4), "a4a3");
        assert_eq!(text(&history, &other), Some(format!("fen {start} moves @4 a4a3 @2")));
    }

    /// In a turn of several moves, the roll stands before the first of them.
    #[test]
    fn the_rest_of_a_roll_is_not_told_again() {
        let mut position = DiceChess3::default();
        let mut history = History::new();
        let start = at_rest(&position);
        let rolls = position.rolls();
        let pawns = rolls.as_ref().iter().find(|roll| roll.item.to_string() == "PPP").unwrap().item;
        let rest = play(&mut history, &mut position, pawns, "e2e4").unwrap();
        let text = history.leading_to(Turn { position: &position, roll: rest });
        assert_eq!(text, Some(format!("fen {start} moves @PPP e2e4")));
    }
}
