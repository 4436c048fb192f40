//! An evaluation that also counts pieces, for learners that play more aggressively.

use wurfel_core::Evaluator;

use crate::Playable;

/// An evaluation mixed with the balance of pieces, so that a learner plays more aggressively (paper
/// `dice-chess-agents`, section III-D).
#[derive(Clone, Debug)]
pub struct Aggressive<E> {
    /// The evaluation.
    pub evaluator: E,
    /// The weight of the balance of pieces; that of the evaluation is 1.
    pub pieces: f32,
}

impl<G: Playable, E: Evaluator<G>> Evaluator<G> for Aggressive<E> {
    /// The weighted mean of the evaluation and of the side to move's share of the total piece
    /// value.
    fn evaluate(&self, position: &G) -> f32 {
        let side = position.side();
        let [own, enemy] = [side, !side].map(|side| position.pieces(side).value as f32);
        let share = if own + enemy > 0.0 { own / (own + enemy) } else { 0.5 };
        (self.evaluator.evaluate(position) + self.pieces * share) / (1.0 + self.pieces)
    }
}
