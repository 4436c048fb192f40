#![doc = include_str!("../README.md")]

mod architecture;
mod boards;
mod checkpoint;
mod error;
mod file;
mod grid;
mod inference;
mod judge;
mod kernels;
mod model;
#[cfg(test)]
mod naive;
mod onnx;
mod protobuf;
mod rows;
#[cfg(test)]
mod tests;
mod training;
mod weights;
mod winograd;

pub use architecture::Architecture;
pub use error::NetError;
pub use inference::{Inference, Method};
pub use judge::Judge;
pub use kernels::Instructions;
pub use model::Model;
pub use protobuf::Message;
pub use training::{Batch, Losses, Step, TaskWeights, Trainer, softmax};
