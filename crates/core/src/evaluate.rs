//! Evaluations of a position that need no search.

use std::sync::Arc;

use crate::{Game, Turn};

/// Estimates how a position at rest will end.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimated result for the **side to move**, before its roll: from 0
    /// (lost) over ½ (a draw, or even) to 1 (won). Called only before the end.
    fn evaluate(&self, position: &G) -> f32;

    /// The true result under best play for the **side to move**, before its roll, if it
    /// is known without searching: searches take it for what it is. Called only before
    /// the end.
    #[inline(always)]
    fn exact(&self, _position: &G) -> Option<f32> {
        None
    }

    /// The same evaluation of positions one turn after `parent`: an evaluation that
    /// can go on from what it knows of `parent` does.
    fn near<'a>(&'a self, _parent: &'a G) -> impl Fn(&G) -> f32 + 'a
    where
        Self: Sized,
    {
        |child| self.evaluate(child)
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Arc<E> {
    #[inline(always)]
    fn evaluate(&self, position: &G) -> f32 {
        E::evaluate(self, position)
    }

    #[inline(always)]
    fn exact(&self, position: &G) -> Option<f32> {
        E::exact(self, position)
    }

    #[inline(always)]
    fn near<'a>(&'a self, parent: &'a G) -> impl Fn(&G) -> f32 + 'a {
        E::near(self, parent)
    }
}

impl<G: Game> Evaluator<G> for Arc<dyn Evaluator<G>> {
    fn evaluate(&self, position: &G) -> f32 {
        (**self).evaluate(position)
    }

    fn exact(&self, position: &G) -> Option<f32> {
        (**self).exact(position)
    }
}

/// Evaluates every position even: for tests and for searches to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Even;

impl<G: Game> Evaluator<G> for Even {
    #[inline(always)]
    fn evaluate(&self, _: &G) -> f32 {
        0.5
    }
}

/// Rates single moves by their looks, without searching.
pub trait Preference<G: Game>: Send + Sync {
    /// How good the move looks to the side that makes it: larger is better,
    /// the scale is the preference's own.
    fn rate(&self, turn: Turn<'_, G>, mv: G::Move) -> i32;

    /// Whether the move is one that no search may leave out unseen: it takes a
    /// piece, wins, or threatens to win with the next one.
    fn is_urgent(&self, _turn: Turn<'_, G>, _mv: G::Move) -> bool {
        false
    }
}
