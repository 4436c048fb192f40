//! All turns of a position over all its rolls, by where they end.

use crate::Game;

/// The positions that a position's turns end in, in groups, and which groups each
/// roll allows.
///
/// Rolls overlap: in EinStein würfelt nicht! a die whose cube is gone lets two
/// other cubes move, each of which has a roll of its own. A search that looks
/// at groups instead of rolls meets every end once.
#[derive(Clone, Debug)]
pub struct Fan<G: Game> {
    ends: Vec<G>,
    /// Where each group stops in `ends`.
    stops: Vec<usize>,
    rolls: Vec<FanRoll>,
}

/// A merged roll of a [`Fan`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FanRoll {
    /// In how many of the equally likely chances it happens.
    pub weight: u32,
    /// The groups it allows: bit *i* for group *i*.
    pub groups: u64,
}

impl<G: Game> Default for Fan<G> {
    fn default() -> Self {
        Self { ends: vec![], stops: vec![], rolls: vec![] }
    }
}

impl<G: Game> Fan<G> {
    /// Empties the fan and keeps its memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.stops.clear();
        self.rolls.clear();
    }

    /// Adds an end to the group that is being filled.
    #[inline]
    pub fn add_end(&mut self, end: G) {
        self.ends.push(end);
    }

    /// Closes the group that was being filled and returns its number. At most 64
    /// groups fit.
    #[inline]
    pub fn close_group(&mut self) -> usize {
        self.stops.push(self.ends.len());
        self.stops.len() - 1
    }

    /// Adds a roll.
    #[inline]
    pub fn add_roll(&mut self, weight: u32, groups: u64) {
        self.rolls.push(FanRoll { weight, groups });
    }

    /// The ends, group after group.
    #[inline]
    pub fn ends(&self) -> &[G] {
        &self.ends
    }

    /// How many groups there are.
    #[inline]
    pub fn groups(&self) -> usize {
        self.stops.len()
    }

    /// The places in [`ends`](Fan::ends) of a group.
    #[inline]
    pub fn group(&self, group: usize) -> std::ops::Range<usize> {
        let start = if group == 0 { 0 } else { self.stops[group - 1] };
        start..self.stops[group]
    }

    /// The rolls, in the order of [`Game::rolls`].
    #[inline]
    pub fn rolls(&self) -> &[FanRoll] {
        &self.rolls
    }
}
