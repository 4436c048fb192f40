//! Positions as a few of many features, for evaluations that are learned.

use crate::{Game, Side};

/// A game whose positions are described by which of a fixed set of features they
/// have, seen from the side to move.
///
/// Positions with the same features are evaluated the same: what decides the value
/// should show in them. A game need not tell its colours apart. A game that says nothing has no
/// features, and nothing can be learned of it.
pub trait Features: Game {
    /// How many features there are.
    const FEATURES: usize = 0;

    /// Calls `add` with the number, below [`Features::FEATURES`], of each lasting
    /// feature that this position has, as if it were `viewer` to move. Meaningful
    /// before the end.
    fn features(&self, _viewer: Side, _add: impl FnMut(usize)) {}

    /// The same for the fleeting features: those that hang on so much of the position
    /// that after a move they are found anew.
    fn fleeting(&self, _viewer: Side, _add: impl FnMut(usize)) {}

    /// Calls `remove` and `add` with the lasting features that this position has no
    /// longer and has since `before`, one move ago, both seen from the side that is to
    /// move now. False, and no call, where that is no less work than
    /// [`Features::features`].
    fn changes(&self, _before: &Self, _remove: impl FnMut(usize), _add: impl FnMut(usize)) -> bool {
        false
    }

    /// How many kinds of features there are.
    const KINDS: usize = 1;

    /// The kind of a feature, below [`Features::KINDS`]: features of one kind mean
    /// nearly the same, and what is learned of one is a first guess for the others.
    fn kind(_feature: usize) -> usize {
        0
    }

    /// A position with other features and the same value for the side to move,
    /// from which as much can be learned again; itself when the game has no
    /// such symmetry.
    #[must_use]
    fn twin(&self) -> Self {
        self.clone()
    }
}
