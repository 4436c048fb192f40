#![doc = include_str!("../README.md")]

mod adam;
mod file;
mod fit;
mod mlp;
pub mod network;
mod perceptron;
mod positions;
mod qlearning;
mod replies;

pub use file::{PositionsError, PositionsFile, PositionsHeader, read_positions, write_game};
pub use fit::{Epoch, Fit, VALIDATION, fit};
pub use mlp::{MLP_FIT, fit_mlp, mlp_examples, mlp_examples_by};
pub use perceptron::{
    FittedPerceptron, PerceptronEpoch, TrainingExample, TrainingExamples, fit_perceptron,
};
pub use positions::{Labelled, Labels, label, searcher};
pub use qlearning::{QSettings, learn_values};
pub use replies::{MEASURED, Picked, RepliesFit, fit_replies, measure_replies};
