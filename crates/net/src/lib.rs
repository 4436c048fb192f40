#![doc = include_str!("../README.md")]

mod architecture;
mod arrays;
mod boards;
mod checkpoint;
mod encoded;
mod error;
mod file;
mod forward;
mod grid;
mod heads;
mod inference;
mod int8;
mod kernels;
mod learner;
mod model;
#[cfg(test)]
mod naive;
mod onnx;
mod protobuf;
mod rows;
#[cfg(test)]
mod tests;
mod threads;
mod training;
mod weights;
mod winograd;

pub use architecture::{Architecture, Convolution, DenseLayer, Layout, NetworkShape};
pub use arrays::NamedArray;
pub use checkpoint::Checkpoint;
pub use encoded::EncodedNetwork;
pub use error::NetError;
pub use forward::Forward;
pub use inference::{Inference, Method};
pub use int8::{InputScale, Int8Inference, Int8Scales};
pub use kernels::{Instructions, Int8Instructions};
pub use learner::Learner;
pub use model::{EPSILON as NORM_EPSILON, Model};
pub use protobuf::Message;
pub use threads::Threaded;
pub use training::{
    ADAM_BETAS, ADAM_EPSILON, Batch, Losses, NORM_MOMENTUM, OptimizerStep, TaskWeights, Trainer,
    softmax,
};
