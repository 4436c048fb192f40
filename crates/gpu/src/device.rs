//! Finding a device. The framework panics where there is none, so that is what is asked.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use burn_tensor::backend::Backend;
use cubecl_runtime::config::GlobalConfig;
use cubecl_runtime::config::autotune::AutotuneConfig;
use cubecl_runtime::config::cache::CacheConfig;
use etcetera::BaseStrategy;
use wurfel_net::{Checkpoint, Learner};

use crate::TensorLearner;

/// A learner on the GPU that goes on where another was: by CUDA, if the program was built
/// with it and finds it, else by what the system has for graphics. `None` where there is
/// no device.
pub fn learner(checkpoint: &Checkpoint) -> Option<Box<dyn Learner>> {
    note_elsewhere();
    let found = None;
    #[cfg(feature = "cuda")]
    let found = found.or_else(|| begin::<burn_cuda::Cuda>(checkpoint));
    #[cfg(feature = "wgpu")]
    let found = found.or_else(|| begin::<burn_wgpu::Wgpu>(checkpoint));
    found
}

/// A learner on the backend's first device, if one is there and hands out again what it was
/// given.
fn begin<B: Backend>(checkpoint: &Checkpoint) -> Option<Box<dyn Learner>> {
    let report = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let begun = panic::catch_unwind(AssertUnwindSafe(|| {
        let learner = TensorLearner::<B>::resume(checkpoint, B::Device::default());
        learner.average();
        learner
    }));
    panic::set_hook(report);
    let learner: Box<dyn Learner> = Box::new(begun.ok()?);
    Some(learner)
}

/// The framework tries out which of its kernels are the quickest on a device, and notes that for
/// the next time. Left to itself it would make a folder `target` for it wherever the program
/// is started; here it goes where the system keeps such things.
fn note_elsewhere() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Ok(system) = etcetera::choose_base_strategy() else { return };
        let cache = CacheConfig::File(system.cache_dir().join("wurfel"));
        let autotune = AutotuneConfig { cache, ..AutotuneConfig::default() };
        GlobalConfig::set(GlobalConfig { autotune, ..GlobalConfig::default() });
    });
}
