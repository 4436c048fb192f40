//! Finds a GPU. The framework panics where there is none, so a device is found by trying to use it.

use std::panic::{self, AssertUnwindSafe};

use burn_tensor::backend::Backend;
use wurfel_net::{Architecture, Checkpoint, Forward, Learner, Model};

use crate::{TensorInference, TensorLearner};

/// A learner on the GPU that resumes from a checkpoint. It uses CUDA if the program was built with
/// it and finds it, or else the system's graphics interface. `None` where there is no device.
pub fn learner(checkpoint: &Checkpoint) -> Option<Box<dyn Learner>> {
    let found: Option<Box<dyn Learner>> = None;
    #[cfg(feature = "cuda")]
    let found =
        found.or_else(|| begun(|| Box::new(learner_by::<burn_cuda::Cuda>(checkpoint)) as _));
    #[cfg(feature = "wgpu")]
    let found =
        found.or_else(|| begun(|| Box::new(learner_by::<burn_wgpu::Wgpu>(checkpoint)) as _));
    found
}

/// A network that evaluates on the GPU, which is found in the same way as for [`learner`].
pub fn inference(model: &Model) -> Option<Box<dyn Forward>> {
    let found: Option<Box<dyn Forward>> = None;
    #[cfg(feature = "cuda")]
    let found = found.or_else(|| begun(|| Box::new(inference_by::<burn_cuda::Cuda>(model)) as _));
    #[cfg(feature = "wgpu")]
    let found = found.or_else(|| begun(|| Box::new(inference_by::<burn_wgpu::Wgpu>(model)) as _));
    found
}

/// A learner on the backend's first device. Its parameters are read back at once, because that
/// fails where there is no device.
fn learner_by<B: Backend>(checkpoint: &Checkpoint) -> TensorLearner<B> {
    let learner = TensorLearner::resume(checkpoint, B::Device::default());
    learner.average();
    learner
}

/// A network on the backend's first device. It evaluates an empty board at once, because that fails
/// where there is no device.
fn inference_by<B: Backend>(model: &Model) -> TensorInference<B> {
    let mut inference = TensorInference::new(model, B::Device::default());
    let Architecture { planes, moves, .. } = *model.architecture();
    let planes = vec![0.0; planes * model.architecture().cells()];
    inference.infer(&planes, &mut vec![0.0; moves], &mut [0.0]);
    inference
}

/// The result of `begin`; `None` when the framework panics, as it does where there is no device.
fn begun<T>(begin: impl FnOnce() -> T) -> Option<T> {
    let report = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let begun = panic::catch_unwind(AssertUnwindSafe(begin));
    panic::set_hook(report);
    begun.ok()
}
