//! All moves of a position over all its throws, each different one once.

use crate::Game;

/// The moves of a position in groups, and which groups each throw allows.
///
/// Throws overlap: in EinStein würfelt nicht! a die whose cube is gone lets two
/// other cubes move, each of which has a throw of its own. A search that looks
/// at groups instead of throws meets every move once.
#[derive(Clone, Debug)]
pub struct Fan<G: Game> {
    moves: Vec<(G::Roll, G::Move)>,
    /// Where each group ends in `moves`.
    ends: Vec<usize>,
    throws: Vec<FanThrow>,
}

/// A merged throw of a [`Fan`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FanThrow {
    /// In how many of the equally likely chances it happens.
    pub weight: u32,
    /// The groups it allows: bit *i* for group *i*.
    pub groups: u64,
}

impl<G: Game> Default for Fan<G> {
    fn default() -> Self {
        Self { moves: vec![], ends: vec![], throws: vec![] }
    }
}

impl<G: Game> Fan<G> {
    /// Empties the fan and keeps its memory.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
        self.throws.clear();
    }

    /// Adds a group of moves, each with a roll that allows it, and returns its
    /// number. At most 64 groups fit.
    #[inline]
    pub fn add_group(&mut self, moves: impl IntoIterator<Item = (G::Roll, G::Move)>) -> usize {
        self.moves.extend(moves);
        self.ends.push(self.moves.len());
        self.ends.len() - 1
    }

    /// Adds a throw.
    #[inline]
    pub fn add_throw(&mut self, weight: u32, groups: u64) {
        self.throws.push(FanThrow { weight, groups });
    }

    /// The moves, group after group.
    #[inline]
    pub fn moves(&self) -> &[(G::Roll, G::Move)] {
        &self.moves
    }

    /// How many groups there are.
    #[inline]
    pub fn groups(&self) -> usize {
        self.ends.len()
    }

    /// The places in [`moves`](Fan::moves) of the moves of a group.
    #[inline]
    pub fn group(&self, group: usize) -> std::ops::Range<usize> {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        start..self.ends[group]
    }

    /// The throws, in the order of [`Game::rolls`].
    #[inline]
    pub fn throws(&self) -> &[FanThrow] {
        &self.throws
    }
}
