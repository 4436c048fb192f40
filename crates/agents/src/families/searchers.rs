//! Agents that search by depth: expectiminimax and its cut-offs.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Budget, Endgame, Evaluator};
use wurfel_games::{IN_PAGE, Learnable, UseEvaluation};
use wurfel_search::{Cutoffs, Expecti, Star, TranspositionTable};

use super::{
    AgentInfo, DEFAULT_AGENT, EVAL, Factory, OptionInfo, TIME, TOTAL, VALUES, WEIGHTS, evaluation,
    paced,
};
use wurfel_tablebase::{TablebaseEvaluator, Tables};

use super::known::{TABLES, read_tables};
use crate::limits::{parse_number, parse_time};
use crate::{Spec, SpecError};

/// The name of the agent whose search plays best where a turn has one move.
pub(super) const STAR2: &str = "star2";

pub(super) const DEPTH: OptionInfo =
    OptionInfo { name: "depth", about: "turns to look ahead, 1-64" };
pub(super) const NODES: OptionInfo =
    OptionInfo { name: "nodes", about: "positions to visit for each move, at least 1" };
const HASH: OptionInfo = OptionInfo {
    name: "hash",
    about: "memory of the transposition table in megabytes, 1-4096; default: 16",
};
const THREADS: OptionInfo =
    OptionInfo { name: "threads", about: "threads for each move, 1-256; default: 1" };

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: DEFAULT_AGENT,
        about: "the strongest: the game's best search and evaluation; 1,000,000 nodes by default",
        options: &[DEPTH, NODES, TIME, TOTAL, EVAL, WEIGHTS, VALUES, HASH, TABLES, THREADS],
    },
    AgentInfo {
        name: STAR2,
        about: "expectiminimax with Star2 cut-offs and a transposition table",
        options: &[DEPTH, NODES, TIME, TOTAL, EVAL, WEIGHTS, VALUES, HASH, TABLES, THREADS],
    },
    AgentInfo {
        name: "star1",
        about: "expectiminimax with Star1 cut-offs and a transposition table",
        options: &[DEPTH, NODES, TIME, TOTAL, EVAL, WEIGHTS, VALUES, HASH, TABLES, THREADS],
    },
    AgentInfo {
        name: "expecti",
        about: "plain expectiminimax, without cut-offs or a table",
        options: &[DEPTH, NODES, TIME, TOTAL, EVAL, WEIGHTS, VALUES, TABLES],
    },
];

/// Makes the factory of a spec whose agent and option names have been checked.
pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let megabytes = spec.number("hash", 4096, 16)?;
    let threads = spec.number("threads", 256, 1)?;
    let cutoffs = match spec.name.as_str() {
        "star1" => Some(Cutoffs::Star1),
        STAR2 | DEFAULT_AGENT => Some(Cutoffs::Star2),
        _ => None,
    };
    let champion = spec.name == DEFAULT_AGENT;
    let searcher = Searcher {
        budget: budget(spec)?,
        total: spec.read("total", parse_time)?,
        cutoffs,
        megabytes: megabytes as usize,
        threads: threads as usize,
        tables: spec.read("tables", read_tables::<G>)?.flatten(),
        default_budget: Budget { nodes: champion.then_some(1_000_000), ..Budget::default() },
    };
    evaluation(spec, searcher)
}

/// The bounds of a spec on each move.
pub(super) fn budget(spec: &Spec) -> Result<Budget<'static>, SpecError> {
    Ok(Budget {
        depth: spec.read("depth", |text| parse_number(text, 1, 64))?.map(|depth| depth as u32),
        nodes: spec.read("nodes", |text| parse_number(text, 1, u64::MAX))?,
        time: spec.read("time", parse_time)?,
        ..Budget::default()
    })
}

/// An expectiminimax search that still needs its evaluation.
struct Searcher<G> {
    budget: Budget<'static>,
    /// The time for all moves of a game, if it is bounded.
    total: Option<Duration>,
    /// Which cut-offs, if any.
    cutoffs: Option<Cutoffs>,
    /// The memory of its transposition table.
    megabytes: usize,
    threads: usize,
    tables: Option<Arc<Tables<G>>>,
    /// The budget when none is given, for searches with a transposition table.
    default_budget: Budget<'static>,
}

impl<G: Learnable + Endgame> UseEvaluation<G> for Searcher<G> {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        // Only a search type of its own looks positions up in tables: one type for both, which
        // checked at each position whether there are tables, was 12 % slower.
        match &self.tables {
            // The condition is constant, so that no such search is compiled for games without
            // tables, nor for a page, which has no files.
            Some(tables) if const { G::MAX_PIECES > 1 && !IN_PAGE } => {
                let tables = Arc::clone(tables);
                self.factory(TablebaseEvaluator::new(evaluator, tables))
            }
            _ => self.factory(evaluator),
        }
    }
}

impl<G: Learnable + Endgame> Searcher<G> {
    fn factory<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        let evaluator = Arc::new(evaluator);
        paced(self.total, self.budget, move |budget| {
            let evaluator = Arc::clone(&evaluator);
            match self.cutoffs {
                None if IN_PAGE => {
                    Box::new(Expecti::new(evaluator as Arc<dyn Evaluator<G>>, budget))
                }
                None => Box::new(Expecti::new(evaluator, budget)),
                Some(cutoffs) => {
                    // Each agent has a table of its own, so that its moves depend on nothing but
                    // its own game.
                    let table = Arc::new(TranspositionTable::new(self.megabytes));
                    let star = Star::new(evaluator, cutoffs, table, budget);
                    Box::new(star.on_threads(self.threads).with_default_budget(self.default_budget))
                }
            }
        })
    }
}
