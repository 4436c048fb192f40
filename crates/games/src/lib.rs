#![doc = include_str!("../README.md")]

mod any;
pub mod dicechess;
pub mod einstein;
pub mod learned;
pub mod linear;
mod logistic;
mod names;
pub mod perceptron;
mod playable;
mod text;
mod transcript;

pub use any::{GameInfo, UseGame, games, with_game};
pub use names::UnknownName;
pub use playable::{Choice, Level, Pieces, Playable, RecordForm, UseEvaluation, with_evaluation};
pub use text::{Scanner, TextError, TextPosition};
pub use transcript::{Occasion, Step, Transcript};
