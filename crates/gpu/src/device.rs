//! Finds a GPU, by trying to use it.

use burn_tensor::backend::Backend;
use wurfel_net::{Architecture, Checkpoint, Forward, Learner, Model};

use crate::attempts::{NoDevice, first};
use crate::{TensorInference, TensorLearner};

/// A learner on the GPU that resumes from a checkpoint. It uses CUDA if the program was built with
/// it and finds it, or else the system's graphics interface.
///
/// # Errors
/// When there is no device.
pub fn learner(checkpoint: &Checkpoint) -> Result<Box<dyn Learner>, NoDevice> {
    first(&[
        #[cfg(feature = "cuda")]
        ("CUDA", &|| Box::new(learner_by::<burn_cuda::Cuda>(checkpoint))),
        #[cfg(feature = "wgpu")]
        ("graphics", &|| Box::new(learner_by::<burn_wgpu::Wgpu>(checkpoint))),
    ])
}

/// A network that evaluates on the GPU, which is found in the same way as for [`learner`].
///
/// # Errors
/// When there is no device.
pub fn inference(model: &Model) -> Result<Box<dyn Forward>, NoDevice> {
    first(&[
        #[cfg(feature = "cuda")]
        ("CUDA", &|| Box::new(inference_by::<burn_cuda::Cuda>(model))),
        #[cfg(feature = "wgpu")]
        ("graphics", &|| Box::new(inference_by::<burn_wgpu::Wgpu>(model))),
    ])
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
