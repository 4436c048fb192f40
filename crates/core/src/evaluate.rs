//! Evaluations: estimates of a position without search.

use std::sync::Arc;

use crate::{Game, Side, Turn};

/// Estimates how a position at rest will end.
///
/// ```
/// use wurfel_core::{Evaluator, Even, Game, Literal, Side};
///
/// /// The first side is better off.
/// struct Optimist;
///
/// impl Evaluator<Literal> for Optimist {
///     fn evaluate(&self, position: &Literal) -> f32 {
///         if position.side() == Side::First { 0.9 } else { 0.1 }
///     }
/// }
///
/// let position: Literal = "{[+-]}".parse()?;
/// assert_eq!((Optimist.evaluate(&position), Even.evaluate(&position)), (0.9, 0.5));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimated result for the **side to move** before its roll, from 0 (lost) over ½ (drawn
    /// or even) to 1 (won). Called only before the end of the game.
    fn evaluate(&self, position: &G) -> f32;

    /// The true result under best play for the **side to move** before its roll, where the
    /// evaluation knows it without searching. Searches rely on it like on the end of a game. Called
    /// only before the end of the game.
    #[inline(always)]
    fn exact(&self, _position: &G) -> Option<f32> {
        None
    }

    /// How good a position looks for `side`, on the evaluation's own scale; by default the
    /// estimated result. Called only before the end of the game.
    fn score(&self, position: &G, side: Side) -> f32 {
        let value = self.evaluate(position);
        if position.side() == side { value } else { 1.0 - value }
    }

    /// The [scores](Self::score) of a lost position and of a won one; none lies outside this range.
    fn score_range(&self) -> (f32, f32) {
        (0.0, 1.0)
    }

    /// [`evaluate`](Self::evaluate) for positions one turn after `parent`. An evaluation that can
    /// reuse what it computes for `parent` overrides this.
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

    fn score(&self, position: &G, side: Side) -> f32 {
        E::score(self, position, side)
    }

    fn score_range(&self) -> (f32, f32) {
        E::score_range(self)
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

    fn score(&self, position: &G, side: Side) -> f32 {
        (**self).score(position, side)
    }

    fn score_range(&self) -> (f32, f32) {
        (**self).score_range()
    }
}

/// Evaluates every position as even, ½: for tests and for searches to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Even;

impl<G: Game> Evaluator<G> for Even {
    #[inline(always)]
    fn evaluate(&self, _: &G) -> f32 {
        0.5
    }
}

/// Rates single moves by how they look, without search.
pub trait Preference<G: Game>: Send + Sync {
    /// How good the move looks for the side that makes it. Larger is better; the scale is the
    /// preference's own.
    fn rate(&self, turn: Turn<'_, G>, mv: G::Move) -> i32;

    /// Whether no search may prune the move unseen: it captures, wins, or threatens to win on the
    /// next turn.
    fn is_urgent(&self, _turn: Turn<'_, G>, _mv: G::Move) -> bool {
        false
    }
}

/// Rates the ends of a turn by how they look, to pick those that are worth an evaluation.
pub trait EndPreference<G: Game>: Send + Sync {
    /// How good a turn that led from `before` to `end` looks for the side that made it. Larger is
    /// better; the scale is the preference's own, and only ends of the same roll are compared.
    /// Called only before the end of the game.
    fn rate(&self, before: &G, end: &G) -> f32;
}

/// An evaluation prefers the ends with the larger value.
impl<G: Game, E: Evaluator<G>> EndPreference<G> for E {
    fn rate(&self, _: &G, end: &G) -> f32 {
        1.0 - self.evaluate(end)
    }
}
