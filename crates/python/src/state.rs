//! Positions of any game behind a pointer.
//!
//! The library is generic over games, and Python is not. Whatever Python can ask of a position
//! without naming its game goes through [`AnyState`]. Work that needs the type itself, such as a
//! match, finds it by the game's name with [`with_game`](wurfel_agents::with_game) and gets the
//! position back by [`known`].

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use wurfel_agents::Catalogued;
use wurfel_core::{
    Diagram, NotationError, Outcome, Random, Side, Situation, Weighted, check_roll, roll,
};

/// A position of some game, before or after the roll.
pub trait AnyState: Any + Send + Sync {
    fn game(&self) -> &'static str;
    fn sides(&self) -> [&'static str; 2];
    fn text(&self) -> String;
    fn roll(&self) -> Option<String>;
    fn side(&self) -> Side;
    fn ply(&self) -> u32;
    fn outcome(&self) -> Option<Outcome>;
    /// The rolls that differ here with their weights; empty unless a roll is due.
    fn rolls(&self) -> Vec<Weighted<String>>;
    /// The legal moves; empty unless there is a roll.
    fn moves(&self) -> Vec<String>;
    /// The position after the roll with this text.
    fn rolled(&self, text: &str) -> Result<Arc<dyn AnyState>, NotationError>;
    /// The position after a roll of the physical dice.
    fn roll_dice(&self, random: &mut Random) -> Result<Arc<dyn AnyState>, NotationError>;
    /// The position after the move with this text.
    fn played(&self, text: &str) -> Result<Arc<dyn AnyState>, NotationError>;
    fn diagram(&self) -> Diagram;
    /// Whether `other` is the same position of the same game, with the same roll.
    fn equals(&self, other: &dyn AnyState) -> bool;
    fn hash(&self) -> u64;
}

/// The position with its type, if it is one of game `G`.
pub fn known<G: Catalogued>(state: &dyn AnyState) -> Option<&Situation<G>> {
    (state as &dyn Any).downcast_ref()
}

/// The error of a position that is asked for something it does not have; `expected` completes
/// "expected …".
pub fn refused(state: &dyn AnyState, expected: &str) -> NotationError {
    NotationError::whole("position", &state.text(), expected)
}

impl<G: Catalogued> AnyState for Situation<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn sides(&self) -> [&'static str; 2] {
        Side::BOTH.map(|side| G::SIDES[side])
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn roll(&self) -> Option<String> {
        self.roll.map(|roll| roll.to_string())
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    fn ply(&self) -> u32 {
        self.position.ply()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn rolls(&self) -> Vec<Weighted<String>> {
        if !is_due(self) {
            return vec![];
        }
        let text =
            |of: &Weighted<G::Roll>| Weighted { item: of.item.to_string(), weight: of.weight };
        self.position.rolls().as_ref().iter().map(text).collect()
    }

    fn moves(&self) -> Vec<String> {
        let text = |roll| {
            let moves = self.position.moves(roll);
            moves.as_ref().iter().map(ToString::to_string).collect()
        };
        self.roll.filter(|_| self.position.outcome().is_none()).map_or(vec![], text)
    }

    fn rolled(&self, text: &str) -> Result<Arc<dyn AnyState>, NotationError> {
        due(self)?;
        let rolled: G::Roll = text.parse()?;
        // A roll that stands for several merged ones need not be a face of the dice.
        if !self.position.rolls().as_ref().iter().any(|of| of.item == rolled) {
            check_roll(&self.position, rolled)?;
        }
        Ok(Arc::new(Self { roll: Some(rolled), ..self.clone() }))
    }

    fn roll_dice(&self, random: &mut Random) -> Result<Arc<dyn AnyState>, NotationError> {
        due(self)?;
        Ok(Arc::new(Self { roll: Some(roll(&self.position, random)), ..self.clone() }))
    }

    fn played(&self, text: &str) -> Result<Arc<dyn AnyState>, NotationError> {
        if self.position.outcome().is_some() {
            return Err(refused(self, "one before the end, but the game is over"));
        }
        let Some(roll) = self.roll else {
            return Err(refused(self, "one with a roll: without it there are no moves"));
        };
        let mv = self.position.find_move(roll, text)?;
        let mut position = self.position.clone();
        let roll = position.play(roll, mv);
        Ok(Arc::new(Self { position, roll }))
    }

    fn diagram(&self) -> Diagram {
        self.position.diagram(self.roll)
    }

    fn equals(&self, other: &dyn AnyState) -> bool {
        known::<G>(other) == Some(self)
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.position, self.roll, G::NAME).hash(&mut hasher);
        hasher.finish()
    }
}

fn is_due<G: Catalogued>(situation: &Situation<G>) -> bool {
    situation.roll.is_none() && situation.position.outcome().is_none()
}

/// Returns an error unless a roll is due.
fn due<G: Catalogued>(situation: &Situation<G>) -> Result<(), NotationError> {
    match situation.roll {
        _ if is_due(situation) => Ok(()),
        Some(_) => Err(refused(situation, "one before the roll, but it has one")),
        None => Err(refused(situation, "one before the end, but the game is over")),
    }
}
