//! An evaluation combined with tablebases.

use std::sync::Arc;

use wurfel_core::{Endgame, Evaluator};

use crate::Tables;

/// An evaluation that takes exact values from the tables where these have them.
#[derive(Clone, Debug)]
pub struct TablebaseEvaluator<G, E> {
    evaluator: E,
    tables: Arc<Tables<G>>,
}

impl<G, E> TablebaseEvaluator<G, E> {
    /// Combines `evaluator` with the exact values of `tables`.
    pub const fn new(evaluator: E, tables: Arc<Tables<G>>) -> Self {
        Self { evaluator, tables }
    }
}

impl<G: Endgame, E: Evaluator<G>> Evaluator<G> for TablebaseEvaluator<G, E> {
    #[inline(always)]
    fn evaluate(&self, position: &G) -> f32 {
        self.evaluator.evaluate(position)
    }

    #[inline(always)]
    fn exact(&self, position: &G) -> Option<f32> {
        self.tables.probe(position)
    }

    #[inline(always)]
    fn near<'a>(&'a self, parent: &'a G) -> impl Fn(&G) -> f32 + 'a {
        self.evaluator.near(parent)
    }
}
