//! The framework's backend of the tests and benches: `cpu-backend` if it is among the features, or
//! else `wgpu`, or else `cuda`.

#[cfg(feature = "cpu-backend")]
pub type Backend = burn_ndarray::NdArray;
#[cfg(all(feature = "wgpu", not(feature = "cpu-backend")))]
pub type Backend = burn_wgpu::Wgpu;
#[cfg(all(feature = "cuda", not(any(feature = "cpu-backend", feature = "wgpu"))))]
pub type Backend = burn_cuda::Cuda;

/// A device of the backend.
pub type Device = <Backend as burn_tensor::backend::Backend>::Device;
