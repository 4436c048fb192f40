//! The agent that searches the most promising ends of turns, for games whose turns have several moves.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Budget, EndPreference, Endgame, Evaluator};
use wurfel_games::{
    IN_PAGE, Learnable, Playable, UseEvaluation, replies_from_bytes, shared_evaluation,
    shipped_replies,
};
use wurfel_search::{Filter, Selective};
use wurfel_tablebase::{TablebaseEvaluator, Tables};

use super::known::{TABLES, read_tables};
use super::searchers::{self, DEPTH, NODES, budget};
use super::{
    AgentInfo, DEFAULT_AGENT, EVAL, Factory, OptionInfo, TIME, TOTAL, VALUES, WEIGHTS, evaluation,
    paced, read_file, refuse,
};
use crate::limits::parse_time;
use crate::{LimitError, Spec, SpecError};

pub(super) const NAME: &str = "selective";

const CANDIDATES: OptionInfo = OptionInfo {
    name: "candidates",
    about: "ends of the turn that are searched further, 1-10000; default: 20",
};
const MARGIN: OptionInfo = OptionInfo {
    name: "margin",
    about: "how much worse than the best one a candidate may look, 0-1; default: 0.08",
};
const REPLIES: OptionInfo = OptionInfo {
    name: "replies",
    about: "replies to each roll that are evaluated, 1-10000; default: 8",
};
const INNER: OptionInfo = OptionInfo {
    name: "inner",
    about: "quick evaluation that picks the replies; default: what was fitted for that, or else \
            the game's first evaluation",
};
const REPLIES_FILE: OptionInfo = OptionInfo {
    name: "replies-file",
    about: "file that `wurfel train replies` has written, which picks the replies",
};

pub(super) const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: NAME,
    about: "expectiminimax over the ends of turns that look best, whole turns at a time",
    options: &[
        DEPTH,
        NODES,
        TIME,
        TOTAL,
        EVAL,
        WEIGHTS,
        VALUES,
        TABLES,
        CANDIDATES,
        MARGIN,
        REPLIES,
        INNER,
        REPLIES_FILE,
    ],
}];

/// The name of the search that plays best in game `G` with equal time for each move.
pub fn best_search<G: Playable>() -> &'static str {
    if G::SEVERAL_MOVES { NAME } else { searchers::STAR2 }
}

/// Whether this family builds the agent in game `G`. It also builds the champion of the games in
/// which this search plays best.
pub(super) fn builds<G: Learnable>(agent: &str) -> bool {
    agent == NAME || agent == DEFAULT_AGENT && best_search::<G>() == NAME
}

/// Makes the factory of a spec whose agent and option names have been checked.
pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let filter = Filter::default();
    let most = |option: &str, default: usize| spec.number(option, 10_000, default as u32);
    let nodes = (spec.name == DEFAULT_AGENT).then_some(1_000_000);
    let searcher = Searcher {
        filter: Filter {
            candidates: most(CANDIDATES.name, filter.candidates)? as usize,
            margin: spec.decimal(MARGIN.name, 1.0, filter.margin)?,
            replies: most(REPLIES.name, filter.replies)? as usize,
        },
        preference: preference(spec)?,
        budget: budget(spec)?,
        default_budget: Budget { nodes, ..Budget::default() },
        total: spec.read(TOTAL.name, parse_time)?,
        tables: spec.read(TABLES.name, read_tables::<G>)?.flatten(),
    };
    evaluation(spec, searcher)
}

/// What picks the replies.
fn preference<G: Learnable>(spec: &Spec) -> Result<Arc<dyn EndPreference<G>>, SpecError> {
    let by = |name: &str| -> Result<Arc<dyn EndPreference<G>>, SpecError> {
        if let Some(file) = G::file_of(name) {
            spec.shipped(file)?;
        }
        Ok(Arc::new(shared_evaluation::<G>(name).map_err(|error| spec.unknown(error))?))
    };
    if let Some(fitted) = spec.read(REPLIES_FILE.name, read_replies::<G>)? {
        refuse(spec, INNER.name, REPLIES_FILE.name)?;
        return Ok(fitted);
    }
    if let Some(name) = spec.option(INNER.name) {
        return by(name);
    }
    if let Some(file) = G::REPLIES {
        spec.shipped(file)?;
    }
    shipped_replies::<G>().map_or_else(|| by(G::EVALUATIONS[0].name), Ok)
}

fn read_replies<G: Learnable>(path: &str) -> Result<Arc<dyn EndPreference<G>>, LimitError> {
    if G::END_FEATURES == 0 {
        return Err(LimitError("nothing in a game whose turns are single moves".to_owned()));
    }
    read_file(path, "a file that `wurfel train replies` has written", replies_from_bytes::<G>)
}

/// The search, which still needs its evaluation.
struct Searcher<G> {
    filter: Filter,
    preference: Arc<dyn EndPreference<G>>,
    budget: Budget<'static>,
    /// The budget when none is given.
    default_budget: Budget<'static>,
    /// The time for all moves of a game, if it is bounded.
    total: Option<Duration>,
    tables: Option<Arc<Tables<G>>>,
}

impl<G: Learnable + Endgame> UseEvaluation<G> for Searcher<G> {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        match self.tables.clone() {
            Some(tables) if const { G::MAX_PIECES > 1 && !IN_PAGE } => {
                self.factory(Arc::new(TablebaseEvaluator::new(evaluator, tables)))
            }
            _ => self.factory(Arc::new(evaluator)),
        }
    }
}

impl<G: Learnable + Endgame> Searcher<G> {
    /// The evaluation is behind a pointer, so that the search is compiled once for each game.
    fn factory(self, evaluator: Arc<dyn Evaluator<G>>) -> Factory<G> {
        let Self { filter, preference, default_budget, .. } = self;
        paced(self.total, self.budget, move |budget| {
            let (evaluator, replies) = (Arc::clone(&evaluator), Arc::clone(&preference));
            Box::new(
                Selective::new(evaluator, replies, filter, budget)
                    .with_default_budget(default_budget),
            )
        })
    }
}
