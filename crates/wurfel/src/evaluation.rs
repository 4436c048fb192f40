//! Evaluations of positions without a type parameter.

use std::sync::Arc;

use wurfel_agents::Catalogued;
use wurfel_core::{Evaluator, NotationError, UnknownName};
use wurfel_games::shared_evaluation;

use crate::position::Position;
use crate::tables::at_rest;

/// The memory of the transposition table of a search, in megabytes.
const MEGABYTES: usize = 256;

/// An evaluation of positions, which [`Workbench::evaluation`](crate::Workbench::evaluation) finds by its name. One
/// of your own, with which agents search, is on the first page of this library.
pub trait Evaluation: Send + Sync {
    /// The value of a position before its roll for the side to **move**, from 0 to 1, after a search of
    /// `depth` turns; with 0 that of the evaluation itself.
    ///
    /// ```
    /// let chess = wurfel::game("dicechess")?;
    /// let linear = chess.evaluation("linear")?;
    /// // White has a queen more.
    /// let position = chess.read("4k3/8/8/8/8/8/8/3QK3 w - - 0 1 -", false)?;
    /// assert!(linear.value(&position, 0)? > 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the position is one of another game, has a roll, or the game is over.
    fn value(&self, position: &Position, depth: u32) -> Result<f32, NotationError>;
}

struct Typed<G> {
    rules: G,
    evaluator: Arc<dyn Evaluator<G>>,
}

pub(crate) fn evaluation<G: Catalogued>(
    rules: &G,
    name: &str,
) -> Result<Box<dyn Evaluation>, UnknownName> {
    Ok(Box::new(Typed { rules: rules.clone(), evaluator: shared_evaluation(name)? }))
}

impl<G: Catalogued> Evaluation for Typed<G> {
    fn value(&self, position: &Position, depth: u32) -> Result<f32, NotationError> {
        let position = at_rest(&self.rules, position)?;
        if depth == 0 {
            return Ok(self.evaluator.evaluate(position));
        }
        let evaluator = Arc::clone(&self.evaluator);
        let search = G::exact_search(Arc::default(), evaluator, MEGABYTES, 1);
        Ok(search.value(position, depth))
    }
}
