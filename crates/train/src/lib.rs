#![doc = include_str!("../README.md")]

mod adam;
mod file;
mod fit;
pub mod network;
mod perceptron;
mod positions;
mod qlearning;

pub use file::{PositionsError, PositionsFile, PositionsHeader, read_positions};
pub use fit::{Epoch, Fit, VALIDATION, fit};
pub use perceptron::{TrainingExample, fit_perceptron};
pub use positions::{Labelled, Labels, label};
pub use qlearning::{QSettings, learn_values};
