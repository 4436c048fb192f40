//! The basic agent's view of a move: no search and no die.

use wurfel_core::{Preference, Turn};

use super::board::Cell;
use super::moves::Move;
use super::position::Position;
use super::rolls::RuleSet;

/// Enters the goal when it can, captures an enemy cube when it can, and otherwise prefers the
/// square nearest to the goal: the "basic agent" of paper `dice-chess-agents` (section II-C)
/// carried over to this game. Capturing an own cube gains nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Basic;

impl<R: RuleSet> Preference<Position<R>> for Basic {
    fn rate(&self, turn: Turn<'_, Position<R>>, mv: Move) -> i32 {
        let side = turn.side();
        let takes = takes(turn, mv);
        let wins = mv.to() == Cell::goal(side);
        1000 * i32::from(wins) + 100 * i32::from(takes) - i32::from(mv.to().distance(side))
    }

    /// Captures of enemy cubes are urgent, and so are moves to the goal or to within one step of
    /// it.
    fn is_urgent(&self, turn: Turn<'_, Position<R>>, mv: Move) -> bool {
        takes(turn, mv) || mv.to().distance(turn.side()) <= 1
    }
}

/// Whether the move captures an enemy cube.
fn takes<R: RuleSet>(turn: Turn<'_, Position<R>>, mv: Move) -> bool {
    turn.position.at(mv.to()).is_some_and(|(owner, _)| owner != turn.side())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::Einstein;
    use wurfel_core::{Game, Situation};

    #[test]
    fn captures_and_threats_are_urgent_and_taking_an_own_cube_is_not() {
        // 5  A . . . .     A captures nothing on b5 and a4, and its own B on b4.
        // 4  . B d . .     B captures d on c4; neither of its other steps is urgent.
        // 3  . . . . .
        // 2  . . . . C     C is one step before the goal, wherever it steps.
        // 1  . . . e .
        let text = "A4/1Bd2/5/4C/3e1 r 1 1";
        let urgent = |text: &str| {
            let Situation { position, roll } = text.parse::<Situation<Einstein>>().unwrap();
            let turn = Turn { position: &position, roll: roll.unwrap() };
            let moves = position.moves(turn.roll);
            let urgent = moves.as_ref().iter().filter(|&&mv| Basic.is_urgent(turn, mv));
            urgent.map(ToString::to_string).collect::<Vec<_>>()
        };
        assert!(urgent(text).is_empty());
        assert_eq!(urgent(&text.replace("r 1", "r 2")), ["b4c4"]);
        assert_eq!(urgent(&text.replace("r 1", "r 3")), ["e2e1"]);
        // Blue moves the other way: d captures B, or comes within a step of a5.
        assert_eq!(urgent(&text.replace("r 1", "b 4")), ["c4b4", "c4b5"]);
        let near = "5/1d3/5/3A1/5 b 4 1";
        assert_eq!(urgent(near), ["b4a4", "b4b5", "b4a5"]);
    }
}
