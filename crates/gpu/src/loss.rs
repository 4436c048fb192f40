//! How wrong a network is about a batch.

use burn_tensor::activation::log_softmax;
use burn_tensor::backend::Backend;
use burn_tensor::{Bool, Tensor};

/// Far enough below all logits that the probability is 0, and no infinity that 0 makes
/// undefined.
const NEVER: f32 = -1e9;

/// What should be said of a batch.
pub(crate) struct TrainingBatch<B: Backend> {
    /// Which moves are not legal, boards × moves.
    pub illegal: Tensor<B, 2, Bool>,
    /// The probability of each move, boards × moves.
    pub policy: Tensor<B, 2>,
    /// The values, boards × 1.
    pub values: Tensor<B, 2>,
}

/// Means over the batch, one number each: the policy's cross-entropy, the value's squared
/// error, and the policy's entropy.
pub(crate) fn losses<B: Backend>(
    logits: Tensor<B, 2>,
    values: Tensor<B, 2>,
    lesson: TrainingBatch<B>,
) -> [Tensor<B, 1>; 3] {
    let logs = log_softmax(logits.mask_fill(lesson.illegal.clone(), NEVER), 1);
    let mean_sum = |x: Tensor<B, 2>| -x.sum_dim(1).mean();
    let probabilities = logs.clone().exp().mask_fill(lesson.illegal, 0.0);
    let entropy = mean_sum(probabilities * logs.clone());
    [mean_sum(lesson.policy * logs), (values - lesson.values).square().mean(), entropy]
}
