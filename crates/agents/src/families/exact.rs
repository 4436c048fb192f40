//! Exact values where these are quick to find.
//!
//! An evaluation is weakest near the end of a game, where people notice its errors first and where
//! exact values cost next to nothing. Everything that tells people how good a move is (reviews,
//! analyses, hints) therefore tries a search to the end of the game before it asks its analyser.
//! The search is bounded by positions and not by time, so that the same question always gets the
//! same answer.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use wurfel_core::{
    Agent, Analysis, Assessment, Budget, Decision, Endgame, Even, Failure, Random, Side, Statistic,
    Turn,
};
use wurfel_games::{Playable, shared_evaluation};
use wurfel_tablebase::Tables;

use super::Factory;
use crate::Catalogued;
use crate::exact_search::{Search, search};

/// How many positions are visited before a position or turn is left unsolved: some 20 ms.
const MAX_NODES: u64 = 300_000;
/// The bound for positions with one piece more than the tables hold, where nearly every turn can be
/// solved: some 0.3 s. With [`MAX_NODES`], 4 of 10,787 marks with up to five cubes were wrong.
const MAX_NODES_NEAR: u64 = 4_000_000;
/// The memory of the search, in megabytes.
const MEGABYTES: usize = 32;

/// Tables that are opened only when they are first needed.
type Lazy<G> = Arc<OnceLock<Arc<Tables<G>>>>;

/// Makes agents that give exact values where a search to the end of the game is quick, with the
/// tables in the default folder, and no values elsewhere; `None` for games in which there is no such
/// search. A budget in nodes or time bounds the search further. Small tables are built when they are
/// first needed. If the folder cannot be used, the search goes on without tables.
///
/// Such an agent reuses what it knows about a position for others until [`Agent::begin`].
pub fn solver<G: Catalogued>() -> Option<Factory<G>> {
    G::solver()
}

/// [`solver`], compiled for a game where this is called.
pub(crate) fn compile_solver<G: Playable + Endgame>() -> Option<Factory<G>> {
    // The condition is constant, so that no such search is compiled for games that cannot be
    // solved.
    if const { G::MAX_SOLVED == 0 } { None } else { Some(with_lazy(Arc::default())) }
}

/// Makes agents as [`solver`] does, but with the given tables.
pub fn solver_with<G: Playable + Endgame>(tables: Arc<Tables<G>>) -> Factory<G> {
    with_lazy(Arc::new(OnceLock::from(tables)))
}

fn with_lazy<G: Playable + Endgame>(tables: Lazy<G>) -> Factory<G> {
    Arc::new(move || Box::new(Solver { tables: Arc::clone(&tables), star: None }))
}

/// Makes agents whose values are those of [`solver`] where it has some, and elsewhere those of
/// `analyser`.
pub fn informed<G: Catalogued>(analyser: Factory<G>) -> Factory<G> {
    let Some(solver) = solver::<G>() else { return analyser };
    Arc::new(move || {
        Box::new(SolverFirst { solver: solver(), analyser: analyser(), is_solved: false })
    })
}

/// An agent that gives exact values or none.
struct Solver<G: Playable + Endgame> {
    tables: Lazy<G>,
    /// The search, created when a position first needs it.
    star: Option<Search<G>>,
}

