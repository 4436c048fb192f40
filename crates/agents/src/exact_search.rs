//! Searches for exact values rather than for a move, with tables.
//!
//! They are behind a pointer, so that each game's search is compiled once, in this crate. The crates that
//! use it (solving, regret, reviews) are compiled for size, and a search compiled there visited a quarter
//! fewer positions in the same time.

use std::sync::Arc;

use wurfel_core::{Agent, Analysis, Budget, Endgame, Evaluator, Game, Random, Turn};
use wurfel_search::{Cutoffs, Solution, Star, TranspositionTable};
use wurfel_tablebase::{TablebaseEvaluator, Tables};

/// A search for exact values. It keeps its results in its transposition table from call to call.
/// Values are those of the **side to move**.
pub trait ExactSearch<G: Game>: Send + Sync {
    /// Clears the transposition table.
    fn clear(&mut self);

    /// The value of a position before its roll, `depth` turns ahead; see [`Star::value`].
    fn value(&self, position: &G, depth: u32) -> f32;

    /// The true value of a position before its roll, and the number of positions visited; see
    /// [`Star::solve`].
    fn solve(&self, position: &G, budget: Budget<'_>) -> (Option<f32>, u64);

    /// The true value of every move of a turn; see [`Star::solve_turn`].
    fn solve_turn(&self, turn: Turn<'_, G>, budget: Budget<'_>) -> Option<Analysis<G>>;

    /// The true value of every move of a position, or of one roll; see [`Star::solve_moves`].
    fn solve_moves(
        &self,
        position: &G,
        roll: Option<G::Roll>,
        threads: usize,
        budget: Budget<'_>,
        progress: &mut dyn FnMut(&Solution<G>, usize),
    ) -> Solution<G>;
}

/// The search of every game. The evaluation orders moves and values leaves, so a call through a pointer
/// takes no measurable time.
pub(crate) type Search<G> = Star<TablebaseEvaluator<G, Arc<dyn Evaluator<G>>>>;

/// A search with a transposition table of this many megabytes, compiled where this is called; see
/// [`Catalogued::exact_search`](crate::Catalogued::exact_search).
pub(crate) fn compile_exact_search<G: Endgame>(
    tables: Arc<Tables<G>>,
    evaluator: Arc<dyn Evaluator<G>>,
    megabytes: usize,
    threads: usize,
) -> Box<dyn ExactSearch<G>> {
    Box::new(search(tables, evaluator, megabytes).on_threads(threads))
}

pub(crate) fn search<G: Endgame>(
    tables: Arc<Tables<G>>,
    evaluator: Arc<dyn Evaluator<G>>,
    megabytes: usize,
) -> Search<G> {
    let evaluator = TablebaseEvaluator::new(evaluator, tables);
    let table = Arc::new(TranspositionTable::new(megabytes));
    Star::new(evaluator, Cutoffs::Star2, table, Budget::default())
}

impl<G: Endgame> ExactSearch<G> for Search<G> {
    fn clear(&mut self) {
        Agent::<G>::begin(self, Random::new(0));
    }

    fn value(&self, position: &G, depth: u32) -> f32 {
        self.value(position, depth)
    }

    fn solve(&self, position: &G, budget: Budget<'_>) -> (Option<f32>, u64) {
        self.solve(position, budget)
    }

    fn solve_turn(&self, turn: Turn<'_, G>, budget: Budget<'_>) -> Option<Analysis<G>> {
        self.solve_turn(turn, budget)
    }

    fn solve_moves(
        &self,
        position: &G,
        roll: Option<G::Roll>,
        threads: usize,
        budget: Budget<'_>,
        progress: &mut dyn FnMut(&Solution<G>, usize),
    ) -> Solution<G> {
        self.solve_moves(position, roll, threads, budget, progress)
    }
}
