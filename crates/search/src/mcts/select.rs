//! Which move a simulation through the tree tries.

use wurfel_core::{Game, Turn};

/// What is known of a move in the tree.
#[derive(Clone, Copy, Debug)]
pub struct TriedMove<N> {
    /// How often it was tried; at least once.
    pub visits: f32,
    /// The mean result for the side that makes it, 0 to 1; infinite once the
    /// result is proven.
    pub mean: f32,
    /// What was noted when its turn was first met.
    pub prior: N,
}

/// Chooses moves: first those never tried, the most eager one first, then the
/// one with the highest score.
///
/// Each tree of each search begins with a clone of it.
pub trait Select<G: Game>: Clone + Send + Sync {
    /// What is kept with each move in the tree.
    type Prior: Copy + Default + Send + Sync + 'static;

    /// Notes something of each of the moves of a turn that is met for the first
    /// time: `priors` is empty and gets one for each move, in their order.
    fn priors(&self, turn: Turn<'_, G>, moves: &[G::Move], priors: &mut Vec<Self::Prior>);

    /// How soon a move that was never tried is tried: the largest first, equals
    /// in random order. Minus infinity: never, the move is pruned.
    fn first_play_urgency(&self, prior: Self::Prior) -> f32;

    /// What exploration is worth at a turn whose moves were tried `visits` times
    /// in all: the part of a score that is the same for each of them.
    fn exploration(&self, visits: f32) -> f32;

    /// The score of a move.
    fn score(&self, exploration: f32, tried: TriedMove<Self::Prior>) -> f32;

    /// A simulation ended with this result, 0 to 1, for the side that decides at the
    /// **root**.
    fn learn(&mut self, _result: f32) {}
}

/// Upper confidence bounds (UCB1; UCT): mean + c · √(ln N / n), moves that were
/// never tried in random order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ucb {
    /// The weight of exploration; results lie between 0 and 1.
    pub c: f32,
}

impl<G: Game> Select<G> for Ucb {
    type Prior = ();

    #[inline(always)]
    fn priors(&self, _: Turn<'_, G>, moves: &[G::Move], priors: &mut Vec<()>) {
        priors.resize(moves.len(), ());
    }

    #[inline(always)]
    fn first_play_urgency(&self, (): ()) -> f32 {
        0.0
    }

    #[inline(always)]
    fn exploration(&self, visits: f32) -> f32 {
        self.c * visits.ln().sqrt()
    }

    #[inline(always)]
    fn score(&self, exploration: f32, tried: TriedMove<()>) -> f32 {
        tried.mean + exploration / tried.visits.sqrt()
    }
}
