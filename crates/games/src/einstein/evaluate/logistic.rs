//! From "ahead by so much" to the scale of results.

/// The logistic function: from 0 (lost) over ½ (even, at 0) to 1 (won).
#[inline(always)]
pub(super) fn logistic(ahead: f32) -> f32 {
    1.0 / (1.0 + (-ahead).exp())
}
