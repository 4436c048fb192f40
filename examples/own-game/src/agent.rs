//! An agent: it always hurries the runner in front.

use wurfel_core::{Agent, Budget, Decision, Random, Turn};

use crate::Sprint;

/// Moves the runner in front as long as it can.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hurry;

impl Agent<Sprint> for Hurry {
    fn begin(&mut self, _: Random) {}

    fn decide(&mut self, turn: Turn<'_, Sprint>, _: Budget<'_>) -> Decision<crate::Runner> {
        let mv = *turn.moves().last().expect("no turn is without a move");
        Decision { mv, value: None, exact: false, nodes: 1, depth: 1 }
    }
}
