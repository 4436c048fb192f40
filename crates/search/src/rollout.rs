//! Games of uniformly random moves, as fast as the rules allow.

use wurfel_game::{Game, Outcome, Random, draw};

/// How a random game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rollout {
    /// How it ended.
    pub outcome: Outcome,
    /// How many decisions were made.
    pub plies: u32,
    /// How many moves these decisions had to choose from, added up.
    pub choices: u32,
}

/// Plays uniformly random moves from `position` to the end of the game.
pub fn rollout<G: Game>(mut position: G, random: &mut Random) -> Rollout {
    let (mut plies, mut choices) = (0, 0);
    loop {
        if let Some(outcome) = position.outcome() {
            return Rollout { outcome, plies, choices };
        }
        let mut roll = draw(G::DICE, random);
        loop {
            let moves = position.moves(roll);
            let moves = moves.as_ref();
            if moves.is_empty() {
                roll = draw(G::DICE, random);
                continue;
            }
            plies += 1;
            choices += moves.len() as u32;
            match position.play(roll, *random.pick(moves)) {
                None => break,
                Some(rest) => roll = rest,
            }
        }
    }
}
