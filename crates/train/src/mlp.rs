//! Fits the evaluation `mlp` of Dice Chess to games, as paper `dice-chess-agents` does (section
//! VII). Each turn of a game is an example: the position, seen from the side to move, with that
//! side's result or with the win probability that an agent finds, as in the paper.
//!
//! One game in ten goes to the validation set as a whole. The turns of a game share its result, so
//! if they were divided between both sets, a network would already have been told the results that
//! it is to predict.

use wurfel_agents::Factory;
use wurfel_arena::RecordedGame;
use wurfel_core::{Budget, Outcome, Random, Turn};
use wurfel_games::dicechess::{DiceChess, Mlp};

use crate::Fit;
use crate::perceptron::{
    FittedPerceptron, PerceptronEpoch, TrainingExample, TrainingExamples, fit_perceptron,
};

/// One game in this many goes to the validation set.
const VALIDATION: usize = 10;

/// The settings of the paper: 400 epochs, batches of 1,382, learning rate 0.001.
pub const MLP_FIT: Fit = Fit { epochs: 400, batch: 1382, learning_rate: 0.001, seed: 1 };

/// The examples of games that have a result, which is their label. Every tenth game, beginning with
/// the first one, is for validation.
pub fn mlp_examples(games: &[RecordedGame<DiceChess>]) -> TrainingExamples {
    let result = |turn: Turn<'_, DiceChess>, outcome: Outcome| outcome.value_for(turn.side());
    labelled_examples(games, |turn, outcome| Some(result(turn, outcome))).unwrap_or_default()
}

/// The same examples, labelled with the win probability that an agent finds in each turn. `see` gets
/// the number of turns so far; if it returns false, there are no examples. Turns of which the agent
/// estimates nothing have the result of their game.
pub fn mlp_examples_by(
    labeller: &Factory<DiceChess>,
    games: &[RecordedGame<DiceChess>],
    seed: u64,
    mut see: impl FnMut(u64) -> bool,
) -> Option<TrainingExamples> {
    let mut agent = labeller();
    agent.begin(Random::new(seed));
    let mut turns = 0;
    labelled_examples(games, |turn, outcome| {
        turns += 1;
        let decision = see(turns).then(|| agent.decide(turn, Budget::default()))?;
        Some(decision.value.unwrap_or_else(|| outcome.value_for(turn.side())))
    })
}

/// The examples with the labels that `label` gives to turns of games with this outcome; `None` once
/// it gives none.
fn labelled_examples(
    games: &[RecordedGame<DiceChess>],
    mut label: impl FnMut(Turn<'_, DiceChess>, Outcome) -> Option<f32>,
) -> Option<TrainingExamples> {
    let mut examples = TrainingExamples::default();
    let mut complete = true;
    let decided = games.iter().filter_map(|entry| Some((&entry.game, entry.game.result?)));
    for (number, (game, outcome)) in decided.enumerate() {
        let TrainingExamples { training, validation } = &mut examples;
        let list = if number % VALIDATION == 0 { validation } else { training };
        game.replay(|step| {
            let value = if complete { label(step.turn, outcome) } else { None };
            complete = value.is_some();
            list.extend(value.map(|value| TrainingExample {
                inputs: Mlp::inputs(step.turn.position, step.turn.roll).to_vec(),
                value,
            }));
        });
    }
    complete.then_some(examples)
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
