//! Agents that learn while they play.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Budget, Endgame, Evaluator, Random};
use wurfel_games::linear::LinearValue;
use wurfel_games::{Aggressive, Learnable, UseEvaluation};
use wurfel_search::{Expecti, Exploration, MeanLearned, QLearning, QLearningRates};

use super::searchers::{DEPTH, NODES, budget};
use super::{
    AgentInfo, EVAL, Factory, OptionInfo, TIME, TOTAL, VALUES, compile, evaluation, paced,
    read_file, refuse,
};
use crate::limits::{LimitError, parse_decimal, parse_time};
use crate::{Spec, SpecError};

const EPISODES: OptionInfo = OptionInfo {
    name: "episodes",
    about: "episodes, games played from the turn at hand, 1-1000000; default: 150",
};
const LENGTH: OptionInfo = OptionInfo {
    name: "length",
    about: "turns of an episode, counting both sides, 1-64; default: 2",
};
const LEARNING_RATE: OptionInfo = OptionInfo {
    name: "learning-rate",
    about: "how far a result moves a value, 0-1; default: 0.1",
};
const DISCOUNT: OptionInfo =
    OptionInfo { name: "discount", about: "discount of later rewards, 0-1; default: 0.99" };

const EPSILON: OptionInfo = OptionInfo {
    name: "epsilon",
    about: "chance of a random move in the first episode, 0-1; default: 1",
};
const EPSILON_DECAY: OptionInfo = OptionInfo {
    name: "epsilon-decay",
    about: "how much it falls with each episode, 0-1; default: evenly to 0 over all",
};
const EPSILON_MIN: OptionInfo =
    OptionInfo { name: "epsilon-min", about: "what it does not fall below, 0-1; default: 0.01" };
const OPPONENT: OptionInfo = OptionInfo {
    name: "opponent",
    about: "agent that answers in episodes, with + for the commas of its spec, such as \
            uct:playouts=9+c=2; default: random moves",
};
const PIECES: OptionInfo = OptionInfo {
    name: "pieces",
    about: "weight of the balance of pieces beside the evaluation in the reward, 0-1000; 0 if left \
            out",
};

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "qlearning",
        about: "Q-learning from the turn at hand, with the evaluation as reward",
        options: &[
            EPISODES,
            LENGTH,
            LEARNING_RATE,
            DISCOUNT,
            EPSILON,
            EPSILON_DECAY,
            EPSILON_MIN,
            OPPONENT,
            PIECES,
            TIME,
            TOTAL,
            EVAL,
            VALUES,
        ],
    },
    AgentInfo {
        name: HYBRID,
        about: "expectiminimax with Q-learning as its evaluation",
        options: &[
            DEPTH,
            NODES,
            TIME,
            TOTAL,
            EPISODES,
            LENGTH,
            LEARNING_RATE,
            DISCOUNT,
            EPSILON,
            EPSILON_DECAY,
            EPSILON_MIN,
            OPPONENT,
            PIECES,
            EVAL,
        ],
    },
];

/// The name of the agent that combines expectiminimax with Q-learning.
const HYBRID: &str = "hybrid";

/// Makes the factory of a spec whose agent and option names have been checked.
pub(super) fn build<G: Learnable + Endgame>(
    rules: &G,
    spec: &Spec,
) -> Result<Factory<G>, SpecError> {
    if let Some(values) = spec.read(VALUES.name, read_values::<G>)? {
        return learned_before(spec, values);
    }
    let learner = Learner {
        learning: learning(spec)?,
        hybrid: spec.name == HYBRID,
        budget: budget(spec)?,
        total: spec.read(TOTAL.name, parse_time)?,
        opponents: spec.read(OPPONENT.name, |text| read_opponent(rules, text))?,
        pieces: spec.decimal(PIECES.name, 1000.0, 0.0)?,
    };
    evaluation(spec, learner)
}

fn learning(spec: &Spec) -> Result<QLearningRates, SpecError> {
    let defaults = QLearningRates::default();
    let Exploration { start, least, .. } = defaults.exploration;
    let decay = spec.read(EPSILON_DECAY.name, |text| parse_decimal(text, 0.0, 1.0))?;
    Ok(QLearningRates {
        episodes: spec.number("episodes", 1_000_000, defaults.episodes)?,
        length: spec.number("length", 64, defaults.length)?,
        discount: spec.decimal("discount", 1.0, defaults.discount)?,
        rate: spec.decimal(LEARNING_RATE.name, 1.0, defaults.rate)?,
        exploration: Exploration {
            start: spec.decimal(EPSILON.name, 1.0, start)?,
            decay: decay.map(|decay| decay as f32),
            least: spec.decimal(EPSILON_MIN.name, 1.0, least)?,
        },
    })
}

/// The agent of a spec that has `+` where specs have commas.
fn read_opponent<G: Learnable + Endgame>(rules: &G, text: &str) -> Result<Factory<G>, LimitError> {
    let spec = text.replace('+', ",").parse::<Spec>();
    let built = spec.and_then(|spec| compile(rules, &spec));
    built.map_err(|error| LimitError(format!("an agent ({error})")))
}

/// The player with `values=`, which makes the move with the highest value that was learned earlier.
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
    let what = "a file that `wurfel train values` has written";
    read_file(path, what, |bytes| LinearValue::from_bytes(bytes, G::FEATURES))
}

/// A learner that still needs its evaluation.
struct Learner<G> {
    learning: QLearningRates,
    hybrid: bool,
    budget: Budget<'static>,
    /// The time for all moves of a game, if it is bounded.
    total: Option<Duration>,
    opponents: Option<Factory<G>>,
    /// The weight of the balance of pieces in the reward; that of the evaluation is 1.
    pieces: f32,
}

impl<G: Learnable + Endgame> UseEvaluation<G> for Learner<G> {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        match self.pieces {
            0.0 => self.factory(Arc::new(evaluator)),
            pieces => self.factory(Arc::new(Aggressive { evaluator, pieces })),
        }
    }
}

impl<G: Learnable + Endgame> Learner<G> {
    /// The evaluation is behind a pointer, so that the learners are compiled once for each game.
    fn factory(self, evaluator: Arc<dyn Evaluator<G>>) -> Factory<G> {
        let Self { learning, hybrid, budget, total, opponents, .. } = self;
        paced(total, budget, move |budget| {
            let (evaluator, opponents) = (Arc::clone(&evaluator), opponents.clone());
            if hybrid {
                let learned = MeanLearned::new(evaluator, learning, opponents);
                let player = Expecti::new(learned, budget);
                // The depth of the paper, with a bound for turns that can end in thousands of ways.
                let (depth, nodes) = (Some(2), Some(2000));
                Box::new(player.with_default_budget(Budget { depth, nodes, ..Budget::default() }))
            } else {
                let player = QLearning::new(evaluator, learning, budget, Random::new(0));
                Box::new(player.against(opponents.map(|make| make())))
            }
        })
    }
}
