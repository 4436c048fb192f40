//! The basic way to look at a move: no search, no die.

use wurfel_game::{Preference, Turn};

use super::board::Cell;
use super::moves::Move;
use super::position::Position;
use super::throws::RuleSet;

/// Enters the goal when it can, takes an enemy cube when it can, and else
/// prefers the square nearest to the goal: the "basic agent" of paper
/// `dice-chess-agents` (section II-C) carried over to this game. Taking an own
/// cube earns nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Basic;

impl<R: RuleSet> Preference<Position<R>> for Basic {
    fn rate(&self, turn: Turn<'_, Position<R>>, mv: Move) -> i32 {
        let side = turn.side();
        let takes = turn.position.at(mv.to()).is_some_and(|(owner, _)| owner != side);
        let wins = mv.to() == Cell::goal(side);
        1000 * i32::from(wins) + 100 * i32::from(takes) - i32::from(mv.to().distance(side))
    }
}
