//! The luck of a roll by a fast evaluation: the value after the best move for it, less the mean of that
//! value over all rolls (the terms are those of GNU Backgammon). Matches measure every roll, so for speed
//! this is compiled for each game in this crate, and not where it is used.

use std::sync::Arc;

use wurfel_core::{Evaluator, Game, Side, Turn, UnknownName};
use wurfel_games::{Playable, UseEvaluation, with_evaluation};

/// Measures the luck of a roll for the side that rolled, from −1 to 1.
pub type RollLuck<G> = dyn Fn(Turn<'_, G>) -> f32 + Send + Sync;

/// The measure by the evaluation of this name, compiled where this is called; see
/// [`Catalogued::luck`](crate::Catalogued::luck).
pub(crate) fn compile_luck<G: Playable>(evaluation: &str) -> Result<Arc<RollLuck<G>>, UnknownName> {
    with_evaluation(evaluation, Measuring)
}

struct Measuring;

impl<G: Game> UseEvaluation<G> for Measuring {
    type Output = Arc<RollLuck<G>>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Self::Output {
        Arc::new(move |turn| luck(&evaluator, turn))
    }
}

fn luck<G: Game>(evaluator: &impl Evaluator<G>, turn: Turn<'_, G>) -> f32 {
    let position = turn.position;
    let near = evaluator.near(position);
    let value = |end: &G| at_rest(end, turn.side(), &near);
    let mean = position.mean_of_best(value);
    let mut best = 0.0;
    position.ends(turn.roll, |end| best = f32::max(best, value(end)));
    best - mean
}

/// The value of a position for `side`, which has just moved.
fn at_rest<G: Game>(position: &G, side: Side, evaluate: &impl Fn(&G) -> f32) -> f32 {
    match position.outcome() {
        Some(outcome) => outcome.value_for(side),
        None => 1.0 - evaluate(position),
    }
}
