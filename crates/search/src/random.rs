//! The random player.

use wurfel_core::{Agent, Budget, Decision, Game, Random, Turn};

/// Plays every legal move with the same probability.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    random: Random,
}

impl RandomPlayer {
    /// A player that draws random numbers from `random` until a game begins.
    pub const fn new(random: Random) -> Self {
        Self { random }
    }
}

impl<G: Game> Agent<G> for RandomPlayer {
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    fn decide(&mut self, turn: Turn<'_, G>, _: Budget<'_>) -> Decision<G::Move> {
        let mv = *self.random.pick(turn.moves().as_ref());
        Decision { mv, value: None, exact: false, nodes: 0, depth: 0 }
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
