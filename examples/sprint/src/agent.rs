// src/agent.rs
use wurfel_core::{Agent, Budget, Decision, Evaluator, Game, Random, Turn};

/// Plays towards the end of its turn that the evaluation values most.
pub struct OneTurn<E>(pub E);

impl<G: Game, E: Evaluator<G>> Agent<G> for OneTurn<E> {
    /// Uses no random numbers.
    fn begin(&mut self, _: Random) {}

    /// Spends the same on every decision, whatever the budget.
    fn decide(&mut self, turn: Turn<'_, G>, _: Budget<'_>) -> Decision<G::Move> {
        let side = turn.side();
        let value = |end: &G| match end.outcome() {
            Some(outcome) => outcome.value_for(side),
            // The other side is to roll.
            None => 1.0 - self.0.evaluate(end),
        };
        let (mut best, mut nodes) = (None, 0);
        for &mv in turn.moves().as_ref() {
            let mut next = turn.position.clone();
            let mut highest: f32 = 0.0;
            let mut visit = |end: &G| {
                highest = highest.max(value(end));
                nodes += 1;
            };
            match next.play(turn.roll, mv) {
                None => visit(&next),
                // The turn goes on with the rest of the roll, in games with several dice.
                Some(rest) => next.ends(rest, visit),
            }
            if best.is_none_or(|(_, known)| highest > known) {
                best = Some((mv, highest));
            }
        }
        let (mv, value) = best.expect("no turn is without a move");
        Decision { mv, value: Some(value), exact: false, nodes, depth: 1 }
    }
}
