//! The values of positions some turns ahead, following only the ends of turns that look best.
//!
//! Values are results for the side to move of the position in question, unless a name says otherwise.
//! Once the clock is over they are meaningless.

use wurfel_core::{EndPreference, Evaluator, Game, Weighted};

use super::Filter;
use super::values::Values;
use crate::clock::Clock;

pub(super) struct Tree<'a, G: Game> {
    evaluator: &'a dyn Evaluator<G>,
    /// Picks the replies that are evaluated.
    preference: &'a dyn EndPreference<G>,
    pub filter: Filter,
    pub clock: Clock<'a>,
    /// Ends of turns visited.
    pub nodes: u64,
    /// The cached evaluations of replies.
    values: Values,
    /// Lists that are not in use, kept for their memory.
    pool: Vec<Picked<G>>,
}

impl<'a, G: Game> Tree<'a, G> {
    pub fn new(
        evaluator: &'a dyn Evaluator<G>,
        preference: &'a dyn EndPreference<G>,
        filter: Filter,
    ) -> Self {
        let (clock, values, pool) = (Clock::never(), Values::new(), vec![]);
        Self { evaluator, preference, filter, clock, nodes: 0, values, pool }
    }

    pub fn is_over(&mut self) -> bool {
        self.clock.is_over(self.nodes)
    }

    /// The value of an end for the side whose turn ended there, if it is known without searching.
    fn known(&self, end: &G) -> Option<f32> {
        let value = match end.outcome() {
            Some(outcome) => Some(outcome.value_for(end.side())),
            None => self.evaluator.exact(end),
        };
        value.map(|value| 1.0 - value)
    }

    /// The value of an end for the side whose turn ended there, by its static evaluation, and whether it is
    /// certain.
    pub fn looks(&self, end: &G) -> (f32, bool) {
        match self.known(end) {
            Some(value) => (value, true),
            None => (1.0 - self.evaluator.evaluate(end), false),
        }
    }

    /// The value of a position before its roll, looking `depth` turns ahead, at least 1.
    pub fn at_rest(&mut self, position: &G, depth: u32) -> f32 {
        let won = position.winning_rolls().unwrap_or_default();
        let (mut sum, mut chances) = (0.0, 0);
        for &Weighted { item: roll, weight } in position.rolls().as_ref() {
            if self.is_over() {
                return 0.0;
            }
            let wins = won.contains(&roll).then_some(1.0);
            if let Some(value) = wins.or_else(|| self.rolled(position, roll, depth)) {
                sum += weight as f32 * value;
                chances += weight;
            }
        }
        sum / chances as f32
    }

    /// The value of a position with its roll, looking `depth` turns ahead, at least 1. `None` when
    /// the roll allows no move and is rolled again.
    pub fn rolled(&mut self, position: &G, roll: G::Roll, depth: u32) -> Option<f32> {
        let mut picked = self.pool.pop().unwrap_or_default();
        picked.clear(self.filter.replies);
        let (mut seen, mut best) = (0, 0.0);
        position.ends(roll, |end| {
            seen += 1;
            match self.known(end) {
                Some(value) => best = f32::max(best, value),
                None if best < 1.0 => picked.offer(self.preference.rate(position, end), end),
                None => {}
            }
        });
        self.nodes += seen;
        if best < 1.0 {
            for reply in &mut picked.replies {
                let evaluate = |end: &G| self.evaluator.evaluate(end);
                reply.looks = 1.0 - self.values.of(&reply.end, evaluate);
            }
            best = f32::max(best, self.best_of(&mut picked.replies, depth));
        }
        self.pool.push(picked);
        (seen > 0).then_some(best)
    }

    /// The value of the best of some replies, for the side that makes them, looking `depth` turns
    /// ahead. Where replies are searched further, it is enough to try a third of them.
    fn best_of(&mut self, replies: &mut [Reply<G>], depth: u32) -> f32 {
        replies.sort_by(|one, other| other.looks.total_cmp(&one.looks));
        let Some(first) = replies.first() else { return 0.0 };
        if depth == 1 {
            return first.looks;
        }
        let floor = first.looks - self.filter.margin;
        let tried = replies.iter().take(self.filter.replies.div_ceil(3));
        let tried = tried.take_while(|reply| reply.looks >= floor);
        tried.fold(0.0, |best, reply| f32::max(best, 1.0 - self.at_rest(&reply.end, depth - 1)))
    }
}

/// An end of a turn that may be the best one.
struct Reply<G> {
    /// Its static evaluation, for the side whose turn ended there.
    looks: f32,
    end: G,
}

/// The ends of a turn that look best.
struct Picked<G> {
    replies: Vec<Reply<G>>,
    most: usize,
    /// The one that looks worst, once there are as many as may be kept.
    worst: usize,
}

impl<G> Default for Picked<G> {
    fn default() -> Self {
        Self { replies: vec![], most: 0, worst: 0 }
    }
}

impl<G: Game> Picked<G> {
    fn clear(&mut self, most: usize) {
        self.replies.clear();
        self.most = most.max(1);
    }

    fn offer(&mut self, looks: f32, end: &G) {
        if self.replies.len() == self.most {
            if looks <= self.replies[self.worst].looks {
                return;
            }
            self.replies.remove(self.worst);
        }
        self.replies.push(Reply { looks, end: end.clone() });
        if self.replies.len() == self.most {
            // Of several that look equally bad, the last one is dropped first.
            let looks = |n: &usize| self.replies[*n].looks;
            let order = |one: &usize, other: &usize| looks(one).total_cmp(&looks(other));
            self.worst = (0..self.most).rev().min_by(order).unwrap_or(0);
        }
    }
}
