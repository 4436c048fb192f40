//! The loss of a batch.

use burn_tensor::activation::log_softmax;
use burn_tensor::backend::Backend;
use burn_tensor::{Bool, Tensor};

/// A logit far enough below all others that its probability is 0. Minus infinity would make the
/// product with a probability of 0 undefined.
const NEVER: f32 = -1e9;

/// The outputs that the network should have for a batch.
pub(crate) struct TrainingBatch<B: Backend> {
    /// Which moves are illegal; boards × moves.
    pub illegal: Tensor<B, 2, Bool>,
    /// The probability that each move should have; boards × moves.
    pub policy: Tensor<B, 2>,
    /// The values that the boards should have; boards × 1.
    pub values: Tensor<B, 2>,
}

/// The losses as means over the batch, one number each: cross-entropy of the policy, squared error
/// of the value, and entropy of the policy.
pub(crate) fn losses<B: Backend>(
    logits: Tensor<B, 2>,
    values: Tensor<B, 2>,
    batch: TrainingBatch<B>,
) -> [Tensor<B, 1>; 3] {
    let logs = log_softmax(logits.mask_fill(batch.illegal.clone(), NEVER), 1);
    let mean_sum = |x: Tensor<B, 2>| -x.sum_dim(1).mean();
    let probabilities = logs.clone().exp().mask_fill(batch.illegal, 0.0);
    let entropy = mean_sum(probabilities * logs.clone());
    [mean_sum(batch.policy * logs), (values - batch.values).square().mean(), entropy]
}
