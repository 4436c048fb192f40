//! Sequential halving at the root, with or without Gumbel noise (I. Danihelka and others, "Policy
//! improvement by planning with Gumbel", 2022).

use wurfel_core::{Random, Side, sort_by_score};

use super::for_side;
use super::tree::Edge;

/// How much weight a value has against a logit: the value is multiplied by (50 + the most visits of
/// a move). These are the settings of the source for values from 0 to 1.
const VISITS: f32 = 50.0;

/// The moves that are still considered, and how many tries they get.
#[derive(Clone, Debug)]
pub(super) struct Halving {
    /// The logit of every move, plus its noise if noise is drawn.
    scores: Vec<f32>,
    /// The indices of the moves that are left, the best first.
    left: Vec<usize>,
    /// How often each of them should be tried before the next halving.
    quota: u32,
    /// How many halvings there are, the last one included; the next field is the number of
    /// simulations.
    rounds: u32,
    simulations: u32,
}

impl Halving {
    /// Begins with all moves. `random` draws the noise; with `None` there is no noise, and equal
    /// moves stay in `order`.
    pub fn new<M>(
        root: &[Edge<M>],
        order: &[usize],
        most: usize,
        simulations: u32,
        mut random: Option<&mut Random>,
    ) -> Self {
        let mut noise = || match &mut random {
            Some(random) => -libm::log(-libm::log(1.0 - random.unit())) as f32,
            None => 0.0,
        };
        let scores: Vec<f32> =
            root.iter().map(|edge| noise() + libm::logf(edge.prior.max(1e-30))).collect();
        let mut left = order.to_vec();
        sort_by_score(&mut left, |&place| f64::from(scores[place]));
        left.truncate(most.clamp(1, simulations.max(1) as usize));
        let rounds = left.len().next_power_of_two().ilog2().max(1);
        let mut halving = Self { scores, left, quota: 0, rounds, simulations };
        halving.quota = halving.share();
        halving
    }

    /// How often each move that is left is tried in one round.
    fn share(&self) -> u32 {
        (self.simulations / (self.rounds * self.left.len() as u32)).max(1)
    }

    /// Halves the list once each move in it has had its tries.
    pub fn proceed<M>(&mut self, root: &[Edge<M>], side: Side) {
        let done = |&place: &usize| root[place].tries() >= self.quota;
        if self.left.len() > 1 && self.left.iter().all(done) {
            self.sort(root, side);
            self.left.truncate(self.left.len().div_ceil(2));
            self.quota += self.share();
        }
    }

    fn sort<M>(&mut self, root: &[Edge<M>], side: Side) {
        let bonus = values(root, side, None);
        let scores = &self.scores;
        sort_by_score(&mut self.left, |&place| f64::from(scores[place] + bonus[place]));
    }

    /// The index of the move to try next.
    pub fn next<M>(&self, root: &[Edge<M>]) -> usize {
        let least = self.left.iter().copied().min_by_key(|&place| root[place].tries());
        least.unwrap_or(0)
    }

    /// The index of the move to play.
    pub fn winner<M>(&mut self, root: &[Edge<M>], side: Side) -> usize {
        self.sort(root, side);
        self.left.first().copied().unwrap_or(0)
    }
}

/// What the value of each move adds to its logit. A move that was never tried gets the value
/// `untried`; with `None` nothing is added for it.
fn values<M>(root: &[Edge<M>], side: Side, untried: Option<f32>) -> Vec<f32> {
    let most = root.iter().map(|edge| edge.visits).max().unwrap_or(0) as f32;
    let value = |edge: &Edge<M>| match edge.visits {
        0 => untried.unwrap_or(0.0),
        _ => for_side(edge.mean, side),
    };
    root.iter().map(|edge| (VISITS + most) * value(edge)).collect()
}

/// The improved policy that the search has found: softmax over logits plus values. Moves that were
/// never tried get the value of the root, `value`.
pub(super) fn improved<M>(root: &[Edge<M>], side: Side, value: f32) -> Vec<f32> {
    let bonus = values(root, side, Some(value));
    let logits =
        root.iter().zip(bonus).map(|(edge, bonus)| libm::logf(edge.prior.max(1e-30)) + bonus);
    let logits: Vec<f32> = logits.collect();
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.into_iter().map(|logit| libm::expf(logit - largest)).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}
