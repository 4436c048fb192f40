//! An evaluation beside tables.

use std::sync::Arc;

use wurfel_core::{Endgame, Evaluator};

use crate::Tables;

/// An evaluation that knows the values in tables for certain.
#[derive(Clone, Debug)]
pub struct Informed<G, E> {
    evaluator: E,
    tables: Arc<Tables<G>>,
}

impl<G, E> Informed<G, E> {
    /// `evaluator`, with the values in `tables`.
    pub const fn new(evaluator: E, tables: Arc<Tables<G>>) -> Self {
        Self { evaluator, tables }
    }
}

impl<G: Endgame, E: Evaluator<G>> Evaluator<G> for Informed<G, E> {
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
