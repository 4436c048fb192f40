//! The devices that a run calculates on.

use wurfel_games::Learnable;
use wurfel_net::{Checkpoint, EncodedNetwork, Instructions, Learner, Method, Model, Trainer};

use super::error::RunError;

/// A device to calculate on. All devices give the same results up to rounding, and a run may change
/// from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Device {
    /// The CPU, in this project's own code.
    #[default]
    Cpu,
    /// A GPU, which needs feature `gpu` or `cuda`.
    Gpu,
}

/// The devices of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Devices {
    /// The device of the learner.
    pub learner: Device,
    /// The device of inference during self-play.
    pub inference: Device,
}

impl Device {
    /// A learner that continues from a checkpoint, with batches of at most `most` positions.
    pub(super) fn learner(
        self,
        checkpoint: &Checkpoint,
        most: usize,
    ) -> Result<Box<dyn Learner>, RunError> {
        match self {
            Self::Cpu => Ok(Box::new(Trainer::resume(checkpoint, most))),
            #[cfg(any(feature = "cuda", feature = "gpu"))]
            Self::Gpu => Ok(wurfel_gpu::learner(checkpoint)?),
            #[cfg(not(any(feature = "cuda", feature = "gpu")))]
            Self::Gpu => Err(not_built()),
        }
    }

    /// A network that evaluates the turns of many games in one batch. On the CPU its evaluation of
    /// a turn does not depend on the others.
    pub(super) fn network<G: Learnable>(
        self,
        model: &Model,
    ) -> Result<EncodedNetwork<G>, RunError> {
        match self {
            // One method is used for batches of every size, so that all are rounded in the same
            // way.
            Self::Cpu => {
                let (best, method) = (Instructions::best(), Method::Winograd);
                Ok(EncodedNetwork::with(model, G::ENCODINGS, best, method)?)
            }
            #[cfg(any(feature = "cuda", feature = "gpu"))]
            Self::Gpu => {
                let inference = wurfel_gpu::inference(model)?;
                Ok(EncodedNetwork::over(inference, model.encoding(), G::ENCODINGS)?)
            }
            #[cfg(not(any(feature = "cuda", feature = "gpu")))]
            Self::Gpu => Err(not_built()),
        }
    }
}

#[cfg(not(any(feature = "cuda", feature = "gpu")))]
fn not_built() -> RunError {
    let how = "not in this program: build it with `--features gpu` or `--features cuda`";
    RunError::Device(how.to_owned())
}
