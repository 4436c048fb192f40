#![doc = include_str!("../README.md")]

mod aggressive;
pub mod dicechess;
pub mod einstein;
mod learnable;
pub mod learned;
pub mod linear;
mod logistic;
pub mod perceptron;
mod playable;
mod shipped;

pub use aggressive::Aggressive;
pub use learnable::{Fitted, Learnable, replies_from_bytes, shipped_replies};
pub use playable::{
    Choice, HeuristicWeights, IN_PAGE, Pieces, Playable, ReadGame, RecordForm, UseEvaluation,
    shared_evaluation, with_evaluation,
};
pub use shipped::ShippedFile;
