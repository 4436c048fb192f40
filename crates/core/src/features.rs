//! Features: yes-or-no facts that describe positions, for learned evaluations.

use crate::{Game, Side};

/// A game whose positions are described by which of a fixed set of features they have, seen from
/// the side to move.
///
/// A learned evaluation gives positions with the same features the same value, so the features
/// should show what the value depends on. They need not tell the two sides' colours apart. A game
/// that keeps the defaults has no features, and no evaluation can be learned for it.
pub trait Features: Game {
    /// How many features there are.
    const FEATURES: usize = 0;
    /// How many features there were, numbered from 0, before others were appended. Parameters that
    /// were fitted to these alone can still be read.
    const FIRST_FEATURES: usize = Self::FEATURES;

    /// Calls `add` with the number of each incremental feature that this position has, as if
    /// `viewer` were to move. Numbers are below [`Features::FEATURES`]. Meaningful only before the end of
    /// the game.
    fn features(&self, _viewer: Side, _add: impl FnMut(usize)) {}

    /// Calls `add` with the number of each recomputed feature, as if `viewer` were to move.
    /// Recomputed features depend on so much of the position that they are recomputed after every
    /// move.
    fn recomputed(&self, _viewer: Side, _add: impl FnMut(usize)) {}

    /// Updates the incremental features after one move: calls `remove` with those of `before` that
    /// this position lacks and `add` with those that it has gained, both seen from the side to
    /// move now. Returns false, without any call, where that would be no less work than
    /// [`Features::features`].
    fn changes(&self, _before: &Self, _remove: impl FnMut(usize), _add: impl FnMut(usize)) -> bool {
        false
    }

    /// How many kinds of features there are; see [`Features::kind`].
    const KINDS: usize = 1;

    /// The kind of a feature, below [`Features::KINDS`]. Features of one kind mean nearly the same,
    /// and what was learned about one of them is a first guess for the others.
    fn kind(_feature: usize) -> usize {
        0
    }

    /// A position with different features and the same value for the side to move, which makes a
    /// second training position of this one. The position itself when the game has no such
    /// symmetry.
    #[must_use]
    fn twin(&self) -> Self {
        self.clone()
    }
}
