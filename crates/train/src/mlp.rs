//! Fits the evaluation `mlp` of Dice Chess to games, as paper `dice-chess-agents` does (section
//! VII). Each turn of a game is an example: the position, seen from the side to move, with that
//! side's result.
//!
//! One game in ten goes to the validation set as a whole. The turns of a game share its result, so
//! if they were divided between both sets, a network would already have been told the results that
//! it is to predict.

use wurfel_arena::RecordedGame;
use wurfel_games::dicechess::{DiceChess, Mlp};

use crate::Fit;
use crate::perceptron::{
    FittedPerceptron, PerceptronEpoch, TrainingExample, TrainingExamples, fit_perceptron,
};

/// One game in this many goes to the validation set.
const VALIDATION: usize = 10;

/// The settings of the paper: 400 epochs, batches of 1,382, learning rate 0.001.
pub const MLP_FIT: Fit = Fit { epochs: 400, batch: 1382, learning_rate: 0.001, seed: 1 };

/// The examples of games that have a result. Every tenth game, beginning with the first one, is for
/// validation.
pub fn mlp_examples(games: &[RecordedGame<DiceChess>]) -> TrainingExamples {
    let mut examples = TrainingExamples::default();
    let decided = games.iter().filter_map(|entry| Some((&entry.game, entry.game.result?)));
    for (number, (game, outcome)) in decided.enumerate() {
        let TrainingExamples { training, validation } = &mut examples;
        let list = if number % VALIDATION == 0 { validation } else { training };
        game.replay(|step| {
            list.push(TrainingExample {
                inputs: Mlp::inputs(step.turn.position, step.turn.roll).to_vec(),
                value: outcome.value_for(step.turn.side()),
            });
        });
    }
    examples
}

/// Fits the network of `mlp` to examples. `see` gets the losses after each epoch; if it returns
/// false, the fit ends.
pub fn fit_mlp(
    examples: &TrainingExamples,
    fit: Fit,
    see: impl FnMut(PerceptronEpoch) -> bool,
) -> FittedPerceptron {
    fit_perceptron(&Mlp::SIZES, examples, fit, see)
}
