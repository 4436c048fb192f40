//! Agents that search without chance: minimax, and minimax over trees of bounded size.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Budget, Endgame, Evaluator};
use wurfel_games::{Learnable, UseEvaluation};
use wurfel_search::{Bounded, ExpansionOrder, Minimax, MinimaxPruning};

use super::searchers::{DEPTH, NODES, budget};
use super::{AgentInfo, EVAL, Factory, OptionInfo, TIME, TOTAL, evaluation, paced};
use crate::limits::parse_time;
use crate::{Spec, SpecError};

const SIZE: OptionInfo = OptionInfo {
    name: "nodes",
    about: "positions of the tree, at least 1; 10000 if neither nodes nor time is given",
};
const DEPTH_FIRST: OptionInfo =
    OptionInfo { name: "depth", about: "turns to look ahead, 1-64; default: 4" };

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "minimax",
        about: "minimax that ignores all rolls but the one at hand",
        options: &[DEPTH, NODES, TIME, TOTAL, EVAL],
    },
    AgentInfo {
        name: "alphabeta",
        about: "minimax that ignores all rolls but the one at hand, with alpha-beta",
        options: &[DEPTH, NODES, TIME, TOTAL, EVAL],
    },
    AgentInfo {
        name: "dfs",
        about: "minimax over a depth-first tree of bounded size",
        options: &[DEPTH_FIRST, SIZE, TIME, TOTAL, EVAL],
    },
    AgentInfo {
        name: "bfs",
        about: "minimax over a breadth-first tree of bounded size",
        options: &[DEPTH, SIZE, TIME, TOTAL, EVAL],
    },
];

/// Makes the factory of a spec whose agent and option names have been checked.
pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let kind = match spec.name.as_str() {
        "dfs" => Kind::Bounded(ExpansionOrder::DepthFirst),
        "bfs" => Kind::Bounded(ExpansionOrder::BreadthFirst),
        "alphabeta" => Kind::Minimax(MinimaxPruning::AlphaBeta),
        _ => Kind::Minimax(MinimaxPruning::Off),
    };
    let total = spec.read("total", parse_time)?;
    let searcher = Searcher { budget: budget(spec)?, total, kind };
    evaluation(spec, searcher)
}

/// The two searches, each in two variants.
#[derive(Clone, Copy)]
enum Kind {
    Minimax(MinimaxPruning),
    Bounded(ExpansionOrder),
}

/// A search that still needs its evaluation.
struct Searcher {
    budget: Budget<'static>,
    /// The time for all moves of a game, if it is bounded.
    total: Option<Duration>,
    kind: Kind,
}

impl<G: Learnable + Endgame> UseEvaluation<G> for Searcher {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        self.factory(Arc::new(evaluator))
    }
}

impl Searcher {
    /// The evaluation is behind a pointer, so that the searches are compiled once for each game.
    fn factory<G: Learnable + Endgame>(self, evaluator: Arc<dyn Evaluator<G>>) -> Factory<G> {
        paced(self.total, self.budget, move |budget| {
            let evaluator = Arc::clone(&evaluator);
            match self.kind {
                Kind::Minimax(pruning) => Box::new(Minimax::new(evaluator, pruning, budget)),
                Kind::Bounded(order) => Box::new(Bounded::new(evaluator, order, budget)),
            }
        })
    }
}
