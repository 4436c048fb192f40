//! Exact values of positions, by searches down to tables or to the end of the game.

use std::sync::Arc;

use wurfel_agents::{Catalogued, ExactSearch};
use wurfel_core::{Budget, Instant, NotationError, Situation};
use wurfel_games::shared_evaluation;
use wurfel_search::Solution;
use wurfel_tablebase::Tables;

use crate::position::Position;
use crate::solution::{SolutionReport, SolvedRollReport};

pub(crate) fn search<G: Catalogued>(
    tables: &Arc<Tables<G>>,
    megabytes: usize,
    threads: usize,
) -> Box<dyn ExactSearch<G>> {
    let order = shared_evaluation::<G>(G::EVALUATIONS[0].name);
    let order = order.expect("a game knows its first evaluation");
    G::exact_search(Arc::clone(tables), order, megabytes, threads)
}

/// A solver with these tables and a transposition table of this size.
pub(crate) fn solver<G: Catalogued>(
    rules: &G,
    tables: &Arc<Tables<G>>,
    megabytes: usize,
) -> Box<dyn Solver> {
    Box::new(TypedSolver { rules: rules.clone(), search: search(tables, megabytes, 1) })
}

/// Finds exact values by searches down to tables or to the end of the game.
pub trait Solver: Send + Sync {
    /// Solves every move of a position, or with a roll only those of that roll. Time and stop flag of
    /// the budget end the search; moves that were not solved until then have no value. After each
    /// position that is solved, `progress` gets the bounds of the value so far and the number of all
    /// positions to be solved.
    ///
    /// # Errors
    /// When the position is one of another game, or the game is over.
    fn solve(
        &self,
        position: &Position,
        threads: usize,
        budget: Budget<'_>,
        progress: &mut dyn FnMut([f32; 2], usize),
    ) -> Result<SolutionReport, NotationError>;
}

struct TypedSolver<G: Catalogued> {
    rules: G,
    search: Box<dyn ExactSearch<G>>,
}

impl<G: Catalogued> Solver for TypedSolver<G> {
    fn solve(
        &self,
        position: &Position,
        threads: usize,
        budget: Budget<'_>,
        progress: &mut dyn FnMut([f32; 2], usize),
    ) -> Result<SolutionReport, NotationError> {
        let situation = position.of(&self.rules)?;
        if situation.position.outcome().is_some() {
            return Err(position.refused("one before the end, but the game is over"));
        }
        let started = Instant::now();
        let Situation { position, roll } = situation;
        let see = &mut |known: &Solution<G>, positions| progress(known.bounds().into(), positions);
        let solution = self.search.solve_moves(position, *roll, threads, budget, see);
        let (low, high) = solution.bounds();
        Ok(SolutionReport {
            position: situation.to_string(),
            value: (low >= high).then_some(low),
            low,
            high,
            rolls: solution.rolls.iter().map(SolvedRollReport::new).collect(),
            nodes: solution.nodes,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}
