#![doc = include_str!("../README.md")]

#[cfg(any(feature = "cuda", feature = "wgpu", test))]
mod attempts;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod device;
#[cfg(feature = "burn")]
mod inference;
#[cfg(feature = "burn")]
mod learner;
#[cfg(feature = "burn")]
mod loss;
#[cfg(feature = "burn")]
mod network;

#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub use attempts::NoDevice;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub use device::{inference, learner};
#[cfg(feature = "burn")]
pub use inference::TensorInference;
#[cfg(feature = "burn")]
pub use learner::TensorLearner;
