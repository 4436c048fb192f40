//! Single random games, as fast as the rules allow.

use wurfel_core::{Game, Outcome, Random, draw};

/// How a random game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomGame {
    /// How the game ended.
    pub outcome: Outcome,
    /// How many decisions were made in it.
    pub plies: u32,
}

/// Plays uniformly random moves from `position` to the end of the game.
pub fn rollout<G: Game>(mut position: G, random: &mut Random) -> RandomGame {
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return RandomGame { outcome, plies };
        }
        let mut roll = draw(G::DICE, random);
        loop {
            let Some(mv) = position.pick(roll, random) else {
                roll = draw(G::DICE, random);
                continue;
            };
            plies += 1;
            match position.play(roll, mv) {
                None => break,
                Some(rest) => roll = rest,
            }
        }
    }
}
