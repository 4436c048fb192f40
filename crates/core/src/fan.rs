//! A fan: every position in which a turn from a given position can end, over all its rolls.

use crate::Game;

/// The positions in which turns from one position can end, in groups, and which groups each roll
/// allows.
///
/// Rolls overlap: in EinStein würfelt nicht! a number whose cube is gone lets the player move one
/// of two other cubes, each of which also has a roll of its own. A search that goes through groups
/// instead of rolls meets every end only once.
#[derive(Clone, Debug)]
pub struct Fan<G: Game> {
    ends: Vec<G>,
    /// The index in `ends` at which each group stops.
    stops: Vec<usize>,
    rolls: Vec<FanRoll>,
}

/// A merged roll of a [`Fan`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FanRoll {
    /// The number of equally likely outcomes of the dice that lead to this roll.
    pub weight: u32,
    /// The groups that the roll allows: bit *i* stands for group *i*.
    pub groups: u64,
}

impl<G: Game> Default for Fan<G> {
    fn default() -> Self {
        Self { ends: vec![], stops: vec![], rolls: vec![] }
    }
}

impl<G: Game> Fan<G> {
    /// Removes everything from the fan but keeps its memory.
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

    /// Closes the group that is being filled and returns its number. A fan has at most 64 groups.
    #[inline]
    pub fn close_group(&mut self) -> usize {
        self.stops.push(self.ends.len());
        self.stops.len() - 1
    }

    /// Adds a roll that allows the `groups` whose bits are set.
    #[inline]
    pub fn add_roll(&mut self, weight: u32, groups: u64) {
        self.rolls.push(FanRoll { weight, groups });
    }

    /// All ends, group by group.
    #[inline]
    pub fn ends(&self) -> &[G] {
        &self.ends
    }

    /// How many groups there are.
    #[inline]
    pub fn groups(&self) -> usize {
        self.stops.len()
    }

    /// The range of a group's ends within [`ends`](Fan::ends).
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
