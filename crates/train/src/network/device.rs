//! What takes the steps of a run.

use wurfel_net::{Checkpoint, Learner, Trainer};

use super::run::RunError;

/// What takes the steps of a run. All devices learn the same but for rounding, and a run may
/// change from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Device {
    /// The processor.
    #[default]
    Cpu,
    /// A GPU; needs feature `gpu` or `cuda`.
    Gpu,
}

impl Device {
    /// A learner that goes on from a checkpoint with batches of at most `most` positions.
    pub(super) fn learner(
        self,
        checkpoint: &Checkpoint,
        most: usize,
    ) -> Result<Box<dyn Learner>, RunError> {
        match self {
            Self::Cpu => Ok(Box::new(Trainer::resume(checkpoint, most))),
            #[cfg(any(feature = "cuda", feature = "gpu"))]
            Self::Gpu => {
                wurfel_gpu::learner(checkpoint).ok_or(RunError::Device("no device was found"))
            }
            #[cfg(not(any(feature = "cuda", feature = "gpu")))]
            Self::Gpu => Err(RunError::Device(
                "this program has none: build it with `--features gpu` or `--features cuda`",
            )),
        }
    }
}
