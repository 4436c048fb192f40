#![doc = include_str!("../README.md")]

pub mod dicechess;
pub mod einstein;
mod learnable;
pub mod learned;
pub mod linear;
mod logistic;
mod move_reader;
mod names;
pub mod perceptron;
mod playable;
mod transcript;

pub use learnable::{Fitted, Learnable, replies_from_bytes, shipped_replies};
pub use move_reader::MoveReader;
pub use names::UnknownName;
pub use playable::{
    Choice, HeuristicWeights, Pieces, Playable, ReadGame, RecordForm, UseEvaluation,
    shared_evaluation, with_evaluation,
};
pub use transcript::{Occasion, Step, Transcript};
