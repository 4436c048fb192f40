//! Agents that learn while they play.

use std::sync::Arc;

use wurfel_core::{Budget, Endgame, Evaluator, Random};
use wurfel_games::linear::LinearValue;
use wurfel_games::{Learnable, UseEvaluation};
use wurfel_search::{Expecti, MeanLearned, QLearning, QLearningRates};

use super::searchers::{DEPTH, NODES, budget};
use super::{AgentInfo, EVAL, Factory, OptionInfo, TIME, VALUES, evaluation, refuse};
use crate::agents::limits::LimitError;
use crate::{Spec, SpecError};

const EPISODES: OptionInfo = OptionInfo {
    name: "episodes",
    about: "episodes, games played from the turn at hand, 1-1000000; 150 if left out",
};
const LENGTH: OptionInfo = OptionInfo {
    name: "length",
    about: "turns of an episode, counting both sides, 1-64; 2 if left out",
};
const RATE: OptionInfo = OptionInfo { name: "rate", about: "learning rate, 0-1; 0.1 if left out" };
const DISCOUNT: OptionInfo =
    OptionInfo { name: "discount", about: "discount of later rewards, 0-1; 0.99 if left out" };

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "qlearning",
        about: "Q-learning from the turn at hand, with the evaluation as reward",
        options: &[EPISODES, LENGTH, RATE, DISCOUNT, TIME, EVAL, VALUES],
    },
    AgentInfo {
        name: HYBRID,
        about: "expectiminimax with Q-learning as its evaluation",
        options: &[DEPTH, NODES, TIME, EPISODES, LENGTH, RATE, DISCOUNT, EVAL],
    },
];

/// The name of the agent that combines expectiminimax with Q-learning.
const HYBRID: &str = "hybrid";

/// Makes the factory of a spec whose agent and option names have been checked.
pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    if let Some(values) = spec.read(VALUES.name, read_values::<G>)? {
        return learned_before(spec, values);
    }
    let usual = QLearningRates::default();
    let learning = QLearningRates {
        episodes: spec.number("episodes", 1_000_000, usual.episodes)?,
        length: spec.number("length", 64, usual.length)?,
        discount: spec.decimal("discount", 1.0, usual.discount)?,
        rate: spec.decimal("rate", 1.0, usual.rate)?,
    };
    let learner = Learner { learning, hybrid: spec.name == HYBRID, budget: budget(spec)? };
    evaluation(spec, G::EVALUATIONS[0].name, learner)
}

/// The player with `values=`, which makes the move of the highest value that was learned before.
fn learned_before<G: Learnable + Endgame>(
    spec: &Spec,
    values: LinearValue,
) -> Result<Factory<G>, SpecError> {
    for (option, _) in spec.options.iter().filter(|(option, _)| option != VALUES.name) {
        refuse(spec, option, VALUES.name)?;
    }
    let evaluator: Arc<dyn Evaluator<G>> = Arc::new(values);
    let budget = Budget { depth: Some(1), ..Budget::default() };
    Ok(Arc::new(move || Box::new(Expecti::new(Arc::clone(&evaluator), budget))))
}

/// Reads the values of features that `wurfel train values` has written.
///
/// # Errors
/// When the file cannot be read or does not hold values for this game.
pub fn read_values<G: Learnable + Endgame>(path: &str) -> Result<LinearValue, LimitError> {
    let expected = |why: &dyn std::fmt::Display| {
        LimitError(format!("a file that `wurfel train values` has written ({why})"))
    };
    let bytes = std::fs::read(path).map_err(|error| expected(&error))?;
    LinearValue::from_bytes(&bytes, G::FEATURES).map_err(|error| expected(&error))
}

/// A learner that still needs its evaluation.
struct Learner {
    learning: QLearningRates,
    hybrid: bool,
    budget: Budget,
}

impl<G: Learnable + Endgame> UseEvaluation<G> for Learner {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        self.factory(Arc::new(evaluator))
    }
}

impl Learner {
    /// The evaluation is behind a pointer, so that the learners are compiled once for each game.
    fn factory<G: Learnable + Endgame>(self, evaluator: Arc<dyn Evaluator<G>>) -> Factory<G> {
        let Self { learning, hybrid, budget } = self;
        Arc::new(move || {
            let evaluator = Arc::clone(&evaluator);
            if hybrid {
                let player = Expecti::new(MeanLearned::new(evaluator, learning), budget);
                // The depth of the paper, with a bound for turns that can end in thousands of ways.
                let (depth, nodes) = (Some(2), Some(2000));
                Box::new(player.usually(Budget { depth, nodes, ..Budget::default() }))
            } else {
                Box::new(QLearning::new(evaluator, learning, budget, Random::new(0)))
            }
        })
    }
}
