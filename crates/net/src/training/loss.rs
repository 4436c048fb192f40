//! Batches to learn from, and the loss of a network on them.

use std::ops::Range;

use crate::architecture::Architecture;

/// Positions with the output that a network should have for each; all lists go position by
/// position.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The planes, plane by plane and cell by cell.
    pub planes: &'a [f32],
    /// Whether each move is legal. At rest no move is legal, and no policy is learned.
    pub legal: &'a [bool],
    /// The probability that each move should have: 0 for illegal moves, and 1 in total if there is
    /// a legal move.
    pub policy: &'a [f32],
    /// The value that each position should have, −1 to 1.
    pub values: &'a [f32],
}

/// The weights of the two parts of the loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TaskWeights {
    /// The weight of the policy's cross-entropy.
    pub policy: f32,
    /// The weight of the value's squared error.
    pub value: f32,
}

impl Default for TaskWeights {
    /// Equal weights, as in paper `policy-value-network`, equation 2.
    fn default() -> Self {
        Self { policy: 1.0, value: 1.0 }
    }
}

/// The loss of a network on a batch, as means over its positions. A position at rest adds nothing
/// to `policy` and `entropy`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    /// The policy's cross-entropy (equation 3 of the paper), in nats.
    pub policy: f32,
    /// The value's squared error (equation 4), on values from −1 to 1.
    pub value: f32,
    /// The entropy of the policy over the legal moves, in nats.
    pub entropy: f32,
}

impl Losses {
    /// The loss that is minimised, without the regularisation term.
    pub fn total(&self, weights: TaskWeights) -> f32 {
        weights.policy * self.policy + weights.value * self.value
    }
}

impl Batch<'_> {
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        let boards = self.values.len();
        let of = |each: usize| range.start * each..range.end * each;
        let (planes, moves) = (of(self.planes.len() / boards), of(self.legal.len() / boards));
        Self {
            planes: &self.planes[planes],
            legal: &self.legal[moves.clone()],
            policy: &self.policy[moves],
            values: &self.values[range],
        }
    }

    /// The number of positions, after checking the lengths of all lists.
    ///
    /// # Panics
    /// When there are no positions, or when the lists do not have the lengths that the architecture
    /// requires.
    pub fn check(&self, architecture: &Architecture) -> usize {
        let boards = self.values.len();
        assert!(boards > 0, "a batch without positions");
        let planes = architecture.planes * architecture.cells();
        assert_eq!(self.planes.len(), boards * planes, "numbers in the planes");
        assert_eq!(self.legal.len(), boards * architecture.moves, "legal moves");
        assert_eq!(self.policy.len(), boards * architecture.moves, "probabilities");
        boards
    }
}

/// Turns logits into the probabilities of the legal moves; illegal moves get 0.
pub fn softmax(logits: &mut [f32], legal: impl Fn(usize) -> bool) {
    let largest = logits
        .iter()
        .enumerate()
        .filter(|(mv, _)| legal(*mv))
        .fold(f32::NEG_INFINITY, |largest, (_, &logit)| largest.max(logit));
    let mut sum = 0.0;
    for (mv, logit) in logits.iter_mut().enumerate() {
        *logit = if legal(mv) { (*logit - largest).exp() } else { 0.0 };
        sum += *logit;
    }
    if sum > 0.0 {
        for logit in logits {
            *logit /= sum;
        }
    }
}
