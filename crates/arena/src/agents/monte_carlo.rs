//! Monte Carlo agents.

use std::sync::Arc;

use wurfel_game::{Budget, Evaluator, Random};
use wurfel_games::{Playable, UnknownName, UseEvaluation};
use wurfel_search::mcts::{
    EvaluateAtOnce, Flat, Mcts, Playout, PreferredPlayout, Ucb, UniformPlayout,
};

use super::{AgentInfo, EVAL, Factory, OptionInfo, TIME, evaluation};
use crate::limits::{parse_decimal, parse_number, parse_time};
use crate::{Spec, SpecError};

const PLAYOUTS: OptionInfo =
    OptionInfo { name: "playouts", about: "playouts for each move, at least 1; 10000 if left out" };
const C: OptionInfo = OptionInfo { name: "c", about: "weight of exploration, 0-10; 1 if left out" };
const PLAYOUT: OptionInfo = OptionInfo {
    name: "playout",
    about: "random, greedy, or eval for the evaluation at once; random if left out",
};

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "uct",
        about: "Monte Carlo tree search with upper confidence bounds and chance nodes",
        options: &[PLAYOUTS, TIME, C, PLAYOUT, EVAL],
    },
    AgentInfo {
        name: "flat",
        about: "flat Monte Carlo: the same number of playouts after every move, no tree",
        options: &[PLAYOUTS, TIME, PLAYOUT, EVAL],
    },
];

/// What builds the agents of a spec whose names are known.
pub(super) fn build<G: Playable>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let c = spec.read("c", |text| parse_decimal(text, 0.0, 10.0))?.unwrap_or(1.0);
    let player = MonteCarlo {
        select: (spec.name == "uct").then_some(Ucb { c: c as f32 }),
        budget: Budget {
            nodes: spec.read("playouts", |text| parse_number(text, 1, u64::from(u32::MAX)))?,
            time: spec.read("time", parse_time)?,
            ..Budget::default()
        },
    };
    let kinds = ["random", "greedy", "eval"];
    match spec.option("playout").unwrap_or(kinds[0]) {
        "random" => Ok(player.with_playout(UniformPlayout)),
        "greedy" => Ok(player.with_playout(PreferredPlayout(G::Basic::default()))),
        "eval" => evaluation(spec, G::EVALUATIONS[0].name, player),
        other => Err(spec.unknown(UnknownName::new("playout", other, &kinds))),
    }
}

/// A Monte Carlo player that still needs its playouts.
#[derive(Clone, Copy)]
struct MonteCarlo {
    /// How a tree selects, if there is one.
    select: Option<Ucb>,
    budget: Budget,
}

impl MonteCarlo {
    fn with_playout<G: Playable>(
        self,
        playout: impl Playout<G> + Clone + Sync + 'static,
    ) -> Factory<G> {
        Arc::new(move || {
            let (playout, random) = (playout.clone(), Random::new(0));
            match self.select {
                Some(select) => Box::new(Mcts::new(select, playout, self.budget, random)),
                None => Box::new(Flat::new(playout, self.budget, random)),
            }
        })
    }
}

impl<G: Playable> UseEvaluation<G> for MonteCarlo {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        self.with_playout(EvaluateAtOnce(Arc::new(evaluator)))
    }
}
