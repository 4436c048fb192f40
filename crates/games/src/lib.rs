#![doc = include_str!("../README.md")]

mod any;
pub mod einstein;
pub mod learned;
mod logistic;
mod names;
mod playable;

pub use any::{GameInfo, UseGame, games, with_game};
pub use names::UnknownName;
pub use playable::{Choice, Level, Men, Playable, UseEvaluation, with_evaluation};