impl<G: Playable + Endgame> Solver<G> {
    /// The search for a position and what it may spend; `None` where there are too many pieces.
    fn search<'a>(&mut self, position: &G, budget: Budget<'a>) -> Option<(&Search<G>, Budget<'a>)> {
        let pieces: u32 = Side::BOTH.map(|side| position.pieces(side).count).iter().sum();
        if pieces > G::MAX_SOLVED {
            return None;
        }
        // An evaluation orders the moves, which changes no value: with `zweistein`, positions of five
        // cubes took a quarter of the nodes that they took in any order.
        let star = self.star.get_or_insert_with(|| {
            let open =
                || Arc::new(Tables::in_default_folder(G::NAME, u32::MAX).unwrap_or_default());
            let tables = self.tables.get_or_init(open);
            let first = G::EVALUATIONS.first();
            let order = first.and_then(|known| shared_evaluation(known.name).ok());
            let order = order.unwrap_or_else(|| Arc::new(Even));
            search(Arc::clone(tables), order, MEGABYTES)
        });
        let near = self.tables.get().is_some_and(|tables| pieces <= tables.max_pieces() + 1);
        let most = if near { MAX_NODES_NEAR } else { MAX_NODES };
        let nodes = Some(budget.nodes.map_or(most, |nodes| nodes.min(most)));
        Some((star, Budget { nodes, depth: None, ..budget }))
    }
}

impl<G: Playable + Endgame> Agent<G> for Solver<G> {
    fn begin(&mut self, random: Random) {
        if let Some(star) = &mut self.star {
            Agent::<G>::begin(star, random);
        }
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let Analysis { moves, nodes, depth, .. } = self.analyse(turn, budget);
        let Assessment { mv, value, exact } = moves[0];
        Decision { mv, value, exact, nodes, depth }
    }

    fn at_rest(&mut self, position: &G, budget: Budget<'_>) -> Option<f32> {
        let (star, budget) = self.search(position, budget)?;
        star.solve(position, budget).0
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let search = self.search(turn.position, budget);
        let solved = search.and_then(|(star, budget)| star.solve_turn(turn, budget));
        solved.unwrap_or_else(|| {
            let unknown = |&mv: &G::Move| Assessment { mv, value: None, exact: false };
            let moves = turn.moves().as_ref().iter().map(unknown).collect();
            Analysis { moves, turns: vec![], line: vec![], nodes: 0, depth: 0 }
        })
    }
}

/// An analyser beside a solver, which is asked first.
struct SolverFirst<G> {
    solver: Box<dyn Agent<G>>,
    analyser: Box<dyn Agent<G>>,
    /// Whether the last answer was the solver's.
    is_solved: bool,
}

impl<G: Playable> SolverFirst<G> {
    /// What the solver may spend before the analyser is asked.
    fn first(budget: Budget<'_>) -> Budget<'_> {
        let time = budget.time.map(|time| time / 2);
        Budget { time, stop: budget.stop, ..Budget::default() }
    }
}

impl<G: Playable> Agent<G> for SolverFirst<G> {
    fn begin(&mut self, random: Random) {
        self.analyser.begin(random);
        // The search draws no random numbers, so any seed will do.
        self.solver.begin(Random::new(0));
    }

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        self.analyser.bounds(budget)
    }

    fn decide(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Decision<G::Move> {
        let solved = self.solver.decide(turn, Self::first(budget));
        self.is_solved = solved.exact;
        if self.is_solved { solved } else { self.analyser.decide(turn, budget) }
    }

    fn analyse(&mut self, turn: Turn<'_, G>, budget: Budget<'_>) -> Analysis<G> {
        let solved = self.solver.analyse(turn, Self::first(budget));
        self.is_solved = solved.moves.iter().all(|scored| scored.exact);
        if self.is_solved { solved } else { self.analyser.analyse(turn, budget) }
    }

    fn observe(&mut self, turn: Turn<'_, G>, mv: G::Move) {
        self.analyser.observe(turn, mv);
    }

    fn end(&mut self) {
        self.analyser.end();
    }

    fn failure(&mut self) -> Option<Failure> {
        self.analyser.failure()
    }

    fn waited(&self) -> Option<Duration> {
        if self.is_solved { None } else { self.analyser.waited() }
    }

    fn counts(&self) -> Option<&'static str> {
        if self.is_solved { None } else { self.analyser.counts() }
    }

    fn statistics(&self) -> Vec<Statistic> {
        if self.is_solved { vec![] } else { self.analyser.statistics() }
    }
}
